/**
 * The second stage of ranking: the candidates' scores from where the words stand. A note that
 * holds the words close together in one passage answers better than a note that holds them
 * somewhere; a note that is about the words as a whole better than one that mentions them once.
 */
import type { DocumentTable } from '../segment/document-table.ts'
import { SCORE_UNIT } from './bm25f.ts'

/** The weights of the second stage; `docs/decisions/0010-lexical-ranking.md` says how they were chosen. */
export interface RescoreWeights {
  /** Share of the best passage's score; the whole note's has weight 1. */
  readonly passage: number
  /** Share of the words' closeness. */
  readonly proximity: number
  /** Saturation and length weight of a passage's own BM25. */
  readonly passageK1: number
  readonly passageLength: number
}

export const RESCORE_WEIGHTS: RescoreWeights = {
  passage: 0.5,
  proximity: 0.3,
  passageK1: 0.9,
  passageLength: 0.4,
}

/** A query word as the second stage sees it. */
export interface RescoreWord {
  /** Query weight times inverse document frequency. */
  readonly weight: number
  /** Where the word stands in the query, stop words counted. */
  readonly position: number
  /** Whether it may match in the running text. */
  readonly inText: boolean
  /** The whole of an identifier lies above its parts and has no neighbours of its own. */
  readonly isWhole: boolean
}

export interface Passage {
  readonly score: number
  /** Ordinal of the passage; undefined when the running text has none of the words. */
  readonly chunk: number | undefined
}

export interface Rescored extends Passage {
  readonly proximity: number
}

/** How far apart two neighbours of the query may stand and still count as close. */
const REACH = 8

export function rescore(
  words: readonly RescoreWord[],
  positionsOf: (word: number) => Uint32Array,
  documents: DocumentTable,
  ordinal: number,
  averagePassage: number,
  weights: RescoreWeights,
): Rescored {
  const positions = words.map((_, w) => positionsOf(w))
  return {
    ...bestPassage(words, positions, documents, ordinal, averagePassage, weights),
    proximity: proximity(words, positions),
  }
}

/** The score of a candidate from its evidence. */
export function combine(wholeUnits: number, evidence: Rescored, weights: RescoreWeights): number {
  return (
    wholeUnits * SCORE_UNIT +
    weights.passage * evidence.score +
    weights.proximity * evidence.proximity
  )
}

/** BM25 of the words inside each passage; the best passage counts, the first among equals. */
function bestPassage(
  words: readonly RescoreWord[],
  positions: readonly Uint32Array[],
  documents: DocumentTable,
  ordinal: number,
  averagePassage: number,
  weights: RescoreWeights,
): Passage {
  const firstChunk = documents.chunkIndex[ordinal]
  const chunks = documents.chunkCount(ordinal)
  const textLength = documents.textLength(ordinal)
  const endOf = (chunk: number): number =>
    chunk + 1 < chunks ? documents.chunkStarts[firstChunk + chunk + 1] : textLength
  const startOf = (chunk: number): number =>
    chunk === 0 ? 0 : documents.chunkStarts[firstChunk + chunk]

  const scores = new Float64Array(Math.max(1, chunks))
  for (const [w, word] of words.entries()) {
    if (!word.inText) continue
    const list = positions[w] ?? []
    let chunk = 0
    for (let i = 0; i < list.length && list[i] < textLength;) {
      while (chunk + 1 < chunks && endOf(chunk) <= list[i]) chunk++
      const end = endOf(chunk)
      const from = i
      while (i < list.length && list[i] < end) i++
      const frequency = i - from
      const length = (end - startOf(chunk)) / averagePassage
      const norm = 1 - weights.passageLength + weights.passageLength * length
      scores[chunk] += (word.weight * frequency) / (frequency + weights.passageK1 * norm)
    }
  }
  let best = 0
  for (let c = 1; c < scores.length; c++) if (scores[c] > scores[best]) best = c
  const score = scores[best]
  return { score, chunk: score > 0 && chunks > 0 ? best : undefined }
}

/**
 * Every two words that are neighbours in the query add their smaller weight, divided by how far
 * their closest occurrences are from standing as in the query.
 */
function proximity(words: readonly RescoreWord[], positions: readonly Uint32Array[]): number {
  let sum = 0
  let previous = -1
  for (const [w, word] of words.entries()) {
    if (word.isWhole) continue
    const left = words[previous]
    if (left !== undefined) {
      const slack = smallestSlack(
        positions[previous] ?? new Uint32Array(),
        positions[w] ?? new Uint32Array(),
        word.position - left.position,
      )
      if (slack <= REACH) sum += Math.min(left.weight, word.weight) / (1 + slack)
    }
    previous = w
  }
  return sum
}

/** The least difference between the distance of two occurrences and the wanted distance. */
function smallestSlack(left: Uint32Array, right: Uint32Array, distance: number): number {
  let best = Infinity
  let j = 0
  for (let i = 0; i < left.length && j < right.length; i++) {
    const wanted = left[i] + distance
    while (j < right.length && right[j] < wanted) j++
    if (j < right.length) best = Math.min(best, right[j] - wanted)
    if (j > 0) best = Math.min(best, wanted - right[j - 1])
    if (best === 0 || j === right.length) break
  }
  return best
}
