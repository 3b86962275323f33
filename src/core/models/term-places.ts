/**
 * Hash table over terms as they lie in one block of bytes, each with a line feed behind it: no
 * object per term, and nothing to build where the table was kept with the terms.
 */

export interface PackedTerms {
  readonly text: Uint8Array
  /** Where each term begins, and where the last one ends. */
  readonly starts: Uint32Array
  /** Open addressing: the place of a term, or -1. At most half of them are taken. */
  readonly slots: Int32Array
}

export class TermPlaces {
  readonly packed: PackedTerms

  constructor(packed: PackedTerms) {
    this.packed = packed
  }

  get size(): number {
    return this.packed.starts.length - 1
  }

  /** The place of a term among the others, or -1. */
  placeOf(term: string): number {
    for (let i = 0; i < term.length; i++) {
      // A character for each of its bytes; plain letters are that already.
      if (term.charCodeAt(i) > 127) return this.#find(Buffer.from(term).toString('latin1'))
    }
    return this.#find(term)
  }

  #find(bytes: string): number {
    const { text, starts, slots } = this.packed
    let hash = SEED
    for (let i = 0; i < bytes.length; i++) hash = mix(hash, bytes.charCodeAt(i))
    let slot = spread(hash) & (slots.length - 1)
    for (let place = slots[slot]!; place !== -1; place = slots[slot]!) {
      const start = starts[place]!
      if (starts[place + 1]! - start - 1 === bytes.length) {
        let i = 0
        while (i < bytes.length && text[start + i] === bytes.charCodeAt(i)) i++
        if (i === bytes.length) return place
      }
      slot = (slot + 1) & (slots.length - 1)
    }
    return -1
  }

  /** All of them, in their places. */
  list(): string[] {
    const { buffer, byteOffset, length } = this.packed.text
    return Buffer.from(buffer, byteOffset, length).toString().split('\n').slice(0, this.size)
  }
}

export function placesOf(terms: readonly string[]): TermPlaces {
  return placesIn(Buffer.from(terms.map((term) => `${term}\n`).join('')), terms.length)
}

/** For terms that were kept without a table. */
export function placesIn(text: Uint8Array, count: number): TermPlaces {
  const starts = new Uint32Array(count + 1)
  let size = 1
  while (size < 2 * count) size *= 2
  const slots = new Int32Array(size).fill(-1)
  let at = 0
  for (let place = 0; place < count; place++) {
    starts[place] = at
    let hash = SEED
    for (; text[at] !== LINE_FEED && at < text.length; at++) hash = mix(hash, text[at]!)
    let slot = spread(hash) & (size - 1)
    while (slots[slot] !== -1) slot = (slot + 1) & (size - 1)
    slots[slot] = place
    at++
  }
  starts[count] = at
  return new TermPlaces({ text, starts, slots })
}

const LINE_FEED = 10

/** FNV-1a. */
const SEED = 0x811c9dc5 | 0

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}
