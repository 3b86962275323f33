import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

it('gives back what nobody holds any longer, and the room that was made for it', () => {
  collectGarbage()
  const before = getHeapStatistics().total_heap_size
  let held: unknown = Array.from({ length: 500_000 }, (_, i) => ({ i, text: `note ${i}` }))
  const full = getHeapStatistics().total_heap_size
  expect(full - before).toBeGreaterThan(20_000_000)
  expect(Array.isArray(held)).toBe(true)
  held = undefined
  collectGarbage()
  expect(getHeapStatistics().total_heap_size - before).toBeLessThan((full - before) / 4)
})
