/**
 * Walks the terms of a segment in order, with their lists: those are read a slice at a time, so that
 * a segment of any size is walked in little memory.
 */
import type { Segment } from './segment.ts'
import { TermList } from './term-list.ts'

/** How many bytes of lists are read ahead per segment. */
const SLICE = 1 << 20

/** Those of several segments that have arrived at the first term any of them has. */
export function atLeastTerm<Cursor extends TermCursor>(cursors: readonly Cursor[]): Cursor[] {
  let least: Cursor | undefined
  for (const cursor of cursors) {
    if (cursor.isAtEnd) continue
    if (least === undefined || cursor.compareTerm(least) < 0) least = cursor
  }
  return cursors.filter((cursor) => cursor === least || (least && cursor.hasSameTerm(least)))
}

export class TermCursor {
  readonly segment: Segment
  /** The term it has arrived at. */
  next = 0
  #lists: Uint8Array = new Uint8Array(0)
  #listsAt = 0
  /** Terms before this one are in the slices. */
  #loaded = 0

  constructor(segment: Segment) {
    this.segment = segment
  }

  get isAtEnd(): boolean {
    return this.next >= this.segment.terms.count
  }

  term(): [bytes: Uint8Array, start: number, end: number] {
    const { bytes, offsets } = this.segment.terms
    return [bytes, offsets[this.next]!, offsets[this.next + 1]!]
  }

  compareTerm(other: TermCursor): number {
    const [a, aStart, aEnd] = this.term()
    const [b, bStart, bEnd] = other.term()
    const shared = Math.min(aEnd - aStart, bEnd - bStart)
    for (let i = 0; i < shared; i++) {
      const difference = a[aStart + i]! - b[bStart + i]!
      if (difference !== 0) return difference
    }
    return aEnd - aStart - (bEnd - bStart)
  }

  hasSameTerm(other: TermCursor): boolean {
    return !this.isAtEnd && this.compareTerm(other) === 0
  }

  /** Most lists are already here, and must not wait for a turn of the event loop. */
  get mustLoad(): boolean {
    return this.next >= this.#loaded
  }

  list(): TermList {
    const { listOffsets } = this.segment
    const term = this.next
    return new TermList(
      this.#lists.subarray(
        listOffsets[term]! - this.#listsAt,
        listOffsets[term + 1]! - this.#listsAt,
      ),
    )
  }

  async load(): Promise<void> {
    const { segment } = this
    const { listOffsets } = segment
    const first = this.next
    const start = listOffsets[first]!
    let last = first + 1
    while (last < segment.terms.count && listOffsets[last + 1]! - start < SLICE) last++
    const [lists] = await segment.reader.paged('lists', [{ start, end: listOffsets[last]! }])
    this.#lists = lists ?? new Uint8Array(0)
    this.#listsAt = start
    this.#loaded = last
  }
}
