/** A stand-in for an embedder: texts with the same words point the same way. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Similarity } from '../../src/core/operations/view/knowledge.ts'
import type { SmallBase } from '../support/open-small-base.ts'

export function wordSimilarity({ store, folder }: SmallBase): Similarity {
  const similarity: Similarity = {
    async rank(query, { limit, includes }) {
      const docs = [...(await store.pathOrder())].filter(includes)
      const records = await store.documents(docs)
      const scored = records.flatMap((record) => {
        if (!record) return []
        const text = readFileSync(join(folder, record.path), 'utf8')
        return [{ doc: record.no, score: cosine(words(query), words(text)) }]
      })
      return scored.toSorted((a, b) => b.score - a.score).slice(0, limit)
    },
    covered: async (docs) => docs.length,
    of: () => similarity,
  }
  return similarity
}

function words(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0
  for (const [word, count] of a) product += count * (b.get(word) ?? 0)
  const length = (vector: ReadonlyMap<string, number>) => Math.hypot(...vector.values())
  return product === 0 ? 0 : product / (length(a) * length(b))
}
