/** Two servers of one base, each with a state folder of its own, have one history. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { startPglite } from '../support/pglite-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { eventually } from '../support/postgres-stores.ts'
import { startServerProcess } from '../support/server-process.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Server {
  call(tool: string, args: Record<string, unknown>): Promise<Record<string, any>>
}

const BASE = '?base=shared'

/** As a command does it, in this process. */
async function opened(url: string, folder: string) {
  const state = join(temporaryFolder(), 'state')
  const config = await configOf(folder, { state, store: url + BASE, embedding: 'none' })
  const base = await openBase(config)
  onTestFinished(() => base.close())
  await base.index({})
  const call: Server['call'] = async (tool, args) => (await base.call(tool, args)).structured
  return { server: { call }, state }
}

/** As a client does it: a server of its own. */
async function started(url: string, folder: string, client: string) {
  const state = join(temporaryFolder(), 'state')
  const args = [folder, '--state', state, '--store', url + BASE, '--embedding', 'none']
  const server = await startServerProcess(args, client)
  onTestFinished(() => server.kill())
  // What is called by its name is found once it is in the index.
  await eventually(async () => expect((await server.call('list', {}))['total']).toBeGreaterThan(0))
  return { server, state }
}

const idsOf = async (server: Server, args = {}): Promise<string[]> =>
  (await server.call('history', args))['operations'].map(({ id }: { id: string }) => id)

type Opening = (folder: string, client: string) => Promise<{ server: Server; state: string }>

/** Undoes on one server what the other wrote. */
async function checkOneHistory(open: Opening): Promise<void> {
  const folder = temporaryFolder({ 'tea.md': '# Tea\n\nGreen.\n', 'pot.md': 'See [[tea]].\n' })
  const one = await open(folder, 'one')
  const two = await open(folder, 'two')
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')

  const written = await one.server.call('write', {
    action: 'append',
    id: 'tea',
    content: 'Black.',
  })
  expect(written['operation']).toEqual(expect.any(String))
  expect(await idsOf(two.server)).toEqual([written['operation']])
  const shown = await two.server.call('history', { action: 'diff', id: written['operation'] })
  expect(JSON.stringify(shown)).toContain('+Black.')
  await two.server.call('history', { action: 'undo' })
  expect(read('tea.md')).toBe('# Tea\n\nGreen.\n')

  // A move with the links to it, made here and taken back there.
  await two.server.call('write', { action: 'move', id: 'tea', to: 'drinks/tea.md' })
  expect(existsSync(join(folder, 'drinks/tea.md'))).toBe(true)
  const moved = read('pot.md')
  await one.server.call('history', { action: 'undo' })
  expect([read('tea.md'), read('pot.md')]).toEqual(['# Tea\n\nGreen.\n', 'See [[tea]].\n'])
  expect(moved).toContain('tea')

  // What one deleted, the other brings back.
  const gone = await one.server.call('delete', { id: 'tea' })
  await two.server.call('history', { action: 'restore', id: gone['operation'] })
  expect(read('tea.md')).toBe('# Tea\n\nGreen.\n')

  const all = await idsOf(one.server, { limit: 50 })
  expect(all).toHaveLength(6)
  expect(await idsOf(two.server, { limit: 50 })).toEqual(all)
  for (const { state } of [one, two]) expect(readdirSync(state)).not.toContain('history')
}

it('has one history for two bases on one database', { timeout: 900_000 }, async () => {
  const database = await startPglite()
  onTestFinished(() => database.close())
  await checkOneHistory((folder) => opened(database.url, folder))
})

describe.skipIf(!POSTGRES_BIN)(`on a server${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 600_000)
  afterAll(() => server.remove())
  // One database for each test.
  const databaseFor = (name: string): string => {
    server.sql(`CREATE DATABASE ${name}`)
    return server.url('postgres', name)
  }

  it('undoes on one server what the other wrote', { timeout: 600_000 }, async () => {
    const url = databaseFor('undone')
    await checkOneHistory((folder, client) => started(url, folder, client))
  })

  it('settles on one server what the other was killed in', { timeout: 600_000 }, async () => {
    const folder = temporaryFolder({ 'log.md': '# Log\n' })
    const url = databaseFor('killed')
    const two = await started(url, folder, 'two')
    const acknowledged: string[] = []
    for (let round = 0; round < 2; round++) {
      const { server } = await started(url, folder, `one-${round}`)
      // Killed between two of the writes that are under way, its own and those sent to it.
      const writing = [server, two.server].flatMap((asked, which) =>
        Array.from({ length: 6 }, async (_, index) => {
          const text = `line ${round}-${which}-${index}`
          const { error } = await asked.call('write', {
            action: 'append',
            id: 'log',
            content: text,
          })
          if (!error) acknowledged.push(text)
        }),
      )
      await Promise.race(writing)
      await server.kill()
      await Promise.allSettled(writing)
    }
    const last = await two.server.call('write', { action: 'append', id: 'log', content: 'the end' })
    expect(last['error']).toBeUndefined()
    const lines = readFileSync(join(folder, 'log.md'), 'utf8').split('\n')
    const { operations } = await two.server.call('history', { limit: 100 })
    const done = operations.filter(({ state }: any) => state === undefined)
    expect(operations.filter(({ state }: any) => state === 'open')).toEqual([])
    // Every line once, every acknowledged one there, and as many as history says were made.
    const written = lines.filter((line) => line.startsWith('line '))
    expect(new Set(written).size).toBe(written.length)
    for (const text of acknowledged) expect(written).toContain(text)
    expect(done).toHaveLength(written.length + 1)
  })
})
