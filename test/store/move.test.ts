/** A finished index is carried into a database and back, and answers as it did. */
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/serve/parts/stores.ts'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { startPglite } from '../support/pglite-server.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const QUESTIONS = ['code review', 'who is woken at night', 'tide forecast', 'queue is stuk']

it('carries an index over in both directions', { timeout: 600_000 }, async () => {
  const folder = temporaryFolder()
  cpSync(join(import.meta.dirname, '../../examples/handbook'), folder, { recursive: true })
  rmSync(join(folder, '.cairn'), { recursive: true, force: true })
  const database = await startPglite()
  onTestFinished(() => database.close())
  const url = `${database.url.replace('postgres@', 'postgres:secret@')}?base=moved`
  const places: Record<string, string>[] = [
    { state: join(temporaryFolder(), 'first') },
    { state: join(temporaryFolder(), 'second'), store: url },
    { state: join(temporaryFolder(), 'third') },
  ]
  const configOf = async (flags: Record<string, string>) =>
    (
      await loadConfig({
        folders: [folder],
        flags,
        configFile: undefined,
        env: {},
        cwd: folder,
        home: folder,
      })
    ).config
  const answersOf = async (flags: Record<string, string>) => {
    const base = await openBase(await configOf(flags))
    try {
      const answers = []
      for (const query of QUESTIONS) answers.push((await base.call('search', { query })).structured)
      answers.push((await base.call('history', {})).structured)
      const { documents, chunks, links, brokenLinks, tags } = await base.status()
      return { answers, counts: { documents, chunks, links, brokenLinks, tags } }
    } finally {
      await base.close()
    }
  }
  const changed = async (flags: Record<string, string>, tool: string, args: object) => {
    const base = await openBase(await configOf(flags))
    try {
      return (await base.call(tool, { ...args })).structured as Record<string, any>
    } finally {
      await base.close()
    }
  }
  const [first, second, third] = places as [
    Record<string, string>,
    Record<string, string>,
    Record<string, string>,
  ]
  await runCairn(folder, 'index', folder, '--state', first['state']!)
  const made = { action: 'create', id: 'made.md', content: '# Made\n' }
  const written = await changed(first, 'write', made)
  const before = await answersOf(first)
  expect(before.counts).toMatchObject({ documents: 34 })
  expect(JSON.stringify(before.answers)).toContain(written['operation'])

  const there = await runCairn(folder, 'move', folder, '--state', first['state']!, '--to', url)
  expect([there.code, there.out]).toEqual([0, expect.stringContaining('34 documents')])
  expect(there.out + there.err).not.toContain('secret')
  expect(await answersOf(second)).toEqual(before)

  const options = ['--state', second['state']!, '--store', url, '--to', third['state']!]
  const back = await runCairn(folder, 'move', folder, ...options)
  expect([back.code, back.err]).toEqual([0, ''])
  expect(await answersOf(third)).toEqual(before)
  const { store } = await openStore(await configOf(third))
  expect(await store.check()).toEqual([])
  await store.close()
  // Who goes on with a database instead brings the history along, once; nothing is mixed.
  const idsIn = async (base: string, state = first['state']!): Promise<string[]> => {
    const { operations } = await changed(
      { state, store: `${database.url}?base=${base}` },
      'history',
      {},
    )
    return operations.map(({ id }: { id: string }) => id)
  }
  for (let open = 0; open < 2; open++) expect(await idsIn('begun')).toEqual([written['operation']])
  const other = { state: join(temporaryFolder(), 'other'), store: `${database.url}?base=used` }
  const own = await changed(other, 'write', { ...made, id: 'own.md' })
  expect(await idsIn('used')).toEqual([own['operation']])
  const used = await openBase(await configOf({ ...other, ...first }))
  const { findings } = await used.doctor({ repair: false })
  await used.close()
  expect(JSON.stringify(findings)).toMatch(/history in .* is not in the database/)
  await changed(other, 'history', { action: 'undo' })

  // What was changed before can be undone where it is now.
  await changed(third, 'history', { action: 'undo' })
  expect(existsSync(join(folder, 'made.md'))).toBe(false)

  // What is there is never written over.
  const again = await runCairn(folder, 'move', folder, '--state', first['state']!, '--to', url)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('index already')])
  // The documents themselves would stay behind: no index is left without them.
  const shelf = ['--folder', 'db:notes', '--store', `${database.url}?base=shelf`]
  const left = join(temporaryFolder(), 'left')
  for (const to of [left, `${database.url}?base=elsewhere`]) {
    const refused = await runCairn(folder, 'move', ...shelf, '--to', to)
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toMatch(/db:notes.* only an index.*[^]*cairn export.*cairn backup/)
  }
  expect(existsSync(left)).toBe(false)

  const nowhere = await runCairn(folder, 'move', folder, '--to', 'postgres://a:secret@b:c:d/e')
  expect(nowhere.code).not.toBe(0)
  expect(nowhere.err).not.toContain('secret')
})
