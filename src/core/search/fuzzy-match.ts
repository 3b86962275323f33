/**
 * Whether somebody who typed `rlbck` may mean "Roll back": the letters in their order, the better
 * the more of them begin words or stand side by side. For a list of names while one types.
 */

export interface FuzzyMatch {
  readonly score: number
  readonly marks: readonly { readonly start: number; readonly end: number }[]
}

const EXACT = 1_000
const PREFIX = 500
const WORD = 300
const INSIDE = 150
/** Of letters in their order, one that stands beside the one before; no other counts as much. */
const NEXT = 8

/** Letters of a name that one typed, as they are compared. */
export interface Sought {
  readonly whole: string
  readonly letters: string
}

export function soughtName(query: string): Sought {
  const whole = query.toLowerCase()
  return { whole, letters: whole.replace(/\s+/g, '') }
}

/** `folded` is `text` in lower case; who compares many names keeps it. */
export function fuzzyMatch(text: string, folded: string, sought: Sought): FuzzyMatch | undefined {
  return wholeMatch(text, folded, sought) ?? lettersInOrder(folded, sought.letters)
}

/** As it is typed, somewhere in the name. */
export function wholeMatch(
  text: string,
  folded: string,
  { whole: wanted }: Sought,
  least = -Infinity,
): FuzzyMatch | undefined {
  // Lower case of some letters is longer; then places would be wrong.
  const at = folded.length === text.length ? folded.indexOf(wanted) : -1
  if (at < 0) return undefined
  const begins = at === 0 || !isLetter(folded[at - 1])
  const kind = folded === wanted ? EXACT : at === 0 ? PREFIX : begins ? WORD : INSIDE
  const score = kind - text.length / 100
  return score < least ? undefined : { score, marks: [{ start: at, end: at + wanted.length }] }
}

/** What letters in their order count at most: where that is less than what there is, none is looked for. */
export function mostForLetters({ letters }: Sought): number {
  return NEXT * letters.length
}

/** Words may be begun and left: `serv work` is "Service Worker". */
function lettersInOrder(text: string, letters: string): FuzzyMatch | undefined {
  const marks: { start: number; end: number }[] = []
  let at = 0
  let score = 0
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index]!
    const last = marks.at(-1)
    let place = text.indexOf(letter, at)
    if (place < 0) return undefined
    if (place !== at || !last) {
      // The beginning of a word is meant rather than the middle of one.
      const begin = wordStart(text, letter, at)
      if (begin >= 0) place = begin
    }
    const begins = place === 0 || !isLetter(text[place - 1])
    if (last && place === last.end) {
      last.end++
      score += NEXT
    } else {
      marks.push({ start: place, end: place + 1 })
      score += begins ? 10 : 0
    }
    at = place + 1
  }
  // Letters that are strewn all over mean something else.
  const strewn = marks.length / letters.length
  if (strewn > 0.6 && letters.length > 2 && score < 10 * marks.length) return undefined
  return { score: score - 6 * marks.length - text.length / 20, marks }
}

function wordStart(text: string, letter: string, from: number): number {
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1)) {
    if (at === 0 || !isLetter(text[at - 1])) return at
  }
  return -1
}

function isLetter(character: string | undefined): boolean {
  if (character === undefined) return false
  const code = character.charCodeAt(0)
  // Nearly all of them; the expression is for the rest of the world.
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  return /[\p{L}\p{N}]/u.test(character)
}

/**
 * Which of the letters a–z and digits a text has, one bit each. A name that lacks one of the letters
 * typed cannot be meant, and most names lack one: that is found out with a single operation.
 */
export function letterMask(folded: string): number {
  let mask = 0
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at)
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97)
    else if (code >= 48 && code <= 57) mask |= 1 << (26 + ((code - 48) >> 1))
  }
  return mask
}
