/** The index against the obvious scorer, whatever the history of the segments. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../test/search/random.ts'
import { docSet, makeDocument, TestBase } from '../../../test/search/test-base.ts'
import { naiveSearch } from '../../../test/search/naive-search.ts'

describe('against the naive scorer', () => {
  const vocabulary = ['tea', 'kettle', 'water', 'brew', 'the', 'pot', 'getUserById', 'snake_case']
  const word = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...vocabulary) },
    { weight: 1, arbitrary: fc.constantFrom('user', 'case', 'rare', '東京都', '1.2.3', 'Brewing') },
  )
  const sentence = fc.array(word, { maxLength: 14 }).map((words) => words.join(' '))
  const section = fc.record({ heading: sentence, body: sentence })
  const content = fc.record({
    title: sentence,
    aliases: fc.array(sentence, { maxLength: 2 }),
    tags: fc.array(word, { maxLength: 2 }),
    sections: fc.array(section, { maxLength: 4 }),
  })
  /** A history: writes of documents by number, in batches that become segments, some merged. */
  const history = fc.array(
    fc.record({
      writes: fc.array(fc.record({ doc: fc.nat(12), content }), { minLength: 1, maxLength: 8 }),
      removes: fc.array(fc.nat(12), { maxLength: 2 }),
      merge: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  const weights = fc.record({
    title: fc.constantFrom(0.5, 2, 5),
    body: fc.constantFrom(0.5, 1),
    tags: fc.constantFrom(0, 3),
  })

  it('ranks and scores alike, whatever the history', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(sentence, { minLength: 1, maxLength: 3 }),
        weights,
        fc.integer({ min: 1, max: 15 }),
        fc.option(fc.uniqueArray(fc.nat(12)), { nil: undefined }),
        async (batches, queries, weights, limit, only) => {
          const base = new TestBase()
          const followed = await base.open()
          for (const batch of batches) {
            base.write(batch.writes.map(({ doc, content }) => makeDocument(doc, content)))
            for (const doc of batch.removes) base.remove(doc)
            if (batch.merge) await base.merge()
            await followed.setSegments(base.sources())
          }
          const index = await base.open()
          const rebuilt = await new TestBase([...base.live.values()]).open()
          const filter = only && docSet(only)
          for (const query of queries) {
            const options = { limit, weights, filter }
            const expected = naiveSearch([...base.live.values()], query, {
              limit,
              weights,
              filter: filter && ((doc) => filter.has(doc)),
            })
            const { hits } = await index.search(query, options)
            expect(hits.map((hit) => hit.doc)).toEqual(expected.map((hit) => hit.doc))
            hits.forEach((hit, i) => expectClose(hit.score, expected[i]!.score))
            // The history leaves no trace, to the last bit.
            expect((await rebuilt.search(query, options)).hits).toEqual(hits)
            expect((await followed.search(query, options)).hits).toEqual(hits)
          }
        },
      ),
      { numRuns: 150, endOnFailure: true },
    )
  })

  it('finds the best of thousands of documents over many blocks and windows', async () => {
    const random = randomNumbers(7)
    const words = Array.from({ length: 60 }, (_, i) => `w${i}x`)
    const sentenceOf = (length: number): string =>
      Array.from({ length }, () => words[Math.floor(random() ** 3 * words.length)]).join(' ')
    const documents = Array.from({ length: 3000 }, (_, doc) =>
      makeDocument(doc, {
        title: sentenceOf(2),
        aliases: [],
        tags: [],
        // The second segment's documents are longer, so averages differ from those of the first.
        sections: [
          { heading: sentenceOf(2), body: sentenceOf(5 + (doc % 40) + (doc < 1700 ? 0 : 90)) },
        ],
      }),
    )
    const base = new TestBase(documents.slice(0, 1700))
    base.write(documents.slice(1700))
    for (let doc = 0; doc < 3000; doc += 7) base.remove(doc)
    const index = await base.open()
    for (const query of ['w1x w30x w50x', 'w0x w1x w2x w59x', 'w20x w20x w3x', 'w45x']) {
      const { hits } = await index.search(query, { limit: 100 })
      const expected = naiveSearch([...base.live.values()], query, { limit: 100 })
      expect(hits.map((hit) => hit.doc)).toEqual(expected.map((hit) => hit.doc))
    }
  })
})

it('answers any query about any text without failing', async () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { maxLength: 4 }), anyText, async (texts, query) => {
      const documents = texts.map((text, doc) =>
        makeDocument(doc, {
          title: text,
          aliases: [text],
          tags: [text],
          sections: [{ heading: text, body: text }],
        }),
      )
      const index = await new TestBase(documents).open()
      const { hits } = await index.search(query, { limit: 5 })
      for (const hit of hits) expect(hit.score).toBeGreaterThan(0)
    }),
    { numRuns: 300, endOnFailure: true },
  )
})

function expectClose(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-6 * Math.abs(expected))
}
