import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LONGEST_MS, stayAwake } from './stay-awake.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('says that it is at work only while the database waits for it', async () => {
  const answers: (() => void)[] = []
  const rows = vi.fn(() => new Promise<[]>((resolve) => answers.push(() => resolve([]))))
  const awake = stayAwake({ rows }, 1_000)
  const asked = awake.rows('SELECT 2')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(rows).toHaveBeenCalledTimes(1)
  answers[0]!()
  await asked
  await vi.advanceTimersByTimeAsync(1_000)
  expect(rows).toHaveBeenCalledTimes(2)
  expect(rows).toHaveBeenLastCalledWith('SELECT 1')
  awake.end()
  answers[1]!()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(rows).toHaveBeenCalledTimes(2)
})

it('falls silent in the end, and a failure of its own is nobody’s', async () => {
  const rows = vi.fn(() => Promise.reject(new Error('gone')))
  const awake = stayAwake({ rows }, 1_000)
  await vi.advanceTimersByTimeAsync(2 * LONGEST_MS)
  expect(rows).toHaveBeenCalledTimes(LONGEST_MS / 1_000)
  awake.end()
})
