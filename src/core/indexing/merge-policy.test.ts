import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SegmentRecord } from '../store/store.ts'
import { pickMerge } from './merge-policy.ts'

const segment = (id: number, docs: number, deleted = 0, bytes = docs * 100): SegmentRecord => ({
  id,
  docs,
  bytes,
  deleted: Uint32Array.from({ length: deleted }, (_, index) => index),
})

it('leaves a tidy index alone', () => {
  expect(pickMerge([])).toBeUndefined()
  expect(pickMerge([segment(1, 4000), segment(2, 4000), segment(3, 1)])).toBeUndefined()
})

it('merges eight of a size, and takes smaller ones along', () => {
  const ones = Array.from({ length: 8 }, (_, index) => segment(index + 2, 1))
  expect(pickMerge([segment(1, 4000), ...ones])).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  const tens = Array.from({ length: 8 }, (_, index) => segment(index + 20, 10))
  expect(pickMerge([segment(1, 1), ...tens])).toEqual([1, 20, 21, 22, 23, 24, 25, 26, 27])
})

it('rewrites a segment that is mostly gone', () => {
  expect(pickMerge([segment(1, 100, 30)])).toEqual([1])
  expect(pickMerge([segment(1, 100_000, 3_000)])).toEqual([1])
})

it('comes to rest, with few segments, whatever the history of sizes', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 200 })
  fc.assert(
    fc.property(sizes, (history) => {
      let id = 0
      let segments: SegmentRecord[] = []
      for (const docs of history) {
        segments = [...segments, segment(++id, docs)]
        for (let round = 0; round < 10; round++) {
          const picked = pickMerge(segments)
          if (!picked) break
          const merged = segments.filter((each) => picked.includes(each.id))
          const total = merged.reduce((sum, each) => sum + each.docs, 0)
          segments = [...segments.filter((each) => !merged.includes(each)), segment(++id, total)]
        }
        expect(pickMerge(segments)).toBeUndefined()
        expect(segments.length).toBeLessThan(50)
      }
    }),
    { numRuns: 20 },
  )
})
