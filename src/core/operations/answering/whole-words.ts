/** Looks for words as wholes: `10` does not stand in `100`, nor in `1.10`, nor in `-10`. */

/** Scripts that write no space between words: any place in them may be the end of one. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}'
const LETTER = `(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_]`
const UNLESS_WITHIN_BEFORE = `(?<!${LETTER}|\\d[.,:]|(?<![\\p{L}\\p{N}])[-−])`
/** `can` is half of `can’t`, but `Ada` is the whole of `Ada’s`. */
const UNLESS_WITHIN_AFTER = `(?!${LETTER}|[.,:]\\d|['’](?!s(?!\\p{L}))\\p{L})`

const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u')
const ENDS_WITH_LETTER = new RegExp(`${LETTER}$`, 'u')

/** A pattern for these words one after the other, with any white space between them. */
export function wholeWords(words: readonly string[]): RegExp {
  const before = BEGINS_WITH_LETTER.test(words[0] ?? '') ? UNLESS_WITHIN_BEFORE : ''
  const after = ENDS_WITH_LETTER.test(words.at(-1) ?? '') ? UNLESS_WITHIN_AFTER : ''
  return new RegExp(before + words.map(literally).join('\\s+') + after, 'u')
}

/** Parts of a text that are words by themselves: between spaces, and in scripts without any. */
export function wordsOf(text: string): string[] {
  return text.split(BETWEEN_WORDS).filter((word) => word !== '')
}

const BETWEEN_WORDS = new RegExp(`\\s+|(?<=[${UNSPACED}])|(?=[${UNSPACED}])`, 'u')

function literally(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
