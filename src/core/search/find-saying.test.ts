/** Phrases by the lists of the index are those that one finds by reading. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeDocument, TestBase } from '../../../test/search/test-base.ts'

const word = fc.constantFrom('tea', 'kettle', 'of', 'water', 'pot', 'running')
const words = (maxLength: number) =>
  fc.array(word, { minLength: 1, maxLength }).map((all) => all.join(' '))

it('finds who else says the title of a document in its text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: words(3), body: words(12) }), { minLength: 2, maxLength: 9 }),
      fc.boolean(),
      async (documents, removes) => {
        const base = new TestBase()
        for (const [no, { title, body }] of documents.entries()) {
          const sections = [{ heading: '', body }]
          base.write([makeDocument(no + 1, { title, aliases: [], tags: [], sections })])
        }
        if (removes) base.remove(1)
        const living = [...documents.entries()].slice(removes ? 1 : 0)
        const index = await base.open()
        const said = await index.saying(living.map(([, { title }]) => ({ name: title, most: 100 })))
        const read = living.map(([, { title }]) =>
          living.flatMap(([no, { body }]) => (` ${body} `.includes(` ${title} `) ? [no + 1] : [])),
        )
        const others = (docs: readonly number[], at: number) =>
          docs.filter((doc) => doc !== living[at]![0] + 1).toSorted((a, b) => a - b)
        expect(said.map(others)).toEqual(read.map(others))
      },
    ),
    { numRuns: 100 },
  )
})

it('returns nobody for what more documents say, and for what nobody says', async () => {
  const base = new TestBase(
    ['Zia McCabe', 'One', 'Two'].map((title, no) =>
      makeDocument(no + 1, {
        title,
        aliases: [],
        tags: [],
        sections: [{ heading: '', body: no === 0 ? 'She plays.' : 'With Zia McCabe.' }],
      }),
    ),
  )
  const index = await base.open()
  const ask = async (name: string, most: number) => (await index.saying([{ name, most }]))[0]
  expect(await ask('Zia McCabe', 2)).toEqual([2, 3])
  expect(await ask('Zia McCabe', 1)).toEqual([])
  expect(await ask('Nobody Such', 9)).toEqual([])
  expect(await ask('', 9)).toEqual([])
})
