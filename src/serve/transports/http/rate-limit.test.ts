import { expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

it('lets each caller ask so often a minute, whatever others do', () => {
  const clock = { at: 0 }
  const limit = createRateLimit(60, () => clock.at)
  for (let n = 0; n < 60; n++) expect(limit.waitSeconds('ann')).toBe(0)
  expect(limit.waitSeconds('ann')).toBe(1)
  expect(limit.waitSeconds('bob')).toBe(0)
  clock.at += 2_000
  expect([1, 2, 3].map(() => limit.waitSeconds('ann'))).toEqual([0, 0, 1])
  clock.at += 3_600_000
  for (let n = 0; n < 60; n++) expect(limit.waitSeconds('ann')).toBe(0)
  expect(limit.waitSeconds('ann')).toBe(1)
})
