/**
 * The first stage of ranking: the best documents by BM25F, term at a time into one accumulator for
 * each document (Buckley and Lewit 1985). Every posting is decoded once: its score is added to the
 * sum of its document, and where it lies is kept for the second stage. A histogram of the sums finds
 * the cut, so that only documents about it are compared one by one.
 */
import type { DocNo } from '../../domain/document.ts'
import { BLOCK_SIZE, BODY, FIELD_COUNT } from '../segment/format.ts'
import type { TermList } from '../segment/term-list.ts'
import { K1, SCORE_UNIT } from './bm25f.ts'

export type CompareDocs = (a: DocNo, b: DocNo) => number

/** What the score of a posting is made of, apart from its frequencies. */
export interface Scorer {
  /** Query weight times inverse document frequency. */
  readonly weight: number
  /** Weight of each field; 0 where the word is not looked for. */
  readonly fieldWeights: Float64Array
  /** Five per document of the segment. */
  readonly inverseNorms: Float64Array
}

/** A list, and where its decoded documents begin. */
export type DecodedList = readonly [list: TermList, start: number]

const BUCKETS = 4096
const histogram = new Uint32Array(BUCKETS)

/** Room for so many postings is kept from one search to the next. */
const MOST_KEPT = 1 << 19
let spare: ScoreSums | undefined

/** Object pool of one: room for a search among so many documents, to be given back. */
export function takeSums(documents: number): ScoreSums {
  const taken = spare !== undefined && spare.sums.length >= documents ? spare : undefined
  spare = undefined
  return taken ?? new ScoreSums(documents)
}

export function giveBack(room: ScoreSums): void {
  room.sums.fill(0)
  room.forget()
  if (Math.max(room.documents.length, room.sums.length) <= MOST_KEPT) spare = room
}

export class ScoreSums {
  /** Documents of decoded lists, and where in the bytes of the list their frequencies lie. */
  documents = new Int32Array(1 << 14)
  offsets = new Uint32Array(1 << 14)
  #used = 0
  /** One for each document, those of all segments one behind the other. All zero between searches. */
  readonly sums: Float64Array
  /** The same for the best of several lists; all zero but while they are added. */
  #best = new Float64Array(0)

  constructor(documents: number) {
    this.sums = new Float64Array(documents)
  }

  /** Forgets the lists that were decoded; what they have added stays. */
  forget(): void {
    this.#used = 0
  }

  /**
   * Adds the scores of a word's documents in the segment that begins at `base`. Of several lists the
   * best counts: the endings of a prefix, the spellings near a misspelt word. Only blocks are read
   * that may hold one of `among`.
   */
  add(
    lists: readonly (readonly [TermList, Scorer])[],
    base: number,
    among: Int32Array | undefined,
  ): DecodedList[] {
    const isSeveral = lists.length > 1
    if (isSeveral && this.#best.length < this.sums.length) {
      this.#best = new Float64Array(this.sums.length)
    }
    const best = isSeveral ? this.#best : undefined
    const decoded = lists.map(([list, scorer]): DecodedList => [
      list,
      this.#addList(list, scorer, base, among, best),
    ])
    best?.fill(0)
    return decoded
  }

  #addList(
    list: TermList,
    scorer: Scorer,
    base: number,
    among: Int32Array | undefined,
    best: Float64Array | undefined,
  ): number {
    const start = this.#used
    this.#used += list.df
    if (this.#used > this.documents.length) this.#grow()
    if (among === undefined) {
      this.#addBlocks(list, 0, list.blocks, start, scorer, base, best)
      return start
    }
    let next = 0
    for (const document of among) {
      if (next > 0 && document <= list.ends[next - 1]!) continue
      const block = list.blockOf(document, next)
      if (block === list.blocks) break
      this.#addBlocks(list, block, block + 1, start, scorer, base, best)
      next = block + 1
    }
    return start
  }

  /** The innermost loop of search. Blocks lie one behind the other, and their deltas run on. */
  #addBlocks(
    list: TermList,
    from: number,
    to: number,
    start: number,
    scorer: Scorer,
    base: number,
    best: Float64Array | undefined,
  ): void {
    const { bytes } = list
    const sums = this.sums
    const { documents, offsets } = this
    const { fieldWeights, inverseNorms } = scorer
    const bodyWeight = fieldWeights[BODY]!
    const units = scorer.weight / SCORE_UNIT
    const end = start + Math.min(list.df, to * BLOCK_SIZE)
    let at = list.postingStarts[from]!
    let document = list.documentBefore(from)
    for (let k = start + from * BLOCK_SIZE; k < end; k++) {
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
      documents[k] = document
      offsets[k] = at
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
        let mask = bytes[at++]!
        do {
          const f = 31 - Math.clz32(mask & -mask)
          mask &= mask - 1
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
        } while (mask !== 0)
      }
      if (frequency <= 0) continue
      const score = Math.ceil(units * (frequency / (frequency + K1)))
      if (best === undefined) sums[base + document]! += score
      else if (score > best[document]!) {
        sums[base + document]! += score - best[document]!
        best[document] = score
      }
    }
  }

  #grow(): void {
    const room = Math.max(2 * this.documents.length, this.#used)
    const [documents, offsets] = [new Int32Array(room), new Uint32Array(room)]
    documents.set(this.documents)
    offsets.set(this.offsets)
    this.documents = documents
    this.offsets = offsets
  }

  /**
   * The places of the best documents, rising; among equals `compare` decides, so that the cut is
   * always the same. No sum is greater than `most`. Others than `among` have none.
   */
  best(
    wanted: number,
    most: number,
    compare: (a: number, b: number) => number,
    among?: Int32Array,
  ): Int32Array {
    const sums = this.sums
    // A phrase stands in few: nobody has to be left out.
    if (among && among.length <= wanted) return among.filter((place) => sums[place]! > 0)
    const scale = (BUCKETS - 1) / most
    histogram.fill(0)
    // No branch on what a sum is: many are zero, in no order.
    for (let place = 0; place < sums.length; place++) histogram[(sums[place]! * scale) | 0]!++
    let cut = BUCKETS
    for (let above = 0; above < wanted && cut > 0;) above += histogram[--cut]!
    const found: number[] = []
    const about: number[] = []
    for (let place = 0; place < sums.length; place++) {
      const bucket = (sums[place]! * scale) | 0
      if (bucket > cut) found.push(place)
      else if (bucket === cut && sums[place]! > 0) about.push(place)
    }
    const left = wanted - found.length
    if (about.length > left) {
      about.sort((a, b) => sums[b]! - sums[a]! || compare(a, b))
      about.length = left
    }
    for (const place of about) found.push(place)
    return Int32Array.from(found).toSorted()
  }
}
