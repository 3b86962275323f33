/** Bounded heap: keeps the best so many of a stream of hits, in memory bounded by that number. */
import type { DocNo } from '../../domain/document.ts'

export interface VectorHit {
  readonly doc: DocNo
  /** Ordinal of the passage in its document. */
  readonly chunk: number
  /** Cosine of the angle to the query, from -1 to 1. */
  readonly similarity: number
}

export type CompareDocs = (a: DocNo, b: DocNo) => number

/**
 * A heap with the worst kept hit on top. Equal similarities are ordered by document, then by
 * passage, so what is kept does not depend on the order in which hits are offered.
 */
export class TopHits {
  readonly #limit: number
  readonly #compare: CompareDocs
  readonly #heap: VectorHit[] = []

  constructor(limit: number, compare: CompareDocs) {
    this.#limit = limit
    this.#compare = compare
  }

  /** A hit below this cannot be kept. */
  get floor(): number {
    return this.#heap.length < this.#limit ? -Infinity : (this.#heap[0]?.similarity ?? Infinity)
  }

  offer(hit: VectorHit): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push(hit)
      this.#rise(heap.length - 1)
    } else if (heap.length > 0 && this.#isBetter(hit, heap[0]!)) {
      heap[0] = hit
      this.#sink(0)
    }
  }

  /** The kept hits, best first. */
  sorted(): VectorHit[] {
    return this.#heap.toSorted((a, b) => (this.#isBetter(a, b) ? -1 : 1))
  }

  #isBetter(a: VectorHit, b: VectorHit): boolean {
    if (a.similarity !== b.similarity) return a.similarity > b.similarity
    if (a.doc !== b.doc) return this.#compare(a.doc, b.doc) < 0
    return a.chunk < b.chunk
  }

  #rise(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBetter(heap[parent]!, heap[at]!)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(from: number): void {
    const heap = this.#heap
    let at = from
    for (;;) {
      let worst = at
      const end = Math.min(2 * at + 3, heap.length)
      for (let child = 2 * at + 1; child < end; child++) {
        if (this.#isBetter(heap[worst]!, heap[child]!)) worst = child
      }
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const hit = heap[a]!
    heap[a] = heap[b]!
    heap[b] = hit
  }
}
