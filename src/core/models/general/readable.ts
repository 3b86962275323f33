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

/** For every document, what `readableShare` says of each of its passages under its title. */
export function readableShares(
  { documentStart, rowStart, columns }: TermMatrix,
  rowOf: Int32Array,
): number[][] {
  const count = (row: number): { known: number; all: number } => {
    let known = 0
    for (let e = rowStart[row]!; e < rowStart[row + 1]!; e++) if (rowOf[columns[e]!]! >= 0) known++
    return { known, all: rowStart[row + 1]! - rowStart[row]! }
  }
  const shares: number[][] = []
  for (let d = 0; d < documentStart.length - 1; d++) {
    const title = count(documentStart[d]!)
    const passages: number[] = []
    for (let row = documentStart[d]! + 1; row < documentStart[d + 1]!; row++) {
      const { known, all } = count(row)
      passages.push(readableShare(title.known + known, title.all + all))
    }
    shares.push(passages)
  }
  return shares
}
