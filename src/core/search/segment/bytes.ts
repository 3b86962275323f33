/** Growing byte arrays and variable-length integers: seven bits per byte, lowest first. */

/** Bytes of the longest variable-length integer. */
export const MAX_VARINT = 5

export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer>
  length = 0

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity)
  }

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  varint(value: number): void {
    this.reserve(MAX_VARINT)
    const bytes = this.bytes
    let n = this.length
    let rest = value
    while (rest > 127) {
      bytes[n++] = (rest & 127) | 128
      rest >>>= 7
    }
    bytes[n++] = rest
    this.length = n
  }

  copy(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start)
    this.bytes.set(from.subarray(start, end), this.length)
    this.length += end - start
  }

  append(other: ByteWriter): void {
    this.copy(other.bytes, 0, other.length)
  }

  clear(): void {
    this.length = 0
  }

  /** The bytes written so far, in an array of exactly their size. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }
}

/** Reads integers one after another; `at` is public because callers jump. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  varint(): number {
    const bytes = this.bytes
    let byte = bytes[this.at++]!
    if (byte < 128) return byte
    let value = byte & 127
    let shift = 7
    do {
      byte = bytes[this.at++]!
      value |= (byte & 127) << shift
      shift += 7
    } while (byte > 127)
    return value >>> 0
  }
}

/** Bytes as 32-bit numbers, copied only when they do not lie on a four-byte boundary. */
export function asUint32(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >>> 2)
}

export function asBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/**
 * Where things of these sizes begin that lie one behind the other, and where the last one ends. A
 * plain loop: there is one for every term of an index that is opened.
 */
export function offsetsOf(sizes: Uint8Array): Uint32Array {
  let count = 0
  for (let i = 0; i < sizes.length; i++) if (sizes[i]! < 128) count++
  const offsets = new Uint32Array(count + 1)
  let place = 0
  let size = 0
  let shift = 0
  for (let i = 0; i < sizes.length; i++) {
    const byte = sizes[i]!
    size |= (byte & 127) << shift
    shift += 7
    if (byte > 127) continue
    offsets[place + 1] = offsets[place]! + size
    place++
    size = 0
    shift = 0
  }
  return offsets
}

/** The other way round. */
export function sizesOf(offsets: Uint32Array): Uint8Array {
  let length = 0
  for (let i = 1; i < offsets.length; i++) {
    length++
    for (let rest = offsets[i]! - offsets[i - 1]!; rest > 127; rest >>>= 7) length++
  }
  const sizes = new Uint8Array(length)
  let at = 0
  for (let i = 1; i < offsets.length; i++) {
    let rest = offsets[i]! - offsets[i - 1]!
    for (; rest > 127; rest >>>= 7) sizes[at++] = (rest & 127) | 128
    sizes[at++] = rest
  }
  return sizes
}

/** An array of 32-bit numbers that grows. */
export class NumberList {
  values: Uint32Array<ArrayBuffer>
  length = 0

  constructor(capacity = 256) {
    this.values = new Uint32Array(capacity)
  }

  reserve(more: number): void {
    if (this.length + more <= this.values.length) return
    const grown = new Uint32Array(Math.max(this.values.length * 2, this.length + more))
    grown.set(this.values.subarray(0, this.length))
    this.values = grown
  }

  push(value: number): void {
    this.reserve(1)
    this.values[this.length++] = value
  }

  finish(): Uint32Array {
    return this.values.slice(0, this.length)
  }
}
