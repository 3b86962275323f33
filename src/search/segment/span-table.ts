/**
 * Remembers what every distinct span of a corpus means, so that folding, splitting and stemming
 * happen once per spelling. A hash table over typed arrays: looking up a known span allocates
 * nothing.
 */
import type { SpanTerms } from '../analysis/analyser.ts'
import type { NumberList } from './bytes.ts'
import { SHARES_POSITION } from './format.ts'

export class SpanTable {
  readonly #analyse: (span: string) => SpanTerms
  readonly #termNumbers = new Map<string, number>()

  /** Slot → span number + 1, or 0 when free. Always at most half full. */
  #slots = new Int32Array(1 << 15)
  #count = 0
  #hashes = new Int32Array(1 << 12)
  /** Where each span's characters lie; the next entry is its end. */
  #offsets = new Uint32Array((1 << 12) + 1)
  #chars = new Uint16Array(1 << 16)
  /** What the span stands for: a term number, or ~index of an expansion. */
  #entries = new Int32Array(1 << 12)
  readonly #expansions: (readonly number[])[] = []

  constructor(analyse: (span: string) => SpanTerms) {
    this.#analyse = analyse
  }

  /** All terms met so far; a term's number is its index. */
  terms(): string[] {
    return [...this.#termNumbers.keys()]
  }

  /** The term number of a plain span, or a negative number to be given to `expand`. */
  lookUp(text: string, start: number, end: number, hash: number): number {
    const length = end - start
    const mask = this.#slots.length - 1
    const hashes = this.#hashes
    const offsets = this.#offsets
    const chars = this.#chars
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const span = this.#slots[slot] - 1
      if (span < 0) return this.#learn(text.slice(start, end), hash)
      if (hashes[span] !== hash) continue
      const offset = offsets[span]
      if (offsets[span + 1] - offset !== length) continue
      let i = 0
      while (i < length && chars[offset + i] === text.charCodeAt(start + i)) i++
      if (i === length) return this.#entries[span]
    }
  }

  /** Appends the terms of a split span and returns how many of them share a position. */
  expand(entry: number, tokens: NumberList): number {
    const expansion = this.#expansions[~entry] ?? []
    let sharing = 0
    for (const token of expansion) {
      tokens.push(token)
      if (token >= SHARES_POSITION) sharing++
    }
    return sharing
  }

  #learn(span: string, hash: number): number {
    const entry = this.#entryOf(this.#analyse(span))
    this.#grow(span.length)
    const number = this.#count++
    const offset = this.#offsets[number]
    for (let i = 0; i < span.length; i++) this.#chars[offset + i] = span.charCodeAt(i)
    this.#offsets[number + 1] = offset + span.length
    this.#hashes[number] = hash
    this.#entries[number] = entry
    this.#claimSlot(number)
    return entry
  }

  #entryOf({ parts, whole }: SpanTerms): number {
    const [first] = parts
    if (first !== undefined && parts.length === 1 && whole === undefined) return this.#term(first)
    const expansion = parts.map((part) => this.#term(part))
    if (whole !== undefined) expansion.unshift((this.#term(whole) | SHARES_POSITION) >>> 0)
    return ~(this.#expansions.push(expansion) - 1)
  }

  #term(term: string): number {
    const known = this.#termNumbers.get(term)
    if (known !== undefined) return known
    const number = this.#termNumbers.size
    this.#termNumbers.set(term, number)
    return number
  }

  #claimSlot(span: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#hashes[span] & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = span + 1
  }

  #grow(length: number): void {
    if (this.#count + 1 >= this.#hashes.length) {
      this.#hashes = enlarge(this.#hashes, new Int32Array(this.#hashes.length * 2))
      this.#entries = enlarge(this.#entries, new Int32Array(this.#entries.length * 2))
      this.#offsets = enlarge(this.#offsets, new Uint32Array(this.#offsets.length * 2))
    }
    if (this.#offsets[this.#count] + length > this.#chars.length) {
      this.#chars = enlarge(this.#chars, new Uint16Array(this.#chars.length * 2))
    }
    if ((this.#count + 1) * 2 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2)
      for (let span = 0; span < this.#count; span++) this.#claimSlot(span)
    }
  }
}

function enlarge<List extends Int32Array | Uint32Array | Uint16Array>(from: List, to: List): List {
  to.set(from)
  return to
}
