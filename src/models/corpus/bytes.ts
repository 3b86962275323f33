/** Numbers and text one after the other in a growing array of bytes, little-endian. */

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

  /** Bytes with their number in front. */
  block(bytes: Uint8Array | Int8Array): void {
    this.uint32(bytes.length)
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
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
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
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
    if (length > this.#bytes.length - this.#at) throw new RangeError('The bytes end too early.')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}
