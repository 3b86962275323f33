/** Following what came and went gives the order that reading all paths gives. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { comparePlaces } from '../../domain/compare-places.ts'
import type { DocNo, Place } from '../../domain/document.ts'
import { followPathOrder } from './follow-order.ts'
import { pathOrderOf } from './link-graph.ts'

function inOrder(paths: ReadonlyMap<DocNo, Place>): Uint32Array {
  const all = [...paths].toSorted(([, a], [, b]) => comparePlaces(a, b))
  return Uint32Array.from(all.map(([doc]) => doc))
}

const documents = fc.uniqueArray(fc.nat(300), { maxLength: 150 })

it('puts new documents where they belong and leaves out those that went', async () => {
  const cases = fc.asyncProperty(documents, documents, documents, async (had, went, came) => {
    const place = (doc: DocNo, name = doc): Place => ({
      source: 'notes',
      path: `${name % 97}/${name}`,
    })
    const before = new Map(had.map((doc) => [doc, place(doc)]))
    const after = new Map(before)
    for (const doc of went) after.delete(doc)
    // Some are new, and some get another path under the number that they had.
    for (const doc of came) after.set(doc, place(doc, doc + 1_000))
    const store = {
      changesSince: async () => ({
        generation: 2,
        put: [],
        removed: [],
        unnamed: false,
        listChanged: true,
        putDocs: came,
        goneDocs: went.filter((doc) => !came.includes(doc)),
        relinkedDocs: [],
      }),
      paths: async (nos: readonly DocNo[]) =>
        nos.map((no) => after.get(no) ?? { source: '', path: '' }),
    }
    const known = pathOrderOf(inOrder(before))
    const followed = await followPathOrder(store, known, 1)
    expect(followed?.docs).toEqual(inOrder(after))
    for (const [rank, doc] of inOrder(after).entries()) expect(followed!.rank(doc)).toBe(rank)
  })
  await fc.assert(cases, { numRuns: 60 })
})
