/** HTML inside Markdown: where a block of it begins and ends, and where an inline tag ends. */
import {
  BANG,
  BRACKET_OPEN,
  COLON,
  DASH,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  LESS,
  PLUS,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
  UNDERSCORE,
  isAsciiAlphanumeric,
  isAsciiLetter,
  isSpacing,
  skipBlanks,
  skipSpacing,
  tableOf,
} from './characters.ts'

/** The seven kinds of HTML block, numbered as in CommonMark; they differ in what ends them. */
export type HtmlBlockKind = 1 | 2 | 3 | 4 | 5 | 6 | 7

const LITERAL_START = /<(?:script|pre|style|textarea)(?=[\s>]|$)/iy
const LITERAL_END = /<\/(?:script|pre|style|textarea)>/i
const BLOCK_TAG_START =
  /<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/iy

/** The kind of HTML block that the line starting with `<` at `at` opens, or undefined. */
export function htmlBlockKind(
  text: string,
  at: number,
  lineEnd: number,
  insideParagraph: boolean,
): HtmlBlockKind | undefined {
  const next = text.charCodeAt(at + 1)
  if (next === BANG) {
    if (text.startsWith('--', at + 2)) return 2
    if (text.startsWith('[CDATA[', at + 2)) return 5
    return isAsciiLetter(text.charCodeAt(at + 2)) ? 4 : undefined
  }
  if (next === QUESTION) return 3
  if (next !== SLASH && !isAsciiLetter(next)) return undefined
  const line = text.slice(at, lineEnd)
  LITERAL_START.lastIndex = 0
  if (LITERAL_START.test(line)) return 1
  BLOCK_TAG_START.lastIndex = 0
  if (BLOCK_TAG_START.test(line)) return 6
  if (insideParagraph) return undefined
  const end = tagEnd(text, at, lineEnd)
  return end > 0 && skipBlanks(text, end, lineEnd) === lineEnd ? 7 : undefined
}

/** Whether this line is the last of its block. Kinds 6 and 7 end at a blank line instead. */
export function endsHtmlBlock(kind: HtmlBlockKind, line: string): boolean {
  switch (kind) {
    case 1:
      return LITERAL_END.test(line)
    case 2:
      return line.includes('-->')
    case 3:
      return line.includes('?>')
    case 4:
      return line.includes('>')
    case 5:
      return line.includes(']]>')
    case 6:
    case 7:
      return false
    default:
      return kind satisfies never
  }
}

/**
 * Remembers how far a search for a terminator came, because a page of unclosed `<!--` would
 * otherwise be searched to its end once for each of them.
 */
export class Terminator {
  readonly #mark: string
  #from = 0
  #found = -2
  constructor(mark: string) {
    this.#mark = mark
  }

  /** Where the mark next occurs at or after `at`, or -1. */
  next(text: string, at: number): number {
    const known =
      this.#found !== -2 && at >= this.#from && (this.#found === -1 || at <= this.#found)
    if (!known) {
      this.#from = at
      this.#found = text.indexOf(this.#mark, at)
    }
    return this.#found
  }
}

/** The terminators of one text. A second text needs its own. */
export interface Terminators {
  readonly comment: Terminator
  readonly instruction: Terminator
  readonly declaration: Terminator
  readonly cdata: Terminator
}

export function terminators(): Terminators {
  return {
    comment: new Terminator('-->'),
    instruction: new Terminator('?>'),
    declaration: new Terminator('>'),
    cdata: new Terminator(']]>'),
  }
}

/** The end of the tag, comment, instruction, declaration or CDATA section at `at`, or -1. */
export function inlineHtmlEnd(text: string, at: number, to: number, ends: Terminators): number {
  const next = text.charCodeAt(at + 1)
  if (next === BANG) {
    const third = text.charCodeAt(at + 2)
    if (third === DASH && text.charCodeAt(at + 3) === DASH) {
      if (text.startsWith('>', at + 4)) return within(at + 5, to)
      if (text.startsWith('->', at + 4)) return within(at + 6, to)
      return endAfter(ends.comment, text, at + 4, 3, to)
    }
    if (third === BRACKET_OPEN && text.startsWith('CDATA[', at + 3)) {
      return endAfter(ends.cdata, text, at + 9, 3, to)
    }
    return isAsciiLetter(third) ? endAfter(ends.declaration, text, at + 3, 1, to) : -1
  }
  if (next === QUESTION) return endAfter(ends.instruction, text, at + 2, 2, to)
  return tagEnd(text, at, to)
}

function endAfter(mark: Terminator, text: string, from: number, width: number, to: number): number {
  const found = mark.next(text, from)
  return found < 0 ? -1 : within(found + width, to)
}

function within(end: number, to: number): number {
  return end <= to ? end : -1
}

const UNQUOTED_STOP = tableOf(' \t\n"\'=<>`')
const NAME_EXTRA = tableOf('_.:-')

/** The end of an opening or closing tag at `at`, or -1 when there is no complete tag. */
function tagEnd(text: string, at: number, to: number): number {
  const closing = text.charCodeAt(at + 1) === SLASH
  let p = closing ? at + 2 : at + 1
  if (p >= to || !isAsciiLetter(text.charCodeAt(p))) return -1
  p++
  while (p < to && isTagNameCode(text.charCodeAt(p))) p++
  if (closing) {
    p = skipSpacing(text, p, to)
    return p < to && text.charCodeAt(p) === GREATER ? p + 1 : -1
  }
  for (;;) {
    const afterSpace = skipSpacing(text, p, to)
    const spaced = afterSpace > p
    p = afterSpace
    if (p >= to) return -1
    const code = text.charCodeAt(p)
    if (code === GREATER) return p + 1
    if (code === SLASH) return p + 1 < to && text.charCodeAt(p + 1) === GREATER ? p + 2 : -1
    if (!spaced || !startsAttribute(code)) return -1
    p = attributeEnd(text, p + 1, to)
    if (p < 0) return -1
  }
}

/** The end of the attribute whose name goes on at `from`, value included; -1 for a bad value. */
function attributeEnd(text: string, from: number, to: number): number {
  let p = from
  while (p < to && isAttributeNameCode(text.charCodeAt(p))) p++
  const equals = skipSpacing(text, p, to)
  if (equals >= to || text.charCodeAt(equals) !== EQUALS) return p
  p = skipSpacing(text, equals + 1, to)
  if (p >= to) return -1
  const quote = text.charCodeAt(p)
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    p++
    while (p < to && text.charCodeAt(p) !== quote) p++
    return p < to ? p + 1 : -1
  }
  const start = p
  while (p < to && !isUnquotedStop(text.charCodeAt(p))) p++
  return p > start ? p : -1
}

function isTagNameCode(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === DASH
}

function startsAttribute(code: number): boolean {
  return isAsciiLetter(code) || code === UNDERSCORE || code === COLON
}

function isAttributeNameCode(code: number): boolean {
  return isAsciiAlphanumeric(code) || (code < 128 && NAME_EXTRA[code] === 1)
}

function isUnquotedStop(code: number): boolean {
  return code < 128 && UNQUOTED_STOP[code] === 1
}

const EMAIL =
  /[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*>/y

/** The end of `<https://…>` at `at`, or -1. */
export function uriAutolinkEnd(text: string, at: number, to: number): number {
  let p = at + 1
  if (!isAsciiLetter(text.charCodeAt(p))) return -1
  while (p < to && isSchemeCode(text.charCodeAt(p))) p++
  const schemeLength = p - at - 1
  if (schemeLength < 2 || schemeLength > 32 || p >= to || text.charCodeAt(p) !== COLON) return -1
  for (p++; p < to; p++) {
    const code = text.charCodeAt(p)
    if (code === GREATER) return p + 1
    if (code <= 32 || code === LESS) return -1
  }
  return -1
}

/** The end of `<someone@example.org>` at `at`, or -1. */
export function emailAutolinkEnd(text: string, at: number, to: number): number {
  EMAIL.lastIndex = at + 1
  return EMAIL.test(text) ? within(EMAIL.lastIndex, to) : -1
}

function isSchemeCode(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === PLUS || code === DASH || code === DOT
}

/** Whether a tag, comment or autolink could begin here at all; most `<` in prose are not one. */
export function mayOpenAngle(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 1)
  return code > 32 && !isSpacing(code) && code !== LESS && code !== GREATER
}
