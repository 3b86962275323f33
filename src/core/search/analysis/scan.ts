/**
 * Where are the words? One pass over a text that marks spans: words (with inner joiners, so that
 * `getUserById`, `well-known`, `don't` and `1.2.3` are one span each) and pairs of characters in
 * scripts that are written without spaces. What a span means is decided elsewhere, once per
 * distinct span; this loop touches every character of a corpus and does nothing else.
 */
import { Buffer } from 'node:buffer'

/** What a UTF-16 unit can be. Letters, digits and marks are all `Word`. */
const Kind = { Separator: 0, Word: 1, Joiner: 2, Pair: 3, Unknown: 4 } as const

/** Spans longer than this are cut: nobody searches for the rest of a base64 blob. */
export const MAX_SPAN = 80

/** Kinds by UTF-16 unit. Above ASCII the table fills itself as units are met. */
const kinds = new Uint8Array(65_536).fill(Kind.Unknown)
for (let code = 0; code < 128; code++) kinds[code] = classify(code)

/** FNV-1a over 16-bit units, with the high bits brought down at the end. */
const HASH_SEED = 0x811c9dc5 | 0
const HASH_PRIME = 0x01000193

/** Room for the UTF-16 units of a text, reused from text to text. */
let unitBuffer = new Uint16Array(1 << 16)

/**
 * The UTF-16 units of a text, valid until the next call. Loops over a typed array are much faster
 * than over a string, and the copy costs next to nothing.
 */
export function unitsOf(text: string): Uint16Array {
  // A giant's buffer is not kept for the dwarfs that follow.
  const wanted = Math.max(1 << 16, text.length)
  if (unitBuffer.length < wanted || unitBuffer.length > wanted * 64) {
    unitBuffer = new Uint16Array(wanted + (wanted >>> 2))
  }
  Buffer.from(unitBuffer.buffer).write(text, 'utf16le')
  return unitBuffer.subarray(0, text.length)
}

/** How many spans one scan finds before it pauses; bounds the memory of a scan of any text. */
const CAPACITY = 16_384

/** Spans of one scan, reused from text to text. */
export class Spans {
  count = 0
  readonly starts = new Uint32Array(CAPACITY)
  readonly ends = new Uint32Array(CAPACITY)
  /** A hash of the span's text, never negative. */
  readonly hashes = new Int32Array(CAPACITY)
}

/**
 * Fills `spans` with the spans of `units[from, to)` in order, and returns where it stopped: `to`,
 * or earlier when `spans` is full. Spans overlap only in unspaced scripts: 東京都 is the three
 * spans 東京, 京都 and 都, so that every pair and every character begins a span.
 *
 * With `beginnings`, plain words are left out that begin otherwise: nobody asks for them, and most
 * words of a text are such. One of them ends the word for sure, or it is looked at like all others.
 */
export function scanSpans(
  units: Uint16Array,
  from: number,
  to: number,
  spans: Spans,
  beginnings?: Uint8Array,
): number {
  const { starts, ends, hashes } = spans
  let count = 0
  let i = from
  while (i < to && count < CAPACITY) {
    let kind = kinds[units[i]!]
    if (kind === Kind.Unknown) kind = kindAt(units, i)
    if (kind !== Kind.Word) {
      if (kind === Kind.Pair) {
        starts[count] = i
        const next = charEnd(units, i)
        ends[count] = next < to && kindAt(units, next) === Kind.Pair ? charEnd(units, next) : next
        hashes[count] = hashOf(units, i, ends[count]!)
        count++
        i = next
      } else {
        i++
      }
      continue
    }
    const start = i
    if (beginnings !== undefined) {
      const first = units[i]! | 32
      if (first >= LETTER_A && first <= LETTER_Z) {
        do i++
        while (i < to && units[i]! >= LETTER_A && units[i]! <= LETTER_Z)
        if (
          endsPlainly(units, i, to) &&
          i - start <= MAX_SPAN &&
          beginnings[beginningOf(units, start, i)] === 0
        ) {
          continue
        }
        i = start
      }
    }
    const limit = Math.min(to, start + MAX_SPAN)
    let joiner = -1
    let hash = HASH_SEED
    for (;;) {
      do {
        hash = Math.imul(hash ^ units[i]!, HASH_PRIME)
        i++
      } while (i < limit && kinds[units[i]!] === Kind.Word)
      if (i === limit) break
      kind = kindAt(units, i)
      if (kind === Kind.Word) continue
      if (kind !== Kind.Joiner || i + 1 >= limit || !joins(units, i)) break
      joiner = i
    }
    let end = i
    if (i === limit && i < to && !endsWord(units, i)) {
      // A long chain such as a slug is cut between its words, an overlong word just ends.
      if (joiner > 0) end = i = joiner
      else i = skipRest(units, i, to)
      hashes[count] = hashOf(units, start, end)
    } else {
      hashes[count] = mixed(hash)
    }
    starts[count] = start
    ends[count++] = end
  }
  spans.count = count
  return Math.min(i, to)
}

const [LETTER_A, LETTER_Z] = [97, 122]

/** Whether no word and no joiner of words stands here; false where that takes a closer look. */
function endsPlainly(units: Uint16Array, i: number, to: number): boolean {
  if (i === to) return true
  const kind = kinds[units[i]!]
  if (kind === Kind.Joiner) return i + 1 < to && kinds[units[i + 1]!] === Kind.Separator
  return kind === Kind.Separator
}

/** A table of what words begin with: three letters, each by its place in the alphabet, 0 for none. */
export const BEGINNINGS = 32 ** 3

/** Where a word of plain letters stands in it. `y` counts as `i`, which stemmers make of it. */
function beginningOf(units: Uint16Array, start: number, end: number): number {
  const second = end - start > 1 ? letterOf(units[start + 1]!) : 0
  const third = end - start > 2 ? letterOf(units[start + 2]!) : 0
  return ((units[start]! & 31) << 10) | (second << 5) | third
}

/** A letter by its place in the alphabet; `y` counts as `i`, and what is no letter as none. */
export function letterOf(unit: number): number {
  return unit === 121 ? 9 : unit >= LETTER_A && unit <= LETTER_Z ? unit & 31 : 0
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = HASH_SEED
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ units[i]!, HASH_PRIME)
  return mixed(hash)
}

/** The hash that a span of this text gets. */
export function hashOfText(text: string): number {
  return hashOf(unitsOf(text), 0, text.length)
}

function mixed(hash: number): number {
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

/** Whether a joiner at `i` ties what stands before it to what follows. */
function joins(units: Uint16Array, i: number): boolean {
  if (kindAt(units, i + 1) !== Kind.Word) return false
  const before = isDigit(units[i - 1]!)
  const after = isDigit(units[i + 1]!)
  switch (units[i]) {
    case 0x2e: // 1.2.3
    case 0x2c: // 1,000
      return before && after
    case 0x27: // don't
    case 0x2019:
      return !before && !after
    default: // well-known
      return true
  }
}

export function isDigit(unit: number): boolean {
  return unit < 128 ? unit >= 48 && unit <= 57 : /\p{Nd}/u.test(String.fromCharCode(unit))
}

function endsWord(units: Uint16Array, i: number): boolean {
  return kindAt(units, i) !== Kind.Word
}

/** The rest of an overlong word belongs to nobody. */
function skipRest(units: Uint16Array, from: number, to: number): number {
  let i = from
  while (i < to && !endsWord(units, i)) i++
  return i
}

/** The end of the character at `i`, which may be a surrogate pair. */
function charEnd(units: Uint16Array, i: number): number {
  const code = units[i]!
  return code >= 0xd800 && code <= 0xdbff && i + 1 < units.length ? i + 2 : i + 1
}

function kindAt(units: Uint16Array, i: number): number {
  const code = units[i]!
  if (code >= 0xd800 && code <= 0xdfff) return surrogateKind(units, i, code)
  const known = kinds[code]!
  return known === Kind.Unknown ? (kinds[code] = classify(code)) : known
}

function surrogateKind(units: Uint16Array, i: number, code: number): number {
  const high = code <= 0xdbff ? i : i - 1
  const lead = high < 0 ? 0 : units[high]!
  const trail = units[high + 1] ?? 0
  if (lead < 0xd800 || lead > 0xdbff || trail < 0xdc00 || trail > 0xdfff) return Kind.Separator
  return classify((lead - 0xd800) * 0x400 + (trail - 0xdc00) + 0x10000)
}

/** What a character is. */
export function classify(point: number): number {
  if (point >= 0xd800 && point <= 0xdfff) return Kind.Unknown
  if (point === 0x2d || point === 0x2e || point === 0x2c || point === 0x27) return Kind.Joiner
  // Typographic apostrophe, hyphen, non-breaking hyphen.
  if (point === 0x2019 || point === 0x2010 || point === 0x2011) return Kind.Joiner
  const char = String.fromCodePoint(point)
  // Digits of any script read on like ours.
  if (/\p{Nd}/u.test(char)) return Kind.Word
  if (isUnspaced(char)) return Kind.Pair
  // Marks belong to their letter; soft hyphen and the zero-width joiners vanish when folded.
  return /[\p{L}\p{M}\p{N}_\u00ad\u200c\u200d]/u.test(char) ? Kind.Word : Kind.Separator
}

/** Scripts written without spaces between words are indexed as pairs of characters. */
export function isUnspaced(char: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc\uff70]/u.test(
    char,
  )
}
