/** The words inside a span: `getUserById` → get User By Id, `HTTPServer2` → HTTP Server 2. */

export interface Split {
  /** The words in order, still in their own case. */
  readonly parts: readonly string[]
  /** The span as one word, when it consists of several parts and is still worth finding whole. */
  readonly whole: string | undefined
}

/** More parts than this are a slug or a selector, which nobody types as one word. */
const MAX_PARTS = 8

/** A short run of letters before digits is a name (`p53`, `mp3`); a longer one is a word. */
const MIN_LETTERS_BEFORE_DIGITS = 3

const LOWER = /\p{Ll}/u
const UPPER = /\p{Lu}/u
const DIGIT = /\p{Nd}/u

export function splitSpan(span: string): Split {
  if (isSimple(span)) return { parts: [span], whole: undefined }
  const pieces = span.split(/[-_\u2010\u2011]+/u).filter((piece) => piece !== '')
  const parts = pieces.flatMap(splitPiece)
  if (parts.length < 2) return { parts, whole: undefined }
  if (parts.length > MAX_PARTS) return { parts, whole: undefined }
  // The joined form makes `e-mail` and `email`, `snake_case` and `snakeCase` the same word, and
  // `1,000` the number it is; the dots of a version are what tells it from a number.
  return { parts, whole: pieces.join('').replaceAll(',', '') }
}

/** Most words: all small letters, perhaps with a capital first, or all digits. */
function isSimple(span: string): boolean {
  return /^(?:[A-Za-z]?[a-z]+|[A-Z]+|[0-9]+)$/.test(span)
}

function splitPiece(piece: string): string[] {
  return piece.split(/[.,]/).flatMap(splitCase)
}

function splitCase(piece: string): string[] {
  const chars = [...piece]
  const parts: string[] = []
  let start = 0
  for (let i = 1; i < chars.length; i++) {
    if (!startsPart(chars, i, start)) continue
    parts.push(chars.slice(start, i).join(''))
    start = i
  }
  parts.push(chars.slice(start).join(''))
  return parts
}

function startsPart(chars: readonly string[], i: number, start: number): boolean {
  const before = chars[i - 1] ?? ''
  const char = chars[i] ?? ''
  const after = chars[i + 1]
  if (DIGIT.test(char)) {
    return !DIGIT.test(before) && (start > 0 || i - start >= MIN_LETTERS_BEFORE_DIGITS)
  }
  if (!UPPER.test(char)) return false
  if (LOWER.test(before)) return true
  // The last capital of `HTTPServer` begins the next word.
  return UPPER.test(before) && i - start > 1 && after !== undefined && LOWER.test(after)
}
