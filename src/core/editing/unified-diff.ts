/** What changed, for a person: a short unified diff with a bound on its length. */
import { commonLength } from './splice.ts'

const CONTEXT = 2
const MAX_LINES = 40
const MAX_LINE = 160

/**
 * The changed lines between two texts with a little context. Texts are compared from both ends, so
 * an edit in one place is shown exactly, and several places as one block. Only the lines that are
 * shown are cut out: the rest of a large text is compared and counted, no more.
 */
export function unifiedDiff(
  before: string,
  after: string,
  name: string,
  to = name,
  /** A line as it may be shown, before it is cut. */
  line: (text: string) => string = (text) => text,
): string {
  if (before === after && name === to) return ''
  const header = `--- ${name}\n+++ ${to}\n`
  if (before === after) return header
  const head = sameLinesAhead(before, after)
  const tail = sameLinesBehind(before, after, head)
  const [oldEnd, newEnd] = [before.length - tail, after.length - tail]
  const ahead = before.slice(beforeLines(before, head, CONTEXT, 0), head)
  const behind = before.slice(oldEnd, afterLines(before, oldEnd, CONTEXT, before.length))
  const above = countLines(before, 0, head)
  const old = { text: before, from: head, to: oldEnd, count: countLines(before, head, oldEnd) }
  const now = { text: after, from: head, to: newEnd, count: countLines(after, head, newEnd) }
  const context = { from: above - linesOf(ahead).length, behind: linesOf(behind).length }
  const range = ({ count }: Part): string => {
    const length = above + count + context.behind - context.from
    return `${length > 0 ? context.from + 1 : context.from},${length}`
  }
  const body = [
    `@@ -${range(old)} +${range(now)} @@`,
    ...linesOf(ahead).map((text) => shown(' ', line(text))),
    ...some(old).map((text) => shown('-', line(text))),
    ...some(now).map((text) => shown('+', line(text))),
    ...linesOf(behind).map((text) => shown(' ', line(text))),
  ]
  return `${header}${body.join('\n')}\n`
}

/** Whole lines of a text. */
interface Part {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Where the first line begins that is not the same in both. */
function sameLinesAhead(a: string, b: string): number {
  const same = commonLength(
    Math.min(a.length, b.length),
    (from, to) => a.slice(from, to) === b.slice(from, to),
  )
  return beforeLines(a, same, 1, 0, 'open')
}

/** How many characters the lines have that are the same at the end of both. */
function sameLinesBehind(a: string, b: string, head: number): number {
  const same = commonLength(
    Math.min(a.length, b.length) - head,
    (from, to) =>
      a.slice(a.length - to, a.length - from) === b.slice(b.length - to, b.length - from),
  )
  if (isLineStart(a, a.length - same) && isLineStart(b, b.length - same)) return same
  return a.length - afterLines(a, a.length - same, 1, a.length)
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n'
}

/** Where so many lines begin that end at `at`; the last one may still be open. */
function beforeLines(text: string, at: number, count: number, most: number, last?: 'open'): number {
  let start = at
  for (let lines = 0; lines < count && start > most; lines++) {
    const from = lines === 0 && last ? start - 1 : start - 2
    start = Math.max(most, from < 0 ? 0 : text.lastIndexOf('\n', from) + 1)
  }
  return start
}

/** Where so many lines end that begin at `at`. */
function afterLines(text: string, at: number, count: number, most: number): number {
  let end = at
  for (let lines = 0; lines < count && end < most; lines++) {
    const newline = text.indexOf('\n', end)
    end = newline < 0 || newline >= most ? most : newline + 1
  }
  return end
}

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; count++) at = afterLines(text, at, 1, to)
  return count
}

/** Line endings are shown where they differ, as that may be all there is to see. */
function linesOf(text: string): string[] {
  if (text === '') return []
  return text.split(/(?<=\n)/)
}

function shown(mark: string, line: string): string {
  const isEnded = line.endsWith('\n')
  const end = line.length - (isEnded ? (line.endsWith('\r\n') ? 2 : 1) : 0)
  const cut = end > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line.slice(0, end)
  const clean = cut.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd')
  return `${mark}${clean}${isEnded ? '' : '\n\\ No newline at end of file'}`
}

function some({ text, from, to, count }: Part): readonly string[] {
  if (count <= MAX_LINES) return linesOf(text.slice(from, to))
  const half = MAX_LINES / 2
  return [
    ...linesOf(text.slice(from, afterLines(text, from, half, to))),
    `… ${count - MAX_LINES} more lines …\n`,
    ...linesOf(text.slice(beforeLines(text, to, half, from), to)),
  ]
}
