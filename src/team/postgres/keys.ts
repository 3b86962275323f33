/**
 * How is a text of any length found? An index of PostgreSQL holds no long keys, so it has how a text
 * begins. That is all of a short one; among long ones, thousands may begin alike, so they are found
 * by a digest, in an index that has nothing but long ones in it.
 */
import { KEY_CHARACTERS } from './schema.ts'

/** Characters are counted there by code point, here by what cannot be fewer. */
export function isLong(text: string): boolean {
  return text.length >= KEY_CHARACTERS
}

/** Finds a short text, and no long one. */
export function isShortKey(column: string, wanted: string): string {
  return `left(${column}, ${KEY_CHARACTERS}) = left(${wanted}, ${KEY_CHARACTERS})
    AND ${column} = ${wanted} AND length(${wanted}) < ${KEY_CHARACTERS}`
}

export function isLongKey(column: string, wanted: string): string {
  return `hashtextextended(${column}, 0) = hashtextextended(${wanted}, 0)
    AND length(${column}) >= ${KEY_CHARACTERS} AND ${column} = ${wanted}`
}

/** For one text, which is known when the statement is written. */
export function isKey(column: string, wanted: string, text: string): string {
  const short = isShortKey(column, wanted)
  return isLong(text) ? `((${short}) OR (${isLongKey(column, wanted)}))` : `(${short})`
}
