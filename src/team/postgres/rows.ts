/**
 * Rows of the database. PostgreSQL can be run without checksums of its own, and a copy on another
 * machine has none: what answers are made of has a sum beside it, as it has in the embedded store.
 */
import { crc32 } from 'node:zlib'
import { type KnowledgeError, unavailable } from '../../core/domain/error.ts'
import { rowReader } from '../../core/store/rows.ts'
import { restored } from './values.ts'

function damaged(what: string): KnowledgeError {
  const error = unavailable(
    `${what} is damaged.`,
    'Ask again in a moment: the index is rebuilt from your files.',
  )
  return Object.assign(error, { [DAMAGE]: true })
}

const DAMAGE = Symbol('damage')

export function isDamaged(error: unknown): boolean {
  return typeof error === 'object' && error !== null && DAMAGE in error
}

export const reading = rowReader((value) => restored(String(value)), damaged)

/** Texts of a row as they are in the database, one after the other. */
export function sumOf(...texts: readonly (string | number | boolean | null | undefined)[]): number {
  return crc32(texts.map((text) => String(text ?? '')).join('\n'))
}
