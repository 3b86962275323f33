/**
 * Recency, only where it answers: a question for what holds now gets the later of several statements
 * about the same thing first. Only the first few change places, so nothing is lost, and what is
 * merely newer never gets before what answers. docs/decisions/0063-what-holds-now.md has the figures.
 */
import { headingsAt } from '../../domain/document.ts'
import { differenceOf, isSameFrame, parseStatement } from '../reading/statements.ts'
import { areAboutSame, areSiblings, subjectOf } from '../reading/subjects.ts'
import type { Subject } from '../reading/subjects.ts'
import { compareWhen, holdsAt, isOver, whenOf, whenOfStatement } from '../reading/when-of.ts'
import type { Moment, When } from '../reading/when-of.ts'
import { saidByPeople } from '../../parsing/said-by-people.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import { findMatches } from '../../search/find-matches.ts'
import type { FoundPassage } from './find-passages.ts'
import type { Ranking } from './rank-documents.ts'
import { valueAsked } from './asked-value.ts'
import { FIRST, saysChanged } from './time-words.ts'

/** Beyond so many of the first, only those change places that answer nearly as well as the first. */
const ANYHOW = 4
const AS_WELL = 0.75
/** About the same thing is what has so much of the question, against the one that has most. */
const SAME_THING = 0.5
/** What is said at length has a word of everything: above so many words each further one counts less. */
const AT_LENGTH = 25
/** What a person said is read so far. */
const LONGEST = 4_000

type AskedWords = Pick<Ranking, 'words' | 'languages'>

interface Asked extends AskedWords {
  readonly question: string
}

/** The same passages; those of the first that hold no longer know it by `earlier`. */
export function laterFirst(
  passages: readonly FoundPassage[],
  asked: Asked,
  now: Moment,
  histories?: ReadonlyMap<FoundPassage, number>,
): readonly FoundPassage[] {
  const head = headOf(passages, asked, now).map((each): Head => {
    const at = each.when ? undefined : histories?.get(each.passage)
    return at === undefined ? each : { ...each, when: { at, order: [] }, byHistory: true }
  })
  if (head.length < 2) return passages
  const person = head.some(({ byPerson }) => byPerson)
  const told = head.some((each) => each.tells)
  const share = (each: Head): number => (person === each.byPerson ? each.share : 0)
  const value = (each: Head): number => (told === each.tells ? share(each) : 0)
  const lead = head.reduce((a, b) => (value(b) > value(a) ? b : a))
  if (share(lead) === 0) return passages
  const alike = head.filter((each) => {
    if (each === lead) return true
    if (share(each) < SAME_THING * share(lead)) return false
    if (each.over !== lead.over) return true
    if (!each.when || !lead.when || value(each) === 0) return false
    if (each.byHistory || lead.byHistory) {
      // When a file came into a repository says nothing beside a day that somebody wrote down.
      return each.byHistory === lead.byHistory && saysOtherwise(each, lead, asked)
    }
    if (compareWhen(each.when, lead.when) < 0 || saysChanged(each.turn)) return true
    return saysOtherwise(each, lead, asked)
  })
  if (alike.length < 2) return passages
  const line = alike.toSorted((a, b) => Number(a.over) - Number(b.over) || later(a.when, b.when))
  const newest = line[0]!
  const order = head.map((each) => (alike.includes(each) ? line.shift()! : each))
  const isEarlier = ({ passage, when, over }: Head): boolean =>
    passage !== newest.passage && (over !== newest.over || later(when, newest.when) > 0)
  const earlier = alike.filter(isEarlier)
  return [
    ...order.map((each, at) => ({
      ...placed(each.passage, head[at]!.passage),
      ...(earlier.includes(each) && { earlier: each.when?.at ?? null }),
      ...(each === newest && earlier.length > 0 && { latest: latest(each) }),
    })),
    ...passages.slice(head.length),
  ]
}

/** The same sentence with another value: nobody has to say that it changed. */
function saysOtherwise(a: Placed, b: Placed, asked: AskedWords): boolean {
  if (a.byPerson || b.byPerson) return false
  const [one, other] = [parseStatement(a.text), parseStatement(b.text)]
  if (!one || !other || !isSameFrame(one, other)) return false
  const differs = differenceOf(one, other)
  if (differs === undefined) return false
  const side = (placed: Placed, statement: Said) => ({ statement, subject: subject(placed) })
  if (areAboutSame(side(a, one), side(b, other), differs)) return true
  if (areSiblings(subject(a), subject(b))) return false
  return one.words.length >= LEAST_SAID && ![a, b].some((each) => titleTells(each, asked))
}

/** A sentence of so many words may say by itself what it is about … */
const LEAST_SAID = 3

/** … where nothing that is asked stands only above it: the notice of which leave? */
function titleTells({ passage, text, start }: Placed, { words, languages }: AskedWords): boolean {
  const above = [passage.live.record.title, ...headingsOf(passage, start)].join('\n')
  const said = new Set(findMatches(text, words, languages).map(({ word }) => word))
  return findMatches(above, words, languages).some(({ word }) => !said.has(word))
}

type Said = NonNullable<ReturnType<typeof parseStatement>>

interface Placed extends Statement {
  readonly passage: FoundPassage
}

function subject({ passage, start }: Placed): Subject {
  return subjectOf(passage.live.record.title, headingsOf(passage, start))
}

function headingsOf({ chunk }: FoundPassage, start: number): readonly string[] {
  return chunk ? headingsAt(chunk, start) : []
}

/** Sentences that differ in a value, and of which nothing says when they were said. */
export function undatedRivals(
  passages: readonly FoundPassage[],
  asked: Asked,
  now: Moment,
): readonly Pick<Head, 'passage' | 'text'>[] {
  const undated = headOf(passages, asked, now).filter(({ when, byPerson }) => !when && !byPerson)
  return undated.filter((one) =>
    undated.some((other) => other !== one && saysOtherwise(one, other, asked)),
  )
}

interface Head extends Placed {
  readonly when: When | undefined
  readonly over: boolean
  readonly tells: boolean
  readonly byHistory?: boolean
}

function headOf(passages: readonly FoundPassage[], asked: Asked, now: Moment): readonly Head[] {
  const tells = valueAsked(asked.question)
  return asGood(passages).map((passage) => {
    const { record } = passage.live
    const said = statement(passage, asked, tells)
    const { when, holds } = said.byPerson
      ? { when: whenOf(record), holds: true }
      : dated(passage, said, now)
    return { passage, when, over: isOver(record, now) || !holds, tells: tells(said.text), ...said }
  })
}

function asGood(passages: readonly FoundPassage[]): readonly FoundPassage[] {
  const first = passages.slice(0, FIRST)
  const enough = AS_WELL * (first[0]?.hit.score ?? 0)
  const worse = first.findIndex(({ hit }, at) => at >= ANYHOW && hit.score < enough)
  return worse < 0 ? first : first.slice(0, worse)
}

function latest({ byPerson, start, text }: Statement): FoundPassage['latest'] {
  return { byPerson, start, end: start + text.length }
}

/** A turn of a conversation is of its day; what a sentence says of time counts before its note's. */
function dated(passage: FoundPassage, { text, start }: Statement, now: Moment) {
  const { when, said } = whenOfStatement(passage.live.record, text, headingsOf(passage, start))
  return { when, holds: holdsAt(said, now) }
}

function later(a: When | undefined, b: When | undefined): number {
  return a && b ? compareWhen(b, a) : 0
}

/** At the place of another: the parts of its score still add up. */
function placed(passage: FoundPassage, other: FoundPassage): FoundPassage {
  const { hit } = passage
  const change = other.hit.score - hit.score
  if (change === 0) return passage
  const { signals } = hit
  return {
    ...passage,
    hit: {
      ...hit,
      score: hit.score + change,
      signals: { ...signals, later: change, total: signals.total + change },
    },
  }
}

interface Statement {
  /** Whether a person says it to an assistant. */
  readonly byPerson: boolean
  readonly share: number
  /** The sentence. */
  readonly text: string
  readonly start: number
  /** All that a person says there, or the sentence. */
  readonly turn: string
}

/** What is left of a sentence without such a value as is asked for. */
const WITHOUT_VALUE = 0.5

/** What of a passage speaks of what is asked, and how much of the question it has. */
function statement(
  { live: { text }, chunk }: FoundPassage,
  asked: Asked,
  tells: (text: string) => boolean,
): Statement {
  if (!chunk) return { byPerson: false, share: 0, text: '', start: 0, turn: '' }
  // What an assistant says belongs to what it was asked: the turn that the passage begins in or behind.
  const turns = saidByPeople(text, 0)
  const own = turns.findLast(({ start }) => start <= chunk.start) ?? turns[0]
  if (!own) {
    const best = bestSentence(text, chunk, (part) => shareOf(part, asked))
    return { ...best, byPerson: false, turn: best.text }
  }
  const end = Math.min(own.end, own.start + LONGEST)
  const worth = (part: string): number => shareOf(part, asked) * (tells(part) ? 1 : WITHOUT_VALUE)
  const turn = text.slice(own.start, end)
  const best = bestSentence(text, { start: own.start, end }, worth)
  return { ...best, byPerson: true, share: shareOf(turn, asked), turn }
}

function bestSentence(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  worth: (part: string) => number,
) {
  const nothing = { share: 0, text: '', start }
  return splitSentences(text, start, end).reduce((best, { start, end, kind }) => {
    if (kind === 'heading' || kind === 'code') return best
    const part = text.slice(start, end)
    const share = worth(part)
    return share > best.share ? { share, text: part, start } : best
  }, nothing)
}

/** The share of the question, by weight; less for what is said at length. */
function shareOf(text: string, { words, languages }: AskedWords): number {
  const found = new Set(findMatches(text, words, languages).map(({ word }) => word))
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return 0
  const has = [...found].reduce((sum, word) => sum + words[word]!.weight, 0)
  const length = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return has / total / (1 + Math.max(0, length - AT_LENGTH) / 100)
}
