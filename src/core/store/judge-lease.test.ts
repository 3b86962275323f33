import { expect, it } from 'vitest'
import { leaseJudge } from './judge-lease.ts'

const HOUR_MS = 3_600_000

/** A lease of 15 seconds taken at noon by a host whose clock is off. */
function lease(offMs: number) {
  const owner = '1@elsewhere:a'
  return { owner, fence: 1, ttlMs: 15_000, expiresAt: NOON + offMs + 15_000 }
}

const NOON = 43_200_000

function judgeAt() {
  let passed = 0
  const judge = leaseJudge({ now: () => NOON + passed, steady: () => passed })
  return { judge, pass: (ms: number) => (passed += ms) }
}

it('lets a lease run out by the clock', () => {
  const { judge, pass } = judgeAt()
  expect(judge(lease(0))).toBe(false)
  pass(15_000)
  expect(judge(lease(0))).toBe(true)
})

it('does not wait a day for a host whose clock is a day ahead', () => {
  const { judge, pass } = judgeAt()
  const held = lease(24 * HOUR_MS)
  expect(judge(held)).toBe(false)
  pass(14_999)
  expect(judge(held)).toBe(false)
  pass(1)
  expect(judge(held)).toBe(true)
})

it('leaves a lease alone that is renewed, whatever the clocks say', () => {
  const { judge, pass } = judgeAt()
  for (let renewed = 0; renewed < 100; renewed++) {
    expect(judge(lease(HOUR_MS + renewed * 3_000))).toBe(false)
    pass(3_000)
  }
})

it('takes the lease of a process of this machine that has gone', async () => {
  const { hostname } = await import('node:os')
  const { judge } = judgeAt()
  // No system gives out numbers as large as this.
  expect(judge({ ...lease(0), owner: `2147483646@${hostname()}:x` })).toBe(true)
  expect(judge({ ...lease(0), owner: `${process.pid}@${hostname()}:x` })).toBe(false)
})
