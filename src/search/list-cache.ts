/** Term lists that were read lately, up to a number of bytes; the least used go first. */
import type { TermList } from './segment/term-list.ts'

export class ListCache {
  readonly #budget: number
  /** In order of last use: a Map keeps the order of insertion. */
  readonly #lists = new Map<string, TermList>()
  #bytes = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): TermList | undefined {
    const list = this.#lists.get(key)
    if (list !== undefined) {
      this.#lists.delete(key)
      this.#lists.set(key, list)
    }
    return list
  }

  put(key: string, list: TermList): void {
    // One list that fills the cache would cost all others their place.
    if (list.size > this.#budget / 4 || this.#lists.has(key)) return
    this.#lists.set(key, list)
    this.#bytes += list.size
    for (const [oldest, evicted] of this.#lists) {
      if (this.#bytes <= this.#budget) break
      this.#lists.delete(oldest)
      this.#bytes -= evicted.size
    }
  }

  clear(): void {
    this.#lists.clear()
    this.#bytes = 0
  }
}
