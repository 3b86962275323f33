/**
 * The second stage of ranking: the candidates' scores from where the words stand. A note that
 * holds the words close together in one passage answers better than a note that holds them
 * somewhere; a note that is about the words as a whole better than one that mentions them once.
 *
 *     score = whole + passage * best passage + proximity * closeness
 *
 * A passage's score is BM25 of the words in it, as if every passage bore the note's title, tags and
 * path; the best one counts, the first among equals. For closeness every two words that are
 * neighbours in the query add their smaller weight, divided by how far their closest occurrences are
 * from standing as in the query.
 */
import type { DocumentTable } from '../segment/document-table.ts'
import { BODY, FIELD_COUNT, HEADING } from '../segment/format.ts'
import { SCORE_UNIT } from './bm25f.ts'
import type { Occurrences } from './occurrences.ts'

/** Weights of the second stage; `docs/decisions/0010-lexical-ranking.md` says how they were chosen. */
export interface RescoreWeights {
  /** What the best passage's score counts; the whole note's counts 1. */
  readonly passage: number
  /** What the words' closeness counts. */
  readonly proximity: number
  /** Saturation and length weight of a passage's own BM25. */
  readonly passageK1: number
  readonly passageLength: number
}

export const RESCORE_WEIGHTS: RescoreWeights = {
  passage: 0.4,
  proximity: 0.3,
  passageK1: 2,
  passageLength: 0.75,
}

/** Two neighbours of the query may stand so much farther apart and still count as close. */
export const REACH = 16

/** What one more word between two neighbours takes from their closeness. */
export const SLACK_SHARE = 0.5

/** A query word as the second stage sees it. */
export interface RescoreWord {
  /** Query weight times inverse document frequency. */
  readonly weight: number
  /** Weight of each field; 0 where the word is not looked for. */
  readonly fieldWeights: Float64Array
  /** Where the word stands in the query, stop words counted. */
  readonly position: number
  /** The whole of an identifier lies above its parts and has no neighbours of its own. */
  readonly isWhole: boolean
}

/** Scores one candidate after another; the fields tell about the last one. */
export class Rescorer {
  score = 0
  /** Ordinal of the best passage; -1 when the running text has none of the words. */
  chunk = -1
  /** The share of the query's weight that the document has. */
  coverage = 0
  /** The largest share that stands in one passage, with title, tags and path. */
  together = 0
  readonly #words: readonly RescoreWord[]
  readonly #averagePassage: number
  readonly #weights: RescoreWeights
  #passages = new Float64Array(64)
  #shares = new Float64Array(64)

  constructor(words: readonly RescoreWord[], averagePassage: number, weights: RescoreWeights) {
    this.#words = words
    this.#averagePassage = averagePassage
    this.#weights = weights
  }

  /** `index` is the candidate's place in `occurrences`, `units` its score of the first stage. */
  rescore(
    occurrences: Occurrences,
    index: number,
    units: number,
    documents: DocumentTable,
    ordinal: number,
    inverseNorms: Float64Array,
  ): void {
    const { passage, proximity, passageK1, passageLength } = this.#weights
    const { positions, starts, ends, frequencies } = occurrences
    const { chunkStarts } = documents
    const words = this.#words
    const first = documents.chunkIndex[ordinal]!
    const chunks = documents.chunkCount(ordinal)
    const textLength = documents.textLength(ordinal)
    const [passages, shares] = this.#emptyPassages(Math.max(1, chunks))
    let shared = 0
    let sharedWeight = 0
    let allWeight = 0
    let covered = 0
    let closeness = 0
    let previous = -1
    for (let w = 0; w < words.length; w++) {
      const { weight, fieldWeights, isWhole, position } = words[w]!
      const slot = occurrences.slot(w, index)
      const start = starts[slot]!
      const end = ends[slot]!
      // Wholes repeat what their parts say, and have no neighbours of their own.
      const share = isWhole ? 0 : weight
      allWeight += share
      if (end > start) covered += share
      if (!isWhole) {
        if (previous >= 0 && end > start) {
          const before = words[previous]!
          const left = occurrences.slot(previous, index)
          const slack = smallestSlack(occurrences, left, slot, position - before.position)
          if (slack <= REACH) {
            closeness += Math.min(before.weight, weight) / (1 + SLACK_SHARE * slack)
          }
        }
        previous = w
      }

      let around = 0
      for (let f = 0; f < FIELD_COUNT; f++) {
        const frequency = frequencies[slot * FIELD_COUNT + f]!
        if (frequency === 0 || f === BODY || f === HEADING) continue
        around += fieldWeights[f]! * frequency * inverseNorms[ordinal * FIELD_COUNT + f]!
      }
      const alone = around / (around + passageK1)
      shared += weight * alone
      if (around > 0) sharedWeight += share
      if (fieldWeights[BODY] === 0 && fieldWeights[HEADING] === 0) continue

      let chunk = 0
      for (let i = start; i < end && positions[i]! < textLength;) {
        while (chunk + 1 < chunks && chunkStarts[first + chunk + 1]! <= positions[i]!) chunk++
        const chunkEnd = chunk + 1 < chunks ? chunkStarts[first + chunk + 1]! : textLength
        const chunkStart = chunk === 0 ? 0 : chunkStarts[first + chunk]!
        const from = i
        while (i < end && positions[i]! < chunkEnd) i++
        const length = (chunkEnd - chunkStart) / this.#averagePassage
        const norm = 1 - passageLength + passageLength * length
        const frequency = (i - from) / norm + around
        passages[chunk]! += weight * (frequency / (frequency + passageK1) - alone)
        if (around === 0) shares[chunk]! += share
      }
    }
    let best = 0
    let together = shares[0]!
    for (let c = 1; c < chunks; c++) {
      if (passages[c]! > passages[best]!) best = c
      if (shares[c]! > together) together = shares[c]!
    }
    const bestPassage = shared + passages[best]!
    this.score = units * SCORE_UNIT + passage * bestPassage + proximity * closeness
    this.chunk = passages[best]! > 0 && chunks > 0 ? best : -1
    this.coverage = allWeight === 0 ? 0 : covered / allWeight
    this.together = allWeight === 0 ? 0 : (sharedWeight + together) / allWeight
  }

  #emptyPassages(count: number): [passages: Float64Array, shares: Float64Array] {
    if (this.#passages.length < count) {
      this.#passages = new Float64Array(count * 2)
      this.#shares = new Float64Array(count * 2)
    }
    // A call for so few is dearer than the loop.
    for (let c = 0; c < count; c++) {
      this.#passages[c] = 0
      this.#shares[c] = 0
    }
    return [this.#passages, this.#shares]
  }
}

/** The least difference between the distance of two occurrences and the wanted distance. */
function smallestSlack(
  { positions, starts, ends }: Occurrences,
  left: number,
  right: number,
  distance: number,
): number {
  let best = Infinity
  let j = starts[right]!
  const end = ends[right]!
  for (let i = starts[left]!; i < ends[left]! && j < end; i++) {
    const wanted = positions[i]! + distance
    while (j < end && positions[j]! < wanted) j++
    if (j < end) best = Math.min(best, positions[j]! - wanted)
    if (j > starts[right]!) best = Math.min(best, wanted - positions[j - 1]!)
    if (best === 0) break
  }
  return best
}
