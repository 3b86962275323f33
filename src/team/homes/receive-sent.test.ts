/** What another server has sent is carried out once, whatever became of the document since. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBase } from '../../../test/support/open-test-base.ts'
import type { SentChange } from './homes.ts'
import { newOperationId } from '../../core/history/open-history.ts'
import { receiveSent } from './receive-sent.ts'

function creating(path: string): SentChange {
  const edit = { source: 'notes', path, before: undefined, after: Buffer.from('Dear diary.\n') }
  return { id: newOperationId(Date.now()), kind: 'create', by: {}, edits: [edit] }
}

it('says how a change ended that is in the history already, also of a note that is private by now', async () => {
  const { folder, kb, sync, call } = await openTestBase({ 'tea.md': '# Tea\n' })
  const sent = creating('diary.md')
  const done = { kind: 'done', warnings: [] }
  expect(await receiveSent(kb, sent)).toEqual(done)
  expect(await receiveSent(kb, sent)).toEqual(done)

  const own = '---\ncairn: private\n---\nMine.\n'
  writeFileSync(join(folder, 'diary.md'), own)
  await sync()
  expect((await call('history'))['operations']).toEqual([])
  expect(await receiveSent(kb, sent)).toEqual(done)
  expect(readFileSync(join(folder, 'diary.md'), 'utf8')).toBe(own)
})

it('does not ask for all paths of the base to find out', async () => {
  const { kb, store } = await openTestBase({ 'tea.md': '# Tea\n', 'cup.md': 'Cup\n' })
  let asked = 0
  const { pathOrder } = store
  Object.assign(store, { pathOrder: async () => (asked++, pathOrder.call(store)) })
  for (const path of ['a.md', 'b.md', 'c.md']) {
    expect(await receiveSent(kb, creating(path))).toMatchObject({ kind: 'done' })
  }
  expect(asked).toBe(0)
})
