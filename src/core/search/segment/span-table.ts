/**
 * Remembers what every distinct span of a corpus means, so that folding, splitting and stemming
 * happen once per spelling. A hash table in one typed array: looking up a known span allocates
 * nothing and touches two cache lines.
 */
import type { SpanTerms } from '../analysis/analyser.ts'
import type { Spans } from '../analysis/scan.ts'
import { speltTerm } from '../names.ts'
import { NumberList } from './bytes.ts'
import { SHARES_POSITION } from './format.ts'

/** A slot is four numbers: hash, start of the characters, their number (0 when free), entry. */
const SLOT = 4

export class SpanTable {
  readonly #analyse: (span: string) => SpanTerms
  /** Shared by the tables of all languages; a term's number is its place. */
  readonly #terms: TermNumbers
  /** Always at most half full. */
  #slots = new Int32Array(SLOT << 15)
  #count = 0
  #chars = new Uint16Array(1 << 16)
  #charCount = 0
  /** Terms of spans that have several (or none): their number, then the terms. */
  readonly #expansions = new NumberList()

  readonly #asSpelt: boolean

  /** `asSpelt` gives every part as it is spelt on top, where that is not its stem. */
  constructor(
    analyse: (span: string) => SpanTerms,
    terms: TermNumbers,
    { asSpelt = false }: { readonly asSpelt?: boolean } = {},
  ) {
    this.#analyse = analyse
    this.#terms = terms
    this.#asSpelt = asSpelt
  }

  /** Appends the terms of all spans to `tokens`; returns how many of them share a position. */
  append(units: Uint16Array, spans: Spans, tokens: NumberList): number {
    const { starts, ends, hashes, count } = spans
    let slots = this.#slots
    let chars = this.#chars
    let mask = slots.length - 1
    let sharing = 0
    tokens.reserve(count)
    for (let s = 0; s < count; s++) {
      const start = starts[s]!
      const length = ends[s]! - start
      const hash = hashes[s]!
      let slot = (hash * SLOT) & mask
      let entry = 0
      for (;;) {
        const known = slots[slot + 2]
        if (known === 0) {
          entry = this.#learn(units.subarray(start, start + length), hash)
          slots = this.#slots
          chars = this.#chars
          mask = slots.length - 1
          break
        }
        if (known === length && slots[slot] === hash) {
          const offset = slots[slot + 1]!
          let i = 0
          while (i < length && chars[offset + i] === units[start + i]) i++
          if (i === length) {
            entry = slots[slot + 3]!
            break
          }
        }
        slot = (slot + SLOT) & mask
      }
      if (entry >= 0) {
        tokens.values[tokens.length++] = entry
      } else {
        sharing += this.#expand(entry, tokens)
        tokens.reserve(count - s)
      }
    }
    return sharing
  }

  /** What this table remembers of one span of a scan; the loop of `append`. */
  entryOf(units: Uint16Array, { starts, ends, hashes }: Spans, index: number): number {
    const start = starts[index]!
    const length = ends[index]! - start
    const hash = hashes[index]!
    const slots = this.#slots
    const chars = this.#chars
    const mask = slots.length - 1
    for (let slot = (hash * SLOT) & mask; slots[slot + 2] !== 0; slot = (slot + SLOT) & mask) {
      if (slots[slot + 2] !== length || slots[slot] !== hash) continue
      const offset = slots[slot + 1]!
      let i = 0
      while (i < length && chars[offset + i] === units[start + i]) i++
      if (i === length) return slots[slot + 3]!
    }
    return this.#learn(units.subarray(start, start + length), hash)
  }

  /** The mark of the first term of an entry that has one, by the numbers of terms; 0 when none has. */
  markOf(entry: number, marks: Int16Array): number {
    if (entry >= 0) return entry < marks.length ? marks[entry]! : 0
    const { values } = this.#expansions
    const at = ~entry
    for (let i = at + 1; i <= at + values[at]!; i++) {
      const term = values[i]! & ~SHARES_POSITION
      const mark = term < marks.length ? marks[term]! : 0
      if (mark !== 0) return mark
    }
    return 0
  }

  /** Appends the terms of a split span; returns how many of them share a position. */
  #expand(entry: number, tokens: NumberList): number {
    const { values } = this.#expansions
    const at = ~entry
    const count = values[at]!
    tokens.reserve(count)
    let sharing = 0
    for (let i = at + 1; i <= at + count; i++) {
      tokens.values[tokens.length++] = values[i]!
      if (values[i]! >= SHARES_POSITION) sharing++
    }
    return sharing
  }

  #learn(span: Uint16Array, hash: number): number {
    if ((this.#count + 1) * 2 * SLOT > this.#slots.length) this.#growSlots()
    if (this.#charCount + span.length > this.#chars.length) this.#growChars()
    const entry = this.#enter(this.#analyse(Reflect.apply(String.fromCharCode, undefined, span)))
    this.#chars.set(span, this.#charCount)
    this.#count++
    claimSlot(this.#slots, hash, this.#charCount, span.length, entry)
    this.#charCount += span.length
    return entry
  }

  #enter({ parts, whole, spellings }: SpanTerms): number {
    const numbers = this.#terms
    const terms = whole === undefined ? [] : [numbers.numberOf(whole) + SHARES_POSITION]
    for (let place = 0; place < parts.length; place++) {
      const part = parts[place]!
      const spelt = this.#asSpelt ? speltTerm(spellings[place], part) : undefined
      if (spelt !== undefined) terms.push(numbers.numberOf(spelt) + SHARES_POSITION)
      terms.push(numbers.numberOf(part))
    }
    const [first] = terms
    // A term that takes no position is no number of its own: in a slot it would read as an expansion.
    if (first !== undefined && terms.length === 1 && first < SHARES_POSITION) return first
    const entry = ~this.#expansions.length
    this.#expansions.push(terms.length)
    for (const term of terms) this.#expansions.push(term)
    return entry
  }

  #growChars(): void {
    const grown = new Uint16Array(this.#chars.length * 2)
    grown.set(this.#chars)
    this.#chars = grown
  }

  #growSlots(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    for (let i = 0; i < old.length; i += SLOT) {
      if (old[i + 2] !== 0) claimSlot(this.#slots, old[i]!, old[i + 1]!, old[i + 2]!, old[i + 3]!)
    }
  }
}

function claimSlot(
  slots: Int32Array,
  hash: number,
  offset: number,
  length: number,
  entry: number,
): void {
  const mask = slots.length - 1
  let slot = (hash * SLOT) & mask
  while (slots[slot + 2] !== 0) slot = (slot + SLOT) & mask
  slots[slot] = hash
  slots[slot + 1] = offset
  slots[slot + 2] = length
  slots[slot + 3] = entry
}

const SEED = 0x811c9dc5 | 0
const PRIME = 0x01000193

/** A slot is two numbers: hash, and the term's number plus one (0 when free). */
const TERM_SLOT = 2

/**
 * String interning: every distinct term has a number, in the order in which they came. A hash table
 * beside the texts asks once where a `Map` is asked twice, to look and to put.
 */
export class TermNumbers {
  readonly texts: string[] = []
  /** Always at most half full. */
  #slots = new Int32Array(TERM_SLOT << 12)

  get size(): number {
    return this.texts.length
  }

  /** A new term gets the next number. */
  numberOf(term: string): number {
    let hash = SEED
    for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), PRIME)
    hash ^= hash >>> 15
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = (hash << 1) & mask
    for (; slots[slot + 1] !== 0; slot = (slot + TERM_SLOT) & mask) {
      const number = slots[slot + 1]! - 1
      if (slots[slot] === hash && this.texts[number] === term) return number
    }
    const number = this.texts.push(term) - 1
    slots[slot] = hash
    slots[slot + 1] = number + 1
    if (this.texts.length * 2 * TERM_SLOT > slots.length) this.#grow()
    return number
  }

  #grow(): void {
    const old = this.#slots
    const slots = new Int32Array(old.length * 2)
    const mask = slots.length - 1
    for (let from = 0; from < old.length; from += TERM_SLOT) {
      if (old[from + 1] === 0) continue
      let slot = (old[from]! << 1) & mask
      while (slots[slot + 1] !== 0) slot = (slot + TERM_SLOT) & mask
      slots[slot] = old[from]!
      slots[slot + 1] = old[from + 1]!
    }
    this.#slots = slots
  }
}
