/**
 * How values travel to PostgreSQL and back. A text there holds no NUL: it and the character behind
 * it are written as two, in a way that leaves the order of texts and their beginnings as they were.
 * Many rows travel as one array for each column, so a statement is the same for any number of them.
 */
import { createHash } from 'node:crypto'
import type { Place } from '../../core/store/plan-commit.ts'

const ODD = /[\0\u0001]/
const ODDS = /[\0\u0001]/g

export function kept(text: string): string {
  const well = text.isWellFormed() ? text : text.toWellFormed()
  return ODD.test(well)
    ? well.replace(ODDS, (each) => (each === '\0' ? '\u0001\u0001' : '\u0001\u0002'))
    : well
}

export function restored(text: string): string {
  if (!text.includes('\u0001')) return text
  return text.replace(/\u0001([\u0001\u0002])/g, (_, which) =>
    which === '\u0001' ? '\0' : '\u0001',
  )
}

/** `{"a","b",NULL}`: texts for a column, each as `kept` writes it. */
export function textArray(texts: Iterable<string | null | undefined>): string {
  const parts: string[] = []
  for (const text of texts) {
    if (text === null || text === undefined) parts.push('NULL')
    else parts.push(`"${kept(text).replace(/["\\]/g, '\\$&')}"`)
  }
  return `{${parts.join(',')}}`
}

export function numberArray(numbers: Iterable<number | null | undefined>): string {
  const parts: string[] = []
  for (const number of numbers)
    parts.push(number === null || number === undefined ? 'NULL' : String(number))
  return `{${parts.join(',')}}`
}

export function bytesArray(all: Iterable<Uint8Array>): string {
  const parts: string[] = []
  for (const bytes of all) parts.push(`"\\\\x${Buffer.from(bytes).toString('hex')}"`)
  return `{${parts.join(',')}}`
}

/** A list of numbers that came as one text, which is much faster than a row for each. */
export function numbersIn(text: unknown): Uint32Array {
  return typeof text === 'string' && text !== ''
    ? Uint32Array.from(text.split(','), Number)
    : new Uint32Array()
}

const DIGEST_BYTES = 16

/** Stands for source and path in an index, however long they are. */
export function placeDigest({ source, path }: Place): Buffer {
  const text = `${kept(source)}\n${kept(path)}`
  return createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES)
}

/** The first text behind all that begin with `prefix`. */
export function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`
}
