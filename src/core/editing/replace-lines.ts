/** Replaces a range of lines and leaves every byte outside of it as it was. */
import { invalid, quoted } from '../domain/error.ts'
import { diffLines } from './diff-lines.ts'
import { newlineOf, withNewlines } from './text-file.ts'
import type { Newline } from './text-file.ts'

export interface LinesEdit {
  /** `10-40`, `10-` or `10`; lines count from 1, and what stands behind the last line end is one. */
  readonly lines: string
  /** Whole lines; the end of the last one may be left out. Nothing takes the lines away. */
  readonly content: string
}

export function replaceLines(name: string, text: string, { lines, content }: LinesEdit): string {
  const { start, end, isLast } = rangeIn(name, text, lines)
  const newline = newlineOf(text)
  const given = withNewlines(content, newline)
  if (given !== '') {
    // The end of the last line is the one that stands there.
    const whole = given.endsWith(newline) ? given.slice(0, -newline.length) : given
    return text.slice(0, start) + joined(text.slice(start, end), whole, newline) + text.slice(end)
  }
  if (!isLast) return text.slice(0, start) + text.slice(endOfLine(text, end))
  // Without the last lines, the one before them is the last and ends as they did.
  return text.slice(0, start).replace(/\r?\n$/, '') + text.slice(end)
}

/** Where a file has line ends of both kinds, lines that are the same keep theirs. */
function joined(old: string, whole: string, newline: Newline): string {
  if (withNewlines(old, newline) === old) return whole
  const [before, after] = [linesOf(old), linesOf(whole)]
  const same = new Map<number, string>()
  let at = 0
  let line = 0
  const end = { from: before.length, to: before.length, start: after.length, end: after.length }
  for (const hunk of [...diffLines(before.map(plain), after.map(plain)), end]) {
    for (; at < hunk.from; at++, line++) {
      if (at < before.length - 1) same.set(line, before[at]!)
    }
    at = hunk.to
    line = hunk.end
  }
  // The last one has no end here.
  same.delete(after.length - 1)
  return after.map((each, index) => same.get(index) ?? each).join('')
}

/** Each with the end it has. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}

function plain(line: string): string {
  return line.replace(/\r?\n$/, '')
}

interface Found {
  readonly start: number
  /** Before the line end. */
  readonly end: number
  readonly isLast: boolean
}

function rangeIn(name: string, text: string, lines: string): Found {
  const match = /^\s*(\d{1,9})(\s*-\s*(\d{1,9})?)?\s*$/.exec(lines)
  const from = Number(match?.[1])
  const to = match?.[3] ? Number(match[3]) : match?.[2] ? Infinity : from
  if (!match || from < 1 || to < from) {
    throw invalid(
      `${quoted(lines)} is not a range of lines.`,
      'Write "10-40", "10-" or "10"; the first line is 1.',
    )
  }
  let start = 0
  let line = 1
  for (; line < from; line++) {
    const at = text.indexOf('\n', start)
    if (at < 0) throw noSuchLine(name, from, line)
    start = at + 1
  }
  let at = text.indexOf('\n', start)
  for (; line < to && at >= 0; line++) at = text.indexOf('\n', at + 1)
  if (line < to && to !== Infinity) throw noSuchLine(name, to, line)
  if (at < 0) return { start, end: text.length, isLast: true }
  return { start, end: at > start && text[at - 1] === '\r' ? at - 1 : at, isLast: false }
}

function endOfLine(text: string, end: number): number {
  return text.indexOf('\n', end) + 1
}

function noSuchLine(name: string, wanted: number, total: number) {
  return invalid(
    `${name} has ${total} lines, so it has no line ${wanted}.`,
    'Nothing was changed. Fetch the document again for the lines it has now.',
  )
}
