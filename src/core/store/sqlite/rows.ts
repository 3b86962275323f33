/** Rows of the file: SQLite gives every text as it was put in. */
import { rowReader } from '../rows.ts'

const SQLITE_CORRUPT = 11

/** Fails as SQLite itself does for damage, so that the file is set aside and built anew. */
function damaged(what: string): Error {
  return Object.assign(new Error(`${what} is damaged.`), { errcode: SQLITE_CORRUPT })
}

export const reading = rowReader(String, damaged)

export function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}
