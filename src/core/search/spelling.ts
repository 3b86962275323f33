/** Words one slip away from a word: a letter too many, missing, wrong, or two swapped. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Letters of other alphabets are tried when the word is written in one. */
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/[\u0400-\u04ff]/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
  [/[\u0370-\u03ff]/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
]

/** Shorter words have too many neighbours that mean something else. */
const MIN_LENGTH = 4
const MAX_LENGTH = 32

/** All spellings at edit distance one, each once. None for words shorter than `minLength`. */
export function neighbours(word: string, minLength = MIN_LENGTH): Set<string> {
  const found = new Set<string>()
  if (word.length < minLength || word.length > MAX_LENGTH) return found
  const letters = ALPHABETS.find(([pattern]) => pattern.test(word))?.[1] ?? LETTERS
  for (let i = 0; i <= word.length; i++) {
    const head = word.slice(0, i)
    const tail = word.slice(i)
    for (const letter of letters) found.add(head + letter + tail)
    if (tail === '') continue
    found.add(head + tail.slice(1))
    for (const letter of letters) found.add(head + letter + tail.slice(1))
    if (tail.length > 1) found.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2))
  }
  found.delete(word)
  return found
}
