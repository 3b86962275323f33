import { afterEach, expect, it, vi } from 'vitest'
import { keepYoungSpace } from './young-space.ts'

afterEach(() => vi.useRealTimers())

it('lets the space grow while it is small, and whenever it was made small again', () => {
  vi.useFakeTimers()
  const factors: number[] = []
  const sizes = [1, 1, 4, 8, 16, 16, 1, 2, 8]
  const sizeOf = vi.fn(() => (sizes.shift() ?? 8) * 2 ** 20)
  keepYoungSpace((factor) => factors.push(factor), sizeOf)
  expect(factors).toEqual([2])
  vi.advanceTimersByTime(5_000)
  expect(sizeOf.mock.calls.length).toBeGreaterThan(9)
  expect(factors).toEqual([2, 1, 2, 1])
})

it('knows how large the space is', () => {
  vi.useFakeTimers()
  const factors: number[] = []
  keepYoungSpace((factor) => factors.push(factor))
  expect([[1], [2]]).toContainEqual(factors)
})
