/**
 * The first formula of ranking: BM25F (Robertson, Zaragoza, Taylor 2004). Frequencies of a term in
 * the fields of a document, each divided by its length norm and multiplied by the field's weight,
 * add up to one pseudo-frequency, which saturates.
 *
 *     f     = sum over fields of weight * frequency / norm(length)
 *     score = queryWeight * idf * f / (f + k1)
 *
 * Scores of terms are whole numbers of SCORE_UNIT. Whole numbers add up to the same sum in any
 * order, so a document's score does not depend on how documents lie in segments or on which terms
 * come first.
 */
import { FIELDS } from '../contract.ts'
import type { FieldWeights } from '../contract.ts'

/** How fast further occurrences stop mattering. */
export const K1 = 2

/** How much the length of a field is held against its frequencies, from 0 (not) to 1 (fully). */
export const LENGTH_WEIGHTS: FieldWeights = {
  title: 0.6,
  heading: 0.3,
  body: 0.5,
  tags: 0.4,
  path: 0.5,
}

/**
 * What an occurrence counts in each field. Chosen together with the constants above; see
 * `docs/decisions/0010-lexical-ranking.md`.
 */
export const DEFAULT_FIELD_WEIGHTS: FieldWeights = {
  title: 8,
  heading: 5,
  body: 1,
  tags: 3,
  path: 3,
}

export const SCORE_UNIT = 2 ** -30

/** The divisor of a frequency: 1 for a field of average length. */
export function lengthNorm(lengthWeight: number, length: number, average: number): number {
  return average === 0 ? 1 : 1 - lengthWeight + (lengthWeight * length) / average
}

export const LENGTH_WEIGHT_LIST: readonly number[] = FIELDS.map((field) => LENGTH_WEIGHTS[field])

/** Rare terms weigh more. Never negative, also for a term that is in every document. */
export function inverseFrequency(documents: number, df: number): number {
  return Math.log(1 + (documents - df + 0.5) / (df + 0.5))
}
