/**
 * Does a name that stands in a text mean the thing? A note may be called `Plan`, and hardly anyone
 * who says so means it. What tells is the word itself, how it is written, how many notes have it,
 * and whether the text says that it is a note.
 */
import { STOP_WORDS } from './analysis/stop-words.ts'
import { CALENDAR_WORDS, COMMON_PHRASES, COMMON_UNSPACED, isCommonWord } from './common-words.ts'
import { MOST_WORDS, wordsOfName } from './name-runs.ts'
import type { NameRun } from './name-runs.ts'
import type { NameKind } from './names.ts'

/** As what somebody bears a name: a person may be meant by a part of it. */
export type BorneAs = NameKind | 'person'

export interface Spoken {
  readonly as: BorneAs
  /** Whether it stands there as it is borne; `first day` is not yet `Your first day`. */
  readonly isExact: boolean
  /** In how many documents its rarest word stands, and how many there are. */
  readonly spread: number
  readonly documents: number
  /** Whether most words of the text have a capital. */
  readonly inTitleCase?: boolean
}

/**
 * The same for running text, where nobody asked and a wrong edge is worse than none: names are whole
 * and no headings, and a word by itself is none that anybody says and stands in few documents, the
 * fewer where it has no capital (docs/decisions/0062-mentions.md has what that finds).
 */
export function speaksInProse(text: string, run: NameRun, spoken: Spoken): boolean {
  if (spoken.as === 'heading' || !spoken.isExact || !speaks(text, run, spoken)) return false
  if (run.isUnspaced) return spoken.spread < (run.words.length > 1 ? MOST_AS_NAME : MOST_AS_WORD)
  if (run.words.length > 1) return true
  const isCommon = run.words.every(isCommonWord)
  const written = isWrittenAsName(text, run, spoken)
  return !isCommon && spoken.spread < (written ? MOST_AS_NAME : MOST_AS_WORD)
}

/**
 * In how many documents a title may stand to be a name there, as far as that can be told without
 * their texts; 0 for one that is none. The title itself is written as a name: `Rate limits` is not.
 */
export function mostSaying(title: string): number {
  const spelt = title.slice(0, MOST_LETTERS).match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = spelt.filter((word) => !STOP_WORDS.has(word.toLowerCase()))
  const isName = telling.length > 0 && telling.every((word) => /^[\p{Lu}\p{N}]/u.test(word))
  if (!isName || spelt.length > MOST_WORDS) return 0
  const words = wordsOfName(title)
  if (COMMON_PHRASES.has(words.join(' '))) return 0
  if (words.length > 1) return telling.length > 1 || !words.every(isCommonWord) ? MOST_AS_NAME : 0
  const [word = ''] = words
  const isWord = word.length >= LEAST_LETTERS && /\p{L}/u.test(word) && !isCommonWord(word)
  return isWord ? MOST_UNSEEN : 0
}

/** A longer title has more words than a name. */
const MOST_LETTERS = 200
/** Whether a single word has its capital there, nobody has looked. */
const MOST_UNSEEN = 10
const MOST_AS_NAME = 60
const MOST_AS_WORD = 20

/** What more documents have is a word of the base, and no name for one of them … */
const MOST_SPREAD = 0.2
/** … but in a few documents everything stands in many. */
const FEW = 20

/** Whether the run means what bears it. */
export function speaks(text: string, run: NameRun, spoken: Spoken): boolean {
  const { as, isExact, spread, documents } = spoken
  const { words } = run
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  if (isPointedAt(text, run, spoken)) return telling.length > 0 || words.length > 1
  if (run.isUnspaced) return speaksUnspaced(text, run, spoken)
  if (run.isPart && (as === 'person' || as === 'heading')) return false
  const written = isWrittenAsName(text, run, spoken)
  const distinct = telling.filter((word) => !isCommonWord(word))
  if (words.length === 1) {
    const [word = ''] = words
    if (word.length < LEAST_LETTERS || !/\p{L}/u.test(word)) return false
    if (as === 'person' && written && !CALENDAR_WORDS.has(word)) return true
    if (as === 'heading' && !written) return false
    const isRare = spread <= Math.max(FEW, MOST_SPREAD * documents)
    return distinct.length === 1 && (isRare || written)
  }
  if (COMMON_PHRASES.has(words.join(' '))) return false
  if (as === 'heading') return distinct.length > 0 && telling.length > 1
  if (distinct.length > 0 || written) return true
  // Common words are a name together, where somebody called it so: `code review`.
  if (telling.length > 1 && isExact && as !== 'file') return true
  return telling.length > 0 && isCompound(text, run)
}

const LEAST_LETTERS = 3

/** Letters of the rarest kind are told by how many documents have them; a heading is longer. */
const LEAST_HEADING = 4

function speaksUnspaced(text: string, run: NameRun, { as, spread, documents }: Spoken): boolean {
  const said = text.slice(run.start, run.end)
  if (run.last === run.first || COMMON_UNSPACED.has(said)) return false
  if (as === 'heading' && run.last - run.first + 1 < LEAST_HEADING) return false
  return spread <= Math.max(FEW, MOST_SPREAD * documents) && isOfWholeWords(text, run)
}

/** So much around a name is divided into words to see whether it begins and ends with one. */
const AROUND_NAME = 12
let segmenter: Intl.Segmenter | undefined

/** `京都` is no part of `东京都`. In Korean a name goes on into its particle. */
function isOfWholeWords(text: string, { start, end }: NameRun): boolean {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  const from = Math.max(0, start - AROUND_NAME)
  const around = text.slice(from, end + AROUND_NAME)
  const begins = new Set(Array.from(segmenter.segment(around), ({ index }) => from + index))
  const ends =
    begins.has(end) || end >= text.length || /\p{sc=Hangul}/u.test(text.slice(start, end))
  return ends && begins.has(start)
}

/** `on-call` is one thing; who says `on call` may mean two. */
function isCompound(text: string, { start, end }: NameRun): boolean {
  return /^\S+[-‐‑]\S+$/u.test(text.slice(start, end))
}

/** Every word that tells has a capital, where one is no rule of writing. */
function isWrittenAsName(text: string, { start, end }: NameRun, spoken: Spoken): boolean {
  if (spoken.inTitleCase ?? isTitleCase(text)) return false
  if (beginsSentence(text, start)) return false
  const words = text.slice(start, end).match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()))
  return (telling.length > 0 ? telling : words).every((word) => /^[\p{Lu}\p{N}]/u.test(word))
}

function beginsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at)
  return /(?:^|[.!?:]["”’)\]*_]*\s+|\n\s*(?:[-*>+]\s+|\d+[.)]\s+|#+\s+)?)["“‘([*_]*$/u.test(before)
}

/** Where most words have one, a capital says nothing; in German half of them have. */
export function isTitleCase(text: string): boolean {
  const words = text.slice(0, 2_000).match(/\p{L}{2,}/gu) ?? []
  const capital = words.filter((word) => /^\p{Lu}/u.test(word))
  return words.length > 2 && 2 * capital.length > words.length
}

/** Files of every repository: who names them means the one at hand. */
const ANYBODYS = /^(?:readme|index|license|changelog|contributing|claude|agents|todo|notes?)$/
const NOTE = '(?:note|page|doc|document|runbook|article|entry)'
const SAYS_BEFORE = new RegExp(`\\b${NOTE}s?\\s+(?:called|named|titled)\\s+["“‘'\`*_]*$`, 'iu')
const SAYS_BEHIND = new RegExp(`^["”’'\`*_\\]]*\\s+${NOTE}\\b`, 'iu')
const PAIRS = ['""', '“”', '‘’', '„“', '«»', '[]', "''", '「」', '『』', '《》', '【】']

/** `[[plan]]`, `"Plan"`, `plan.md`, "the note called plan", "the Plan page". */
function isPointedAt(text: string, run: NameRun, spoken: Spoken): boolean {
  const { start, end, words } = run
  const [before, behind] = [text.slice(Math.max(0, start - 40), start), text.slice(end, end + 40)]
  const open = before.at(-1) ?? ''
  const close = behind.at(0) ?? ''
  const marked = PAIRS.some((pair) => pair === open + close && open !== '')
  if (marked) return true
  if (/\.(?:md|mdx|markdown)$/iu.test(text.slice(start, end))) return !ANYBODYS.test(words[0] ?? '')
  if (SAYS_BEFORE.test(before)) return true
  return SAYS_BEHIND.test(behind) && isWrittenAsName(text, run, spoken)
}
