/**
 * How a segment lies in bytes. All numbers are little-endian, as on every machine Node runs on.
 *
 * Resident: `about` (JSON), `documents` (numbers), `lengths` (five per document), `chunkIndex` and
 * `chunkStarts` (token positions), `languages` (one byte per document), `terms` (UTF-8, sorted),
 * `termSizes` and `listSizes` (how many bytes each term and its list have).
 *
 * Paged `lists`, per term:
 *
 *     df
 *     when df <= 128: bytes of postings
 *     when df > 128, per block: last document (delta), bytes of postings, bytes of positions
 *     per posting: document (delta - 1), body frequency * 2 + 1 if other fields follow,
 *                  [mask of fields, frequency of each of them]
 *     per block: how many bytes the positions of every four postings have, but for the last of them,
 *                then the positions, as deltas within a document: as many of each as its frequencies
 *                add up to
 *
 * A document's positions run through its body (headings in place) and then, after gaps, through
 * title, aliases, tags and path.
 *
 * Among the terms are names (`names.ts`): whole titles, aliases, file names and headings. They are
 * no part of any text: they have no positions, and no length counts them. Words whose stem is
 * another word stand there twice: by their stem and, sharing its position, as they are spelt.
 */
import { FIELDS } from '../contract.ts'
import type { Field } from '../contract.ts'

export const FORMAT_VERSION = 4

export const BLOCK_SIZE = 128
/** So many postings share one size of positions: to find those of one, fewer than so many are passed. */
export const POSITION_GROUP = 4

export const FIELD_COUNT = FIELDS.length
export const BODY = FIELDS.indexOf('body')
export const HEADING = FIELDS.indexOf('heading')

/** Marks a token that shares its position with the next one: the whole of an identifier. */
export const SHARES_POSITION = 0x8000_0000

export interface AboutSegment {
  readonly version: number
  readonly documents: number
  readonly terms: number
}

/** The number of a field, as used in masks and arrays. */
export function fieldNumber(field: Field): number {
  return FIELDS.indexOf(field)
}
