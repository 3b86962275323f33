/**
 * Contradiction, the kind a person would ask about: to a question for yes or no, one sentence denies
 * what another reports. Both are quoted, whichever ranks better.
 */
import { saidByPeople } from '../../parsing/said-by-people.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import { compareWhen, whenOf } from '../reading/when-of.ts'
import { weightOf, wordsIn } from './extract-answer.ts'
import type { AskedWords } from './extract-answer.ts'
import type { FoundPassage } from '../searching/find-passages.ts'
import { asksYesOrNo, deniedIn, meansAnyTime } from '../searching/time-words.ts'

export interface Statement {
  readonly found: FoundPassage
  readonly start: number
  readonly end: number
}

export interface Sides {
  /** What was said first of those that deny it. */
  readonly denial: Statement
  /** The best reports of the opposite, each of another document. */
  readonly claims: readonly Statement[]
}

/** So much of the question stands in what is denied. */
const DENIES = 0.45
/** Denials that have nearly as much say the same; the first one said it. */
const AS_MUCH = 0.15
/** What has so much of what the best denial has says the same once more. */
const ECHO = 0.8
/** A claim has so much of the question. */
const CLAIMS = 0.2
/** Reports are many, and the one that contradicts is not always the one that has most words. */
const REPORTED = 4
/** What a number adds to a claim: `I've added 3 routes` says that it happened. */
const WITH_NUMBER = 0.15
const ASKS =
  /^\P{L}*(?:can|could|would|should|will|may|what|how|why|when|where|which|who|whose|was|wie|warum|wann|wo|wer|kannst|können|que|quoi|comment|pourquoi|qué|cómo|por qué|что|как|почему)(?!\p{L})/iu
/** What a person said in one turn is read so far. */
const LONGEST = 8_000

/** Undefined where nobody denies anything, or nobody claims it. */
export function bothSides(passages: readonly FoundPassage[], all: AskedWords): Sides | undefined {
  const words = all.words.map((word) =>
    meansAnyTime(word.spelling) ? { ...word, weight: 0 } : word,
  )
  const asked = { ...all, words }
  const total = asked.words.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return undefined
  const share = (text: string): number => weightOf(asked, wordsIn(text, asked)) / total
  const denials: (Statement & { readonly share: number })[] = []
  const claims: (Statement & { readonly share: number })[] = []
  for (const found of passages) {
    for (const { start, end } of statementsOf(found)) {
      const said = found.live.text.slice(start, end)
      const has = share(said)
      if (has < CLAIMS) continue
      const denied = deniedIn(said)
      const part = denied === '' ? 0 : share(denied)
      if (part >= DENIES) denials.push({ found, start, end, share: part })
      else if (part < 0.5 * has && !isQuestion(said)) {
        const number = /\p{N}/u.test(said) ? WITH_NUMBER : 0
        claims.push({ found, start, end, share: has + number })
      }
    }
  }
  const most = Math.max(...denials.map((each) => each.share))
  const [denial] = denials
    .filter((each) => each.share >= most - AS_MUCH)
    .toSorted((a, b) => earlier(a.found, b.found))
  if (!denial) return undefined
  const denied = new Set(
    denials.filter((each) => each.share >= ECHO * most).map(({ found }) => found),
  )
  // Of two that have as much of the question, the shorter one is about less else.
  const line = claims.toSorted((a, b) => b.share - a.share || a.end - a.start - (b.end - b.start))
  const best = new Map<FoundPassage, (typeof claims)[number]>()
  for (const claim of line) {
    if (!denied.has(claim.found) && !best.has(claim.found)) best.set(claim.found, claim)
  }
  const shown = [...best.values()].slice(0, REPORTED)
  return shown.length > 0 ? { denial, claims: shown } : undefined
}

/** `Is it done?` is one; `I've added routes, is that enough?` reports something first. */
function isQuestion(sentence: string): boolean {
  return /[?？]\s*$/u.test(sentence) && (asksYesOrNo(sentence) || ASKS.test(sentence))
}

function earlier(a: FoundPassage, b: FoundPassage): number {
  const [one, other] = [whenOf(a.live.record), whenOf(b.live.record)]
  return one && other ? compareWhen(one, other) : 0
}

/** Of a conversation what people said in the turn that was found, else the sentences of the passage. */
function statementsOf({ live: { text }, chunk }: FoundPassage) {
  if (!chunk) return []
  const turns = saidByPeople(text, 0)
  const turn = turns.findLast(({ start }) => start <= chunk.start) ?? turns[0]
  const [start, end] = turn
    ? [turn.start, Math.min(turn.end, turn.start + LONGEST)]
    : [chunk.start, chunk.end]
  return splitSentences(text, start, end).filter(({ kind }) => kind === 'prose' || kind === 'item')
}
