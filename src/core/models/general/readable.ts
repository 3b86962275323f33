/** How much of a passage can the table read? The table is English; what is not must be left alone. */
import type { TermMatrix } from '../corpus/term-matrix.ts'
import { ramp } from '../weights.ts'

/** From this share of known words on a passage counts a little, and from this one on fully. */
const HARDLY = 0.6
const WELL = 0.8

/** From 0, not at all, to 1. `known` of `all` distinct words have a row. */
export function readableShare(known: number, all: number): number {
  return all === 0 ? 0 : ramp(known / all, HARDLY, WELL)
}

/** What `readableShare` says of each passage under its title, by the passage's row. */
export function readableShares(
  { documentStart, rowStart, columns }: TermMatrix,
  rowOf: Int32Array,
): Float64Array {
  const knownIn = (row: number): number => {
    let known = 0
    for (let e = rowStart[row]!; e < rowStart[row + 1]!; e++) if (rowOf[columns[e]!]! >= 0) known++
    return known
  }
  const shares = new Float64Array(rowStart.length - 1)
  for (let d = 0; d < documentStart.length - 1; d++) {
    const title = documentStart[d]!
    const known = knownIn(title)
    const all = rowStart[title + 1]! - rowStart[title]!
    for (let row = title + 1; row < documentStart[d + 1]!; row++) {
      const words = all + rowStart[row + 1]! - rowStart[row]!
      shares[row] = readableShare(known + knownIn(row), words)
    }
  }
  return shares
}
