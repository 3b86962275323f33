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

export function splitSpan(span: string): Split {
  if (/^(?:[A-Za-z]?[a-z]+|[A-Z]+|[0-9]+)$/.test(span)) return { parts: [span], whole: undefined }
  const isJoined = /[-_\u2010\u2011.,]/u.test(span)
  const pieces = isJoined
    ? span.split(/[-_\u2010\u2011]+/u).filter((piece) => piece !== '')
    : [span]
  const parts: string[] = []
  for (const piece of pieces) {
    if (!isJoined) splitCase(piece, parts)
    else for (const word of piece.split(/[.,]/)) splitCase(word, parts)
  }
  if (parts.length < 2 || parts.length > MAX_PARTS) return { parts, whole: undefined }
  // The joined form makes `e-mail` and `email`, `snake_case` and `snakeCase` the same word, and
  // `1,000` the number it is; the dots of a version are what tells it from a number.
  return { parts, whole: pieces.join('').replaceAll(',', '') }
}

const Case = { Other: 0, Lower: 1, Upper: 2, Digit: 3 } as const

/** Cuts before a capital that follows a small letter, and between letters and digits. */
function splitCase(word: string, parts: string[]): void {
  let start = 0
  let before = caseAt(word, 0)
  for (let i = 1; i < word.length; i++) {
    const here = caseAt(word, i)
    if (here !== before && startsPart(i, start, before, here)) {
      parts.push(word.slice(start, i))
      start = i
    } else if (
      here === Case.Upper &&
      i - start > 1 &&
      before === Case.Upper &&
      startsAfterAcronym(word, i)
    ) {
      parts.push(word.slice(start, i))
      start = i
    }
    before = here
  }
  parts.push(word.slice(start))
}

function startsPart(i: number, start: number, before: number, here: number): boolean {
  if (here === Case.Digit) return start > 0 || i - start >= MIN_LETTERS_BEFORE_DIGITS
  return here === Case.Upper && before === Case.Lower
}

/** The last capital of `HTTPServer` begins the next word; that of the plural `APIs` does not. */
function startsAfterAcronym(word: string, i: number): boolean {
  if (i + 1 === word.length || caseAt(word, i + 1) !== Case.Lower) return false
  return !(i + 2 === word.length && word.endsWith('s'))
}

function caseAt(word: string, i: number): number {
  const code = word.charCodeAt(i)
  if (code >= 128) return unicodeCase(word.charAt(i))
  if (code >= 97 && code <= 122) return Case.Lower
  if (code >= 65 && code <= 90) return Case.Upper
  return code >= 48 && code <= 57 ? Case.Digit : Case.Other
}

function unicodeCase(char: string): number {
  if (/\p{Ll}/u.test(char)) return Case.Lower
  if (/\p{Lu}/u.test(char)) return Case.Upper
  return /\p{Nd}/u.test(char) ? Case.Digit : Case.Other
}
