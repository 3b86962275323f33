/**
 * LRU cache: a map of what was used lately. Beyond its bound the entry unused for longest makes
 * room; by default every entry weighs one, so that the bound is a number of entries.
 */
export class BoundedMap<Key, Value> {
  readonly #bound: number
  readonly #weigh: (value: Value) => number
  /** In order of last use: a Map keeps the order of insertion. */
  readonly #entries = new Map<Key, Value>()
  #weight = 0

  constructor(bound: number, weigh: (value: Value) => number = () => 1) {
    this.#bound = bound
    this.#weigh = weigh
  }

  get size(): number {
    return this.#entries.size
  }

  /** What all entries weigh together. */
  get weight(): number {
    return this.#weight
  }

  keys(): Iterable<Key> {
    return this.#entries.keys()
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weigh(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#bound) break
      this.delete(oldest)
    }
  }

  delete(key: Key): boolean {
    const value = this.#entries.get(key)
    if (value === undefined) return false
    this.#weight -= this.#weigh(value)
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}
