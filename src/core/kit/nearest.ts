import { editsBetween } from './within-edits.ts'

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
    const distance = begun ? 1 : editsBetween(wanted, name, best)
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
