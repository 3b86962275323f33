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
  return blocksOf(text).flatMap((block, number) => {
    const ranges =
      block.kind === 'prose' || block.kind === 'item'
        ? sentencesIn(text, block.start, block.end)
        : [block]
    return ranges
      .flatMap((range) => (block.kind === 'code' ? linesOf(text, range) : [range]))
      .flatMap((range) => pieces(text, range))
      .map(({ start, end }) => ({ start, end, kind: block.kind, block: number }))
  })
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

function closes(line: string, mark: string): boolean {
  const found = FENCE.exec(line)?.[1]
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length
}

function linesOf(text: string, { start, end }: Range): Range[] {
  const lines: Range[] = []
  for (let at = start; at < end;) {
    const stop = text.slice(at, end).search(/\r\n|\n|\r/)
    const lineEnd = stop < 0 ? end : at + stop
    lines.push({ start: at, end: lineEnd })
    at = text.startsWith('\r\n', lineEnd) ? lineEnd + 2 : lineEnd + 1
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
  const next = block.slice(stop).trimStart()
  if (/^\p{Ll}/u.test(next)) return true
  const word = /[\p{L}\p{N}.]*$/u.exec(block.slice(Math.max(0, index - 20), index))?.[0] ?? ''
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

function trimmed(text: string, { start, end }: Range): Range {
  const slice = text.slice(start, end)
  const lead = slice.length - slice.trimStart().length
  return lead === slice.length
    ? { start, end: start }
    : { start: start + lead, end: start + slice.trimEnd().length }
}

function isSomething({ start, end }: Range): boolean {
  return end > start
}
