/** One write is one step of the index: what is kept in memory is thrown away once, not three times. */
import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

/** Written long before anybody looks: its time tells of every later save. */
function settle(file: string): void {
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(file, hourAgo, hourAgo)
}

it('raises the generation once, however often the watcher looks afterwards', async () => {
  const base = await openTestBase({ 'tea.md': 'Tea.\n', 'cup.md': 'Cup.\n' })
  const { generation } = await base.store.stamps()
  await base.call('write', { action: 'create', id: 'notes/kettle.md', content: 'Boil [[tea]].\n' })
  expect((await base.store.stamps()).generation).toBe(generation + 1)
  // A file that has just been written is looked at again: its time may not tell of the next save.
  const hinted = { only: { source: 'notes', paths: ['kettle.md'] } }
  await base.sync(hinted)
  await base.sync(hinted)
  await base.sync()
  expect((await base.store.stamps()).generation).toBe(generation + 1)
})

it('reads a settled file no more, and notices another time of the same text', async () => {
  const base = await openTestBase({ 'tea.md': 'Tea.\n' })
  const file = join(base.folder, 'tea.md')
  settle(file)
  await base.sync()
  const [known] = await base.store.files('notes')
  await base.sync({ only: { source: 'notes', paths: ['tea.md'] } })
  expect(await base.store.files('notes')).toEqual([known])
  const { generation } = await base.store.stamps()
  utimesSync(file, 1_000, 1_000)
  await base.sync()
  expect(await base.store.files('notes')).toMatchObject([{ modifiedAt: 1_000_000 }])
  expect((await base.store.stamps()).generation).toBe(generation + 1)
})

it('finds an edit that put size and time back, written in place or moved there', async () => {
  const base = await openTestBase({ 'tea.md': 'green\n', 'cup.md': 'large\n' })
  const at = (path: string) => join(base.folder, path)
  for (const path of ['tea.md', 'cup.md']) settle(at(path))
  await base.sync()
  const found = async (query: string) =>
    (await base.call('search', { query })).results.map(({ id }: { id: string }) => id)
  for (const path of ['tea.md', 'cup.md']) {
    const { atime, mtime, mtimeMs } = statSync(at(path))
    const text = path === 'tea.md' ? 'black\n' : 'small\n'
    if (path === 'tea.md') writeFileSync(at(path), text)
    else {
      writeFileSync(at('other'), text)
      renameSync(at('other'), at(path))
    }
    utimesSync(at(path), atime, mtime)
    expect(Math.abs(statSync(at(path)).mtimeMs - mtimeMs)).toBeLessThan(1)
  }
  await base.sync()
  expect(await found('black')).toEqual(['notes/tea.md'])
  expect(await found('small')).toEqual(['notes/cup.md'])
})
