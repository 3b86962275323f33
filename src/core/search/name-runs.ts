/**
 * Which runs of words in a text may be names? Every run of a few words, as they stand there, is
 * looked up among the names of the index (`names.ts`), so that what a thing is called is known in
 * one place. Names are not cut out of words, and none reaches over the end of a paragraph. In scripts
 * without spaces every letter is a word here, and who asks tells by the words around whether a name
 * begins and ends with one (`speaking-names.ts`).
 */
import { fold } from './analysis/fold.ts'
import { isUnspaced } from './analysis/scan.ts'
import { nominativesOf } from './case-forms.ts'
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
  /** Its words, folded; `on-call` is two. Of a script without spaces its pairs of letters. */
  readonly words: readonly string[]
  /** All of it is of a script without spaces. */
  readonly isUnspaced?: boolean
  /** Another word is joined to it: `Kestrel-based`. */
  readonly isPart?: boolean
}

interface Word {
  readonly start: number
  readonly end: number
  /** Without `'s`. */
  readonly bare: number
  readonly words: readonly string[]
  /** Where it begins with what is only joined to it: `l'`. */
  readonly lead: number
  readonly isUnspaced: boolean
}

/** Longer names are titles that nobody says in passing. */
export const MOST_WORDS = 8
/** The same in letters, of a script without spaces. */
const MOST_UNSPACED = 20
/** A text of more words is no prompt and no passage. */
const MOST_READ = 20_000

/** What stands between two words, also without a blank beside it. */
const TOKEN = /[^\s,;:!?()[\]{}<>"“”„«»‹›—–…|=*^`。，、；：！？（）「」『』《》〈〉【】・]+/gu
/** From its first letter to its last: of a hundred thousand marks between them each is passed once. */
const CORE = /[\p{L}\p{N}](?:.*[\p{L}\p{N}\p{M}+#])?/su
const POSSESSIVE = /['’]s$/iu
/** French joins these to the word behind them. */
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\p{L})/iu
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Where a run ends: a sentence, a row of a table, a paragraph. */
const ENDS_RUN = /[.!?;|…。！？；]["'”’)\]*_」』）]*$/u
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
  return [...eachNameRun(text, begins)].flat()
}

/** Those that begin at one word after the other, for who lets others have their turn in between. */
export function* eachNameRun(
  text: string,
  begins?: (term: string) => boolean,
): Generator<readonly NameRun[]> {
  const words = wordsOf(text)
  for (const [first, word] of words.entries()) {
    const runs: NameRun[] = []
    if (word.lead < word.start) addRuns(runs, { text, words, begins }, first, word.lead)
    addRuns(runs, { text, words, begins }, first, word.start)
    const head = headOf(text, word)
    const terms = head === undefined ? [] : termsOf(head, head, false)
    if (head !== undefined && (!begins || terms.some(begins))) {
      const { start } = word
      const end = start + head.length
      runs.push({ start, end, first, last: first, terms, words: wordsOfName(head), isPart: true })
    }
    yield runs
  }
}

interface Reading {
  readonly text: string
  readonly words: readonly Word[]
  readonly begins: ((term: string) => boolean) | undefined
}

/** In so many forms of its words a run is looked up. */
const MOST_FORMS = 24

function addRuns(
  runs: NameRun[],
  { text, words, begins }: Reading,
  first: number,
  start: number,
): void {
  const own: string[] = []
  const most = words[first]!.isUnspaced ? MOST_UNSPACED : MOST_WORDS
  // What stands there so far, and the same in the nominative.
  let forms: readonly string[] = ['']
  let unspaced = ''
  for (let last = first; last < Math.min(words.length, first + most); last++) {
    const word = words[last]!
    const before = last > first ? words[last - 1]! : undefined
    if (before && endsBetween(text, before, word)) break
    if (word.isUnspaced) unspaced += text.slice(word.start, word.end)
    else own.push(...word.words)
    const between = before ? text.slice(before.end, word.start) : ''
    const said = text.slice(before ? word.start : start, word.end)
    const cases = nominativesOf(said)
    forms = forms
      .flatMap((form) => [said, ...cases].map((each) => form + between + each))
      .slice(0, MOST_FORMS)
    const bare = text.slice(start, word.bare)
    if (begins) {
      const beginning = nameTerm(bare.replace(PLURAL, ''))
      const goesOn = (form: string): boolean => begins(nameTerm(form) ?? form)
      const [, ...others] = forms
      forms = [forms[0]!, ...others.filter(goesOn)]
      if ((beginning === undefined || !begins(beginning)) && forms.length === 1) break
    }
    const terms = termsOf(text.slice(start, word.end), bare, begins === undefined)
    for (const form of forms.slice(1)) addTerm(terms, form)
    if (terms.length === 0) continue
    const run = { start, end: word.bare, first, last, terms, words: [...own, ...pairsOf(unspaced)] }
    runs.push(unspaced !== '' && own.length === 0 ? { ...run, isUnspaced: true } : run)
  }
}

/** `Kestrel` of `Kestrel-based`, where that is written as a name. */
function headOf(text: string, { start, bare }: Word): string | undefined {
  const word = text.slice(start, Math.min(bare, start + LONGEST_JOINED))
  return /^(\p{Lu}[\p{L}\p{M}\p{N}]+)[-‐‑]\p{L}/u.exec(word)?.[1]
}

const LONGEST_JOINED = 80

/** As the index has them: a single letter is none. */
function pairsOf(text: string): readonly string[] {
  const letters = [...fold(text)]
  if (letters.length < 2) return letters
  return letters.slice(1).map((letter, at) => letters[at]! + letter)
}

/** The words of a name, folded. */
export function wordsOfName(name: string): readonly string[] {
  return (fold(name).match(WORDS) ?? []).map(withoutPossessive)
}

/** Whether a term of the run is its words behind an article that does not stand there. */
export function withArticle({ terms, words, isUnspaced }: NameRun, term: string): boolean {
  if (isUnspaced) return false
  return wordsOfName(term).length > Math.min(words.length, wordsOfName(terms[0]!).length)
}

function wordsOf(text: string): Word[] {
  const found: Word[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    for (const [start, part] of partsOf(token, index)) {
      if (UNSPACED.test(part)) addUnspaced(found, part, start)
      else addWord(found, part, start)
    }
    if (found.length >= MOST_READ) break
  }
  return found
}

/** `Kestrel/Bluefin` is two names; `src/kestrel` is the way to a file. */
function partsOf(token: string, index: number): readonly (readonly [number, string])[] {
  const isWay = !token.includes('/') || token.length > LONGEST_JOINED
  const parts = isWay ? [] : token.split('/')
  if (parts.length < 2 || !parts.every((part) => /^\p{Lu}/u.test(part))) return [[index, token]]
  let at = index
  return parts.map((part) => {
    const start = at
    at += part.length + 1
    return [start, part] as const
  })
}

function addWord(found: Word[], token: string, index: number): void {
  const core = CORE.exec(token)
  if (!core) return
  const lead = index + core.index
  const own = wordsOfName(core[0].replace(NOTE_EXTENSION, ''))
  if (own.length === 0) return
  const end = lead + core[0].length
  const elided = ELISION.exec(core[0])?.[0].length ?? 0
  const words = elided > 0 ? wordsOfName(core[0].slice(elided)) : own
  const bare = end - (POSSESSIVE.exec(core[0])?.[0].length ?? 0)
  found.push({ start: lead + elided, end, bare, words, lead, isUnspaced: false })
}

/** Letter by letter, and what stands between them in another script as the word it is. */
function addUnspaced(found: Word[], token: string, index: number): void {
  let spaced = 0
  let at = 0
  for (const letter of token) {
    const start = at
    at += letter.length
    if (!isUnspaced(letter)) continue
    if (spaced < start) addWord(found, token.slice(spaced, start), index + spaced)
    const [from, end] = [index + start, index + at]
    found.push({ start: from, end, bare: end, words: [], lead: from, isUnspaced: true })
    spaced = at
  }
  if (spaced < token.length) addWord(found, token.slice(spaced), index + spaced)
}

function withoutPossessive(word: string): string {
  return word.replace(POSSESSIVE, '')
}

function endsBetween(text: string, before: Word, word: Word): boolean {
  const between = text.slice(before.end, word.start)
  if (between === '' || between === ' ') return false
  return /\n\s*\n/.test(between) || ENDS_RUN.test(between.trimEnd())
}

/** As it stands, without a possessive, in the singular, and with the article its name may have. */
function termsOf(written: string, bare: string, withArticles: boolean): string[] {
  const terms: string[] = []
  addTerm(terms, bare)
  addTerm(terms, written)
  const file = NOTE_EXTENSION.test(bare) && !/\s/.test(bare) ? bare.split('/').at(-1) : undefined
  if (file !== undefined) addTerm(terms, file.replace(NOTE_EXTENSION, ''))
  addTerm(terms, bare.replace(PLURAL, ''))
  if (withArticles && /\s/.test(bare))
    for (const article of ARTICLES) addTerm(terms, `${article} ${bare}`)
  return terms
}

function addTerm(terms: string[], name: string): void {
  const term = nameTerm(name)
  if (term !== undefined && !terms.includes(term)) terms.push(term)
}
