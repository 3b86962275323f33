/** The index may be taken away from under a running server at any time. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { cairnJson } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { openSession } from '../support/stdio-session.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

it('goes on with a new index when the old one is deleted or replaced', async () => {
  const folder = temporaryFolder({ 'a.md': '# A\n\nAn aardvark.\n', 'b.md': '# B\n\nA badger.\n' })
  const state = temporaryFolder()
  const session = await openSession([`notes=${folder}`, '--state', state])
  await session.caughtUp()
  expect(await session.found('badger')).toEqual(['notes/b.md'])

  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(state, `index.db${suffix}`), { force: true })
  writeFiles(folder, { 'c.md': '# C\n\nA capybara.\n' })
  await vi.waitFor(
    async () => expect(await session.found('capybara')).toEqual(['notes/c.md']),
    SOON,
  )
  await vi.waitFor(async () => expect(await session.found('badger')).toEqual(['notes/b.md']), SOON)

  writeFileSync(join(folder, 'b.md'), '# B\n\nA beaver.\n')
  await vi.waitFor(async () => expect(await session.found('beaver')).toEqual(['notes/b.md']), SOON)
  expect(await session.found('badger')).toEqual([])
})

it('says that it may be behind as long as a new index does not know every file', async () => {
  const folder = temporaryFolder({ 'b.md': '# B\n\nA badger.\n' })
  const state = temporaryFolder()
  const session = await openSession([`notes=${folder}`, '--state', state])
  await session.caughtUp()
  const ask = async () => {
    const { results, indexing } = await session.call('search', {
      query: 'badger',
      mode: 'lexical',
    })
    return { found: results?.length ?? 0, indexing }
  }
  expect(await ask()).toEqual({ found: 1, indexing: undefined })
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(state, `index.db${suffix}`), { force: true })
  const silent: unknown[] = []
  await vi.waitFor(async () => {
    const answer = await ask()
    if (answer.found === 0 && answer.indexing === undefined) silent.push(answer)
    expect(answer).toEqual({ found: 1, indexing: undefined })
  }, SOON)
  expect(silent).toEqual([])
})

it('keeps the index of one folder apart from that of the folder and others', async () => {
  const [one, two] = [
    temporaryFolder({ 'a.md': 'aardvark' }),
    temporaryFolder({ 'b.md': 'badger' }),
  ]
  const state = ['--state', temporaryFolder()]
  const both = [`one=${one}`, `two=${two}`, ...state]
  await cairnJson(['index', ...both])
  await cairnJson(['index', `one=${one}`, ...state])
  const report = await cairnJson(['index', ...both])
  expect(report).toMatchObject({ indexed: 0, documents: 2 })
})

it('never shows what its own rules leave out, whoever built an index of it before', async () => {
  const folder = temporaryFolder({ 'a.md': 'aardvark', 'private/b.md': 'badger [[a]]' })
  const state = temporaryFolder()
  const wide = [`notes=${folder}`, '--state', state]
  const narrow = temporaryFolder({
    'cairn.yaml': `state: ${state}\nsources: [{ name: notes, path: ${folder}, exclude: [private/**] }]\n`,
  })
  // A server with wider rules leads all the time.
  const leader = await openSession(wide)
  await leader.caughtUp()
  expect(await leader.found('badger')).toEqual(['notes/private/b.md'])
  const other = await openSession(['--config', join(narrow, 'cairn.yaml')])
  await other.caughtUp()
  expect(await other.found('aardvark')).toEqual(['notes/a.md'])
  expect(await other.found('badger')).toEqual([])
  expect(await leader.found('badger')).toEqual(['notes/private/b.md'])
  // Nor what somebody else did to it, and it cannot be taken back from here.
  const { operation } = await leader.call('write', {
    action: 'append',
    id: 'notes/private/b.md',
    content: 'More.',
  })
  expect((await leader.call('history')).operations).toHaveLength(1)
  expect((await other.call('history')).operations).toEqual([])
  for (const id of [undefined, operation, 'notes/private/b.md']) {
    const { error } = await other.call('history', { action: 'undo', id })
    expect(error?.code).toBe('not_found')
  }
  expect(readFileSync(join(folder, 'private/b.md'), 'utf8')).toContain('More.')
  const { resources } = await other.request('resources/list')
  expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual(['kb://notes/a.md'])
})

it('keeps several bases in one state folder apart', async () => {
  const [one, two] = [
    temporaryFolder({ 'a.md': 'aardvark' }),
    temporaryFolder({ 'b.md': 'badger' }),
  ]
  const state = temporaryFolder()
  const base = (folder: string) => [`notes=${folder}`, '--state', state]
  for (const folder of [one, two, one]) await cairnJson(['index', ...base(folder)])
  expect(await cairnJson(['index', ...base(two)])).toMatchObject({ indexed: 0, documents: 1 })
  const found = async (folder: string, query: string) =>
    (await cairnJson(['search', query, '--folder', ...base(folder)])).results.map(
      ({ id }: { id: string }) => id,
    )
  // A word of one and a word of the other: each base knows one of them.
  expect(await found(one, 'aardvark badger')).toEqual(['notes/a.md'])
  expect(await found(two, 'aardvark badger')).toEqual(['notes/b.md'])
  expect(readdirSync(join(state, 'bases'))).toHaveLength(1)
})
