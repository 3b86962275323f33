/**
 * The first stage of ranking: the best documents by BM25F, without looking at documents that
 * cannot be among them. The segment is walked in windows. In each window the words are divided by
 * what they could contribute at most (MaxScore with block maxima, after Turtle and Flood 1995 and
 * Ding and Suel 2011): words that together cannot lift a document over the threshold are only
 * looked up for documents that the other words have brought close to it.
 */
import type { DocNo } from '../../domain/document.ts'
import type { Cursor } from './cursor.ts'

export type CompareDocs = (a: DocNo, b: DocNo) => number

/** Documents per window: small enough for tight bounds, large enough to amortise the division. */
const WINDOW = 1024

export interface SegmentTask {
  readonly segment: number
  readonly documents: Uint32Array
  /** One cursor per query word; a word the segment lacks has none. */
  readonly cursors: readonly Cursor[]
  accepts(ordinal: number): boolean
}

/** The candidates of one segment, in the order of their ordinals. */
export interface SegmentCandidates {
  readonly ordinals: Int32Array
  /** Whole numbers of SCORE_UNIT. */
  readonly scores: Float64Array
}

/** Keeps the best `limit` candidates; among equals `compare` decides, so the cut is always the same. */
export class TopDocuments {
  /** Documents whose score was computed; tells how much early termination saved. */
  examined = 0
  readonly #limit: number
  readonly #compare: CompareDocs
  /** A heap with the worst candidate on top, as columns. */
  count = 0
  readonly #scores: Float64Array
  readonly #docs: Float64Array
  readonly #segments: Int32Array
  readonly #ordinals: Int32Array
  readonly #sums = new Float64Array(WINDOW)

  constructor(limit: number, compare: CompareDocs) {
    this.#limit = limit
    this.#compare = compare
    this.#scores = new Float64Array(limit)
    this.#docs = new Float64Array(limit)
    this.#segments = new Int32Array(limit)
    this.#ordinals = new Int32Array(limit)
  }

  candidatesIn(segment: number): SegmentCandidates {
    // Ordinal and slot in one number: numbers are sorted without asking anybody.
    const keys = new Float64Array(this.count)
    let found = 0
    for (let i = 0; i < this.count; i++) {
      if (this.#segments[i] === segment) keys[found++] = this.#ordinals[i]! * this.count + i
    }
    keys.subarray(0, found).sort()
    const ordinals = new Int32Array(found)
    const scores = new Float64Array(found)
    for (let i = 0; i < found; i++) {
      ordinals[i] = Math.floor(keys[i]! / this.count)
      scores[i] = this.#scores[keys[i]! % this.count]!
    }
    return { ordinals, scores }
  }

  search(task: SegmentTask): void {
    const { cursors } = task
    const count = task.documents.length
    const sums = this.#sums
    const order = cursors.map((_, i) => i)
    const bounds = new Float64Array(cursors.length)
    for (let low = 0; low < count; low += WINDOW) {
      const high = Math.min(count, low + WINDOW)
      let total = 0
      for (let c = 0; c < cursors.length; c++) {
        bounds[c] = cursors[c]?.boundIn(low, high) ?? 0
        total += bounds[c]!
      }
      if (total === 0 || total < this.#threshold()) continue
      sortBy(bounds, order)

      const [firstEssential, restBound] = this.#divide(order, bounds)
      for (let k = firstEssential; k < order.length; k++) {
        cursors[order[k] ?? 0]?.addScores(low, high, sums)
      }
      for (let i = 0; i < high - low; i++) {
        const sum = sums[i]!
        if (sum === 0) continue
        sums[i] = 0
        if (sum + restBound < this.#threshold()) continue
        this.#finish(task, low + i, sum, restBound, firstEssential, order, bounds)
      }
    }
  }

  /** Adds what the other words contribute, giving up as soon as the threshold is out of reach. */
  #finish(
    task: SegmentTask,
    ordinal: number,
    sum: number,
    restBound: number,
    firstEssential: number,
    order: readonly number[],
    bounds: Float64Array,
  ): void {
    const threshold = this.#threshold()
    let score = sum
    let rest = restBound
    for (let k = firstEssential - 1; k >= 0; k--) {
      if (score + rest < threshold) return
      const c = order[k] ?? 0
      rest -= bounds[c]!
      score += task.cursors[c]?.scoreOf(ordinal) ?? 0
    }
    this.examined++
    if (score >= threshold && task.accepts(ordinal)) {
      this.#offer(score, task.documents[ordinal]!, task.segment, ordinal)
    }
  }

  /** Words that cannot reach the threshold together come first; returns their number and bound. */
  #divide(order: readonly number[], bounds: Float64Array): [count: number, bound: number] {
    const threshold = this.#threshold()
    let bound = 0
    for (let k = 0; k < order.length; k++) {
      const next = bound + bounds[order[k] ?? 0]!
      if (next >= threshold) return [k, bound]
      bound = next
    }
    return [order.length, bound]
  }

  /** A document below this cannot become a candidate; one that equals it may, by `compare`. */
  #threshold(): number {
    return this.count < this.#limit ? 0 : this.#scores[0]!
  }

  #offer(score: number, doc: DocNo, segment: number, ordinal: number): void {
    if (this.count < this.#limit) {
      const slot = this.#siftUp(this.count++, score, doc)
      this.#put(slot, score, doc, segment, ordinal)
    } else if (this.#isWorse(0, score, doc)) {
      const slot = this.#siftDown(score, doc)
      this.#put(slot, score, doc, segment, ordinal)
    }
  }

  /** Whether the candidate in a slot is worse than the one described. */
  #isWorse(slot: number, score: number, doc: DocNo): boolean {
    const other = this.#scores[slot]!
    return other < score || (other === score && this.#compare(this.#docs[slot]!, doc) > 0)
  }

  /** Moves better candidates down from an empty slot; returns where the new one belongs. */
  #siftUp(from: number, score: number, doc: DocNo): number {
    let slot = from
    while (slot > 0) {
      const parent = (slot - 1) >>> 1
      if (this.#isWorse(parent, score, doc)) break
      this.#move(parent, slot)
      slot = parent
    }
    return slot
  }

  /** Moves worse candidates up into the root, which is given up; returns the slot left empty. */
  #siftDown(score: number, doc: DocNo): number {
    let slot = 0
    for (;;) {
      let child = 2 * slot + 1
      if (child >= this.count) return slot
      const right = child + 1
      if (right < this.count && this.#isWorse(right, this.#scores[child]!, this.#docs[child]!)) {
        child = right
      }
      if (!this.#isWorse(child, score, doc)) return slot
      this.#move(child, slot)
      slot = child
    }
  }

  #move(from: number, to: number): void {
    this.#put(
      to,
      this.#scores[from]!,
      this.#docs[from]!,
      this.#segments[from]!,
      this.#ordinals[from]!,
    )
  }

  #put(slot: number, score: number, doc: DocNo, segment: number, ordinal: number): void {
    this.#scores[slot] = score
    this.#docs[slot] = doc
    this.#segments[slot] = segment
    this.#ordinals[slot] = ordinal
  }
}

/** An insertion sort: from window to window little changes. */
function sortBy(bounds: Float64Array, order: number[]): void {
  for (let k = 1; k < order.length; k++) {
    const moved = order[k]!
    let place = k
    for (; place > 0 && bounds[order[place - 1]!]! > bounds[moved]!; place--) {
      order[place] = order[place - 1]!
    }
    order[place] = moved
  }
}
