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
