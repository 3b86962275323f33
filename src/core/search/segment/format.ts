/**
 * How a segment lies in bytes. All numbers are little-endian, as on every machine Node runs on.
 *
 * Resident: `about` (JSON), `documents` (numbers), `lengths` (five per document), `chunkIndex` and
 * `chunkStarts` (token positions), `languages` (one byte per document), `terms` (UTF-8, sorted), `termOffsets`, `postingOffsets` and
 * `positionOffsets` (one more than there are terms).
 *
 * Paged `postings`, per term:
 *
 *     df
 *     when df > 128, per block: last document (delta), bytes in postings, bytes in positions,
 *                               mask of fields, greatest frequency of each of them (one byte each,
 *                               which ranking no longer looks at)
 *     per posting: document (delta - 1), body frequency * 2 + 1 if other fields follow,
 *                  [mask of fields, frequency of each of them]
 *
 * Paged `positions`, per term and block: the byte length of each posting's positions, then the
 * positions as deltas. A document's positions run through its body (headings in place) and then,
 * after gaps, through title, aliases, tags and path.
 *
 * Among the terms are names (`names.ts`): whole titles, aliases, file names and headings. They are
 * no part of any text: they share positions, and no length counts them. Words whose stem is
 * another word stand there twice: by their stem and, sharing its position, as they are spelt.
 */
import { FIELDS } from '../contract.ts'
import type { Field } from '../contract.ts'

export const FORMAT_VERSION = 2

export const BLOCK_SIZE = 128

export const FIELD_COUNT = FIELDS.length
export const BODY = FIELDS.indexOf('body')
export const HEADING = FIELDS.indexOf('heading')

/** Marks a token that shares its position with the next one: the whole of an identifier. */
export const SHARES_POSITION = 0x8000_0000

export interface AboutSegment {
  readonly version: number
  readonly documents: number
  readonly terms: number
  /** Average field lengths and length weights the block maxima were computed with. */
  readonly averages: readonly number[]
  readonly lengthWeights: readonly number[]
}

/** The number of a field, as used in masks and arrays. */
export function fieldNumber(field: Field): number {
  return FIELDS.indexOf(field)
}

/**
 * A frequency in one byte, rounded up so that a bound stays a bound: 0, or sixteenths of an octave
 * from 0.02 to 1,200, with 255 for everything above.
 */
export function quantise(frequency: number): number {
  if (frequency <= 0) return 0
  const step = Math.ceil(Math.log2(frequency / SMALLEST) * STEPS_PER_OCTAVE + 1 + 1e-9)
  return Math.min(255, Math.max(1, step))
}

const SMALLEST = 0.02
const STEPS_PER_OCTAVE = 16
