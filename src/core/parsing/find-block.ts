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

/** Blocks that have a mark, with the words of the line that it ends. */
export function listBlocks(
  lines: readonly string[],
  most: number,
): { readonly name: string; readonly text: string }[] {
  const blocks: { readonly name: string; readonly text: string }[] = []
  for (const [at, line] of lines.entries()) {
    if (blocks.length === most) break
    const name = MARK.exec(line)?.[1]
    if (name === undefined) continue
    const own = line.slice(0, line.lastIndexOf('^')).trim()
    const text = own === '' ? (lines[lastFilled(lines, at - 1)] ?? '').trim() : own
    blocks.push({ name, text: text.slice(0, LONGEST) })
  }
  return blocks
}

const MARK = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/
const LONGEST = 200

function lastFilled(lines: readonly string[], at: number): number {
  let line = at
  while (line >= 0 && lines[line]!.trim() === '') line--
  return line
}

function isItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/.test(line)
}
