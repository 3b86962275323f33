import { expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import { openIndex } from './open-index.ts'

it('asks again after a failure, instead of repeating it until something changes', async () => {
  let failures = 2
  const store = {
    stamps: async () => ({ epoch: '', generation: 1, graph: 1, vectors: 1 }),
    pathOrder: async () => {
      if (failures-- > 0) throw new Error('busy')
      return Uint32Array.of(0, 1)
    },
    edges: async () => ({
      from: Uint32Array.of(0),
      to: Uint32Array.of(1),
      type: Uint8Array.of(0),
      types: [{ kind: 'wiki' }],
    }),
  } as unknown as Store
  const index = openIndex(store, async () => undefined)
  await expect((await index.look()).links()).rejects.toThrow('busy')
  await expect((await index.look()).pathOrder()).rejects.toThrow('busy')
  const moment = await index.look()
  expect((await moment.links()).docs).toHaveLength(2)
  expect((await moment.pathOrder()).rank(1)).toBe(1)
})
