/**
 * Where are the words? One pass over a text that marks spans: words (with inner joiners, so that
 * `getUserById`, `well-known`, `don't` and `1.2.3` are one span each) and pairs of characters in
 * scripts that are written without spaces. What a span means is decided elsewhere, once per distinct span; this
 * loop touches every character of a corpus and does nothing else.
 */

/** What a UTF-16 unit can be. The order matters: everything from `Word` on starts a span. */
const Kind = { Separator: 0, Joiner: 1, Word: 2, Digit: 3, Pair: 4, Unknown: 255 } as const

/** Spans longer than this are cut: nobody searches for the rest of a base64 blob. */
export const MAX_SPAN = 80

/** Kinds by UTF-16 unit. Above ASCII the table fills itself as units are met. */
const kinds = new Uint8Array(65_536).fill(Kind.Unknown)
for (let code = 0; code < 128; code++) kinds[code] = classify(code)

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
 * Fills `spans` with the spans of `text[from, to)` in order, and returns where it stopped: `to`,
 * or earlier when `spans` is full. Spans overlap only in unspaced scripts: 東京都 is the three
 * spans 東京, 京都 and 都, so that every pair and every character begins a span.
 */
export function scanSpans(text: string, from: number, to: number, spans: Spans): number {
  const { starts, ends, hashes } = spans
  let count = 0
  let i = from
  while (i < to && count < CAPACITY) {
    let kind = kinds[text.charCodeAt(i)]
    if (kind === Kind.Unknown) kind = kindAt(text, i)
    if (kind < Kind.Word) {
      i++
      continue
    }
    const start = i
    let end = i
    let hash = 0
    if (kind === Kind.Pair) {
      i = charEnd(text, i)
      end = i < to && kindAt(text, i) === Kind.Pair ? charEnd(text, i) : i
      for (let k = start; k < end; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193)
    } else {
      const limit = Math.min(to, start + MAX_SPAN)
      let joiner = -1
      let hashAtJoiner = 0
      for (;;) {
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
        if (++i >= limit) break
        kind = kinds[text.charCodeAt(i)]
        if (kind === Kind.Unknown) kind = kindAt(text, i)
        if (kind === Kind.Word || kind === Kind.Digit) continue
        if (kind !== Kind.Joiner || i + 1 >= limit || !joins(text, i)) break
        joiner = i
        hashAtJoiner = hash
      }
      end = i
      if (i === limit && i < to && !endsWord(text, i)) {
        if (joiner > 0) {
          // A long chain such as a slug is cut between its words.
          end = i = joiner
          hash = hashAtJoiner
        } else {
          i = skipRest(text, i, to)
        }
      }
    }
    starts[count] = start
    ends[count] = end
    hashes[count++] = (hash ^ (hash >>> 15)) & 0x7fffffff
  }
  spans.count = count
  return Math.min(i, to)
}

/** Whether a joiner at `i` ties what stands before it to what follows. */
function joins(text: string, i: number): boolean {
  const before = kinds[text.charCodeAt(i - 1)]
  const after = kindAt(text, i + 1)
  switch (text.charCodeAt(i)) {
    case 0x2e: // 1.2.3
    case 0x2c: // 1,000
      return before === Kind.Digit && after === Kind.Digit
    case 0x27: // don't
    case 0x2019:
      return before === Kind.Word && after === Kind.Word
    default: // well-known
      return after === Kind.Word || after === Kind.Digit
  }
}

function endsWord(text: string, i: number): boolean {
  const kind = kindAt(text, i)
  return kind !== Kind.Word && kind !== Kind.Digit
}

/** The rest of an overlong word belongs to nobody. */
function skipRest(text: string, from: number, to: number): number {
  let i = from
  while (i < to && !endsWord(text, i)) i++
  return i
}

/** The end of the character at `i`, which may be a surrogate pair. */
function charEnd(text: string, i: number): number {
  const code = text.charCodeAt(i)
  return code >= 0xd800 && code <= 0xdbff && i + 1 < text.length ? i + 2 : i + 1
}

function kindAt(text: string, i: number): number {
  const code = text.charCodeAt(i)
  if (code >= 0xd800 && code <= 0xdfff) return surrogateKind(text, i, code)
  const known = kinds[code]
  return known === Kind.Unknown ? (kinds[code] = classify(code)) : known
}

function surrogateKind(text: string, i: number, code: number): number {
  const high = code <= 0xdbff ? i : i - 1
  const point = high < 0 ? undefined : text.codePointAt(high)
  return point === undefined || point < 0x10000 ? Kind.Separator : classify(point)
}

function classify(point: number): number {
  if (point >= 0xd800 && point <= 0xdfff) return Kind.Unknown
  if (point === 0x2d || point === 0x2e || point === 0x2c || point === 0x27) return Kind.Joiner
  // Typographic apostrophe, hyphen, non-breaking hyphen.
  if (point === 0x2019 || point === 0x2010 || point === 0x2011) return Kind.Joiner
  const char = String.fromCodePoint(point)
  if (/\p{Nd}/u.test(char)) return Kind.Digit
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
