/** Where the lines of a text begin, and which line an offset is on. */

/** Offsets of all line starts. Lines end with `\n`, `\r\n` or a lone `\r`. */
export function lineStartsOf(text: string): number[] {
  const starts = [0]
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}

/** The index into `starts` of the line that holds `offset`: 0 for the first line. */
export function lineIndexAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The line number of `offset`, counted from 1. */
export function lineAt(starts: readonly number[], offset: number): number {
  return lineIndexAt(starts, offset) + 1
}

/** The same for one place of a text: where its lines begin is not kept. */
export function countLineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
