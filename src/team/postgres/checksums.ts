/**
 * PostgreSQL can be run without checksums of its own, and a copy on another machine has none. What
 * answers are made of has a sum beside it, as it has in the embedded store.
 */
import { crc32 } from 'node:zlib'
import { KnowledgeError } from '../../core/domain/error.ts'
import type { Row } from './database.ts'

export function damaged(what: string): KnowledgeError {
  const error = new KnowledgeError(
    'unavailable',
    `${what} is damaged.`,
    'Ask again in a moment: the index is rebuilt from your files.',
  )
  return Object.assign(error, { [DAMAGE]: true })
}

const DAMAGE = Symbol('damage')

export function isDamaged(error: unknown): boolean {
  return typeof error === 'object' && error !== null && DAMAGE in error
}

/** The bytes of a row with `data` and `sum`. */
export function soundData(row: Row, what: string): Buffer {
  const data = row['data'] as Buffer
  if (crc32(data) === row['sum']) return data
  throw damaged(what)
}

/** Sums of rows add up to the same in any order. */
const SUM_LIMIT = 2 ** 32

export function addSums(sum: number, more: number): number {
  return (sum + more) % SUM_LIMIT
}

/** Texts of a row as they are in the database, one after the other. */
export function sumOf(...texts: readonly (string | number | boolean | null | undefined)[]): number {
  return crc32(texts.map((text) => String(text ?? '')).join('\n'))
}
