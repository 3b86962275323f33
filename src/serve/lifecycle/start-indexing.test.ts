import { expect, it, onTestFinished } from 'vitest'
import { configOf } from '../../../test/support/serve-folder.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Store } from '../../core/store/store.ts'
import { openStore } from '../parts/stores.ts'
import { PROGRESS_KEY } from './keep-current.ts'
import { startIndexing } from './start-indexing.ts'

/** A base that was complete, as if it had so many documents, whose first question never comes. */
async function starting(documents: number, answered: Promise<void>) {
  const config = await configOf(temporaryFolder({ 'a.md': 'x' }))
  const { store } = await openStore(config)
  await store.putMeta(PROGRESS_KEY, JSON.stringify({ phase: 'done', done: 0, total: 0 }))
  const counted: Store = {
    ...store,
    list: async (...args) => ({ ...(await store.list(...args)), total: documents }),
  }
  const indexing = startIndexing({
    config,
    store: counted,
    onWarning: () => {},
    answered,
    patienceMs: 2 ** 30,
  })
  onTestFinished(async () => {
    await indexing.close()
    await store.close()
  })
  return indexing
}

it('looks through a large base behind the first answer, and through a small one at once', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const large = await starting(10_001, answered)
  const small = await starting(10_000, answered)
  await small.caughtUp
  expect([large.leads(), large.catchingUp()?.wasComplete]).toEqual([false, true])
  resolve()
  await large.caughtUp
  expect(large.leads()).toBe(true)
})

it('looks at what was changed without waiting for a question', async () => {
  const indexing = await starting(10_001, new Promise(() => {}))
  indexing.noticeChange('notes', 'a.md')
  await indexing.caughtUp
  expect(indexing.leads()).toBe(true)
})

it('ends where nothing was ever begun', async () => {
  const indexing = await starting(10_001, new Promise(() => {}))
  await indexing.close()
  await indexing.caughtUp
  expect(indexing.leads()).toBe(false)
})
