/**
 * Hash table over terms as they lie in one block of bytes, each with a line feed behind it: no
 * object per term, and nothing to build where the table was kept with the terms.
 */

export interface PackedTerms {
  readonly text: Uint8Array
  /** Where each term begins, and where the last one ends. */
  readonly starts: Uint32Array
  /** Open addressing: the place of a term, or what stands for none. At most half of them are taken. */
  readonly slots: Slots
}

/** Two bytes each, where there are not too many terms for it. */
export type Slots = Uint16Array | Uint32Array

export function slotsOf(bytes: Uint8Array, terms: number): Slots {
  const { buffer, byteOffset, length } = bytes
  return terms < EMPTY_OF_TWO
    ? new Uint16Array(buffer, byteOffset, length / 2)
    : new Uint32Array(buffer, byteOffset, length / 4)
}

/** What no term's place is, in two bytes and in four. */
const EMPTY_OF_TWO = 0xffff
const EMPTY_OF_FOUR = 0xffff_ffff

function emptyIn(slots: Slots): number {
  return slots instanceof Uint16Array ? EMPTY_OF_TWO : EMPTY_OF_FOUR
}

export class TermPlaces {
  readonly packed: PackedTerms
  readonly #empty: number

  constructor(packed: PackedTerms) {
    this.packed = packed
    this.#empty = emptyIn(packed.slots)
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
    const empty = this.#empty
    for (let place = slots[slot]!; place !== empty; place = slots[slot]!) {
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
  const slots = count < EMPTY_OF_TWO ? new Uint16Array(size) : new Uint32Array(size)
  const empty = emptyIn(slots)
  slots.fill(empty)
  let at = 0
  for (let place = 0; place < count; place++) {
    starts[place] = at
    let hash = SEED
    for (; text[at] !== LINE_FEED && at < text.length; at++) hash = mix(hash, text[at]!)
    let slot = spread(hash) & (size - 1)
    while (slots[slot] !== empty) slot = (slot + 1) & (size - 1)
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
