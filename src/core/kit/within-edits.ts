/** Are two words the same but for a slip or two? */

/**
 * Whether at most `edits` letters have to be added, left out, replaced or swapped with their
 * neighbour to make one word of the other. No letter is touched twice (optimal string alignment).
 */
export function withinEdits(a: string, b: string, edits: number): boolean {
  return editsBetween(a, b, edits) <= edits
}

/** How many such edits it takes, or something larger than `edits` where it takes more. */
export function editsBetween(a: string, b: string, edits: number): number {
  if (Math.abs(a.length - b.length) > edits) return edits + 1
  // What both begin or end with costs nothing, and is most of it.
  let start = 0
  let endA = a.length
  let endB = b.length
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  return distance(a.slice(start, endA), b.slice(start, endB), edits)
}

/** The number of edits, or something larger than `edits` as soon as it is known to be larger. */
function distance(a: string, b: string, edits: number): number {
  if (a.length === 0 || b.length === 0) return Math.max(a.length, b.length)
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min(above[j - 1]! + (same ? 0 : 1), above[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && isSwap(a, i, b, j)) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
      if (cost < least) least = cost
    }
    // A swap reaches back two rows, at the price of one more.
    if (least > edits && Math.min(...above) >= edits) return edits + 1
    before = above
    above = row
  }
  return above[b.length]!
}

function isSwap(a: string, i: number, b: string, j: number): boolean {
  return a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
}
