import { expect, it } from 'vitest'
import type { Embedder } from '../models/embedder.ts'
import { measureSimilarities } from './measure-similarities.ts'

/** Long words counted by their first letters, on top of a part that all texts share. */
function wordsOf(shared: number): Embedder {
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float32Array(27)
    for (const [word] of text.toLowerCase().matchAll(/[a-z]{4,}/g)) {
      vector[word.charCodeAt(0) - 97]! += 1
    }
    vector[26] = shared
    return vector
  }
  return {
    id: 'letters',
    dimensions: 27,
    embedDocuments: async (documents) =>
      documents.map(({ passages }) => passages.map(({ text }) => vectorOf(text))),
    embedQuery: async (text) => vectorOf(text),
  }
}

it('finds out from where the cosines of a model begin', async () => {
  const { related, unrelated } = await measureSimilarities(wordsOf(1_000), {})
  expect(unrelated).toBeCloseTo(1, 2)
  expect(related).toBeCloseTo(1, 2)
  const few = await measureSimilarities(wordsOf(0), {})
  expect(few.unrelated).toBeLessThan(0.5)
  expect(await measureSimilarities(wordsOf(0), {})).toEqual(few)
})

it('is nothing for an embedder that says nothing', async () => {
  const silent: Embedder = {
    id: 'silent',
    dimensions: 2,
    embedDocuments: async (documents) => documents.map(() => [new Float32Array(2)]),
    embedQuery: async () => new Float32Array(2),
  }
  expect(await measureSimilarities(silent, {})).toEqual({ related: 0, unrelated: 0 })
})
