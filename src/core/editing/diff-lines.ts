/** Diff by lines: which ones differ between two versions of a text? */

/** Lines `from` to `to` of the first version became lines `start` to `end` of the second. */
export interface Hunk {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/** Two versions that differ in more places than this are told apart as one block. */
const MAX_EDITS = 1_000

/** The fewest changes, in order, found with the greedy algorithm of Myers (1986). */
export function diffLines(a: readonly string[], b: readonly string[]): Hunk[] {
  const most = Math.min(a.length, b.length)
  let head = 0
  while (head < most && a[head] === b[head]) head++
  let tail = 0
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const oldLines = a.slice(head, a.length - tail)
  const newLines = b.slice(head, b.length - tail)
  if (oldLines.length === 0 && newLines.length === 0) return []
  const whole = { from: 0, to: oldLines.length, start: 0, end: newLines.length }
  const hunks =
    oldLines.length === 0 || newLines.length === 0
      ? [whole]
      : (shortestEdit(oldLines, newLines) ?? [whole])
  return hunks.map(({ from, to, start, end }) => ({
    from: from + head,
    to: to + head,
    start: start + head,
    end: end + head,
  }))
}

function shortestEdit(a: readonly string[], b: readonly string[]): Hunk[] | undefined {
  const limit = Math.min(MAX_EDITS, a.length + b.length)
  /** Furthest line of `a` reached on each diagonal; `trace` keeps it for the way back. */
  const furthest = new Int32Array(2 * limit + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(furthest.slice(limit - edits, limit + edits + 3))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = diagonal + limit + 1
      const down =
        diagonal === -edits || (diagonal !== edits && furthest[at - 1]! < furthest[at + 1]!)
      let x = down ? furthest[at + 1]! : furthest[at - 1]! + 1
      let y = x - diagonal
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++
        y++
      }
      furthest[at] = x
      if (x >= a.length && y >= b.length) return wayBack(trace, a.length, b.length)
    }
  }
  return undefined
}

function wayBack(trace: readonly Int32Array[], a: number, b: number): Hunk[] {
  const hunks: Hunk[] = []
  let x = a
  let y = b
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const furthest = trace[edits]!
    const diagonal = x - y
    const at = diagonal + edits + 1
    const down =
      diagonal === -edits || (diagonal !== edits && furthest[at - 1]! < furthest[at + 1]!)
    const before = down ? diagonal + 1 : diagonal - 1
    const oldX = furthest[before + edits + 1]!
    const oldY = oldX - before
    const hunk = down
      ? { from: oldX, to: oldX, start: oldY, end: oldY + 1 }
      : { from: oldX, to: oldX + 1, start: oldY, end: oldY }
    const next = hunks[0]
    if (next && next.from === hunk.to && next.start === hunk.end) {
      hunks[0] = { from: hunk.from, to: next.to, start: hunk.start, end: next.end }
    } else {
      hunks.unshift(hunk)
    }
    x = oldX
    y = oldY
  }
  return hunks
}
