/** Writes the postings and positions of one term after another, in blocks of 128 documents. */
import { ByteWriter, NumberList } from './bytes.ts'
import { BLOCK_SIZE, BODY, FIELD_COUNT, POSITION_GROUP } from './format.ts'

export class ListWriter {
  readonly lists = new ByteWriter(1 << 14)
  readonly offsets = new NumberList()

  /** Blocks of the current term that are already encoded, and what is known about each. */
  readonly #postings = new ByteWriter(1 << 12)
  readonly #positions = new ByteWriter(1 << 12)
  readonly #skips = new ByteWriter()
  /** The block being filled. */
  readonly #documents = new Uint32Array(BLOCK_SIZE)
  readonly #frequencies = new Uint32Array(BLOCK_SIZE * FIELD_COUNT)
  readonly #positionSizes = new Uint32Array(BLOCK_SIZE)
  readonly #blockPositions = new ByteWriter(1 << 12)
  #hasPositions = true
  #filled = 0
  #df = 0
  #lastDocument = -1
  #lastBlockEnd = -1

  startTerm({ hasPositions }: { readonly hasPositions: boolean }): void {
    this.offsets.push(this.lists.length)
    this.#hasPositions = hasPositions
    this.#df = 0
    this.#lastDocument = -1
    this.#lastBlockEnd = -1
  }

  /** `frequencies` has one entry per field; positions are the bytes `[start, end)`. */
  add(
    document: number,
    frequencies: Uint32Array,
    positionBytes: Uint8Array,
    start: number,
    end: number,
  ): void {
    if (this.#filled === BLOCK_SIZE) this.#flushBlock()
    const slot = this.#filled++
    this.#documents[slot] = document
    const base = slot * FIELD_COUNT
    for (let f = 0; f < FIELD_COUNT; f++) this.#frequencies[base + f] = frequencies[f]!
    this.#df++
    if (!this.#hasPositions) return
    this.#positionSizes[slot] = end - start
    const block = this.#blockPositions
    block.reserve(end - start)
    for (let i = start; i < end; i++) block.bytes[block.length++] = positionBytes[i]!
  }

  /** Returns whether the term has any document; one without is taken back. */
  endTerm(): boolean {
    if (this.#df === 0) {
      this.offsets.length--
      return false
    }
    this.#flushBlock()
    this.lists.varint(this.#df)
    if (this.#df > BLOCK_SIZE) this.lists.append(this.#skips)
    else this.lists.varint(this.#postings.length)
    this.lists.append(this.#postings)
    this.lists.append(this.#positions)
    for (const written of [this.#skips, this.#postings, this.#positions]) written.clear()
    return true
  }

  finish(): void {
    this.offsets.push(this.lists.length)
  }

  #flushBlock(): void {
    const postings = this.#postings.length
    const positions = this.#positions.length
    this.#writePostings()
    if (this.#hasPositions) this.#writePositions()
    this.#skips.varint(this.#lastDocument - this.#lastBlockEnd)
    this.#skips.varint(this.#postings.length - postings)
    this.#skips.varint(this.#positions.length - positions)
    this.#lastBlockEnd = this.#lastDocument
    this.#filled = 0
  }

  #writePostings(): void {
    const postings = this.#postings
    for (let i = 0; i < this.#filled; i++) {
      const base = i * FIELD_COUNT
      const document = this.#documents[i]!
      postings.varint(document - this.#lastDocument - 1)
      this.#lastDocument = document
      let mask = 0
      for (let f = 0; f < FIELD_COUNT; f++) {
        if (f !== BODY && this.#frequencies[base + f]! > 0) mask |= 1 << f
      }
      postings.varint(this.#frequencies[base + BODY]! * 2 + (mask === 0 ? 0 : 1))
      if (mask === 0) continue
      postings.byte(mask)
      for (let f = 0; f < FIELD_COUNT; f++) {
        if (mask & (1 << f)) postings.varint(this.#frequencies[base + f]!)
      }
    }
  }

  #writePositions(): void {
    // The last end where the block does.
    for (let group = 0; group + POSITION_GROUP < this.#filled; group += POSITION_GROUP) {
      let size = 0
      for (let i = group; i < group + POSITION_GROUP; i++) size += this.#positionSizes[i]!
      this.#positions.varint(size)
    }
    this.#positions.append(this.#blockPositions)
    this.#blockPositions.clear()
  }
}
