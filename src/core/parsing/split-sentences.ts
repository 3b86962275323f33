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
  const sentences = sentencesOf(blankMarkup(text.slice(from, to)))
  if (from === 0) return sentences
  return sentences.map(({ start, end, kind, block }) => ({
    start: start + from,
    end: end + from,
    kind,
    block,
  }))
}

function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const [number, block] of blocksOf(text).entries()) {
    const { kind } = block
    for (const range of rangesIn(text, block)) {
      const parts = range.end - range.start > LONGEST ? pieces(text, range) : [trimmed(text, range)]
      for (const { start, end } of parts) {
        if (end > start) sentences.push({ start, end, kind, block: number })
      }
    }
  }
  return sentences
}

function rangesIn(text: string, block: Block): readonly Range[] {
  if (block.kind === 'code') return linesOf(text, block)
  return block.kind === 'prose' || block.kind === 'item'
    ? sentencesIn(text, block.start, block.end)
    : [block]
}

interface Range {
  readonly start: number
  readonly end: number
}

interface Block extends Range {
  readonly kind: SentenceKind
}

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
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let open: { start: number; end: number; kind: SentenceKind } | undefined
  let fence: { mark: string; start: number; end: number } | undefined
  let blank = true
  const close = (): void => {
    if (open) blocks.push(open)
    open = undefined
  }
  const begin = (kind: SentenceKind, start: number, end: number): void => {
    close()
    if (text.slice(start, end).trim() !== '') open = { kind, start, end }
  }
  for (const { start, end } of linesOf(text, { start: 0, end: text.length })) {
    const line = text.slice(start, end)
    const wasBlank = blank
    blank = line.trim() === ''
    if (fence) {
      if (closes(line, fence.mark)) {
        blocks.push({ kind: 'code', start: fence.start, end: fence.end })
        fence = undefined
      } else if (!blank) fence.end = end
      continue
    }
    // Most lines begin with a letter: they begin a paragraph, or go on with what is open.
    if (isLetter(line.charCodeAt(0)) && open?.kind !== 'code') {
      if (open) open.end = end
      else begin('prose', start, end)
      continue
    }
    const opening = FENCE.exec(line)
    if (opening) {
      close()
      fence = { mark: opening[1]!, start: end, end }
    } else if (blank) close()
    else if (open?.kind === 'prose' && UNDERLINE.test(line)) {
      open.kind = 'heading'
      close()
    } else if (RULE.test(line)) close()
    else if (HEADING.test(line)) begin('heading', start + HEADING.exec(line)![0].length, end)
    else if (ROW.test(line)) {
      if (!DELIMITER_ROW.test(line)) begin('row', start, end)
      close()
    } else if (ITEM.test(line)) begin('item', start + ITEM.exec(line)![0].length, end)
    else if (open && open.kind !== 'code') open.end = end
    else if (INDENTED.test(line) && wasBlank && blocks.at(-1)?.kind !== 'item') {
      begin('code', start, end)
    } else if (open && INDENTED.test(line)) open.end = end
    else begin('prose', start + (QUOTE.exec(line)?.[0].length ?? 0), end)
  }
  // A fence that nobody closed holds the rest.
  if (fence) blocks.push({ kind: 'code', start: fence.start, end: fence.end })
  close()
  return blocks.map((block) => ({ ...block, ...trimmed(text, block) })).filter(isSomething)
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

function closes(line: string, mark: string): boolean {
  const found = FENCE.exec(line)?.[1]
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length
}

function linesOf(text: string, { start, end }: Range): Range[] {
  const lines: Range[] = []
  const part = text.slice(start, end)
  const breaks = part.includes('\r') ? /\r\n|\n|\r/g : undefined
  for (let at = 0; at < part.length;) {
    let next = part.indexOf('\n', at)
    let length = 1
    if (breaks) {
      breaks.lastIndex = at
      const found = breaks.exec(part)
      next = found?.index ?? -1
      length = found?.[0].length ?? 1
    }
    const stop = next < 0 ? part.length : next
    lines.push({ start: start + at, end: start + stop })
    at = stop + length
  }
  return lines
}

/** The end of a sentence: its mark and what closes behind it. Scripts without spaces need none. */
const ENDS = /[.!?…]+["'”’»)\]*_`]*(?=\s|$)|[।؟۔።]+(?=\s|$)|[。！？｡]+[」』”’）)*_]*/gu

/** A full stop behind one of these ends a word, not a sentence. */
const ABBREVIATIONS = new Set(
  'e.g i.e etc vs cf ca mr mrs ms dr prof st no nr fig abb vol pp p inc ltd jr sr al approx dept est z.b d.h u.a bzw usw evtl ggf vgl mme m'.split(
    ' ',
  ),
)

const LONGEST_ABBREVIATION = Math.max(...[...ABBREVIATIONS].map(({ length }) => length))

function sentencesIn(text: string, start: number, end: number): Range[] {
  const block = text.slice(start, end)
  const ranges: Range[] = []
  let from = 0
  for (const { 0: mark, index } of block.matchAll(ENDS)) {
    const stop = index + mark.length
    if (mark.startsWith('.') && goesOn(block, index, stop)) continue
    ranges.push({ start: start + from, end: start + stop })
    from = stop
  }
  ranges.push({ start: start + from, end })
  return ranges.map((range) => trimmed(text, range)).filter(isSomething)
}

/** `e.g. this`, `J. Smith`, `3. Mai` and `. lower case` go on. */
function goesOn(block: string, index: number, stop: number): boolean {
  let next = stop
  while (block.charCodeAt(next) === 32 || block.charCodeAt(next) === 10) next++
  const code = block.charCodeAt(next)
  if (code >= 97 && code <= 122) return true
  if (!(code > 32 && code < 127) && /^\p{Ll}/u.test(block.slice(next).trimStart())) return true
  const before = block.slice(Math.max(0, index - LONGEST_ABBREVIATION - 1), index)
  const word = /[\p{L}\p{N}.]*$/u.exec(before)?.[0] ?? ''
  return /^(?:\p{Lu}|\d{1,2})$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())
}

/** Cuts what is too long where it pauses, else between words, else anywhere. */
function pieces(text: string, range: Range): Range[] {
  const found: Range[] = []
  let { start } = range
  while (range.end - start > LONGEST) {
    const window = text.slice(start, start + LONGEST)
    const pause = Math.max(
      ...[...window.matchAll(/[;:,、，；](?=\s|\P{ASCII})/gu)].map((m) => m.index + 1),
      0,
    )
    const space = window.search(/\s\S*$/)
    const length = [pause, space, LONGEST].find((each) => each > LONGEST / 2)!
    const whole = /[\uD800-\uDBFF]/.test(text.charAt(start + length - 1)) ? length - 1 : length
    found.push(trimmed(text, { start, end: start + whole }))
    start += whole
  }
  found.push(trimmed(text, { start, end: range.end }))
  return found.filter(isSomething)
}

function trimmed(text: string, range: Range): Range {
  const { start, end } = range
  if (isPlain(text.charCodeAt(start)) && isPlain(text.charCodeAt(end - 1))) return range
  const slice = text.slice(start, end)
  const lead = slice.length - slice.trimStart().length
  return lead === slice.length
    ? { start, end: start }
    : { start: start + lead, end: start + slice.trimEnd().length }
}

function isPlain(code: number): boolean {
  return code > 32 && code < 127
}

function isSomething({ start, end }: Range): boolean {
  return end > start
}
