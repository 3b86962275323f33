/** What every embedder promises. An embedder is done when this passes. */
import { describe, expect, it } from 'vitest'
import type { EmbeddableDocument, Embedder } from '../../src/core/models/embedder.ts'

export function describeEmbedder(
  name: string,
  /** For each test, a way to open one that knows the words "car", "tea" and "doctor". */
  prepare: () => Promise<() => Promise<Embedder>>,
): void {
  describe(`${name} embedder`, () => {
    it('gives every passage a vector of its length, in order', async () => {
      const embedder = await (await prepare())()
      const vectors = await embedder.embedDocuments([
        document('', 'car', 'tea', 'doctor'),
        document('', 'tea'),
        document(''),
      ])
      expect(vectors.map((rows) => rows.length)).toEqual([3, 1, 0])
      for (const row of vectors.flat()) {
        expect(row).toBeInstanceOf(Float32Array)
        expect(row.length).toBe(embedder.dimensions)
        expect(row.every(Number.isFinite)).toBe(true)
      }
      const [tea, car] = [vectors[0]?.[1], vectors[0]?.[0]]
      expect(cosine(tea, vectors[1]?.[0])).toBeGreaterThan(cosine(car, vectors[1]?.[0]))
      expect(cosine(vectors[0]?.[0], vectors[0]?.[2])).toBeLessThan(0.9)
      expect(await embedder.embedDocuments([])).toEqual([])
    })

    it('brings a question near to what it asks about', async () => {
      const embedder = await (await prepare())()
      const question = await embedder.embedQuery('tea')
      expect(question.length).toBe(embedder.dimensions)
      const [rows = []] = await embedder.embedDocuments([document('', 'tea', 'car')])
      expect(cosine(question, rows[0])).toBeGreaterThan(cosine(question, rows[1]))
    })

    it('says the same of the same text, and has one id as long as it does', async () => {
      const open = await prepare()
      const [one, two] = [await open(), await open()]
      expect(one.id).toBe(two.id)
      const texts = [document('Tea', 'tea car', 'doctor')]
      expect(await one.embedDocuments(texts)).toEqual(await two.embedDocuments(texts))
      expect(await one.embedQuery('tea')).toEqual(await two.embedQuery('tea'))
    })

    it('stops when nobody waits any more', async () => {
      const embedder = await (await prepare())()
      const signal = AbortSignal.abort()
      const work = embedder.embedDocuments([document('', 'car')], { signal })
      await expect(work).rejects.toThrow()
    })
  })
}

export function document(title: string, ...texts: string[]): EmbeddableDocument {
  return { title, passages: texts.map((text) => ({ text, headingPath: [] })) }
}

function cosine(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, each, at) => sum + each * (y[at] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
