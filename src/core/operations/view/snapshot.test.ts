/** A call looks at the stamps once, and never answers from before it began. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { lookAgain, lookAtAllAgain, withOneSnapshot, stampsOf } from './snapshot.ts'

// A look holds for a moment: here that moment lasts.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

it('asks the store once for everything that one call needs', async () => {
  const { store, call } = await openTestBase({
    'tea.md': '# Tea\n\nNeeds a [[kettle]].\n',
    'kettle.md': '# Kettle\n\nBoils water for tea.\n',
  })
  const asked = vi.spyOn(store, 'stamps')
  const looksOf = async (tool: string, args: object): Promise<number> => {
    asked.mockClear()
    await call(tool, args)
    return asked.mock.calls.length
  }
  for (const round of ['first', 'second']) {
    expect(await looksOf('search', { query: `water ${round}` })).toBe(1)
    expect(await looksOf('neighbors', { id: 'tea.md' })).toBeLessThanOrEqual(1)
  }
  await call('write', { action: 'create', id: 'cup.md', content: 'A cup for porcelain.' })
  expect((await call('search', { query: 'porcelain' })).results).toHaveLength(1)
})

it('looks again outside of a call, after a failure, and when told to', async () => {
  const stamps = { epoch: 'e', generation: 1, graph: 1, vectors: 1 }
  const ask = vi.fn(async () => stamps)
  const store = { stamps: ask }
  await stampsOf(store)
  await stampsOf(store)
  expect(ask).toHaveBeenCalledTimes(2)
  await withOneSnapshot(async () => {
    ask.mockRejectedValueOnce(new Error('gone'))
    await expect(stampsOf(store)).rejects.toThrow('gone')
    expect(await stampsOf(store)).toEqual(stamps)
    await stampsOf(store)
    expect(ask).toHaveBeenCalledTimes(4)
    lookAgain(store)
    await stampsOf(store)
    expect(ask).toHaveBeenCalledTimes(5)
    lookAtAllAgain()
    await stampsOf(store)
    await stampsOf(store)
    expect(ask).toHaveBeenCalledTimes(6)
  })
})
