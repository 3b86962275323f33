/** The candidate a mistyped word most likely meant, or undefined when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(word)
  // A third of the word may be wrong: `serach` finds `search`, `x` finds nothing.
  let best = Math.max(1, Math.floor(wanted.length / 3)) + 1
  let found: string | undefined
  for (const candidate of candidates) {
    const name = fold(candidate)
    // A word broken off early (`stat`) is no worse than one wrong letter.
    const begun = wanted.length >= 3 && name.startsWith(wanted) && name !== wanted
    const distance = begun ? 1 : editDistance(wanted, name)
    if (distance < best) {
      best = distance
      found = candidate
    }
  }
  return found
}

/** `Did you mean search? `, or nothing: ready to open a hint. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates)
  return found === undefined ? '' : `Did you mean ${found}? `
}

/** `read-only`, `READ_ONLY` and `readOnly` are the same word to a person. */
function fold(word: string): string {
  return word.toLowerCase().replace(/[-_.]/g, '').slice(0, 64)
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
