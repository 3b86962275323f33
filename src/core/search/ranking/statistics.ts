/**
 * What ranking must know of the whole corpus. Only live documents count, and all totals are whole
 * numbers, so the statistics are the same however the documents got here.
 */
import { steadyAverage, steadyCount } from '../../kit/steady.ts'
import { FIELDS } from '../contract.ts'
import { LANGUAGES } from '../analysis/languages/language.ts'
import type { Language } from '../analysis/languages/language.ts'
import type { DocumentTable } from '../segment/document-table.ts'
import { FIELD_COUNT } from '../segment/format.ts'
import { LENGTH_WEIGHT_LIST, lengthNorm } from './bm25f.ts'

export interface Statistics {
  readonly documents: number
  /** What rarity is measured against: the number of documents in coarse steps. */
  readonly population: number
  /** Average length per field, of the documents that have the field. */
  readonly averages: readonly number[]
  /** Average number of tokens in a passage. */
  readonly averagePassage: number
  /** Languages that live documents are in; never empty. */
  readonly languages: readonly Language[]
}

/** The part of one segment: sums that can be added up and, for tombstones, left out. */
export interface Totals {
  readonly documents: number
  readonly lengths: readonly number[]
  /** Per field, how many documents have it. */
  readonly having: readonly number[]
  readonly passages: number
  readonly passageTokens: number
  /** Documents per language, in the order of LANGUAGES. */
  readonly languages: readonly number[]
}

export function totalsOf(documents: DocumentTable, isDeleted: Uint8Array | undefined): Totals {
  const lengths = FIELDS.map(() => 0)
  const having = FIELDS.map(() => 0)
  let count = 0
  let passages = 0
  let passageTokens = 0
  const languages = LANGUAGES.map(() => 0)
  for (let ordinal = 0; ordinal < documents.count; ordinal++) {
    if (isDeleted?.[ordinal] === 1) continue
    count++
    for (let f = 0; f < FIELD_COUNT; f++) {
      const length = documents.lengths[ordinal * FIELD_COUNT + f]!
      lengths[f]! += length
      if (length > 0) having[f]!++
    }
    // A document without passages is one passage.
    passages += Math.max(1, documents.chunkCount(ordinal))
    passageTokens += documents.textLength(ordinal)
    languages[documents.languages[ordinal]!]!++
  }
  return { documents: count, lengths, having, passages, passageTokens, languages }
}

export function statisticsOf(parts: readonly Totals[]): Statistics {
  const sum = (pick: (part: Totals) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0)
  const documents = sum((part) => part.documents)
  const languages = LANGUAGES.filter((_, l) => sum((part) => part.languages[l]!) > 0)
  return {
    documents,
    population: steadyCount(documents),
    averages: FIELDS.map((_, f) =>
      average(
        sum((part) => part.lengths[f] ?? 0),
        // Those without would make every tag and keyword look long, and count for less.
        sum((part) => part.having[f] ?? 0),
      ),
    ),
    averagePassage: average(
      sum((part) => part.passageTokens),
      sum((part) => part.passages),
    ),
    languages: languages.length > 0 ? languages : ['english'],
  }
}

/** In coarse steps. */
function average(total: number, count: number): number {
  return count === 0 ? 0 : steadyAverage(total / count)
}

/** One divided by the length norm, five per document, ready to be multiplied with. */
export function inverseNorms(documents: DocumentTable, averages: readonly number[]): Float64Array {
  const norms = new Float64Array(documents.lengths.length)
  for (let i = 0; i < norms.length; i++) {
    const f = i % FIELD_COUNT
    norms[i] = 1 / lengthNorm(LENGTH_WEIGHT_LIST[f]!, documents.lengths[i]!, averages[f]!)
  }
  return norms
}
