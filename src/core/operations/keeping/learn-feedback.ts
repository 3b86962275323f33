/**
 * What votes teach: for questions like this one, which documents were found right or wrong? It is
 * small on purpose. It says nothing until there are votes enough, it moves a score by a tenth at the
 * most, and what it did can be told in a sentence: so many votes on questions like this one.
 */
import type { Vote } from '../../history/feedback-log.ts'

export interface Judged {
  /** From −1 to 1: how votes on questions like this one speak of the document. */
  readonly term: number
  /** How many they were. */
  readonly votes: number
}

export interface LearnedFeedback {
  /** Whether there is enough to learn from. */
  readonly active: boolean
  /** Votes that say which document, for which question. */
  readonly votes: number
  /** By document, for one question; empty where nothing is known. */
  judge(query: string): ReadonlyMap<string, Judged>
}

/** Fewer votes than this, in the whole base, teach nothing. */
export const ENOUGH_VOTES = 20
/** Fewer on one document, for questions like this one, are a matter of taste. */
export const ENOUGH_ON_ONE = 3
/** What a score is changed by at the most, as a share of it. */
export const STRONGEST = 0.1
/** So many votes in the middle are imagined, so that three do not count like thirty. */
const DOUBT = 2
/** Questions that share half of their words are alike. */
const ALIKE = 0.5
const MOST_WORDS = 50

export function learnFeedback(votes: readonly Vote[]): LearnedFeedback {
  const known = votes.flatMap(({ vote, query, document }) =>
    typeof vote === 'number' && vote !== 0 && query !== undefined && document !== undefined
      ? [{ vote: Math.min(1, Math.max(-1, vote)), document, words: wordsOf(query) }]
      : [],
  )
  const active = known.length >= ENOUGH_VOTES
  // Only votes that share a word can be alike.
  const byWord = new Map<string, (typeof known)[number][]>()
  for (const each of active ? known : []) {
    for (const word of each.words) {
      const list = byWord.get(word)
      if (list) list.push(each)
      else byWord.set(word, [each])
    }
  }
  return {
    active,
    votes: known.length,
    judge(query) {
      const asked = wordsOf(query)
      const candidates = new Set([...asked].flatMap((word) => byWord.get(word) ?? []))
      const sums = new Map<string, { sum: number; weight: number; votes: number }>()
      for (const { vote, document, words } of candidates) {
        const likeness = likenessOf(asked, words)
        if (likeness < ALIKE) continue
        const known = sums.get(document) ?? { sum: 0, weight: 0, votes: 0 }
        known.sum += likeness * vote
        known.weight += likeness
        known.votes++
        sums.set(document, known)
      }
      const judged = [...sums].filter(([, each]) => each.votes >= ENOUGH_ON_ONE)
      return new Map(
        judged.map(([document, { sum, weight, votes: count }]) => [
          document,
          { term: sum / (weight + DOUBT), votes: count },
        ]),
      )
    },
  }
}

/** What a score becomes. */
export function changedBy(score: number, judged: Judged | undefined): number {
  return judged ? score * STRONGEST * judged.term : 0
}

function wordsOf(query: string): ReadonlySet<string> {
  const words = query.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  return new Set(words.slice(0, MOST_WORDS))
}

/** The share of all their words that both have. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return a.size + b.size === shared ? 0 : shared / (a.size + b.size - shared)
}
