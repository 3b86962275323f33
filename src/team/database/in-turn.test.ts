import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inTurn } from './in-turn.ts'

const LONG_MS = 600_000

it('does one after the other for a document, also after one that failed', async () => {
  const base = {}
  const done: number[] = []
  let atOnce = 0
  const work = async (no: number): Promise<number> => {
    expect(++atOnce).toBe(1)
    await turn()
    atOnce--
    done.push(no)
    if (no === 1) throw new Error('refused')
    return no
  }
  const all = [0, 1, 2, 3].map((no) => inTurn(base, 'a', LONG_MS, () => work(no)))
  const ends = await Promise.allSettled(all)
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true])
  expect(done).toEqual([0, 1, 2, 3])
})

it('waits for nobody at another document or base, and not for ever', async () => {
  const [base, never] = [{}, Promise.withResolvers<void>()]
  const first = inTurn(base, 'a', LONG_MS, () => never.promise)
  expect(await inTurn(base, 'b', LONG_MS, async () => 'b')).toBe('b')
  expect(await inTurn({}, 'a', LONG_MS, async () => 'other')).toBe('other')
  expect(await inTurn(base, 'a', 5, async () => 'late')).toBe('late')
  never.resolve()
  await first
  expect(await inTurn(base, 'a', LONG_MS, async () => 'next')).toBe('next')
})
