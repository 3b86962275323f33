/**
 * The sentences that answer a question best, without any model: those that have its rare words,
 * close together, in the documents that search puts first.
 */
import type { Chunk } from '../../domain/text.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import type { Sentence, SentenceKind } from '../../parsing/split-sentences.ts'
import { findMatches } from '../../search/find-matches.ts'
import type { Match } from '../../search/find-matches.ts'
import type { Ranking } from '../searching/rank-documents.ts'
import { chunkAt } from './answer-passages.ts'
import type { AnswerPassage, Quoted } from './answer-passages.ts'

export type AskedWords = Pick<Ranking, 'words' | 'languages'>

export interface Candidate extends Quoted {
  readonly sentence: Sentence
  /** All sentences of its passage, and its place among them. */
  readonly siblings: readonly Sentence[]
  readonly order: number
  readonly score: number
  /** Words of the question it has itself. */
  readonly words: ReadonlySet<number>
}

/** What a word in the heading or title above a sentence counts, against one in it. */
const ABOVE = 0.4
/** What the place of a document in the order of search counts. */
const BEST_DOCUMENT = 0.4
const CLOSE_TOGETHER = 0.15
/** Words within so many characters stand together. */
const TOGETHER = 60
const OPENING = 0.1
/** Sentences of a section that may answer by their heading alone. */
const OPENING_SENTENCES = 2
/** What resemblance in meaning counts, where words say little. */
const MEANING = 0.6

const KINDS: Readonly<Record<SentenceKind, number>> = {
  prose: 1,
  item: 1,
  row: 0.9,
  code: 0.75,
  heading: 0,
}

/** Every sentence of the passages with what it is worth, best first. */
export function scoreSentences(
  passages: readonly AnswerPassage[],
  asked: AskedWords,
  similarityOf: (quoted: Quoted) => number = () => 0,
): readonly Candidate[] {
  const best = Math.max(...passages.map(({ found }) => found.hit.score), 0) || 1
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

function candidatesOf(
  passage: AnswerPassage,
  asked: AskedWords,
  similarityOf: (quoted: Quoted) => number,
): Candidate[] {
  const { text, record } = passage.found.live
  const total = weightOf(asked, allFound(asked))
  const sentences = splitSentences(text, passage.start, passage.end)
  const matches = findMatches(text.slice(passage.start, passage.end), asked.words, asked.languages)
  const titleWords = wordsIn(record.title, asked)
  const aboveOf = remembering((chunk: Chunk | undefined) =>
    wordsIn(chunk?.headingPath.join('\n') ?? '', asked),
  )
  let heading: ReadonlySet<number> = new Set()
  let sinceHeading = 0
  let next = 0
  return sentences.flatMap((sentence, order) => {
    const { start, end } = sentence
    const inside: Match[] = []
    for (; next < matches.length && matches[next]!.start + passage.start < end; next++) {
      if (matches[next]!.start + passage.start >= start) inside.push(matches[next]!)
    }
    const words = new Set(inside.map(({ word }) => word))
    if (sentence.kind === 'heading') {
      heading = words
      sinceHeading = 0
      return []
    }
    sinceHeading++
    const higher = [...heading, ...titleWords, ...aboveOf(chunkAt(passage.found, start))]
    const above = new Set(higher.filter((word) => !words.has(word)))
    const opens = sinceHeading <= OPENING_SENTENCES
    const similarity = similarityOf({ passage, start, end })
    if (words.size === 0 && !(above.size > 0 && opens) && similarity <= 0) return []
    const coverage =
      total > 0 ? (weightOf(asked, words) + ABOVE * weightOf(asked, above)) / total : 0
    const worth =
      coverage +
      CLOSE_TOGETHER * closeness(inside, words.size, asked.words.length) +
      (sinceHeading === 1 ? OPENING * coverage : 0) +
      MEANING * similarity
    const score = worth * form(text.slice(start, end), sentence.kind)
    return [{ passage, sentence, siblings: sentences, order, start, end, score, words }]
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
  if (kind === 'prose' && !/[\p{P}]$/u.test(sentence)) {
    return worth * (/\n[^\n]*\n/.test(sentence) ? 0.5 : 0.75)
  }
  return sentence.length > 350 ? worth * 0.9 : worth
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
const WORTHWHILE = 0.5
const PER_DOCUMENT = 2
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
    const gain = ({ score, words }: Candidate): number =>
      score +
      (NOVELTY * weightOf(asked, new Set([...words].filter((word) => !covered.has(word))))) / total
    const next = left.reduce((a, b) => (gain(b) > gain(a) ? b : a))
    const whole = withContext(next)
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

/** A quote with what it needs to be understood is still one to read at a glance. */
const WITH_CONTEXT = 600
const LEANS_BACK =
  /^(?:it|its|this|that|these|those|they|their|he|she|such|but|however|also|then|otherwise|er|sie|es|dies\w*|das|il|elle|ils|ce|esto|eso|él|ella)\b/i

/** A sentence that announces a list gets the list; one that leans on the one before gets that. */
function withContext(candidate: Candidate): Quoted {
  const { passage, sentence, siblings, order } = candidate
  const { text } = passage.found.live
  let { start, end } = candidate
  if (/[:：]\**$/.test(text.slice(start, end))) {
    for (const next of siblings.slice(order + 1)) {
      if (next.kind === 'heading' || next.kind === 'prose' || next.end - start > WITH_CONTEXT) break
      end = next.end
    }
  }
  const before = siblings[order - 1]
  if (before?.block === sentence.block && LEANS_BACK.test(text.slice(start, end))) {
    if (end - before.start <= WITH_CONTEXT) ({ start } = before)
  }
  return { passage, start, end }
}
