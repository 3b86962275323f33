/**
 * Walks the documents of one query word in one segment, block by block, with their scores. A block
 * is decoded and scored only when somebody asks for it; until then its bound speaks for it.
 */
import { BLOCK_SIZE, BODY, DEQUANTISED, FIELD_COUNT } from '../segment/format.ts'
import type { TermList } from '../segment/term-list.ts'
import { K1, SCORE_UNIT, termScore } from './bm25f.ts'

/** What the score of a posting is made of, apart from its frequencies. */
export interface Scorer {
  /** Query weight times inverse document frequency. */
  readonly weight: number
  /** Weight of each field; 0 where the word is not looked for. */
  readonly fieldWeights: Float64Array
  /** Five per document of the segment. */
  readonly inverseNorms: Float64Array
  /** Per field: by how much averages have moved since the block maxima were computed. */
  readonly drift: Float64Array
}

export class Cursor {
  readonly blocks: number
  /** Last document of each block. */
  readonly ends: Int32Array
  /** No document of the block scores higher. */
  readonly bounds: Float64Array
  /** The decoded block: documents, scores, how many, and where we stand in it. */
  documents: Int32Array
  scores: Float64Array
  length = 0
  at = 0
  readonly #load: (block: number, cursor: Cursor) => void
  /** The block we stand in, and the one that is decoded. */
  #block = 0
  #loaded = -1

  constructor(
    ends: Int32Array,
    bounds: Float64Array,
    documents: Int32Array,
    scores: Float64Array,
    load: (block: number, cursor: Cursor) => void,
  ) {
    this.blocks = ends.length
    this.ends = ends
    this.bounds = bounds
    this.documents = documents
    this.scores = scores
    this.#load = load
  }

  /** The greatest score any document of `[low, high)` can have. Moves on to `low`. */
  boundIn(low: number, high: number): number {
    while (this.#block < this.blocks && this.ends[this.#block]! < low) this.#block++
    let bound = 0
    for (let b = this.#block; b < this.blocks; b++) {
      if (b > 0 && this.ends[b - 1]! >= high - 1) break
      if (this.bounds[b]! > bound) bound = this.bounds[b]!
    }
    return bound
  }

  /** Adds the scores of all documents of `[low, high)` to `sums`, whose first entry is `low`. */
  addScores(low: number, high: number, sums: Float64Array): void {
    for (; this.#block < this.blocks; this.#block++) {
      this.#decode()
      const { documents, scores, length } = this
      let i = this.at
      while (i < length && documents[i]! < low) i++
      for (; i < length; i++) {
        const document = documents[i]!
        if (document >= high) break
        sums[document - low]! += scores[i]!
      }
      this.at = i
      if (i < length) return
    }
  }

  /** The score of `document`, 0 without it. Documents must be asked for in rising order. */
  scoreOf(document: number): number {
    while (this.#block < this.blocks && this.ends[this.#block]! < document) this.#block++
    if (this.#block === this.blocks) return 0
    this.#decode()
    const { documents, length } = this
    let i = this.at
    while (i < length && documents[i]! < document) i++
    this.at = i
    return i < length && documents[i] === document ? this.scores[i]! : 0
  }

  #decode(): void {
    if (this.#loaded === this.#block) return
    this.#load(this.#block, this)
    this.#loaded = this.#block
    this.at = 0
  }
}

/** A cursor over one term's list. */
export function listCursor(list: TermList, scorer: Scorer): Cursor {
  // A short list is scored at once: its true maximum is the best bound there is.
  if (list.blocks === 1) return decodedCursor(scoreAll(list, scorer))
  const load = (block: number, cursor: Cursor): void => {
    cursor.length = list.blockLength(block)
    scoreBlock(list, block, scorer, cursor.documents, cursor.scores, 0)
  }
  const documents = new Int32Array(BLOCK_SIZE)
  const scores = new Float64Array(BLOCK_SIZE)
  return new Cursor(list.ends, blockBounds(list, scorer), documents, scores, load)
}

/**
 * A cursor over several terms of which a document's best counts: the endings of a prefix, the
 * spellings near a misspelt word. The lists are merged at once; they are few and short.
 */
export function bestOfCursor(alternatives: readonly (readonly [TermList, Scorer])[]): Cursor {
  const best = new Map<number, number>()
  for (const [list, scorer] of alternatives) {
    const { documents, scores } = scoreAll(list, scorer)
    for (let i = 0; i < documents.length; i++) {
      const known = best.get(documents[i]!)
      if (known === undefined || known < scores[i]!) best.set(documents[i]!, scores[i]!)
    }
  }
  const documents = Int32Array.from(best.keys()).toSorted()
  const scores = Float64Array.from(documents, (document) => best.get(document) ?? 0)
  return decodedCursor({ documents, scores })
}

interface ScoredDocuments {
  readonly documents: Int32Array
  readonly scores: Float64Array
}

function decodedCursor({ documents, scores }: ScoredDocuments): Cursor {
  const blocks = Math.ceil(documents.length / BLOCK_SIZE)
  const ends = new Int32Array(blocks)
  const bounds = new Float64Array(blocks)
  for (let b = 0; b < blocks; b++) {
    const end = Math.min(documents.length, (b + 1) * BLOCK_SIZE)
    ends[b] = documents[end - 1]!
    for (let i = b * BLOCK_SIZE; i < end; i++) if (scores[i]! > bounds[b]!) bounds[b] = scores[i]!
  }
  return new Cursor(ends, bounds, documents, scores, (block, cursor) => {
    const start = block * BLOCK_SIZE
    const end = Math.min(documents.length, start + BLOCK_SIZE)
    cursor.documents = documents.subarray(start, end)
    cursor.scores = scores.subarray(start, end)
    cursor.length = end - start
  })
}

function scoreAll(list: TermList, scorer: Scorer): ScoredDocuments {
  const documents = new Int32Array(list.df)
  const scores = new Float64Array(list.df)
  for (let b = 0; b < list.blocks; b++) {
    scoreBlock(list, b, scorer, documents, scores, b * BLOCK_SIZE)
  }
  return { documents, scores }
}

function blockBounds(list: TermList, scorer: Scorer): Float64Array {
  const bounds = new Float64Array(list.blocks)
  const maxima = list.maxima ?? new Uint8Array(list.blocks * FIELD_COUNT).fill(255)
  for (let b = 0; b < list.blocks; b++) {
    let frequency = 0
    for (let f = 0; f < FIELD_COUNT; f++) {
      const weight = scorer.fieldWeights[f]!
      const q = maxima[b * FIELD_COUNT + f]!
      if (weight > 0 && q > 0) frequency += weight * DEQUANTISED[q]! * scorer.drift[f]!
    }
    bounds[b] = termScore(scorer.weight, frequency)
  }
  return bounds
}

/** The innermost loop of search: decodes a block and scores its postings in one go. */
function scoreBlock(
  list: TermList,
  block: number,
  scorer: Scorer,
  documents: Int32Array,
  scores: Float64Array,
  offset: number,
): void {
  const bytes = list.postings
  const { fieldWeights, inverseNorms } = scorer
  const bodyWeight = fieldWeights[BODY]!
  const units = scorer.weight / SCORE_UNIT
  const end = offset + list.blockLength(block)
  let at = list.postingStarts[block]!
  let document = list.documentBefore(block)
  for (let i = offset; i < end; i++) {
    let delta = bytes[at++]!
    if (delta > 127) {
      delta &= 127
      let shift = 7
      let byte
      do {
        byte = bytes[at++]!
        delta |= (byte & 127) << shift
        shift += 7
      } while (byte > 127)
    }
    document += delta + 1
    let head = bytes[at++]!
    if (head > 127) {
      head &= 127
      let shift = 7
      let byte
      do {
        byte = bytes[at++]!
        head |= (byte & 127) << shift
        shift += 7
      } while (byte > 127)
    }
    const norms = document * FIELD_COUNT
    let frequency = bodyWeight * (head >>> 1) * inverseNorms[norms + BODY]!
    if (head & 1) {
      const mask = bytes[at++]!
      for (let f = 0; f < FIELD_COUNT; f++) {
        if ((mask & (1 << f)) === 0) continue
        let count = bytes[at++]!
        if (count > 127) {
          count &= 127
          let shift = 7
          let byte
          do {
            byte = bytes[at++]!
            count |= (byte & 127) << shift
            shift += 7
          } while (byte > 127)
        }
        frequency += fieldWeights[f]! * count * inverseNorms[norms + f]!
      }
    }
    documents[i] = document
    scores[i] = frequency > 0 ? Math.ceil(units * (frequency / (frequency + K1))) : 0
  }
}
