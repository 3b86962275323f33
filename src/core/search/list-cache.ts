/**
 * LRU cache of term lists that were read lately, up to a number of bytes; the least used go first.
 */
import { BoundedMap } from '../kit/bounded-map.ts'
import type { TermList } from './segment/term-list.ts'

export class ListCache {
  readonly #budget: number
  readonly #lists: BoundedMap<string, TermList>

  constructor(budget: number) {
    this.#budget = budget
    this.#lists = new BoundedMap(budget, (list) => list.size)
  }

  get bytes(): number {
    return this.#lists.weight
  }

  get(segment: string, term: string): TermList | undefined {
    return this.#lists.get(`${segment} ${term}`)
  }

  put(segment: string, term: string, list: TermList): void {
    const key = `${segment} ${term}`
    // One list that fills the cache would cost all others their place.
    if (list.size <= this.#budget / 4 && !this.#lists.has(key)) this.#lists.set(key, list)
  }

  /** Lists of segments that were merged into others will not be asked for again. */
  forget(segments: ReadonlySet<string>): void {
    if (segments.size === 0) return
    for (const key of this.#lists.keys()) {
      if (segments.has(key.slice(0, key.indexOf(' ')))) this.#lists.delete(key)
    }
  }

  clear(): void {
    this.#lists.clear()
  }
}
