/** The files of a source are written by one server; what arrives elsewhere travels to it and back. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import type { Sent, SentAnswer, SentChange } from '../../src/team/homes/homes.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { newOperationId } from '../../src/core/history/open-history.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { WritingOptions } from '../../src/team/postgres/open-postgres-store.ts'
import { startPglite } from '../support/pglite-server.ts'
import type { PgliteServer } from '../support/pglite-server.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let database: PgliteServer
beforeAll(async () => {
  database = await startPglite()
}, 600_000)
afterAll(() => database.close())

async function server(folder: string, name: string) {
  const state = join(temporaryFolder(), 'state')
  const store = `${database.url}?base=${name}`
  const base = await openBase(await configOf(folder, { state, store, embedding: 'none' }))
  onTestFinished(() => base.close())
  await base.index({})
  const call = async (tool: string, args: object): Promise<Record<string, any>> =>
    (await base.call(tool, { ...args })).structured
  return Object.assign(call, { status: base.status })
}

async function sentIn(name: string): Promise<{ state: string; taken_by: string }[]> {
  const { rows } = await database.database.query(
    `SELECT state, taken_by FROM cairn.requests
     WHERE base = (SELECT id FROM cairn.bases WHERE name = $1) ORDER BY asked_at`,
    [name],
  )
  return rows as never
}

it('writes files in one place, whichever server was asked', { timeout: 900_000 }, async () => {
  const folder = temporaryFolder({
    'tea.md': '# Tea\n',
    'pot.md': 'See [[tea]].\n',
    'knowledge/entities/concepts.jsonl': '',
  })
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const home = await server(folder, 'home')
  const other = await server(folder, 'home')
  // Whoever writes first is the home.
  await home('write', { action: 'append', id: 'tea', content: 'Green.' })
  expect(await sentIn('home')).toEqual([])
  const { roles } = await home.status()
  expect(roles).toContainEqual({
    role: expect.stringMatching(/^home:./),
    by: expect.stringContaining(`${process.pid}@`),
    since: expect.any(String),
  })

  const appended = await other('write', { action: 'append', id: 'tea', content: 'Black.' })
  expect(read('tea.md')).toContain('Green.\n\nBlack.')
  expect(appended).toMatchObject({
    operation: expect.any(String),
    diff: expect.stringContaining('+Black.'),
  })
  const [sent] = await sentIn('home')
  expect(sent).toMatchObject({ state: 'answered', taken_by: expect.stringContaining('@') })
  // It is in the index and in the one history for both, under the id that was answered.
  for (const call of [home, other]) {
    expect(JSON.stringify(await call('search', { query: 'black' }))).toContain('tea.md')
    const { operations } = await call('history', {})
    expect(operations[0].id).toBe(appended['operation'])
  }
  // Rules are as they are everywhere: what is refused changes nothing.
  const refused = { action: 'append', id: 'tea', content: 'x', if_digest: '0'.repeat(64) }
  expect((await other('write', refused))['error'].code).toBe('conflict')
  const twice = { action: 'create', id: 'tea.md', content: 'x' }
  expect((await other('write', twice))['error'].code).toBe('exists')
  // A move with its links, an undo of what the home did, and a file with other bytes.
  await other('write', { action: 'move', id: 'tea', to: 'drinks/green.md' })
  expect(read('pot.md')).toContain('green')
  await other('history', { action: 'undo' })
  expect(read('pot.md')).toBe('See [[tea]].\n')
  writeFileSync(join(folder, 'pot.md'), 'Saved by hand.\n')
  await other('write', { action: 'append', id: 'pot', content: 'And by us.' })
  expect(read('pot.md')).toContain('Saved by hand.\n\nAnd by us.')
  expect((await sentIn('home')).map(({ state }) => state)).not.toContain('asked')

  // So do lines of a graph of entities, and what is refused is refused in the same words.
  const before = (await sentIn('home')).length
  const entity = { action: 'entity', category: 'concepts', id: 'oolong', type: 'tea' }
  const described = { ...entity, name: 'Oolong', desc: 'Half fermented' }
  const relation = { action: 'relation', src: 'oolong', rel: 'kept_in', dst: 'pot.md' }
  expect(await other('relate', described)).toMatchObject({ id: 'entity:oolong', created: true })
  expect(await other('relate', relation)).toMatchObject({
    created: true,
    dst: expect.stringContaining('pot.md'),
  })
  expect((await sentIn('home')).length).toBe(before + 2)
  expect(await other('relate', relation)).toMatchObject({ created: false })
  const here = await home('relate', described)
  expect(here['error']).toMatchObject({ code: 'exists' })
  expect(await other('relate', described)).toEqual(here)
  expect(read('knowledge/entities/concepts.jsonl').trim().split('\n')).toHaveLength(1)
  for (const call of [home, other]) {
    expect(JSON.stringify(await call('search', { query: 'fermented' }))).toContain('entity:oolong')
  }
})

async function homesOf(name: string, patience: WritingOptions['homes'] = {}, has = true) {
  const address = parseStoreAddress(`${database.url}?base=${name}`)
  const copies = temporaryFolder()
  const store = await openPostgresStore({ address, format: 'test', sources: '', copies })
  const options = { keep: {}, homes: patience, isHere: () => has }
  const { homes, history } = await store.openWriting(options)
  onTestFinished(async () => {
    await homes.close()
    await store.close()
  })
  return Object.assign(homes, { history })
}

function change(): SentChange {
  const edit = { source: 'notes', path: 'a.md', before: undefined, after: Buffer.from([0, 255, 1]) }
  return { id: newOperationId(Date.now()), kind: 'create', by: {}, edits: [edit] }
}

const DONE: SentAnswer = { kind: 'done', warnings: [] }

it('carries a change there and the answer back, byte for byte', async () => {
  const home = await homesOf('bytes', { lookMs: 20 })
  const other = await homesOf('bytes')
  const arrived: SentChange[] = []
  home.serve(async (sent) => {
    arrived.push(sent as SentChange)
    return arrived.length === 1 ? DONE : Promise.reject(new Error('a bug'))
  })
  expect(await home.whereAre(['notes'])).toBe('here')
  expect(await other.whereAre(['notes'])).toBe('away')
  expect(await other.whereAre(['notes', 'more'])).toBe('several')
  const asked = change()
  expect(await other.send(asked, ['notes'])).toEqual(DONE)
  expect(arrived.map(({ edits, ...rest }) => ({ ...rest, edits: edits.map(plain) }))).toEqual([
    { ...asked, edits: asked.edits.map(plain) },
  ])
  expect(await other.send(change(), ['notes'])).toMatchObject({ kind: 'refused', code: 'internal' })
})

function plain({ after, ...edit }: SentChange['edits'][number]): unknown {
  return { ...edit, after: after && Buffer.from(after).toString('hex') }
}

it('names a home that does not answer, and never begins late', async () => {
  const home = await homesOf('silent')
  expect(await home.whereAre(['notes'])).toBe('here')
  const other = await homesOf('silent', { takenMs: 30 })
  await expect(other.send(change(), ['notes'])).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/written by the server on .* \(process \d+\)/),
  })
  // The home comes to itself: what was withdrawn is not done any more, what comes next is.
  const arrived: Sent[] = []
  home.serve(async (sent) => (arrived.push(sent), DONE))
  const patient = await homesOf('silent')
  const next = change()
  expect(await patient.send(next, ['notes'])).toEqual(DONE)
  expect(arrived.map(({ id }) => id)).toEqual([next.id])
})

it('takes over what a home had taken when it went, and does what nobody has begun', async () => {
  const mortal = { ttlMs: 200, renewMs: 1_000_000, lookMs: 10 }
  const first = await homesOf('gone', mortal)
  const taken = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  // As a process that is frozen: it takes a change, and goes on when it is too late.
  first.serve(async () => {
    taken.resolve()
    await released.promise
    return DONE
  })
  expect(await first.whereAre(['notes'])).toBe('here')
  const second = await homesOf('gone', { lookMs: 10 })
  const arrived: string[] = []
  second.serve(async ({ id }) => (arrived.push(id), DONE))
  const asked = change()
  const answer = second.send(asked, ['notes'])
  await Promise.race([taken.promise, answer])
  expect(['done', 'here']).toContain((await answer).kind)
  expect(await second.whereAre(['notes'])).toBe('here')
  expect(arrived.filter((id) => id === asked.id).length).toBeLessThanOrEqual(1)
  released.resolve()
})

it('neither writes nor settles where there is another copy of the files', async () => {
  const copy = await homesOf('copies', {}, false)
  const home = await homesOf('copies')
  // Nobody is the home, and this one does not become it.
  expect(await copy.whereAre(['notes'])).toBe('away')
  expect(await home.whereAre(['notes'])).toBe('here')
  expect(await copy.whereAre(['notes'])).toBe('away')
  const { id, kind, by } = change()
  const record = { source: 'notes', path: 'a.md', before: undefined, after: 'x', diff: '' }
  const splice = { at: 0, removed: Buffer.from(''), added: Buffer.from('x') }
  await home.history.begin({ id, at: Date.now(), kind, by, changes: [{ ...record, splice }] })
  expect(await copy.history.unsettled()).toEqual([])
  expect(await home.history.unsettled()).toMatchObject([{ id }])
})
