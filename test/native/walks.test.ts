/** `neighbors` of a day that is over, and `path` over names in prose, as a client sees them. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Caller } from '../../src/core/domain/caller.ts'
import { getNeighborsThen } from '../../src/core/operations/walking/neighbors-then.ts'
import { git } from '../duskmantle/open-duskmantle.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

async function openOld(files: Readonly<Record<string, string>>) {
  const base = await openTestBase(files)
  for (const name of Object.keys(files)) utimesSync(join(base.folder, name), day(1), day(1))
  await base.sync()
  return base
}

const rowsOf = ({ neighbors }: Record<string, any>): string[] =>
  neighbors.map(({ id, direction, hops, types }: any) =>
    [id, direction, hops, ...(types ?? [])].join(' '),
  )

it('follows the links of then, whatever was changed, moved, deleted or made since', async () => {
  const { call } = await openOld({
    'hub.md': '# Hub\n\n[[alpha]], works with [[beta]] and [[nobody]].\n',
    'alpha.md': '# Alpha\n\nSee [[gamma]].\n',
    'beta.md': '# Beta\n\nNothing.\n',
    'gamma.md': '# Gamma\n\nNothing.\n',
    'fan.md': '# Fan\n\n- likes [[hub]]\n',
  })
  const then = { id: 'hub', as_of: '2026-01-02' }
  const before = rowsOf(await call('neighbors', { id: 'hub', depth: 2 }))
  await call('write', { action: 'replace', id: 'hub', content: '# Hub\n\nOnly [[delta]].\n' })
  await call('write', { action: 'create', id: 'delta.md', content: '# Delta\n\n[[hub]]' })
  await call('delete', { id: 'beta' })
  await call('write', { action: 'move', id: 'gamma', to: 'old/gamma.md' })
  await call('write', { action: 'replace', id: 'fan', content: '# Fan\n\nOf nobody.\n' })
  expect(rowsOf(await call('neighbors', { id: 'hub' }))).toEqual(['notes/delta.md both 1'])
  const found = await call('neighbors', { ...then, depth: 2, as: 'graph' })
  expect(rowsOf(found)).toEqual(before.map((row) => row.replace('/gamma', '/old/gamma')))
  expect(found['unresolved_links']).toEqual(['nobody'])
  expect(found['note']).toContain('As of 2026-01-02')
  expect(found['edges']).toContainEqual({ from: 'notes/alpha.md', to: 'notes/old/gamma.md' })
  expect(rowsOf(await call('neighbors', { ...then, direction: 'in' }))).toEqual([
    'notes/fan.md in 1 LINKS_TO RELATES:likes',
  ])
  expect(rowsOf(await call('neighbors', { ...then, types: ['RELATES:likes'] }))).toEqual([
    'notes/fan.md in 1 RELATES:likes',
  ])
  // What is gone by now has its neighbours too, under the name that it had.
  expect(rowsOf(await call('neighbors', { id: 'beta', as_of: '2026-01-02' }))).toEqual([
    'notes/hub.md in 1',
  ])
  expect(
    (await call('neighbors', { id: 'delta', as_of: '2026-01-02' }))['error'].message,
  ).toContain('was not there')
  const first = await call('neighbors', { ...then, depth: 2, limit: 3 })
  const second = await call('neighbors', {
    ...then,
    depth: 2,
    limit: 3,
    cursor: first['next_cursor'],
  })
  expect([...rowsOf(first), ...rowsOf(second)]).toEqual(rowsOf(found))
})

it('finds the links of then in git, and leaves out what is dated later', async () => {
  const folder = temporaryFolder({
    'docs/hub.md': '# Hub\n\n[[alpha]] and [[later]]\n',
    'docs/alpha.md': '# Alpha\n',
    'docs/later.md': '---\ndate: 2026-01-20\n---\n# Later\n',
  })
  const docs = join(folder, 'docs')
  git(folder, ['init', '-q'])
  git(folder, ['add', '-A'])
  git(folder, ['commit', '-q', '-m', 'First'], day(1))
  writeFileSync(join(docs, 'hub.md'), '# Hub\n\n[[beta]]\n')
  writeFileSync(join(docs, 'beta.md'), '# Beta\n')
  rmSync(join(docs, 'alpha.md'))
  writeFileSync(join(docs, 'alpha.md'), '# Alpha\n\nHas been rewritten, see [[hub]].\n')
  git(folder, ['add', '-A'])
  git(folder, ['commit', '-q', '-m', 'Second'], day(5))
  const { call, sync } = await openTestBaseAt(docs)
  await sync()
  const then = await call('neighbors', { id: 'hub', as_of: '2026-01-02' })
  expect(rowsOf(then)).toEqual(['notes/alpha.md out 1'])
  expect(rowsOf(await call('neighbors', { id: 'hub' })).toSorted()).toEqual([
    'notes/alpha.md in 1',
    'notes/beta.md out 1',
  ])
})

it('refuses whom it may not tell, and what cannot be told', async () => {
  const { call, surface } = await openOld({ 'hub.md': '# Hub\n' })
  const refused = async (args: object, caller?: Caller) => {
    const context = { signal: new AbortController().signal, progress: () => {}, caller }
    return JSON.stringify(await surface.call('neighbors', { id: 'hub', ...args }, context as never))
  }
  const reader = { principal: 'ada', may: ['read'] } as const
  expect(await refused({ as_of: '2026-01-02' }, reader)).toContain('those who may change them')
  expect(await refused({ as_of: 'long ago' })).toContain('"invalid"')
  expect(await refused({ as_of: '2026-01-02', types: ['MENTIONS'] })).toContain(
    'do not go together',
  )
  const { neighbors } = await call('neighbors', { id: 'hub', as_of: '2026-01-02' })
  expect(neighbors).toEqual([])
})

const TOWNS = {
  'lamp.md': '# Lighthouse Keeper\n\nHe writes to Zia McCabe every day.\n',
  'zia.md': '# Zia McCabe\n\nA captain. Sails the [[boat]].\n',
  'boat.md': '# Grey Heron\n\nA boat.\n',
  'yard.md': '# Oslo Shipyard\n\nBuilt the Grey Heron, and much else.\n',
}

it('goes over names in prose where it is asked to, with the sentences', async () => {
  const { call } = await openTestBase(TOWNS)
  const none = await call('path', { from: 'lamp', to: 'yard' })
  expect(none).toEqual({ found: false, path: [] })
  const { path, length } = await call('path', { from: 'lamp', to: 'yard', mentions: true })
  expect(length).toBe(3)
  expect(path.map(({ id, via, types, line }: any) => [id, via, types, line])).toEqual([
    ['notes/lamp.md', undefined, undefined, undefined],
    ['notes/zia.md', 'out', ['MENTIONS'], 3],
    ['notes/boat.md', 'out', undefined, undefined],
    ['notes/yard.md', 'in', ['MENTIONS'], 3],
  ])
  expect(path[3].sentence).toBe('Built the Grey Heron, and much else.')
  const directed = { from: 'lamp', to: 'yard', mentions: true, directed: true }
  expect((await call('path', directed))['found']).toBe(false)
  expect((await call('path', { ...directed, to: 'boat' }))['length']).toBe(2)
  expect((await call('path', { ...directed, to: 'boat', max_hops: 1 }))['found']).toBe(false)
  expect((await call('path', { from: 'lamp', to: 'lamp', mentions: true }))['length']).toBe(0)
})

it('keeps to links where they are as short', async () => {
  const { call } = await openTestBase({
    ...TOWNS,
    'lamp.md': '# Lighthouse Keeper\n\nKnows [[harbour]], and Zia McCabe.\n',
    'harbour.md': '# Old Harbour\n\n[[boat]]\n',
  })
  const { path } = await call('path', { from: 'lamp', to: 'boat', mentions: true })
  expect(path.map(({ id }: any) => id)).toEqual([
    'notes/lamp.md',
    'notes/harbour.md',
    'notes/boat.md',
  ])
})

it('is given up at once when nobody waits, however many links there are', async () => {
  const many = Array.from({ length: 1_200 }, (_, at) => `n${at}`)
  const links = many.map((name) => `[[${name}]]`).join(' ')
  const base = await openOld({
    'hub.md': `# Hub\n\nNow: ${links}\n`,
    'before.md': `# Before\n\nold ${links}\n`,
    'was.md': '# Was called\n',
    'dead.md': many.map((name) => `[[Was ${name}]] [[Was called]]`).join(' '),
    ...Object.fromEntries(many.map((name) => [`${name}.md`, 'Text.\n'])),
  })
  await base.call('write', { action: 'find_replace', id: 'before', find: 'old', replace: 'new' })
  await base.call('write', { action: 'set_metadata', id: 'was', metadata: { title: 'Is called' } })
  const { store } = base.kb
  /** How much is asked of the index after the caller has gone, at the first question of a kind. */
  const askedAfter = async (id: string, first: 'named' | 'paths' | 'documents', calls: number) => {
    const gone = new AbortController()
    let asked = 0
    let seen = 0
    const spies = (['named', 'paths', 'documents', 'linksFrom', 'linksTo'] as const).map((name) => {
      const plain = store[name].bind(store) as (...args: readonly unknown[]) => unknown
      return vi.spyOn(store, name).mockImplementation(((...args: readonly unknown[]) => {
        const [some] = args
        if (gone.signal.aborted) asked += Array.isArray(some) ? some.length : 1
        if (name === first && ++seen === calls) gone.abort(new Error('nobody waits'))
        return plain(...args)
      }) as never)
    })
    const asking = { asOf: '2026-01-02', depth: 2, signal: gone.signal }
    await getNeighborsThen(base.kb, id, asking).catch(() => {})
    for (const spy of spies) spy.mockRestore()
    expect(gone.signal.aborted).toBe(true)
    return asked
  }
  // Links of a text of then, links that lead nowhere now, and what a note leads to.
  expect(await askedAfter('before', 'named', 100)).toBeLessThan(10)
  expect(await askedAfter('dead', 'paths', 3)).toBeLessThan(10)
  expect(await askedAfter('hub', 'documents', 6)).toBeLessThan(500)
})
