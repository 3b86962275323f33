/**
 * SQLite notices damage to its own structure and none to what is stored in it: a flipped bit gives
 * another title, passage or vector without a word. What answers are made of has a sum beside it.
 */
import { crc32 } from 'node:zlib'
import type { Row } from './connection.ts'

const SQLITE_CORRUPT = 11

/** Fails as SQLite itself does for damage, so that the file is set aside and built anew. */
export function damaged(what: string): Error {
  return Object.assign(new Error(`${what} is damaged.`), { errcode: SQLITE_CORRUPT })
}

/** Rows of an earlier version have no sum yet. */
function matches(content: string | Uint8Array, sum: Row[string] | undefined): boolean {
  return sum === null || sum === undefined || crc32(content) === Number(sum)
}

/** The bytes of a row with `data` and `sum`. */
export function soundData(row: Row, what: string): Uint8Array {
  const data = row['data'] as Uint8Array
  if (matches(data, row['sum'])) return data
  throw damaged(what)
}

/** Columns that `documentSum` is made of. */
export const SUMMED = 'source, path, digest, title, type, created_at, updated_at, details, sum'

export function documentSum(row: Row): number {
  return crc32(summedText(row))
}

export function requireSoundDocument(row: Row): Row {
  if (matches(summedText(row), row['sum'])) return row
  throw damaged('A document of the index')
}

/** Written out: with thousands of rows, joining a list takes as long as all the rest. */
function summedText(row: Row): string {
  const text = (column: string): string => String(row[column] ?? '')
  const place = `${text('source')}\n${text('path')}\n${text('digest')}`
  const times = `${text('created_at')}\n${text('updated_at')}`
  return `${place}\n${text('title')}\n${text('type')}\n${times}\n${text('details')}`
}

/** The text of the passages of a row with `chunks` and `chunks_sum`. */
export function soundChunks(row: Row): string {
  const chunks = String(row['chunks'])
  if (matches(chunks, row['chunks_sum'])) return chunks
  throw damaged('A list of passages in the index')
}

/** Sums of rows add up to the same in any order. */
const SUM_LIMIT = 2 ** 32

export function addSums(sum: number, more: number): number {
  return (sum + more) % SUM_LIMIT
}

/** One link as it is written; where it leads is held by an index beside the table. */
export function linkSum(row: Row): number {
  const text = (column: string): string => String(row[column] ?? '')
  const where = `${text('ordinal')}\n${text('kind')}\n${text('line')}\n${text('attachment')}`
  const what = `${text('target')}\n${text('fragment')}\n${text('label')}\n${text('key')}`
  return crc32(`${where}\n${what}`)
}

/** A name or a tag that leads to a document. */
export function keySum(kind: 'name' | 'tag', key: string): number {
  return crc32(`${kind}\n${key}`)
}

/** What else a document is known by, and what was said about it. */
export const KNOWN_BY = 'path_folded, page_name, aliases, warnings, chunk_count'

export function knownBySum(row: Row): number {
  const text = (column: string): string => String(row[column] ?? '')
  const names = `${text('path_folded')}\n${text('page_name')}\n${text('aliases')}`
  return crc32(`${names}\n${text('warnings')}\n${text('chunk_count')}`)
}
