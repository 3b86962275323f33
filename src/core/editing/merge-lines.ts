/** Three-way merge of lines, with the places where two changes of one text touch each other. */
import { diffLines } from './diff-lines.ts'
import type { Hunk } from './diff-lines.ts'

/** Lines as they are afterwards, or three versions of lines that both changed in different ways. */
export type MergedPart =
  | { readonly kind: 'merged'; readonly lines: readonly string[] }
  | {
      readonly kind: 'conflict'
      readonly base: readonly string[]
      readonly ours: readonly string[]
      readonly theirs: readonly string[]
    }

/**
 * What `base` becomes when it changes into `ours` and into `theirs`. Lines that both add at one
 * place stand one after the other, theirs first, and what both begin with once.
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergedPart[] {
  const edits = [
    ...diffLines(base, theirs).map((hunk) => editOf(hunk, theirs, 0)),
    ...diffLines(base, ours).map((hunk) => editOf(hunk, ours, 1)),
  ].toSorted((a, b) => a.from - b.from || a.to - b.to || a.side - b.side)
  const parts: MergedPart[] = []
  let merged: string[] = []
  let at = 0
  for (const group of groupsOf(edits)) {
    merged.push(...base.slice(at, group.from))
    if (group.isConflict) {
      if (merged.length > 0) parts.push({ kind: 'merged', lines: merged })
      merged = []
      const [theirs, ours] = [0, 1].map((side) => changed(base, group, side)) as [
        string[],
        string[],
      ]
      parts.push({ kind: 'conflict', base: base.slice(group.from, group.to), ours, theirs })
    } else {
      for (const { lines } of group.edits) merged.push(...lines)
    }
    at = Math.max(at, group.to)
  }
  merged.push(...base.slice(at))
  if (merged.length > 0) parts.push({ kind: 'merged', lines: merged })
  return parts
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
  readonly side: number
}

interface Group {
  readonly from: number
  to: number
  readonly edits: Edit[]
  isConflict: boolean
}

/** Edits that overlap belong together: nobody knows which of them is meant. */
function groupsOf(edits: readonly Edit[]): readonly Group[] {
  const groups: Group[] = []
  let last: Edit | undefined
  for (const edit of edits) {
    if (last && isSame(last, edit)) continue
    const group = groups.at(-1)
    if (last && group && overlaps(last, edit)) {
      group.edits.push(edit)
      group.to = Math.max(group.to, edit.to)
      group.isConflict = true
    } else {
      const lines = last ? edit.lines.slice(shared(last, edit)) : edit.lines
      groups.push({ from: edit.from, to: edit.to, edits: [{ ...edit, lines }], isConflict: false })
    }
    // What reaches furthest is what the next one may run into.
    if (!last || edit.to >= last.to) last = edit
  }
  return groups
}

/** The lines of a group as one side has them. */
function changed(base: readonly string[], { from, to, edits }: Group, side: number): string[] {
  const lines: string[] = []
  let at = from
  for (const edit of edits) {
    if (edit.side !== side) continue
    lines.push(...base.slice(at, edit.from), ...edit.lines)
    at = edit.to
  }
  return [...lines, ...base.slice(at, to)]
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
