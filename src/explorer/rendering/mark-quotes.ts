/**
 * Lights quoted words in a rendered note. A quote is a stretch of the source, with whatever Markdown
 * stands in it; what the page shows is its letters and digits, so these are what is looked for, in
 * the blocks that come from the quote's lines. Where the letters are not found, the block is lit.
 */
import { enforce } from './allowed.ts'
import { renderMarkdown } from './render-markdown.ts'

export interface Quote {
  /** As it stands in the source. */
  readonly text: string
  /** First and last line. */
  readonly lines: readonly [number, number]
}

export interface MarkedPage {
  readonly html: string
  /** Per quote: the very words were found, or their block, or nothing. */
  readonly found: readonly ('words' | 'block' | 'nothing')[]
}

export function markQuotes(html: string, quotes: readonly Quote[]): MarkedPage {
  let page = html
  const found = quotes.map((quote, index): MarkedPage['found'][number] => {
    const pieces = piecesOf(page)
    const span = findLetters(pieces, lettersIn(visibleText(quote.text)).letters, quote.lines)
    if (span) {
      page = litWords(pieces, span, quote.lines, index)
      return 'words'
    }
    const block = blockOf(pieces, quote.lines)
    if (block === undefined) return 'nothing'
    page = litBlock(pieces, block, index)
    return 'block'
  })
  return { html: enforce(page), found }
}

const NOWHERE = { link: () => undefined, picture: () => undefined }

/** The page counts items and footnotes by itself, so their numbers in the source are no words. */
const COUNTED = /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+|\[\^[^\]\s]+\]:?/gm

/** What a person would see of a piece of Markdown. */
function visibleText(markdown: string): string {
  const { html } = renderMarkdown(markdown.replace(COUNTED, ''), { around: NOWHERE })
  return piecesOf(html)
    .filter(({ shown }) => shown)
    .map(({ text }) => decoded(text))
    .join('')
}

interface Piece {
  readonly text: string
  /** Text that counts, and not a tag or a formula. */
  readonly shown: boolean
  /** Lines of the innermost block around it, 0 where there is none. */
  readonly from: number
  readonly to: number
}

/** Written by us, or of another note. */
const NO_WORDS = / class="(?:host|embedded|footnote|back|unseen)"/
const TAG_OR_TEXT = /<[^>]*>|[^<]+/g

function piecesOf(html: string): Piece[] {
  const open: { name: string; from: number; to: number; hidden: boolean }[] = []
  return Array.from(html.matchAll(TAG_OR_TEXT), ([text]): Piece => {
    const top = open.at(-1)
    const around = { from: top?.from ?? 0, to: top?.to ?? 0 }
    if (!text.startsWith('<')) return { text, shown: top?.hidden !== true, ...around }
    const name = /^<\/?([a-z0-9]+)/.exec(text)?.[1] ?? ''
    if (text.startsWith('</')) open.pop()
    else if (!/^(?:br|hr|img)$/.test(name)) {
      const [, line, end] = / data-line="(\d+)" data-end="(\d+)"/.exec(text) ?? []
      open.push({
        name,
        from: line === undefined ? around.from : Number(line),
        to: end === undefined ? around.to : Number(end),
        hidden: top?.hidden === true || name === 'math' || NO_WORDS.test(text),
      })
    }
    const now = text.startsWith('</') ? around : (open.at(-1) ?? around)
    return { text, shown: false, from: now.from, to: now.to }
  })
}

interface Span {
  /** Piece and offset of the first letter, and of the one behind the last. */
  readonly start: readonly [number, number]
  readonly end: readonly [number, number]
}

function findLetters(
  pieces: readonly Piece[],
  wanted: string,
  [first, last]: Quote['lines'],
): Span | undefined {
  if (wanted === '') return undefined
  let letters = ''
  const places: [number, number][] = []
  for (const [index, { text, shown, from, to }] of pieces.entries()) {
    if (!shown || !touches({ from, to }, [first, last])) continue
    const { letters: here, at } = lettersIn(text)
    letters += here
    for (const offset of at) places.push([index, offset])
  }
  const start = letters.indexOf(wanted)
  if (start < 0) return undefined
  const end = places[start + wanted.length - 1]!
  return { start: places[start]!, end: [end[0], end[1] + 1] }
}

/** Letters and digits in lower case, with the place of each; entities count as what they stand for. */
function lettersIn(text: string): { readonly letters: string; readonly at: readonly number[] } {
  let letters = ''
  const at: number[] = []
  for (const match of text.matchAll(/&(?:[a-zA-Z]+|#\d+|#x[\da-fA-F]+);|[\p{L}\p{N}]/gu)) {
    const [found] = match
    if (found.startsWith('&')) continue
    // Lower case may be longer than what was written.
    const lower = found.toLowerCase()
    letters += lower
    for (let unit = 0; unit < lower.length; unit++) {
      at.push(match.index + Math.min(unit, found.length - 1))
    }
  }
  return { letters, at }
}

/** Footnotes are shown in another order, so other lines may lie between those of a quote. */
function touches({ from, to }: Pick<Piece, 'from' | 'to'>, [first, last]: Quote['lines']): boolean {
  return to >= first && from <= last
}

function litWords(
  pieces: readonly Piece[],
  { start, end }: Span,
  lines: Quote['lines'],
  quote: number,
): string {
  return pieces
    .map(({ text, shown, ...piece }, index) => {
      if (!shown || index < start[0] || index > end[0] || !touches(piece, lines)) return text
      const from = index === start[0] ? start[1] : 0
      const to = index === end[0] ? end[1] : text.length
      const inside = text.slice(from, to)
      if (inside.trim() === '') return text
      return `${text.slice(0, from)}<mark class="quote quote-${quote}">${inside}</mark>${text.slice(to)}`
    })
    .join('')
}

/** The smallest block in the lines of a quote; where none is, the nearest before it. */
function blockOf(pieces: readonly Piece[], [first, last]: Quote['lines']): number | undefined {
  let best: number | undefined
  let size = Infinity
  let before: number | undefined
  for (const [index, { text, from, to }] of pieces.entries()) {
    if (!text.includes(' data-line=')) continue
    if (to < first || before === undefined) before = index
    if (to < first || from > last || to - from >= size) continue
    best = index
    size = to - from
  }
  return best ?? before
}

function litBlock(pieces: readonly Piece[], block: number, quote: number): string {
  const mark = `quoted quote-${quote}`
  return pieces
    .map(({ text }, index) => {
      if (index !== block) return text
      return text.includes(' class="')
        ? text.replace(' class="', ` class="${mark} `)
        : text.replace(/^<([a-z0-9]+)/, `<$1 class="${mark}"`)
    })
    .join('')
}

function decoded(text: string): string {
  return text.replace(/&(?:[a-zA-Z]+|#\d+|#x[\da-fA-F]+);/g, ' ')
}
