/**
 * The sentences of a Markdown text, each with its place: what can be quoted by itself. List items,
 * rows of tables and blocks of code count as sentences; marks of lists and headings, fences and
 * what nobody sees (comments, link definitions, tags) belong to none.
 */
import { blankMarkup } from './unseen-markup.ts'

export type SentenceKind = 'prose' | 'item' | 'row' | 'code' | 'heading'

/** Offsets are positions in the text, `end` is exclusive. */
export interface Sentence {
  readonly start: number
  readonly end: number
  readonly kind: SentenceKind
  /** Sentences of one paragraph, list item, row or block of code share it. */
  readonly block: number
}

/** What is longer is cut: nobody reads a quote of a page. */
const LONGEST = 500

export function splitSentences(text: string, from = 0, to = text.length): Sentence[] {
  const seen = blankMarkup(text.slice(from, to))
  const sentences: Sentence[] = []
  let block = 0
  eachBlock(seen, (kind, blockStart, blockEnd) => {
    const add = (rangeStart: number, rangeEnd: number): void => {
      const start = contentStart(seen, rangeStart, rangeEnd)
      const end = contentEnd(seen, start, rangeEnd)
      if (end > start) sentences.push({ start: start + from, end: end + from, kind, block })
    }
    const cut = (start: number, end: number): void => {
      if (end - start <= LONGEST) return add(start, end)
      // Blanks before a line of code belong to it.
      const first = kind === 'code' ? start : contentStart(seen, start, end)
      eachPiece(seen, first, kind === 'code' ? end : contentEnd(seen, first, end), add)
    }
    if (kind === 'code') eachLine(seen, blockStart, blockEnd, cut)
    else if (kind === 'prose' || kind === 'item') eachSentence(seen, blockStart, blockEnd, cut)
    else cut(blockStart, blockEnd)
    block++
  })
  return sentences
}

/** A visitor of ranges: a passage has hundreds, and nobody wants them all at once. */
type Visit = (start: number, end: number) => void

const FENCE = /^[ \t>]*(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/
const ROW = /^[ \t]*\|/
const DELIMITER_ROW = /^[ \t:|-]+$/
const QUOTE = /^ {0,3}(?:>[ \t]?)+/
const INDENTED = /^(?: {4}|\t)/

/** Reads line by line; what a line is depends on the one before and on nothing else. */
function eachBlock(
  text: string,
  visit: (kind: SentenceKind, start: number, end: number) => void,
): void {
  let open: { start: number; end: number; kind: SentenceKind } | undefined
  let fence: { mark: string; start: number; end: number } | undefined
  let blank = true
  let last: SentenceKind | undefined
  const give = (kind: SentenceKind, start: number, end: number): void => {
    last = kind
    const first = contentStart(text, start, end)
    if (first < end) visit(kind, first, contentEnd(text, first, end))
  }
  const close = (): void => {
    if (open) give(open.kind, open.start, open.end)
    open = undefined
  }
  const begin = (kind: SentenceKind, start: number, end: number): void => {
    close()
    if (contentStart(text, start, end) < end) open = { kind, start, end }
  }
  eachLine(text, 0, text.length, (start, end) => {
    const wasBlank = blank
    // Most lines begin with a letter: they begin a paragraph, or go on with what is open.
    const isText = start < end && isLetter(text.charCodeAt(start))
    blank = !isText && contentStart(text, start, end) === end
    if (fence) {
      if (!isText && closes(text.slice(start, end), fence.mark)) {
        give('code', fence.start, fence.end)
        fence = undefined
      } else if (!blank) fence.end = end
      return
    }
    if (isText && open?.kind !== 'code') {
      if (open) open.end = end
      else begin('prose', start, end)
      return
    }
    if (blank) return close()
    const line = text.slice(start, end)
    const opening = FENCE.exec(line)
    if (opening) {
      close()
      fence = { mark: opening[1]!, start: end, end }
    } else if (open?.kind === 'prose' && UNDERLINE.test(line)) {
      open.kind = 'heading'
      close()
    } else if (RULE.test(line)) close()
    else if (HEADING.test(line)) {
      begin('heading', start + HEADING.exec(line)![0].length, end)
      // The next line is no part of it, with a blank one between them or without.
      close()
    } else if (ROW.test(line)) {
      if (!DELIMITER_ROW.test(line)) begin('row', start, end)
      close()
    } else if (ITEM.test(line)) begin('item', start + ITEM.exec(line)![0].length, end)
    else if (open && open.kind !== 'code') open.end = end
    else if (INDENTED.test(line) && wasBlank && last !== 'item') begin('code', start, end)
    else if (open && INDENTED.test(line)) open.end = end
    else begin('prose', start + (QUOTE.exec(line)?.[0].length ?? 0), end)
  })
  // A fence that nobody closed holds the rest.
  if (fence) give('code', fence.start, fence.end)
  close()
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

function closes(line: string, mark: string): boolean {
  const found = FENCE.exec(line)?.[1]
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length
}

function eachLine(text: string, start: number, end: number, visit: Visit): void {
  const returns = text.includes('\r')
  for (let at = start; at < end;) {
    let stop = text.indexOf('\n', at)
    if (returns) {
      const other = text.indexOf('\r', at)
      if (other >= 0 && (stop < 0 || other < stop)) stop = other
    }
    if (stop < 0 || stop > end) stop = end
    visit(at, stop)
    at = stop + (text.startsWith('\r\n', stop) ? 2 : 1)
  }
}

/**
 * The end of a sentence: its mark and what closes behind it. Scripts without spaces need none. Marks
 * are looked at from their first one on: a line of a hundred thousand of them is passed once.
 */
const ENDS =
  /(?<![.!?…])[.!?…]+["'”’»)\]*_`]*(?=\s|$)|(?<![।؟۔።])[।؟۔።]+(?=\s|$)|[。！？｡]+[」』”’）)*_]*/gu

/** A full stop behind one of these ends a word, not a sentence. */
const ABBREVIATIONS = new Set(
  'e.g i.e etc vs cf ca mr mrs ms dr prof st no nr fig abb vol pp p inc ltd jr sr al approx dept est z.b d.h u.a bzw usw evtl ggf vgl mme m'.split(
    ' ',
  ),
)

const LONGEST_ABBREVIATION = Math.max(...[...ABBREVIATIONS].map(({ length }) => length))

/** What a sentence of words ends with, and what may close behind it. */
const MARKS = '.!?…'
const CLOSERS = '"\'”’»)]*_`'

function eachSentence(text: string, start: number, end: number, visit: Visit): void {
  const block = text.slice(start, end)
  let from = 0
  ENDS.lastIndex = 0
  while (ENDS.test(block)) {
    const stop = ENDS.lastIndex
    let mark = stop
    while (mark > from && CLOSERS.includes(block[mark - 1]!)) mark--
    while (mark > from && MARKS.includes(block[mark - 1]!)) mark--
    if (block[mark] === '.' && goesOn(block, mark, stop)) continue
    visit(start + from, start + stop)
    from = stop
  }
  visit(start + from, end)
}

/** `e.g. this`, `J. Smith`, `3. Mai` and `. lower case` go on. */
function goesOn(block: string, index: number, stop: number): boolean {
  let next = stop
  while (block.charCodeAt(next) === 32 || block.charCodeAt(next) === 10) next++
  const code = block.charCodeAt(next)
  if (code >= 97 && code <= 122) return true
  if (!(code > 32 && code < 127) && /^\p{Ll}/u.test(block.slice(next).trimStart())) return true
  if (index - wordStart(block, index) > LONGEST_ABBREVIATION) return false
  const before = block.slice(Math.max(0, index - LONGEST_ABBREVIATION - 1), index)
  const word = /[\p{L}\p{N}.]*$/u.exec(before)?.[0] ?? ''
  return /^(?:\p{Lu}|\d{1,2})$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())
}

/** Where the plain letters, digits and dots before a place begin. */
function wordStart(block: string, end: number): number {
  for (let at = end; at > 0; at--) {
    const code = block.charCodeAt(at - 1)
    const isDigitOrDot = (code >= 48 && code <= 57) || code === 46
    if (!isDigitOrDot && ((code | 32) < 97 || (code | 32) > 122)) return at
  }
  return 0
}

/** Cuts what is too long where it pauses, else between words, else anywhere. */
function eachPiece(text: string, from: number, end: number, visit: Visit): void {
  let start = from
  while (end - start > LONGEST) {
    const window = text.slice(start, start + LONGEST)
    const pause = Math.max(
      ...[...window.matchAll(/[;:,、，；](?=\s|\P{ASCII})/gu)].map((m) => m.index + 1),
      0,
    )
    const space = window.search(/\s\S*$/)
    const length = [pause, space, LONGEST].find((each) => each > LONGEST / 2)!
    const whole = /[\uD800-\uDBFF]/.test(text.charAt(start + length - 1)) ? length - 1 : length
    visit(start, start + whole)
    start += whole
  }
  visit(start, end)
}

/** Where a range begins without the blanks before it: its end where there is nothing else. */
function contentStart(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 32 || (code >= 9 && code <= 13)) continue
    return code > 32 && code < 127 ? at : end - text.slice(at, end).trimStart().length
  }
  return end
}

function contentEnd(text: string, start: number, end: number): number {
  for (let at = end; at > start; at--) {
    const code = text.charCodeAt(at - 1)
    if (code === 32 || (code >= 9 && code <= 13)) continue
    return code > 32 && code < 127 ? at : start + text.slice(start, at).trimEnd().length
  }
  return start
}
