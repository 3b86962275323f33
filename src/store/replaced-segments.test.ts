import { expect, it } from 'vitest'
import { outlived, REPLACED_MS } from './replaced-segments.ts'

const MB = 1024 * 1024

it('keeps replaced segments for a minute, and no more of them than a reader may need', () => {
  const at = (id: number, replacedAt: number, bytes = 1) => ({ id, bytes, replacedAt })
  expect(outlived([], 0)).toEqual([])
  expect(outlived([at(1, 0), at(2, 10)], REPLACED_MS)).toEqual([1])
  expect(outlived([at(1, 0, 2 * MB), at(2, 1, 2 * MB), at(3, 2, 1 * MB)], 5)).toEqual([1])
  expect(outlived([at(1, 0, 10 * MB)], 1)).toEqual([1])
})
