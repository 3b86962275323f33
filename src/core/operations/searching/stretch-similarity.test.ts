/** Stretches of documents, compared by the vectors that their passages were indexed with. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSmallBase } from '../../../../test/support/open-small-base.ts'
import type { Embedder } from '../../models/embedder.ts'
import { createVectorIndex } from '../../search/vectors/vector-index.ts'
import { chunksOf, readDocuments } from '../reading/read-document.ts'
import { stretchSimilarity } from './stretch-similarity.ts'

const part = (word: string): string => `## ${word}\n\n${`All about ${word}. `.repeat(120)}\n\n`

it('is that of the passages it shows, each by its share', async () => {
  const { kb, folder } = await openSmallBase({ 'two.md': `${part('tea')}${part('coffee')}` })
  const { documents } = await kb.store.list({}, 'path', { offset: 0, limit: 1 })
  const docs = documents.map(({ no }) => no)
  const [live] = await readDocuments(kb, docs)
  const chunks = (await chunksOf(kb, [live!])).get(live!)!
  expect(chunks.length).toBeGreaterThan(1)
  const vectors = createVectorIndex({ dimensions: 2 })
  vectors.setRows(
    docs[0]!,
    chunks.map((_, at) => Float32Array.of(Number(at === 0), Number(at > 0))),
  )
  const asked: string[] = []
  // Only the question is embedded: whoever asks for a document's vector gets an error.
  const embedder = {
    async embedQuery(text: string) {
      asked.push(text)
      return Float32Array.of(1, 0)
    },
  } as Embedder
  const look = async () => ({
    ...(await kb.index.look()),
    meaning: async () => ({ embedder, vectors }),
  })
  const view = { ...kb, index: { ...kb.index, look } }
  const compared = await stretchSimilarity(view, 'tea', [live!])
  const { start, end } = chunks[0]!
  expect(compared(live!, start, end)).toBeCloseTo(1, 2)
  expect(compared(live!, end, live!.text.length)).toBeCloseTo(0, 2)
  expect(compared(live!, end - 100, chunks[1]!.start + 100)).toBeCloseTo(0.5, 2)
  expect(asked).toEqual(['tea'])

  // Vectors of an older text say nothing of what stands there now.
  writeFileSync(join(folder, 'two.md'), 'Nothing but tea.\n')
  const [changed] = await readDocuments(kb, docs)
  const words = await stretchSimilarity(view, 'tea', [changed!])
  expect(words(changed!, 0, 16)).toBeCloseTo(0.5, 6)
  const without = await stretchSimilarity(kb, 'coffee', [changed!])
  expect(without(changed!, 0, 16)).toBe(0)
})
