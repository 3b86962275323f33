/**
 * What is something called? A title, an alias, a file name or a heading is a term of its own in the
 * index, beside its words, so that who types exactly a name gets what bears it. Names are compared
 * as people type them: case, accents, and whether words are joined by spaces, hyphens or
 * underscores do not matter; every other sign does (`C`, `C++` and `C#` are three names).
 *
 * Words are kept as they are spelt, too, beside their stems: `templater` is not `templates`, although
 * they share one.
 */
import { fold } from './analysis/fold.ts'
import type { IndexableDocument } from './contract.ts'

/** How a document bears a name, from the weakest. A document that bears it in two ways has the stronger. */
export const NAME_KINDS = ['heading', 'file', 'alias', 'title'] as const
export type NameKind = (typeof NAME_KINDS)[number]

/** No word begins with it, so that names and words never meet. */
const NAME_MARK = '\u0000'
const SPELT_MARK = '\u0001'
/** Names and spelt words come before all others in the order of terms. */
export const WORDS_FROM = '\u0002'
/** Longer names are cut: nobody types the rest. */
const NAME_LIMIT = 120

const EXTENSION = /\.(?=[a-z0-9]{0,7}[a-z])[a-z0-9]{1,8}$/i
/** What may be typed behind a name; `tabs.get` is a name of its own. */
export const NOTE_EXTENSION = /\.(?:md|markdown|mdx|txt)$/i
/** Files that bear the name of their folder. */
const FOLDER_NOTE = /^(?:index|_index|readme)$/i

/** Whether a term that begins with this byte is a name. */
export function isName(first: number | undefined): boolean {
  return first === NAME_MARK.charCodeAt(0)
}

/** The term of a name; undefined for a text that is none. */
export function nameTerm(name: string): string | undefined {
  const plain = fold(name.normalize('NFC'))
    .replace(/[\s_-]+/gu, ' ')
    .trim()
  return plain === '' ? undefined : NAME_MARK + plain.slice(0, NAME_LIMIT)
}

/** The name of such a term. */
export function nameOf(term: string): string {
  return term.slice(NAME_MARK.length)
}

/** The terms a query may be as a name: as it is typed, without its quotes, without `.md`. */
export function askedNames(query: string): string[] {
  const typed = query.length > NAME_LIMIT * 2 ? '' : query.trim()
  const unquoted = /^["“'‘](.+)["”'’]$/u.exec(typed)?.[1] ?? typed
  const terms = [typed, unquoted, unquoted.replace(NOTE_EXTENSION, '')].map(nameTerm)
  return [...new Set(terms.filter((term) => term !== undefined))]
}

/** Words of a question, or of a name in it; more than so many are no question. */
const MOST_WORDS = 32
const MOST_NAME_WORDS = 5
/** Shorter words stand in too many names. */
const LEAST_LETTERS = 3

/** A part of a question that may be the name of something. */
export interface MentionedName {
  readonly term: string
  /** Places of its words in the question. */
  readonly first: number
  readonly last: number
  /** The part of the telling words that it has, from 0 to 1. */
  readonly share: number
  readonly text: string
}

/** What is known of a name that stands in a question. */
export interface Mention {
  /** The part of the question's telling words that it has, from 0 to 1. */
  readonly share: number
  /** How common its words are beside the others, from 0 to 1: at 1 they tell nothing by themselves. */
  readonly common: number
}

/**
 * The parts of a question that may be names: runs of a few words that neither begin nor end with
 * one that says nothing, and single words that are written like names.
 */
export function mentionedNames(
  question: string,
  saysNothing: (word: string) => boolean,
): MentionedName[] {
  const words = question
    .slice(0, NAME_LIMIT * MOST_WORDS)
    .split(/\s+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu, '').replace(/['’]s$/u, ''))
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
  // `The Who` has a word that says nothing elsewhere; at the beginning every word has a capital.
  const telling = words.map(
    (word, at) => (at > 0 && /^\p{Lu}./u.test(word)) || !saysNothing(word.toLowerCase()),
  )
  const all = Math.max(1, telling.filter(Boolean).length)
  const found: MentionedName[] = []
  for (let first = 0; first < words.length; first++) {
    if (!telling[first]) continue
    const end = Math.min(words.length, first + MOST_NAME_WORDS)
    for (let last = first; last < end; last++) {
      const isWhole = first === 0 && last === words.length - 1
      if (!telling[last] || isWhole) continue
      if (first === last && !isWrittenAsName(words[first]!, first)) continue
      const text = words.slice(first, last + 1).join(' ')
      const term = nameTerm(text)
      const share = telling.slice(first, last + 1).filter(Boolean).length / all
      if (term !== undefined) found.push({ term, first, last, share, text })
    }
  }
  return [...found, ...joinedNames(words, all)]
}

/** With such a word behind it, a verb is often one word with it. */
const PARTICLES: ReadonlySet<string> = new Set('up out in on off down back over'.split(' '))
/** Shorter ones stand for something else as often as not. */
const LEAST_JOINED = 5

/** Who asks how to back up asks for a note that is called `Backup`. */
function joinedNames(words: readonly string[], telling: number): MentionedName[] {
  return words.flatMap((word, first) => {
    const particle = words[first + 1]?.toLowerCase() ?? ''
    const joined = word + particle
    if (!PARTICLES.has(particle) || joined.length < LEAST_JOINED) return []
    const [term, text] = [nameTerm(joined), `${word} ${particle}`]
    return term === undefined ? [] : [{ term, first, last: first + 1, share: 1 / telling, text }]
  })
}

/** A capital that does not begin the question, or one inside of a word. */
function isWrittenAsName(word: string, place: number): boolean {
  if (word.length < LEAST_LETTERS) return false
  return /\p{Ll}\p{Lu}/u.test(word) || (place > 0 && /^\p{Lu}/u.test(word))
}

/** The term of a word as it is spelt; undefined where its stem says the same. */
export function speltTerm(spelling: string | undefined, stem: string): string | undefined {
  return spelling === undefined || spelling === stem ? undefined : SPELT_MARK + spelling
}

/** What all terms of spellings begin with that begin like this. */
export function speltPrefix(beginning: string): string {
  return SPELT_MARK + beginning
}

/** The word of such a term. */
export function spellingOf(term: string): string {
  return term.slice(SPELT_MARK.length)
}

export interface NamedAs {
  readonly kind: NameKind
  readonly term: string
}

/** Every name a document bears, each once and as its strongest kind. */
export function namesOf(document: IndexableDocument): NamedAs[] {
  const kinds = new Map<string, NameKind>()
  const add = (kind: NameKind, name: string | undefined): void => {
    const term = name === undefined ? undefined : nameTerm(name)
    if (term !== undefined) kinds.set(term, kind)
  }
  for (const { text } of document.headings) add('heading', text)
  add('file', fileName(document.path))
  for (const alias of document.aliases) add('alias', alias)
  add('title', document.title)
  return [...kinds].map(([term, kind]) => ({ kind, term }))
}

function fileName(path: string): string {
  const [folder, file] = path.split('/').slice(-2)
  const name = (file ?? folder ?? '').replace(EXTENSION, '')
  return file !== undefined && FOLDER_NOTE.test(name) ? (folder ?? name) : name
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu

/** How much of a question is names? Words with a capital that do not begin it, as a share of all. */
export function nameShare(question: string): number {
  const words = question.match(WORD) ?? []
  const named = words.filter((word, place) => place > 0 && /^\p{Lu}/u.test(word))
  return words.length === 0 ? 0 : named.length / words.length
}
