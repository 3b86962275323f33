import { expect, it } from 'vitest'
import { FILE_BYTES, outlived, REPLACED_MS } from './replaced-segments.ts'

const MB = 1024 * 1024
const at = (id: number, replacedAt: number, bytes = 1) => ({ id, bytes, replacedAt })

it('keeps replaced segments for a minute, however large', () => {
  expect(outlived([], 0)).toEqual([])
  expect(outlived([at(1, 0), at(2, 10)], REPLACED_MS)).toEqual([1])
  expect(outlived([at(1, 0, 900 * MB), at(2, 1, 900 * MB)], REPLACED_MS - 1)).toEqual([])
})

it('keeps no more of them in a file than a reader may need', () => {
  const room = { mostBytes: FILE_BYTES }
  const several = [at(1, 0, 2 * MB), at(2, 1, 2 * MB), at(3, 2, 1 * MB)]
  expect(outlived(several, 5, room)).toEqual([1])
  expect(outlived([at(1, 0, 10 * MB)], 1, room)).toEqual([1])
})

it('spares the last merge until the next one', () => {
  const room = { mostBytes: FILE_BYTES, sparesLast: true }
  const several = [at(1, 0, 2 * MB), at(2, 7, 20 * MB), at(3, 7, 10 * MB)]
  expect(outlived(several, 8, room)).toEqual([1])
  expect(outlived(several, 7 + REPLACED_MS, room)).toEqual([3, 2, 1])
})
