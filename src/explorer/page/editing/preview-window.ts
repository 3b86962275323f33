/** Of a long text, what is around the cursor is drawn. */

export interface Shown {
  readonly text: string
  /** Where the cursor is, from 1. */
  readonly line: number
}

export interface Window {
  readonly text: string
  /** Of the note, from 1. */
  readonly line: number
}

const MOST = 48 * 1024

/** Whole lines around the cursor, and where they begin in the note. */
export function windowOf({ text, line }: Shown, first: number): Window {
  if (text.length <= MOST) return { text, line: first }
  const lines = text.split('\n')
  let [from, to] = [line - 1, line]
  let length = lines[from]?.length ?? 0
  for (;;) {
    const above = lines[from - 1]
    const below = lines[to]
    const isAbove = above !== undefined && (below === undefined || line - from <= to - line)
    const next = isAbove ? above : below
    if (next === undefined || length + next.length + 1 > MOST) break
    length += next.length + 1
    if (isAbove) from--
    else to++
  }
  return { text: lines.slice(from, to).join('\n').slice(0, MOST), line: first + from }
}
