/**
 * Numbers, texts and lists one after the other in a growing array of bytes, little-endian. Blocks
 * fill up to four bytes, so that a list of numbers is used where it lies.
 */
import { slotsOf, TermPlaces } from '../term-places.ts'
import type { TermRows } from './term-rows.ts'

const padded = (length: number): number => Math.ceil(length / 4) * 4

export class ByteWriter {
  #bytes = new Uint8Array(4_096)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  uint32(value: number): void {
    this.#reserve(4)
    this.#view.setUint32(this.#length, value, true)
    this.#length += 4
  }

  float32(value: number): void {
    this.#reserve(4)
    this.#view.setFloat32(this.#length, value, true)
    this.#length += 4
  }

  /** Bytes, or numbers of more bytes each, with the number of bytes in front. */
  block(list: Uint8Array | Uint16Array | Uint32Array | Float32Array): void {
    const bytes = new Uint8Array(list.buffer, list.byteOffset, list.byteLength)
    this.uint32(bytes.length)
    this.#reserve(padded(bytes.length))
    this.#bytes.set(bytes, this.#length)
    this.#length += padded(bytes.length)
  }

  terms({ packed: { text, starts, slots } }: TermPlaces): void {
    this.block(text)
    this.block(starts)
    this.block(slots)
  }

  rows({ dimensions, bits, bytes }: TermRows): void {
    this.uint32(dimensions)
    this.uint32(bits)
    this.block(bytes)
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  #reserve(bytes: number): void {
    const wanted = this.#length + bytes
    if (wanted <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(wanted, 2 * this.#bytes.length))
    larger.set(this.#bytes)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}

/** Reads what a `ByteWriter` wrote; throws a RangeError where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    // Numbers of four bytes are read only where such numbers may lie.
    this.#bytes = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  uint32(): number {
    const value = this.#view.getUint32(this.#at, true)
    this.#at += 4
    return value
  }

  float32(): number {
    const value = this.#view.getFloat32(this.#at, true)
    this.#at += 4
    return value
  }

  block(): Uint8Array {
    const length = this.uint32()
    const from = this.#at
    if (padded(length) > this.#bytes.length - from) {
      throw new RangeError('The bytes end too early.')
    }
    this.#at += padded(length)
    return this.#bytes.subarray(from, from + length)
  }

  uint32s(): Uint32Array {
    return this.#numbers(Uint32Array)
  }

  float32s(): Float32Array {
    return this.#numbers(Float32Array)
  }

  rows(): TermRows {
    const [dimensions, bits, bytes] = [this.uint32(), this.uint32(), this.block()]
    if (bits !== 4 && bits !== 8) throw new RangeError('These are no rows.')
    return { dimensions, bits, bytes }
  }

  terms(): TermPlaces {
    const [text, starts, slots] = [this.block(), this.uint32s(), this.block()]
    if (starts.length === 0) throw new RangeError('The bytes end too early.')
    return new TermPlaces({ text, starts, slots: slotsOf(slots, starts.length - 1) })
  }

  #numbers<List>(
    list: new (buffer: ArrayBufferLike, byteOffset: number, length: number) => List,
  ): List {
    const { buffer, byteOffset, length } = this.block()
    if (length % 4 !== 0) throw new RangeError('The bytes end too early.')
    return new list(buffer, byteOffset, length / 4)
  }
}
