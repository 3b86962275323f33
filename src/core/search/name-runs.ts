/**
 * Which runs of words in a text may be names? Every run of a few words, as they stand there, is
 * looked up among the names of the index (`names.ts`), so that what a thing is called is known in
 * one place. Names are not cut out of words, and none reaches over the end of a paragraph.
 */
import { fold } from './analysis/fold.ts'
import { nameTerm, NOTE_EXTENSION } from './names.ts'

/** A run of words as it stands in a text. */
export interface NameRun {
  /** Where it stands in the text; a possessive ending is left out. */
  readonly start: number
  readonly end: number
  /** Places of its first and last word among the words of the text. */
  readonly first: number
  readonly last: number
  /** The terms it may be in the index, the likeliest first. */
  readonly terms: readonly string[]
  /** Its words, folded; `on-call` is two. */
  readonly words: readonly string[]
}

interface Word {
  readonly start: number
  readonly end: number
  /** Without `'s`. */
  readonly bare: number
  readonly words: readonly string[]
}

/** Longer names are titles that nobody says in passing. */
export const MOST_WORDS = 8
/** A text of more words is no prompt and no passage. */
const MOST_READ = 20_000

const BETWEEN_BLANKS = /\S+/gu
const LEADING = /^[^\p{L}\p{N}]+/u
const TRAILING = /[^\p{L}\p{N}+#]+$/u
const POSSESSIVE = /['’]s$/iu
/** Where a run ends: a sentence, a row of a table, a paragraph. */
const ENDS_RUN = /[.!?;|…]["'”’)\]*_]*$/u
/** A name that begins with one of them is meant without it, too. */
const ARTICLES = ['the', 'a', 'an', 'your', 'our'] as const
/** Of a word of some length: `postmortems`, and not `Ines`. */
const PLURAL = /(?<=\p{L}{4}[^s\P{L}])s$/u
const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’.+#][\p{L}\p{M}\p{N}]+)*[+#]*/gu

/**
 * Every run that may be a name. With `begins`, a run grows only as long as some name begins like
 * it: then a long text costs a look-up or two a word, and names are meant as they are written.
 */
export function nameRuns(text: string, begins?: (term: string) => boolean): NameRun[] {
  const words = wordsOf(text)
  const runs: NameRun[] = []
  for (const [first, { start }] of words.entries()) {
    const own: string[] = []
    for (let last = first; last < Math.min(words.length, first + MOST_WORDS); last++) {
      const word = words[last]!
      if (last > first && endsBetween(text, words[last - 1]!, word)) break
      own.push(...word.words)
      const bare = text.slice(start, word.bare)
      const beginning = begins && nameTerm(bare.replace(PLURAL, ''))
      if (begins && (beginning === undefined || !begins(beginning))) break
      const terms = termsOf(text.slice(start, word.end), bare, begins === undefined)
      if (terms.length > 0) {
        runs.push({ start, end: word.bare, first, last, terms, words: [...own] })
      }
    }
  }
  return runs
}

/** The words of a name, folded. */
export function wordsOfName(name: string): readonly string[] {
  return (fold(name).match(WORDS) ?? []).map(withoutPossessive)
}

/** Whether a term of the run is its words behind an article that does not stand there. */
export function withArticle({ terms, words }: NameRun, term: string): boolean {
  return wordsOfName(term).length > Math.min(words.length, wordsOfName(terms[0]!).length)
}

function wordsOf(text: string): Word[] {
  const found: Word[] = []
  for (const { 0: token, index } of text.matchAll(BETWEEN_BLANKS)) {
    const lead = LEADING.exec(token)?.[0].length ?? 0
    const bare = token.slice(lead).replace(TRAILING, '')
    if (bare === '') continue
    const start = index + lead
    const end = start + bare.length
    const own = wordsOfName(bare.replace(NOTE_EXTENSION, ''))
    if (own.length === 0) continue
    found.push({ start, end, bare: end - (POSSESSIVE.exec(bare)?.[0].length ?? 0), words: own })
    if (found.length === MOST_READ) break
  }
  return found
}

function withoutPossessive(word: string): string {
  return word.replace(POSSESSIVE, '')
}

function endsBetween(text: string, before: Word, word: Word): boolean {
  const between = text.slice(before.end, word.start)
  return /\n\s*\n/.test(between) || ENDS_RUN.test(between.trimEnd())
}

/** As it stands, without a possessive, in the singular, and with the article its name may have. */
function termsOf(written: string, bare: string, withArticles: boolean): readonly string[] {
  const terms = new Set<string>()
  const add = (name: string): void => {
    const term = nameTerm(name)
    if (term !== undefined) terms.add(term)
  }
  add(bare)
  add(written)
  const file = NOTE_EXTENSION.test(bare) && !/\s/.test(bare) ? bare.split('/').at(-1) : undefined
  if (file !== undefined) add(file.replace(NOTE_EXTENSION, ''))
  add(bare.replace(PLURAL, ''))
  if (withArticles && /\s/.test(bare)) for (const article of ARTICLES) add(`${article} ${bare}`)
  return [...terms]
}
