import { expect, it } from 'vitest'
import type { DocNo } from '../domain/document.ts'
import { documentsWithoutVectors } from './documents-without-vectors.ts'

/** A store that is asked for what has no vectors, and counts how often. */
function emptyStore(documents: number) {
  const missing = new Set(Array.from({ length: documents }, (_, place) => place as DocNo))
  const store = {
    asked: 0,
    withoutVectors: async () => {
      store.asked++
      return [...missing]
    },
  }
  return { store, missing }
}

it('asks once for all documents, and once more for those that came meanwhile', async () => {
  const { store, missing } = emptyStore(1_000)
  const sizes: number[] = []
  for await (const batch of documentsWithoutVectors(store, 'e', 64, new Set())) {
    sizes.push(batch.length)
    for (const doc of batch) missing.delete(doc)
    if (sizes.length === 3) missing.add(1_000 as DocNo)
  }
  expect(sizes).toEqual([...Array.from({ length: 15 }, () => 64), 40, 1])
  expect(store.asked).toBe(3)
})

it('ends when only those are missing that were left', async () => {
  const { store, missing } = emptyStore(5)
  const left = new Set<DocNo>()
  const given: DocNo[] = []
  for await (const batch of documentsWithoutVectors(store, 'e', 2, left)) {
    given.push(...batch)
    for (const doc of batch) {
      if (doc % 2) left.add(doc)
      else missing.delete(doc)
    }
  }
  expect(given).toEqual([0, 1, 2, 3, 4])
  expect(store.asked).toBe(2)
})
