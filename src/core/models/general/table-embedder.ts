/**
 * Where texts point by what their words mean in general, and by nothing else: the sum of their rows
 * of the table, every word counting alike. A passage has the same vector whatever else the base
 * holds, so that it tells nothing of other documents: this is the meaning for callers who see a part
 * of the base (docs/decisions/0046-hidden-notes.md has the figures).
 */
import { normalise } from '../weights.ts'
import { Slices } from '../../kit/slices.ts'
import { passageText } from '../corpus/corpus-embedder.ts'
import type { TermAnalysis } from '../corpus/corpus-embedder.ts'
import { TITLE_WEIGHT } from '../corpus/corpus-model.ts'
import type { EmbeddableDocument, Embedder } from '../embedder.ts'
import { readTable } from './mixed-embedder.ts'
import { readableShare } from './readable.ts'
import type { WordTable } from './word-table.ts'

export function createTableEmbedder(table: WordTable, analysis: TermAnalysis): Embedder {
  const countsOf = (text: string): Counts => {
    const counts = new Map<string, number>()
    for (const term of analysis.terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
    return counts
  }
  const passagesOf = async ({ title, passages }: EmbeddableDocument): Promise<Float32Array[]> => {
    const slices = new Slices()
    const inTitle = countsOf(title)
    const whole = new Float64Array(table.dimensions)
    const own: Float64Array[] = []
    for (const passage of passages) {
      if (slices.over) await slices.pause()
      const counts = withTitle(countsOf(passageText(passage)), inTitle)
      const vector = sumOf(table, counts)
      for (let k = 0; k < vector.length; k++) whole[k]! += vector[k]!
      const isRead = readableShare(knownTerms(table, counts), counts.size) > 0
      own.push(isRead ? normalise(vector) : vector.fill(0))
    }
    normalise(whole)
    // As the corpus model does it: half of where a passage points is the whole document's.
    return own.map((vector) => {
      const isRead = vector.some((value) => value !== 0)
      if (isRead) for (let k = 0; k < vector.length; k++) vector[k]! += whole[k]!
      return Float32Array.from(normalise(vector))
    })
  }
  return {
    id: `table:${analysis.id}:${table.id}`,
    dimensions: table.dimensions,
    async embedDocuments(documents, options) {
      const all: Float32Array[][] = []
      for (const document of documents) {
        options?.signal?.throwIfAborted()
        all.push(await passagesOf(document))
      }
      return all
    },
    embedQuery: async (text) => Float32Array.from(normalise(sumOf(table, countsOf(text)))),
    read(text, documents = 0) {
      const counts = countsOf(text)
      return readTable(counts.size === 0 ? 0 : knownTerms(table, counts) / counts.size, documents)
    },
  }
}

type Counts = ReadonlyMap<string, number>

function withTitle(counts: Counts, title: Counts): Counts {
  const both = new Map(counts)
  for (const [term, count] of title) both.set(term, (both.get(term) ?? 0) + TITLE_WEIGHT * count)
  return both
}

function knownTerms(table: WordTable, counts: Counts): number {
  let known = 0
  for (const term of counts.keys()) if (table.rowOf(term) >= 0) known++
  return known
}

function sumOf(table: WordTable, counts: Counts): Float64Array {
  const vector = new Float64Array(table.dimensions)
  // Always in the same order, so that the same words in another order give the same bits.
  for (const [term, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const row = table.rowOf(term)
    if (row >= 0) table.add(row, Math.log1p(count), vector)
  }
  return vector
}
