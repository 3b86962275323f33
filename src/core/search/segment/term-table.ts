/** The sorted terms of a segment in a few typed arrays: found by halving, walked by prefix. */
import { ByteWriter, NumberList, offsetsOf, sizesOf } from './bytes.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export class TermTableBuilder {
  readonly #bytes = new ByteWriter(1 << 16)
  readonly #offsets = new NumberList()

  get count(): number {
    return this.#offsets.length
  }

  /** Terms must come in the order of their UTF-8 bytes. */
  add(bytes: Uint8Array, start: number, end: number): void {
    this.#offsets.push(this.#bytes.length)
    this.#bytes.copy(bytes, start, end)
  }

  addText(term: string): void {
    this.#offsets.push(this.#bytes.length)
    this.#bytes.reserve(term.length * 3)
    const target = this.#bytes.bytes.subarray(this.#bytes.length)
    this.#bytes.length += encoder.encodeInto(term, target).written
  }

  finish(): TermTable {
    this.#offsets.push(this.#bytes.length)
    return new TermTable(this.#bytes.finish(), this.#offsets.finish())
  }
}

export class TermTable {
  readonly count: number
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array

  constructor(bytes: Uint8Array, offsets: Uint32Array) {
    this.count = offsets.length - 1
    this.bytes = bytes
    this.offsets = offsets
  }

  static read(streams: Readonly<Record<string, Uint8Array>>): TermTable {
    return new TermTable(streams['terms']!, offsetsOf(streams['termSizes']!))
  }

  streams(): Record<string, Uint8Array> {
    return { terms: this.bytes, termSizes: sizesOf(this.offsets) }
  }

  text(index: number): string {
    return decoder.decode(this.bytes.subarray(this.offsets[index], this.offsets[index + 1]))
  }

  /** The term's index, or -1. */
  find(term: Uint8Array): number {
    const index = this.lowerBound(term)
    return index < this.count && this.#compare(index, term) === 0 ? index : -1
  }

  /** Indexes `[first, last)` of the terms that begin with these bytes. */
  withPrefix(prefix: Uint8Array): [first: number, last: number] {
    const first = this.lowerBound(prefix)
    let last = first
    while (last < this.count && this.#startsWith(last, prefix)) last++
    return [first, last]
  }

  /** Whether any term begins with these bytes. */
  begins(prefix: Uint8Array): boolean {
    const first = this.lowerBound(prefix)
    return first < this.count && this.#startsWith(first, prefix)
  }

  /** The first term that is not before `term`. */
  lowerBound(term: Uint8Array): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(middle, term) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(index: number, term: Uint8Array): number {
    const { bytes, offsets } = this
    const start = offsets[index]!
    const length = offsets[index + 1]! - start
    const shared = Math.min(length, term.length)
    for (let i = 0; i < shared; i++) {
      const difference = bytes[start + i]! - term[i]!
      if (difference !== 0) return difference
    }
    return length - term.length
  }

  #startsWith(index: number, prefix: Uint8Array): boolean {
    const start = this.offsets[index]!
    if (this.offsets[index + 1]! - start < prefix.length) return false
    for (let i = 0; i < prefix.length; i++) if (this.bytes[start + i] !== prefix[i]) return false
    return true
  }
}

export function encodeTerm(term: string): Uint8Array {
  const bytes = new Uint8Array(term.length)
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i)
    // Most terms are short and plain, and the encoder's call costs more than the term.
    if (code > 0x7f) return encoder.encode(term)
    bytes[i] = code
  }
  return bytes
}

/** Orders strings as their UTF-8 bytes; UTF-16 order differs beyond the basic plane. */
export function compareAsUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return moveSurrogatesUp(x) - moveSurrogatesUp(y)
  }
  return a.length - b.length
}

function moveSurrogatesUp(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
