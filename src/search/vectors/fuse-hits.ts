/**
 * One ranking from two opinions: what the words say and what the meaning says. Both are scaled by
 * their best hit and added with a weight that depends on the question alone;
 * `docs/decisions/0011-corpus-embedder.md` has the alternatives that were measured.
 */
import type { DocNo } from '../../domain/document.ts'
import type { CompareDocs, VectorHit } from './top-hits.ts'

export interface FusionOptions {
  readonly limit: number
  /** Share of the meaning, from 0 (words alone) to 1 (meaning alone); see `meaningWeight`. */
  readonly weight: number
  /** Decides between documents of equal score; by number unless given. */
  readonly compare?: CompareDocs
}

export interface WordHit {
  readonly doc: DocNo
  readonly score: number
}

export interface FusedHit {
  readonly doc: DocNo
  /** From 0 to 1: 1 for a document that both sides put first. */
  readonly score: number
  /** What the words and the meaning contributed; they add up to the score. */
  readonly words: number
  readonly meaning: number
}

/** Share of the meaning in a long question. Leaving each evaluation set out in turn gave 0.35 to 0.4. */
export const MEANING_WEIGHT = 0.35
/** From so many words on, a question is long. */
const LONG_QUESTION = 8

/**
 * How much the meaning should count. One or two words name something, and whoever types a name
 * wants the pages that have it; a question of many words describes something that its page may well
 * say in other words. What the embedder did not understand it has no opinion on.
 */
export function meaningWeight(question: {
  /** Different words of the question, without those that say nothing. */
  readonly words: number
  /** Which part of them the embedder knows, from 0 to 1; all unless given. */
  readonly understood?: number
}): number {
  const { words, understood = 1 } = question
  return MEANING_WEIGHT * Math.min(1, words / LONG_QUESTION) ** 2 * understood
}

/**
 * `meaning` should hold a similarity for every document of `words` that has one, else good word
 * hits lose to documents that merely were looked at by both sides.
 */
export function fuseHits(
  words: readonly WordHit[],
  meaning: readonly VectorHit[],
  options: FusionOptions,
): FusedHit[] {
  const { limit, weight, compare = (a, b) => a - b } = options
  const bestWord = words.reduce((best, { score }) => Math.max(best, score), 0)
  const nearest = meaning.reduce((best, { similarity }) => Math.max(best, similarity), 0)
  // Where one side has nothing to say, the other decides alone.
  const meaningShare = nearest <= 0 ? 0 : bestWord <= 0 ? 1 : weight
  const shares = new Map<DocNo, { words: number; meaning: number }>()
  for (const { doc, score } of words) {
    const share = bestWord > 0 ? ((1 - meaningShare) * score) / bestWord : 0
    shares.set(doc, { words: share, meaning: 0 })
  }
  for (const { doc, similarity } of meaning) {
    const share = nearest > 0 ? (meaningShare * Math.max(0, similarity)) / nearest : 0
    const known = shares.get(doc)
    shares.set(doc, { words: known?.words ?? 0, meaning: Math.max(known?.meaning ?? 0, share) })
  }
  return [...shares]
    .map(([doc, share]) => ({ doc, ...share, score: share.words + share.meaning }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || compare(a.doc, b.doc))
    .slice(0, limit)
}
