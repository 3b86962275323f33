import { expect, it } from 'vitest'
import type { Embedder } from '../models/embedder.ts'
import { measureBaseline } from './measure-baseline.ts'

/** Letters counted, on top of a part that all texts share. */
function lettersOf(shared: number): Embedder {
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float32Array(27)
    for (const letter of text.toLowerCase()) vector[letter.charCodeAt(0) - 97]! += 1
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
  expect(await measureBaseline(lettersOf(1_000), {})).toBeCloseTo(1, 2)
  const few = await measureBaseline(lettersOf(0), {})
  expect(few).toBeLessThan(0.9)
  expect(await measureBaseline(lettersOf(0), {})).toBe(few)
})

it('is never negative, also of an embedder that says nothing', async () => {
  const silent: Embedder = {
    id: 'silent',
    dimensions: 2,
    embedDocuments: async (documents) => documents.map(() => [new Float32Array(2)]),
    embedQuery: async () => new Float32Array(2),
  }
  expect(await measureBaseline(silent, {})).toBe(0)
})
