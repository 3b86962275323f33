/** One change costs as much in a large base as in a small one: only what changed is asked for. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openTestBase } from '../../../../test/support/open-test-base.ts'
import { indexedNames } from './indexed-names.ts'

it('follows what comes, goes and moves without reading all paths again', async () => {
  const { folder, store, sync, call } = await openTestBase({ 'tea.md': '# Tea\n', 'cup.md': 'Cup' })
  const [pathOrder, paths] = [vi.fn(() => store.pathOrder()), vi.fn(store.paths)]
  const names = indexedNames({ ...store, pathOrder, paths })
  expect([...(await names.now())].toSorted()).toEqual(['notes/cup.md', 'notes/tea.md'])

  await call('write', { action: 'create', id: 'pot.md', content: 'Pot' })
  await call('write', { action: 'move', id: 'tea.md', to: 'drinks/tea.md' })
  expect([...(await names.now())].toSorted()).toEqual([
    'notes/cup.md',
    'notes/drinks/tea.md',
    'notes/pot.md',
  ])
  rmSync(join(folder, 'cup.md'))
  await sync()
  expect((await names.now()).has('notes/cup.md')).toBe(false)
  // Gone and back between two looks.
  rmSync(join(folder, 'pot.md'))
  await sync()
  writeFileSync(join(folder, 'pot.md'), 'Again')
  await sync()
  expect([...(await names.now())].toSorted()).toEqual(['notes/drinks/tea.md', 'notes/pot.md'])
  expect([pathOrder, paths].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it('reads them again where nobody can say what changed', async () => {
  const { store, call } = await openTestBase({ 'tea.md': '# Tea\n' })
  const names = indexedNames(store)
  expect((await names.now()).size).toBe(1)
  const told = await store.changesSince(0)
  vi.spyOn(store, 'changesSince').mockResolvedValue({ ...told, unnamed: true, put: [] })
  await call('write', { action: 'create', id: 'pot.md', content: 'Pot' })
  expect([...(await names.now())].toSorted()).toEqual(['notes/pot.md', 'notes/tea.md'])
})
