/** Cosine similarity of texts by the words they share, for where nothing knows what words mean. */
import { contentTerms } from './analysis/content-terms.ts'

export type TermCounts = ReadonlyMap<string, number>

export function termCounts(text: string): TermCounts {
  const counts = new Map<string, number>()
  for (const term of contentTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

export function wordCosine(a: TermCounts, b: TermCounts): number {
  let product = 0
  for (const [term, count] of a) product += count * (b.get(term) ?? 0)
  return product === 0 ? 0 : product / (lengthOf(a) * lengthOf(b))
}

function lengthOf(counts: TermCounts): number {
  let squares = 0
  for (const count of counts.values()) squares += count * count
  return Math.sqrt(squares)
}
