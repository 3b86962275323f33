/** Who compares a question with chunks: the base's embedder, the words alone, or nobody. */
import { inSlices, Slices } from '../../../core/kit/slices.ts'
import type { Embedder } from '../../../core/models/embedder.ts'
import { contentTerms } from '../../../core/search/analysis/content-terms.ts'

export interface ChunkText {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Cosine of a question with each chunk, in order. */
export type CompareChunks = (query: string, chunks: readonly ChunkText[]) => Promise<number[]>

export function withEmbedder(embedder: Embedder): CompareChunks {
  return async (query, chunks) => {
    const question = await embedder.embedQuery(query)
    // Who is asked over a wire is asked once; what is worked out here lets others in between.
    const atOnce = embedder.slow || embedder.documentsAtOnce ? chunks.length : CHUNKS_AT_ONCE
    const slices = new Slices()
    const similarities: number[] = []
    for (let from = 0; from < chunks.length; from += atOnce) {
      const some = chunks.slice(from, from + atOnce)
      const rows = await embedder.embedDocuments(
        some.map(({ title, text }) => ({ title, passages: [{ text, headingPath: [] }] })),
      )
      for (const [row] of rows) similarities.push(row ? cosine(question, row) : 0)
      if (slices.over) await slices.pause()
    }
    return similarities
  }
}

const CHUNKS_AT_ONCE = 8

/** As long as nothing has been learned from the base: the words two texts share, rare ones most. */
export const withWords: CompareChunks = async (query, chunks) => {
  const counts = await inSlices(chunks, ({ title, text }) => countsOf(`${title}\n${text}`))
  const holders = new Map<string, number>()
  for (const each of counts) {
    for (const term of each.keys()) holders.set(term, (holders.get(term) ?? 0) + 1)
  }
  const weight = (term: string, count: number): number =>
    (1 + Math.log(count)) * Math.log(1 + chunks.length / (holders.get(term) ?? 0.5))
  const question = vectorOf(countsOf(query), weight)
  return inSlices(counts, (each) => cosineOf(question, vectorOf(each, weight)))
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of contentTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function vectorOf(
  counts: ReadonlyMap<string, number>,
  weight: (term: string, count: number) => number,
): ReadonlyMap<string, number> {
  return new Map([...counts].map(([term, count]) => [term, weight(term, count)]))
}

function cosineOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let dot = 0
  for (const [term, value] of a) dot += value * (b.get(term) ?? 0)
  const size = lengthOf(a) * lengthOf(b)
  return size === 0 ? 0 : dot / size
}

function lengthOf(vector: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const value of vector.values()) sum += value * value
  return Math.sqrt(sum)
}

const DUMMY_DIMENSIONS = 8

/** The same eight numbers for the same text, and no meaning: for trying things out without a model. */
export const withDummies: CompareChunks = async (query, chunks) => {
  const question = dummyVector(query)
  return chunks.map(({ text }) => cosine(question, dummyVector(text)))
}

export function dummyVector(text: string): Float64Array {
  let sum = 0
  for (const character of text) sum += character.codePointAt(0) ?? 0
  const whole = sum || 1
  return Float64Array.from({ length: DUMMY_DIMENSIONS }, (_, i) => (whole % (i + 2)) / (i + 2))
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0
  let one = 0
  let other = 0
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    one += a[i]! ** 2
    other += b[i]! ** 2
  }
  const size = Math.sqrt(one * other)
  return size === 0 ? 0 : dot / size
}
