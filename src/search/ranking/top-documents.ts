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

export interface Candidate {
  readonly segment: number
  readonly ordinal: number
  readonly doc: DocNo
  /** Whole number of SCORE_UNIT. */
  readonly score: number
}

/** Documents per window: small enough for tight bounds, large enough to amortise the division. */
const WINDOW = 1024

export interface SegmentTask {
  readonly segment: number
  readonly documents: Uint32Array
  /** One cursor per query word; a word the segment lacks has none. */
  readonly cursors: readonly Cursor[]
  accepts(ordinal: number): boolean
}

/** Keeps the best `limit` candidates; among equals `compare` decides, so the cut is always the same. */
export class TopDocuments {
  readonly #limit: number
  readonly #compare: CompareDocs
  /** A heap with the worst candidate on top. */
  readonly #heap: Candidate[] = []
  readonly #sums = new Float64Array(WINDOW)
  /** Documents whose score was computed; tells how much early termination saved. */
  examined = 0

  constructor(limit: number, compare: CompareDocs) {
    this.#limit = limit
    this.#compare = compare
  }

  /** All candidates, best first. */
  sorted(): Candidate[] {
    return this.#heap.toSorted((a, b) => (this.#isWorse(a, b) ? 1 : -1))
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
        total += bounds[c]
      }
      if (total === 0 || total < this.#threshold()) continue
      order.sort((a, b) => bounds[a] - bounds[b])

      const [firstEssential, restBound] = this.#divide(order, bounds)
      for (let k = firstEssential; k < order.length; k++) {
        cursors[order[k] ?? 0]?.addScores(low, high, sums)
      }
      for (let i = 0; i < high - low; i++) {
        const sum = sums[i]
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
      rest -= bounds[c]
      score += task.cursors[c]?.scoreOf(ordinal) ?? 0
    }
    this.examined++
    if (score >= threshold && task.accepts(ordinal)) {
      this.#offer({ segment: task.segment, ordinal, doc: task.documents[ordinal], score })
    }
  }

  /** Words that cannot reach the threshold together come first; returns their number and bound. */
  #divide(order: readonly number[], bounds: Float64Array): [count: number, bound: number] {
    const threshold = this.#threshold()
    let bound = 0
    for (let k = 0; k < order.length; k++) {
      const next = bound + bounds[order[k] ?? 0]
      if (next >= threshold) return [k, bound]
      bound = next
    }
    return [order.length, bound]
  }

  /** A document below this cannot become a candidate; one that equals it may, by `compare`. */
  #threshold(): number {
    return this.#heap.length < this.#limit ? 0 : (this.#heap[0]?.score ?? 0)
  }

  #isWorse(a: Candidate, b: Candidate): boolean {
    return a.score < b.score || (a.score === b.score && this.#compare(a.doc, b.doc) > 0)
  }

  #offer(candidate: Candidate): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push(candidate)
      this.#siftUp(heap.length - 1)
    } else if (heap[0] !== undefined && this.#isWorse(heap[0], candidate)) {
      heap[0] = candidate
      this.#siftDown()
    }
  }

  #siftUp(from: number): void {
    const heap = this.#heap
    let i = from
    while (i > 0) {
      const parent = (i - 1) >>> 1
      if (!this.#isWorse(heap[i] as Candidate, heap[parent] as Candidate)) return
      this.#swap(i, parent)
      i = parent
    }
  }

  #siftDown(): void {
    const heap = this.#heap
    for (let i = 0; ;) {
      let worst = i
      for (let child = 2 * i + 1; child <= 2 * i + 2 && child < heap.length; child++) {
        if (this.#isWorse(heap[child] as Candidate, heap[worst] as Candidate)) worst = child
      }
      if (worst === i) return
      this.#swap(i, worst)
      i = worst
    }
  }

  #swap(i: number, j: number): void {
    const heap = this.#heap
    const moved = heap[i] as Candidate
    heap[i] = heap[j] as Candidate
    heap[j] = moved
  }
}
