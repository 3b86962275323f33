/** What was last asked about documents, up to a number of bytes: what was not used longest goes. */
import type { DocNo } from '../../core/domain/document.ts'

export class Remembered<Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  readonly #values = new Map<DocNo, Value>()
  #bytes = 0
  /** Rises whenever something is forgotten because it is no longer right. */
  version = 0

  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  get(doc: DocNo): Value | undefined {
    const value = this.#values.get(doc)
    if (value === undefined) return undefined
    // Behind all others: the first of a map is the one that was not asked for longest.
    this.#values.delete(doc)
    this.#values.set(doc, value)
    return value
  }

  put(doc: DocNo, value: Value): void {
    this.#drop(doc)
    this.#values.set(doc, value)
    this.#bytes += this.#sizeOf(value)
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#most) break
      this.#drop(oldest)
    }
  }

  find(matches: (value: Value) => boolean): Value | undefined {
    for (const value of this.#values.values()) if (matches(value)) return value
    return undefined
  }

  delete(doc: DocNo): void {
    this.version++
    this.#drop(doc)
  }

  clear(): void {
    this.version++
    this.#values.clear()
    this.#bytes = 0
  }

  #drop(doc: DocNo): void {
    const value = this.#values.get(doc)
    if (value === undefined) return
    this.#values.delete(doc)
    this.#bytes -= this.#sizeOf(value)
  }
}
