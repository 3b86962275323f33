import { expect, it } from 'vitest'
import type { Store } from '../../store/store.ts'
import { openIndexView } from './index-view.ts'

it('asks again after a failure, instead of repeating it until something changes', async () => {
  let failures = 2
  const store = {
    generation: async () => 1,
    graphStamp: async () => 1,
    pathOrder: async () => {
      if (failures-- > 0) throw new Error('busy')
      return Uint32Array.of(0, 1)
    },
    edges: async () => ({ from: Uint32Array.of(0), to: Uint32Array.of(1) }),
  } as unknown as Store
  const view = openIndexView(store, async () => undefined)
  await expect(view.links()).rejects.toThrow('busy')
  await expect(view.pathRank()).rejects.toThrow('busy')
  expect((await view.links()).docs).toHaveLength(2)
  expect((await view.pathRank())(1)).toBe(1)
})
