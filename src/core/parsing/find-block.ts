/**
 * Where is the block that a writer marked with `^name` at its end? A list item is a block of its
 * own; a mark on a line of its own belongs to what stands above it.
 */
export interface BlockLines {
  /** From 0, both included. */
  readonly from: number
  readonly to: number
}

export function findBlock(lines: readonly string[], name: string): BlockLines | undefined {
  const mark = `^${name}`
  const at = lines.findIndex((line) => {
    const text = line.trimEnd()
    return text.endsWith(mark) && /^\s?$/.test(text.slice(0, -mark.length).slice(-1))
  })
  if (at < 0) return undefined
  const alone = lines[at]!.trim() === mark
  const to = alone ? lastFilled(lines, at - 1) : at
  if (to < 0) return { from: at, to: at }
  let from = to
  while (from > 0 && !isItem(lines[from]!) && lines[from - 1]!.trim() !== '') from--
  return { from, to: at }
}

function lastFilled(lines: readonly string[], at: number): number {
  let line = at
  while (line >= 0 && lines[line]!.trim() === '') line--
  return line
}

function isItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/.test(line)
}
