/** Three-way merge: puts two changes of one text together, line by line. */
import { diffLines } from './diff-lines.ts'
import type { Hunk } from './diff-lines.ts'

/**
 * What `base` becomes when it changes into `ours` and into `theirs`; undefined when both changed
 * the same lines in different ways. Lines that both add at one place stand one after the other,
 * theirs first, and what both begin with once. Works on bytes of any encoding in which a line ends
 * with 0x0A.
 */
export function mergeText(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
): Uint8Array | undefined {
  const lines = linesOf(base)
  const [our, their] = [linesOf(ours), linesOf(theirs)]
  const edits = [
    ...diffLines(lines, their).map((hunk) => editOf(hunk, their, 0)),
    ...diffLines(lines, our).map((hunk) => editOf(hunk, our, 1)),
  ].toSorted((a, b) => a.from - b.from || a.to - b.to || a.side - b.side)
  const merged: string[] = []
  let at = 0
  let last: Edit | undefined
  for (const edit of edits) {
    if (last && isSame(last, edit)) continue
    if (last && overlaps(last, edit)) return undefined
    merged.push(...lines.slice(at, edit.from), ...edit.lines.slice(last ? shared(last, edit) : 0))
    at = Math.max(at, edit.to)
    // What reaches furthest is what the next one may run into.
    if (!last || edit.to >= last.to) last = edit
  }
  merged.push(...lines.slice(at))
  return Buffer.from(merged.join('\n'), 'latin1')
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
  readonly side: number
}

function editOf({ from, to, start, end }: Hunk, lines: readonly string[], side: number): Edit {
  return { from, to, lines: lines.slice(start, end), side }
}

function isSame(a: Edit, b: Edit): boolean {
  return (
    a.from === b.from &&
    a.to === b.to &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, index) => line === b.lines[index])
  )
}

/** How many of the lines that both add at one place are the same at the beginning. */
function shared(a: Edit, b: Edit): number {
  if (a.from !== a.to || b.from !== b.to || a.from !== b.from) return 0
  let count = 0
  while (count < a.lines.length && a.lines[count] === b.lines[count]) count++
  return count
}

/** Touching is no overlap: a line may be taken away where another is added behind it. */
function overlaps(a: Edit, b: Edit): boolean {
  return b.from < a.to && a.from < b.to
}

/** One character per byte, so that every byte comes back as it was. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('\n')
}
