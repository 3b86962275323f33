/**
 * How good is a ranking? The usual measures of retrieval, by the rules of trec_eval: gain is the
 * relevance, the discount log2(rank + 1), the ideal comes from all judgements, and every question
 * that has a relevant document counts, with 0 when nothing was found for it.
 */

/** Relevance of documents by question; above 0 is relevant. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Documents by question, best first, each once. */
export type Run = ReadonlyMap<string, readonly string[]>

export interface Scores {
  readonly ndcg10: number
  readonly recall10: number
  readonly recall100: number
  readonly mrr10: number
  /** Share of questions whose first document is relevant. */
  readonly success1: number
  readonly success5: number
  /** Share of questions with every relevant document among the first ten. */
  readonly all10: number
}

const MEASURES = [
  'ndcg10',
  'recall10',
  'recall100',
  'mrr10',
  'success1',
  'success5',
  'all10',
] as const

export function scoreRun(
  judgements: Judgements,
  run: Run,
): { readonly mean: Scores; readonly byQuestion: ReadonlyMap<string, Scores> } {
  const byQuestion = new Map<string, Scores>()
  for (const [question, relevance] of judgements) {
    if (![...relevance.values()].some((value) => value > 0)) continue
    byQuestion.set(question, scoreOne(relevance, run.get(question) ?? []))
  }
  const mean = Object.fromEntries(
    MEASURES.map((measure) => {
      const sum = [...byQuestion.values()].reduce((total, scores) => total + scores[measure], 0)
      return [measure, byQuestion.size === 0 ? 0 : sum / byQuestion.size]
    }),
  ) as Record<(typeof MEASURES)[number], number>
  return { mean, byQuestion }
}

function scoreOne(relevance: ReadonlyMap<string, number>, order: readonly string[]): Scores {
  const wanted = new Set([...relevance].filter(([, value]) => value > 0).map(([doc]) => doc))
  const gain = (doc: string): number => Math.max(0, relevance.get(doc) ?? 0)
  const ideal = [...relevance.values()].filter((value) => value > 0).toSorted((a, b) => b - a)
  const among = (depth: number): number =>
    order.slice(0, depth).filter((doc) => wanted.has(doc)).length
  const first = order.slice(0, 10).findIndex((doc) => wanted.has(doc))
  return {
    ndcg10: discounted(order.map(gain)) / discounted(ideal),
    recall10: among(10) / wanted.size,
    recall100: among(100) / wanted.size,
    mrr10: first < 0 ? 0 : 1 / (first + 1),
    success1: among(1),
    success5: among(5) > 0 ? 1 : 0,
    all10: among(10) === wanted.size ? 1 : 0,
  }
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}
