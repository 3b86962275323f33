/**
 * One ranking from two opinions: what the words say and what the meaning says. Both are scaled by
 * their best hit and added with a fixed weight; `docs/decisions/0011-corpus-embedder.md` has the
 * alternatives that were measured (rank fusion made most sets worse).
 */
import type { DocNo } from '../../domain/document.ts'
import type { CompareDocs, VectorHit } from './top-hits.ts'

export interface FusionOptions {
  readonly limit: number
  /** Share of the meaning, from 0 (words alone) to 1 (meaning alone). */
  readonly weight?: number
  /** Which part of the question the embedder understood, from 0 to 1: its opinion counts for so much. */
  readonly understood?: number
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

/** Chosen by leaving each set out in turn, for the corpus embedder beside our word index. */
export const MEANING_WEIGHT = 0.35

/**
 * `meaning` should hold a similarity for every document of `words` that has one, else good word
 * hits lose to documents that merely were looked at by both sides.
 */
export function fuseHits(
  words: readonly WordHit[],
  meaning: readonly VectorHit[],
  options: FusionOptions,
): FusedHit[] {
  const { limit, weight = MEANING_WEIGHT, understood = 1, compare = (a, b) => a - b } = options
  const bestWord = words.reduce((best, { score }) => Math.max(best, score), 0)
  const nearest = meaning.reduce((best, { similarity }) => Math.max(best, similarity), 0)
  const meaningShare = nearest > 0 ? weight * understood : 0
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
