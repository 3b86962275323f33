/** Term lists that were read lately, up to a number of bytes; the least used go first. */
import { BoundedMap } from '../domain/bounded-map.ts'
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

  get(key: string): TermList | undefined {
    return this.#lists.get(key)
  }

  put(key: string, list: TermList): void {
    // One list that fills the cache would cost all others their place.
    if (list.size <= this.#budget / 4 && !this.#lists.has(key)) this.#lists.set(key, list)
  }

  clear(): void {
    this.#lists.clear()
  }
}
