/** Character classes of CommonMark, as tables and small tests over UTF-16 codes. */

export const TAB = 9
export const NEWLINE = 10
export const SPACE = 32
export const BANG = 33
export const DOUBLE_QUOTE = 34
export const HASH = 35
export const AMPERSAND = 38
export const SINGLE_QUOTE = 39
export const PAREN_OPEN = 40
export const PAREN_CLOSE = 41
export const STAR = 42
export const PLUS = 43
export const DASH = 45
export const DOT = 46
export const SLASH = 47
export const COLON = 58
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const QUESTION = 63
export const BRACKET_OPEN = 91
export const BACKSLASH = 92
export const BRACKET_CLOSE = 93
export const UNDERSCORE = 95
export const BACKTICK = 96
export const PIPE = 124
export const TILDE = 126

const PUNCTUATION = tableOf('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
const ALPHANUMERIC = tableOf('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')

/** One byte per character, 1 for the given ASCII ones: the quickest membership test there is. */
export function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

export function isAsciiPunctuation(code: number): boolean {
  return code < 128 && PUNCTUATION[code] === 1
}

export function isAsciiAlphanumeric(code: number): boolean {
  return code < 128 && ALPHANUMERIC[code] === 1
}

export function isAsciiLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** Space, tab and line feed: what separates things inside a paragraph. */
export function isSpacing(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === TAB
}

export function skipBlanks(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isBlank(text.charCodeAt(at))) at++
  return at
}

export function skipSpacing(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isSpacing(text.charCodeAt(at))) at++
  return at
}

const UNICODE_SPACE = /^[\p{Zs}\t\n\f\r]/u
const UNICODE_PUNCTUATION = /^[\p{P}\p{S}]/u

export type Flank = 'space' | 'punctuation' | 'other'

/** The class that decides whether `*` and `_` beside this character can open or close emphasis. */
export function flankOf(codePoint: number): Flank {
  if (codePoint < 128) {
    if (codePoint === SPACE || (codePoint >= 9 && codePoint <= 13 && codePoint !== 11))
      return 'space'
    return isAsciiPunctuation(codePoint) ? 'punctuation' : 'other'
  }
  const character = String.fromCodePoint(codePoint)
  if (UNICODE_SPACE.test(character)) return 'space'
  return UNICODE_PUNCTUATION.test(character) ? 'punctuation' : 'other'
}
