/**
 * Long texts are rendered in parts: a page shows the first at once and asks for the others as one
 * reads on. Parts end at a blank line outside of code where there is one, else at any line.
 */

export interface TextPart {
  readonly start: number
  readonly end: number
  /** Lines of the text before it. */
  readonly line: number
  /** Head of the table that goes on here, to be put before it. */
  readonly tableHead: string
}

/** The parser needs seconds for half a megabyte of table; this much takes a moment. */
const PART_CHARS = 48 * 1_024
const PART_LINES = 1_200
const SMALLEST = 1_000

export function splitParts(text: string, from = 0): readonly TextPart[] {
  const parts: TextPart[] = []
  let start = from
  let line = linesIn(text, 0, from)
  let tableHead = ''
  while (start < text.length || parts.length === 0) {
    const { end, lines, inside } = partFrom(text, start)
    parts.push({ start, end, line, tableHead })
    const part = text.slice(start, end)
    tableHead = inside
      ? ''
      : headOf(part, text.slice(end, end + 400)) || continued(tableHead, text, end)
    line += lines
    start = end
  }
  return parts
}

function partFrom(text: string, start: number): { end: number; lines: number; inside: boolean } {
  if (text.length - start <= PART_CHARS && linesIn(text, start, text.length) <= PART_LINES) {
    return { end: text.length, lines: linesIn(text, start, text.length), inside: false }
  }
  let at = start
  let lines = 0
  let fence = ''
  let best: { end: number; lines: number } | undefined
  while (at < text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline + 1
    // A heading alone is no part, however long the line behind it.
    if (at - start > SMALLEST && (end - start > PART_CHARS || lines >= PART_LINES)) break
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text.slice(at, at + 40))?.[1]
    if (mark !== undefined) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
    at = end
    lines++
    const blank = text.slice(at, at + 200).match(/^[ \t]*(?:\r?\n|$)/)
    if (blank && fence === '') best = { end: at, lines }
  }
  // A boundary near the beginning would leave nearly everything for later.
  const early = best !== undefined && best.end - start < (at - start) / 4
  if (best && !early) return { ...best, inside: false }
  return { end: at, lines, inside: fence !== '' }
}

/** The first two lines of the table that a part ends in, when the text goes on with its rows. */
function headOf(part: string, next: string): string {
  if (!/^[ \t]*\|/.test(next)) return ''
  const rows = part.trimEnd().split('\n')
  let first = rows.length
  while (first > 0 && /^[ \t]*\|/.test(rows[first - 1]!)) first--
  const head = rows.slice(first, first + 2)
  return head.length === 2 && /^[ \t]*\|[\s|:-]+$/.test(head[1]!) ? `${head.join('\n')}\n` : ''
}

function continued(head: string, text: string, end: number): string {
  return head !== '' && /^[ \t]*\|/.test(text.slice(end, end + 400)) ? head : ''
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    lines++
  return lines
}
