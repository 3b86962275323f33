/**
 * The sentences that answer a question best, without any model: those that have its rare words,
 * close together, in the documents that search puts first.
 */
import type { Chunk } from '../../domain/text.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import { headerOf, isHeader } from '../../parsing/table-rows.ts'
import type { Sentence, SentenceKind } from '../../parsing/split-sentences.ts'
import { findMatches } from '../../search/find-matches.ts'
import type { Match } from '../../search/find-matches.ts'
import type { Ranking } from '../searching/rank-documents.ts'
import { chunkAt } from './answer-passages.ts'
import { expectedKind, offersKind } from './expected-kind.ts'
import type { AnswerPassage, Quoted } from './answer-passages.ts'
import { anothersLines } from './speakers.ts'

export type AskedWords = Pick<Ranking, 'words' | 'languages'>

/** The question itself says what kind of thing is asked for. */
export interface Asked extends AskedWords {
  readonly question: string
}

export interface Candidate extends Quoted {
  readonly sentence: Sentence
  /** All sentences of its passage, and its place among them. */
  readonly siblings: readonly Sentence[]
  readonly order: number
  readonly score: number
  /** Words of the question it has itself. */
  readonly words: ReadonlySet<number>
  /** The sentence beside it that says the other half. */
  readonly joins: Sentence | undefined
}

/** What a word in the heading or title above a sentence counts, against one in it. */
const ABOVE = 0.4
/** What a word in the sentence before or behind counts. */
const BESIDE = 0.3
/** What the place of a document in the order of search counts. */
const BEST_DOCUMENT = 0.6
const CLOSE_TOGETHER = 0.15
/** Words within so many characters stand together. */
const TOGETHER = 60
const OPENING = 0.1
/** Sentences of a section that may answer by their heading alone. */
const OPENING_SENTENCES = 2
/** What resemblance in meaning counts, where words say little. */
/** How little a word counts that many of the sentences have. */
const TELLING = 0.8
/** How much of the question the sentence beside one must add to be quoted with it. */
const JOINS = 0.1
/** What it adds by having the kind of thing that is asked for. */
const BRINGS_KIND = 0.15
const JOINED_LENGTH = 450
const MEANING = 0.6
/** What is left of a sentence that has no such thing as the question asks for. */
const WITHOUT_KIND = 0.5

/** What is left of a line that another one says than the question names. */
const ANOTHERS = 0.6

const KINDS: Readonly<Record<SentenceKind, number>> = {
  prose: 1,
  item: 1,
  row: 0.9,
  code: 0.75,
  heading: 0,
}

/**
 * The words of a question without wild guesses: a slip of the hand is seldom the first letter, and
 * who asks what one may earn is not answered by what one may learn.
 */
export function withoutGuesses<Words extends AskedWords>(asked: Words): Words {
  const words = asked.words.map((word) => {
    if (word.match !== 'fuzzy') return word
    const terms = word.terms.filter((term) => term[0] === word.spelling[0])
    return { ...word, terms, match: terms.length > 0 ? word.match : ('none' as const) }
  })
  return { ...asked, words }
}

/** Every sentence of the passages with what it is worth, best first. */
export function scoreSentences(
  passages: readonly AnswerPassage[],
  question: Asked,
  similarityOf: (quoted: Quoted) => number = () => 0,
): readonly Candidate[] {
  const best = Math.max(...passages.map(({ found }) => found.hit.score), 0) || 1
  const asked = telling(passages, question)
  return passages
    .flatMap((passage) => {
      const rank = passage.found.hit.score / best
      const standing = 1 - BEST_DOCUMENT + BEST_DOCUMENT * rank
      return candidatesOf(passage, asked, similarityOf).map((each) => ({
        ...each,
        score: each.score * standing,
      }))
    })
    .toSorted(
      (a, b) => b.score - a.score || a.passage.number - b.passage.number || a.start - b.start,
    )
}

/** A word that half of the sentences have tells little about which of them is the answer. */
function telling(passages: readonly AnswerPassage[], asked: Asked): Asked {
  const having = new Map<number, number>()
  let count = 0
  for (const { found, start, end } of passages) {
    const { text } = found.live
    const matches = findMatches(text.slice(start, end), asked.words, asked.languages)
    const sentences = splitSentences(text, start, end).filter(({ kind }) => kind !== 'heading')
    count += sentences.length
    for (const { words } of wordsBySentence(sentences, matches, start)) {
      for (const word of words) having.set(word, (having.get(word) ?? 0) + 1)
    }
  }
  const words = asked.words.map((word, index) => {
    const share = (having.get(index) ?? 0) / Math.max(1, count)
    return { ...word, weight: word.weight * (1 - TELLING * share) }
  })
  return { ...asked, words }
}

function candidatesOf(
  passage: AnswerPassage,
  asked: Asked,
  similarityOf: (quoted: Quoted) => number,
): Candidate[] {
  const { text, record } = passage.found.live
  const kind = expectedKind(asked.question)
  const fits = (said: string): number =>
    kind === undefined || offersKind(said, kind, asked.question) ? 1 : WITHOUT_KIND
  const total = weightOf(asked, allFound(asked))
  const sentences = splitSentences(text, passage.start, passage.end)
  const matches = findMatches(text.slice(passage.start, passage.end), asked.words, asked.languages)
  const titleWords = wordsIn(record.title, asked)
  const aboveOf = remembering((chunk: Chunk | undefined) =>
    wordsIn(chunk?.headingPath.join('\n') ?? '', asked),
  )
  const headerWords = remembering((start: number) => {
    const header = headerOf(text, start)
    return header ? wordsIn(text.slice(header.start, header.end), asked) : NO_WORDS
  })
  const own = wordsBySentence(sentences, matches, passage.start).map((each, order) => {
    const { kind, start } = sentences[order]!
    // What stands in a cell is said under the name of its column.
    if (kind !== 'row' || each.words.size === 0) return each
    return { ...each, words: new Set([...each.words, ...headerWords(start)]) }
  })
  const isAnothers = anothersLines(asked.question, text, passage)
  /** The sentence before or behind that has more of what is asked for, if one has enough of it. */
  const joinedWith = (order: number): Sentence | undefined => {
    const { start, end, block } = sentences[order]!
    const { words } = own[order]!
    const lacks = fits(text.slice(start, end)) < 1
    const gain = (at: number): number => {
      const other = sentences[at]
      if (other?.block !== block || other.kind === 'heading') return 0
      const added = new Set([...own[at]!.words].filter((word) => !words.has(word)))
      const brings = lacks && fits(text.slice(other.start, other.end)) === 1
      return (total > 0 ? weightOf(asked, added) / total : 0) + (brings ? BRINGS_KIND : 0)
    }
    const [before, behind] = [gain(order - 1), gain(order + 1)]
    if (Math.max(before, behind) < JOINS) return undefined
    return sentences[before > behind ? order - 1 : order + 1]
  }
  let heading: ReadonlySet<number> = new Set()
  let sinceHeading = 0
  return sentences.flatMap((sentence, order) => {
    const { start, end, block } = sentence
    const { inside, words } = own[order]!
    if (sentence.kind === 'heading') {
      heading = words
      sinceHeading = 0
      return []
    }
    if (sentence.kind === 'row' && isHeader(text, end)) return []
    sinceHeading++
    const beside = [order - 1, order + 1]
      .filter((at) => sentences[at]?.block === block && sentences[at]?.kind !== 'heading')
      .flatMap((at) => [...own[at]!.words])
      .filter((word) => !words.has(word))
    const higher = [...heading, ...titleWords, ...aboveOf(chunkAt(passage.found, start))]
    const above = new Set(higher.filter((word) => !words.has(word) && !beside.includes(word)))
    const listed = sentence.kind === 'item' || sentence.kind === 'row'
    const opens = sinceHeading <= OPENING_SENTENCES || (listed && heading.size > 0)
    const similarity = similarityOf({ passage, start, end })
    if (words.size === 0 && !(above.size > 0 && opens) && similarity <= 0) return []
    const coverage =
      total > 0
        ? (weightOf(asked, words) +
            BESIDE * weightOf(asked, new Set(beside)) +
            ABOVE * weightOf(asked, above)) /
          total
        : 0
    const worth =
      coverage +
      CLOSE_TOGETHER * closeness(inside, words.size, asked.words.length) +
      (sinceHeading === 1 ? OPENING * coverage : 0) +
      MEANING * similarity
    const shape = form(text.slice(start, end), sentence.kind)
    const said = isAnothers({ start, end }) ? ANOTHERS : 1
    const score = worth * shape * said * fits(text.slice(start, end))
    const joins = joinedWith(order)
    return [{ passage, sentence, siblings: sentences, order, start, end, score, words, joins }]
  })
}

const NO_WORDS: ReadonlySet<number> = new Set()

interface OwnWords {
  readonly inside: readonly Match[]
  readonly words: ReadonlySet<number>
}

/** Which words of the question each sentence has. Both lists are in the order of the text. */
function wordsBySentence(
  sentences: readonly Sentence[],
  matches: readonly Match[],
  offset: number,
): readonly OwnWords[] {
  let next = 0
  return sentences.map(({ start, end }) => {
    const inside: Match[] = []
    for (; next < matches.length && matches[next]!.start + offset < end; next++) {
      if (matches[next]!.start + offset >= start) inside.push(matches[next]!)
    }
    return { inside, words: new Set(inside.map(({ word }) => word)) }
  })
}

/**
 * A question is no answer, a fragment says little, a very long sentence hides what it says, and
 * lines that never end are menus.
 */
function form(sentence: string, kind: SentenceKind): number {
  const worth = KINDS[kind]
  if (/[?？؟]["”’)*_]*$/.test(sentence)) return worth * 0.5
  const words = sentence.match(/[\p{L}\p{N}]+/gu) ?? []
  const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(sentence)
  if (wide ? sentence.length < 5 : words.length < 4) return worth * 0.6
  if (isUnfinished(sentence, kind)) {
    return worth * (/\n[^\n]*\n/.test(sentence) ? 0.5 : 0.75)
  }
  return sentence.length > 350 ? worth * 0.9 : worth
}

/** Prose without an end is a menu or a caption. */
function isUnfinished(sentence: string, kind: SentenceKind): boolean {
  return kind === 'prose' && !/[\p{P}]$/u.test(sentence)
}

/** From 0 to 1: all words of the question side by side. */
function closeness(inside: readonly Match[], distinct: number, asked: number): number {
  if (distinct < 2) return 0
  const span = inside.at(-1)!.end - inside[0]!.start
  return ((distinct - 1) / Math.max(1, asked - 1)) * Math.min(1, TOGETHER / span)
}

function remembering<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, work(key))
    return known.get(key)!
  }
}

export function wordsIn(text: string, { words, languages }: AskedWords): ReadonlySet<number> {
  return new Set(findMatches(text, words, languages).map(({ word }) => word))
}

function allFound({ words }: AskedWords): ReadonlySet<number> {
  return new Set(words.flatMap(({ terms }, index) => (terms.length > 0 ? [index] : [])))
}

export function weightOf({ words }: AskedWords, indexes: ReadonlySet<number>): number {
  return [...indexes].reduce((sum, index) => sum + (words[index]?.weight ?? 0), 0)
}

export interface PickOptions {
  readonly most: number
}

/** A sentence worth less than this share of the best one's is no part of the answer. */
const WORTHWHILE = 0.45
const PER_DOCUMENT = 3
/** What words add that no sentence picked before has. */
const NOVELTY = 0.3

/** A few sentences that say different things, from different documents where they are as good. */
export function pickSentences(
  candidates: readonly Candidate[],
  asked: AskedWords,
  { most }: PickOptions,
): readonly Quoted[] {
  const total = weightOf(asked, allFound(asked)) || 1
  const floor = (candidates[0]?.score ?? 0) * WORTHWHILE
  const covered = new Set<number>()
  const said = new Set<string>()
  const perDocument = new Map<AnswerPassage, number>()
  const picked: Quoted[] = []
  let left = candidates.filter(({ score }) => score > 0 && score >= floor)
  while (picked.length < most && left.length > 0) {
    const isSure = ({ words, joins }: Candidate): boolean =>
      !joins && weightOf(asked, words) / total >= SURE
    const gain = ({ score, words }: Candidate): number =>
      score +
      (NOVELTY * weightOf(asked, new Set([...words].filter((word) => !covered.has(word))))) / total
    const next = left.reduce((a, b) => (gain(b) > gain(a) ? b : a))
    const whole =
      isSure(next) || picked.length > 0 ? withContext(next) : widened(next, withContext(next))
    const again = picked.some((one) => overlap(one, whole))
    picked.push(again ? { passage: next.passage, start: next.start, end: next.end } : whole)
    said.add(plain(next))
    for (const word of next.words) covered.add(word)
    perDocument.set(next.passage, (perDocument.get(next.passage) ?? 0) + 1)
    left = left.filter(
      (each) =>
        (perDocument.get(each.passage) ?? 0) < PER_DOCUMENT &&
        !said.has(plain(each)) &&
        !picked.some((one) => overlap(one, each)),
    )
  }
  return picked
}

function overlap(a: Quoted, b: Quoted): boolean {
  return a.passage === b.passage && a.start < b.end && b.start < a.end
}

/** Letters and digits alone: pages repeat their sentences with other marks around them. */
function plain({ passage, start, end }: Quoted): string {
  const text = passage.found.live.text.slice(start, end)
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

/** A sentence that has so much of the question needs nothing around it. */
const SURE = 0.85
/** As far as the best quote goes into what stands around its sentence. */
const WIDE = 640

/**
 * The best sentence with those around it, one behind and one before by turns: the answer is often in
 * the next one, or in the one before (measured on xquad-en: .82 of the first claims hold it without
 * this, .88 with it).
 */
function widened({ passage, siblings, order, sentence }: Candidate, quoted: Quoted): Quoted {
  const { text } = passage.found.live
  let { start, end } = quoted
  const reach = { 1: order, [-1]: order }
  const grow = (step: 1 | -1): boolean => {
    const next = siblings[reach[step]! + step]
    if (next?.block !== sentence.block || next.kind === 'heading') return false
    if (isUnfinished(text.slice(next.start, next.end), next.kind)) return false
    const [first, last] = [Math.min(start, next.start), Math.max(end, next.end)]
    if (last - first > WIDE) return false
    ;[start, end] = [first, last]
    reach[step]! += step
    return true
  }
  for (let growing = true; growing;) {
    const behind = grow(1)
    growing = grow(-1) || behind
  }
  return { ...quoted, start, end }
}

/** A quote with what it needs to be understood is still one to read at a glance. */
const WITH_CONTEXT = 600
/** `**What happened.**` announces what stands behind it. */
const LEADS_IN = /^[-*+\d.\s>]*(?:\*\*|__)[^*_]{1,60}(?:\*\*|__)[.:：]?$|^[^\s].{0,60}[:：]\**$/su
const LEANS_BACK =
  /^(?:it|its|this|that|these|those|they|their|he|she|such|but|however|also|then|otherwise|er|sie|es|dies\w*|das|il|elle|ils|ce|esto|eso|él|ella)\b/i

/** A sentence that announces a list gets the list; one that leans on the one before gets that. */
function withContext(candidate: Candidate): Quoted {
  const { passage, sentence, siblings, order } = candidate
  const { text } = passage.found.live
  let { start, end } = candidate
  const said = text.slice(start, end)
  const [next] = siblings.slice(order + 1)
  if (LEADS_IN.test(said) && next && next.kind !== 'heading' && next.end - start <= WITH_CONTEXT) {
    ;({ end } = next)
  }
  if (/[:：]\**$/.test(said)) {
    for (const each of siblings.slice(order + 1)) {
      if (each.kind === 'heading' || each.kind === 'prose' || each.end - start > WITH_CONTEXT) break
      ;({ end } = each)
    }
  }
  // What is listed under a heading that was asked for is the answer, all of it.
  if (candidate.words.size === 0 && (sentence.kind === 'item' || sentence.kind === 'row')) {
    for (const each of siblings.slice(order + 1)) {
      if (each.kind !== sentence.kind || each.end - start > WITH_CONTEXT) break
      ;({ end } = each)
    }
  }
  const before = siblings[order - 1]
  if (before?.block === sentence.block && LEANS_BACK.test(text.slice(start, end))) {
    if (end - before.start <= WITH_CONTEXT) ({ start } = before)
  }
  const { joins } = candidate
  if (joins) {
    const [first, last] = [Math.min(start, joins.start), Math.max(end, joins.end)]
    if (last - first <= JOINED_LENGTH) return { passage, start: first, end: last }
  }
  return { passage, start, end }
}
