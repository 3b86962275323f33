/**
 * Unified diff of a settings file, whole: whoever agrees to it must see every line that changes, and
 * none that does not. `patch` would make of the old file exactly what is going to be written.
 */
import { diffLines } from '../../core/editing/diff-lines.ts'
import type { Hunk } from '../../core/editing/diff-lines.ts'

const CONTEXT = 2

/** A whole file on one line is nothing to look at. */
const LONGEST = 2_000

/** Undefined stands for no file. */
export function settingsDiff(
  before: string | undefined,
  after: string | undefined,
  file: string,
): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before), linesOf(after)]
  const name = (text: string | undefined) => (text === undefined ? '/dev/null' : file)
  const blocks = inBlocks(diffLines(old, now)).map((hunks) => blockText(hunks, old, now))
  return [`--- ${name(before)}\n+++ ${name(after)}\n`, ...blocks].join('')
}

function linesOf(text = ''): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** Changes whose context would meet are shown as one block. */
function inBlocks(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const blocks: Hunk[][] = []
  for (const hunk of hunks) {
    const block = blocks.at(-1)
    if (block && hunk.from - block.at(-1)!.to <= 2 * CONTEXT) block.push(hunk)
    else blocks.push([hunk])
  }
  return blocks
}

function blockText(hunks: readonly Hunk[], old: readonly string[], now: readonly string[]): string {
  const [first, last] = [hunks[0]!, hunks.at(-1)!]
  const from = Math.max(0, first.from - CONTEXT)
  const to = Math.min(old.length, last.to + CONTEXT)
  const start = first.start - (first.from - from)
  const end = last.end + (to - last.to)
  const lines: string[] = []
  let at = from
  for (const hunk of hunks) {
    lines.push(...shown(' ', old.slice(at, hunk.from)))
    lines.push(...shown('-', old.slice(hunk.from, hunk.to)))
    lines.push(...shown('+', now.slice(hunk.start, hunk.end)))
    at = hunk.to
  }
  lines.push(...shown(' ', old.slice(at, to)))
  return `@@ -${range(from, to)} +${range(start, end)} @@\n${lines.join('')}`
}

function range(from: number, to: number): string {
  return `${to > from ? from + 1 : from},${to - from}`
}

function shown(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => {
    const text = line.replace(/\r?\n$/, '')
    const cut = text.length - LONGEST
    const some = cut > 0 ? `${text.slice(0, LONGEST)}… (${cut} more characters)` : text
    return `${mark}${some}\n${line.endsWith('\n') ? '' : '\\ No newline at end of file\n'}`
  })
}
