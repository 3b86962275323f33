/**
 * Nobody is kept waiting by what somebody else sends. Texts and calls are generated: see
 * `hostile-texts.ts` and `hostile-calls.ts`. The bound is coarse, because tests run on busy
 * machines: it is passed by what takes the square of a length and by nothing else.
 * `bench/waits.ts` makes all the calls, and holds each to 100 ms.
 */
import { beforeAll, afterAll, expect, it } from 'vitest'
import { hostileBase, SMALL } from './hostile-base.ts'
import { hostileTexts } from './hostile-texts.ts'
import { measureWaits } from './measure-waits.ts'
import { startVictim } from './start-victim.ts'
import type { Victim } from './start-victim.ts'

/** A prime, so that the calls that are made meet every text and every argument in turn. */
const EVERY = Number(process.env['TEST_EVERY'] ?? 211)
const LENGTH = 64 * 1024
/** Quadratic in 64 KB are four thousand million steps. */
const COARSE_MS = 1_000

let victim: Victim
beforeAll(async () => {
  victim = await startVictim(hostileBase(SMALL))
}, 600_000)
afterAll(() => victim.close())

it('answers a second client whatever the first one sends', { timeout: 600_000 }, async () => {
  const waits = await measureWaits({
    ...victim,
    texts: hostileTexts(LENGTH),
    doubtMs: COARSE_MS,
    picks: (index) => index % EVERY === 0,
  })
  const [longest] = waits
  console.log(
    `${waits.length} calls; the longest wait: ${longest!.waitMs.toFixed(0)} ms (${longest!.name})`,
  )
  expect(waits.filter(({ waitMs }) => waitMs > COARSE_MS)).toEqual([])
  expect(waits.length).toBeGreaterThan(100)
})
