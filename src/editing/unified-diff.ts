/** What changed, for a person: a short unified diff with a bound on its length. */

const CONTEXT = 2
const MAX_LINES = 40
const MAX_LINE = 160

/**
 * The changed lines between two texts with a little context. Lines are compared from both ends, so
 * an edit in one place is shown exactly, and several places as one block.
 */
export function unifiedDiff(before: string, after: string, name: string, to = name): string {
  if (before === after && name === to) return ''
  const a = linesOf(before)
  const b = linesOf(after)
  const most = Math.min(a.length, b.length)
  let head = 0
  while (head < most && a[head] === b[head]) head++
  let tail = 0
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const from = Math.max(0, head - CONTEXT)
  const oldEnd = Math.min(a.length, a.length - tail + CONTEXT)
  const newEnd = Math.min(b.length, b.length - tail + CONTEXT)
  const header = `--- ${name}\n+++ ${to}\n`
  if (before === after) return header
  const body = [
    `@@ -${range(from, oldEnd)} +${range(from, newEnd)} @@`,
    ...a.slice(from, head).map((line) => shown(' ', line)),
    ...some(a.slice(head, a.length - tail)).map((line) => shown('-', line)),
    ...some(b.slice(head, b.length - tail)).map((line) => shown('+', line)),
    ...a.slice(a.length - tail, oldEnd).map((line) => shown(' ', line)),
  ]
  return `${header}${body.join('\n')}\n`
}

function range(from: number, end: number): string {
  return `${end > from ? from + 1 : from},${end - from}`
}

/** Line endings are shown where they differ, as that may be all there is to see. */
function linesOf(text: string): string[] {
  if (text === '') return []
  return text.split(/(?<=\n)/)
}

function shown(mark: string, line: string): string {
  const bare = line
    .replace(/\r?\n$/, '')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd')
  const cut = bare.length > MAX_LINE ? `${bare.slice(0, MAX_LINE)}…` : bare
  return `${mark}${cut}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file'}`
}

function some(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines
  const half = MAX_LINES / 2
  return [
    ...lines.slice(0, half),
    `… ${lines.length - MAX_LINES} more lines …\n`,
    ...lines.slice(-half),
  ]
}
