/** Writes the postings and positions of one term after another, in blocks of 128 documents. */
import { ByteWriter, NumberList } from './bytes.ts'
import { BLOCK_SIZE, BODY, FIELD_COUNT, quantise } from './format.ts'

export class ListWriter {
  readonly postings = new ByteWriter(1 << 16)
  readonly positions = new ByteWriter(1 << 16)
  readonly postingOffsets = new NumberList()
  readonly positionOffsets = new NumberList()

  /** Five per document; see `ranking/statistics.ts`. */
  readonly #inverseNorms: Float64Array
  /** Blocks of the current term that are already encoded, and what is known about each. */
  readonly #blocks = new ByteWriter(1 << 12)
  readonly #skips = new ByteWriter()
  /** The block being filled. */
  readonly #documents = new Uint32Array(BLOCK_SIZE)
  readonly #frequencies = new Uint32Array(BLOCK_SIZE * FIELD_COUNT)
  readonly #positionSizes = new Uint32Array(BLOCK_SIZE)
  readonly #blockPositions = new ByteWriter(1 << 12)
  #filled = 0
  #df = 0
  #lastDocument = -1
  #lastBlockEnd = -1

  constructor(inverseNorms: Float64Array) {
    this.#inverseNorms = inverseNorms
  }

  startTerm(): void {
    this.postingOffsets.push(this.postings.length)
    this.positionOffsets.push(this.positions.length)
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
    if (this.#filled === BLOCK_SIZE) this.#flushBlock(true)
    const slot = this.#filled++
    this.#documents[slot] = document
    const base = slot * FIELD_COUNT
    for (let f = 0; f < FIELD_COUNT; f++) this.#frequencies[base + f] = frequencies[f]!
    this.#positionSizes[slot] = end - start
    const block = this.#blockPositions
    block.reserve(end - start)
    for (let i = start; i < end; i++) block.bytes[block.length++] = positionBytes[i]!
    this.#df++
  }

  /** Returns whether the term has any document; one without is taken back. */
  endTerm(): boolean {
    if (this.#df === 0) {
      this.postingOffsets.length--
      this.positionOffsets.length--
      return false
    }
    this.#flushBlock(this.#df > BLOCK_SIZE)
    this.postings.varint(this.#df)
    this.postings.append(this.#skips)
    this.postings.append(this.#blocks)
    this.#skips.clear()
    this.#blocks.clear()
    return true
  }

  finish(): void {
    this.postingOffsets.push(this.postings.length)
    this.positionOffsets.push(this.positions.length)
  }

  #flushBlock(withSkip: boolean): void {
    const blockStart = this.#blocks.length
    const positionsStart = this.positions.length
    this.#writePostings()
    for (let i = 0; i < this.#filled; i++) this.positions.varint(this.#positionSizes[i]!)
    this.positions.append(this.#blockPositions)
    this.#blockPositions.clear()
    if (withSkip) {
      this.#skips.varint(this.#lastDocument - this.#lastBlockEnd)
      this.#skips.varint(this.#blocks.length - blockStart)
      this.#skips.varint(this.positions.length - positionsStart)
      this.#writeMaxima()
    }
    this.#lastBlockEnd = this.#lastDocument
    this.#filled = 0
  }

  #writePostings(): void {
    const blocks = this.#blocks
    for (let i = 0; i < this.#filled; i++) {
      const base = i * FIELD_COUNT
      const document = this.#documents[i]!
      blocks.varint(document - this.#lastDocument - 1)
      this.#lastDocument = document
      let mask = 0
      for (let f = 0; f < FIELD_COUNT; f++) {
        if (f !== BODY && this.#frequencies[base + f]! > 0) mask |= 1 << f
      }
      blocks.varint(this.#frequencies[base + BODY]! * 2 + (mask === 0 ? 0 : 1))
      if (mask === 0) continue
      blocks.byte(mask)
      for (let f = 0; f < FIELD_COUNT; f++) {
        if (mask & (1 << f)) blocks.varint(this.#frequencies[base + f]!)
      }
    }
  }

  #writeMaxima(): void {
    const maxima = new Float64Array(FIELD_COUNT)
    for (let i = 0; i < this.#filled; i++) {
      const norms = this.#documents[i]! * FIELD_COUNT
      for (let f = 0; f < FIELD_COUNT; f++) {
        const frequency = this.#frequencies[i * FIELD_COUNT + f]! * this.#inverseNorms[norms + f]!
        if (frequency > maxima[f]!) maxima[f] = frequency
      }
    }
    let mask = 0
    for (let f = 0; f < FIELD_COUNT; f++) if (maxima[f]! > 0) mask |= 1 << f
    this.#skips.byte(mask)
    for (let f = 0; f < FIELD_COUNT; f++) if (maxima[f]! > 0) this.#skips.byte(quantise(maxima[f]!))
  }
}
