/** Documents that have no file: written by every server of a base, and found by all. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import type { Base } from '../../src/serve/wiring/open-base.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { FAULTS, FAULTS_TIMEOUT } from '../support/fault-counts.ts'
import { startPglite } from '../support/pglite-server.ts'
import type { PgliteServer } from '../support/pglite-server.ts'
import { startRelay } from '../support/relay.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let server: PgliteServer
let bases = 0
beforeAll(async () => {
  server = await startPglite()
}, 600_000)
afterAll(() => server.close())

interface Opened {
  readonly base: Base
  call(tool: string, args?: Record<string, unknown>): Promise<Record<string, any>>
  write(action: string, id: string, more?: Record<string, unknown>): Promise<Record<string, any>>
  textOf(id: string): Promise<string | undefined>
}

/** A server of its own, as another machine would start it. */
async function open(
  base: string,
  sources: readonly string[] = ['db:notes'],
  url = server.url,
): Promise<Opened> {
  const home = temporaryFolder()
  const { config } = await loadConfig({
    folders: sources,
    flags: { store: `${url}?base=${base}` },
    configFile: undefined,
    env: {},
    cwd: home,
    home,
  })
  const opened = await openBase(config)
  onTestFinished(() => opened.close())
  const call: Opened['call'] = async (tool, args = {}) => (await opened.call(tool, args)).structured
  return {
    base: opened,
    call,
    write: (action, id, more = {}) => call('write', { action, id, ...more }),
    textOf: async (id) => (await call('fetch', { id }))['text'],
  }
}

const newBase = (): string => `documents ${bases++}`

it('creates, changes, moves and deletes, and another server sees it at once', async () => {
  const base = newBase()
  const [one, other] = [await open(base), await open(base)]
  await one.write('create', 'tea', { content: 'Tea needs a [[kettle]].\n' })
  const made = await other.write('create', 'things/kettle', { content: '# Kettle\n\nBoils.\n' })
  expect(made).toMatchObject({ id: 'notes/things/kettle.md' })
  expect((await one.call('search', { query: 'boils' })).results[0].id).toBe(made['id'])
  expect((await other.call('neighbors', { id: 'tea' })).neighbors[0].id).toBe(made['id'])

  await one.write('append', 'kettle', { content: 'Loudly.' })
  expect(await other.textOf('kettle')).toBe('# Kettle\n\nBoils.\n\nLoudly.\n')
  const stale = { content: 'Late.', if_digest: made['digest'] }
  expect((await other.write('append', 'kettle', stale))['error'].code).toBe('conflict')

  await other.write('move', 'kettle', { to: 'pots/kettle' })
  expect(await one.textOf('pots/kettle')).toContain('Loudly')
  const { neighbors } = await one.call('neighbors', { id: 'tea' })
  expect(neighbors[0].id).toBe('notes/pots/kettle.md')
  await one.call('delete', { id: 'pots/kettle' })
  expect((await other.call('list', {})).total).toBe(1)
})

it('takes back what was done, and brings back what was deleted', async () => {
  const one = await open(newBase())
  await one.write('create', 'tea', { content: 'one\n' })
  await one.write('replace', 'tea', { content: 'two\n' })
  await one.call('history', { action: 'undo' })
  expect(await one.textOf('tea')).toContain('one')
  await one.call('delete', { id: 'tea' })
  await one.call('history', { action: 'restore', id: 'tea' })
  expect(await one.textOf('tea')).toContain('one')
})

it('stands beside a folder in one base', async () => {
  const folder = temporaryFolder({ 'cup.md': 'A cup for [[tea]].\n' })
  const both = await open(newBase(), [`files=${folder}`, 'db:notes'])
  await both.base.index({})
  await both.write('create', 'notes/tea', { content: 'Hot.\n' })
  const { neighbors } = await both.call('neighbors', { id: 'files/cup.md' })
  expect(neighbors[0].id).toBe('notes/tea.md')
  expect((await both.write('create', 'loose', { content: 'x' }))['error'].code).toBe('invalid')
})

it('indexes from the documents anew when the index is gone', async () => {
  const base = newBase()
  const one = await open(base)
  await one.write('create', 'tea', { content: 'Leaves.\n' })
  await server.database.exec(
    `DELETE FROM cairn.documents WHERE base = (SELECT id FROM cairn.bases WHERE name = '${base}')`,
  )
  const other = await open(base)
  await other.base.index({ force: true })
  expect((await other.call('search', { query: 'leaves' })).results[0].id).toBe('notes/tea.md')
})

it('leaves a private note alone', async () => {
  const one = await open(newBase())
  const content = '---\ncairn: private\n---\nSecret.\n'
  await one.write('create', 'diary', { content })
  expect((await one.call('search', { query: 'secret' })).results).toEqual([])
  expect((await one.write('append', 'diary', { content: 'x' }))['error'].code).toBe('not_found')
})

it('says what is missing without a database, and what a database source cannot have', async () => {
  const home = temporaryFolder()
  const load = (folders: string[], flags: Record<string, string> = {}, configFile?: string) =>
    loadConfig({ folders, flags, configFile, env: {}, cwd: home, home })
  await expect(load(['db:notes'])).rejects.toMatchObject({
    hint: expect.stringContaining('--store'),
  })
  const store = { store: 'postgres://localhost/x' }
  await expect(load(['db:no/name'], store)).rejects.toThrow('cannot be the name')
  await expect(load(['db:notes', 'a=db:notes'], store)).rejects.toThrow('given twice')
  const { config } = await load(['db:notes'], store)
  expect(config.sources).toMatchObject([{ name: 'notes', path: 'db:notes', kind: 'database' }])
  expect(config.state.startsWith(join(home, '.local/state/cairn/main-'))).toBe(true)
  const file = join(
    temporaryFolder({
      'cairn.yaml': 'store: postgres://localhost/x\nsources:\n  - {kind: database, name: wiki}\n',
    }),
    'cairn.yaml',
  )
  expect((await load([], {}, file)).config.sources).toMatchObject([
    { name: 'wiki', path: 'db:wiki', kind: 'database' },
  ])
})

it('keeps every write of many clients on two servers once, in text, index and history', async () => {
  const base = newBase()
  const servers = [await open(base), await open(base)]
  await servers[0]!.write('create', 'log', { content: 'Begin.\n' })
  const { digest } = await servers[0]!.call('fetch', { id: 'log' })
  const works: Promise<Record<string, any>>[] = []
  for (let client = 0; client < 24; client++) {
    const server = servers[client % 2]!
    works.push(
      server.write('create', `new/${client}`, { content: `Number ${client}.\n` }),
      server.write('append', 'log', { content: `- line ${client}` }),
    )
  }
  const racing = Array.from({ length: 6 }, (_, index) =>
    servers[index % 2]!.write('append', 'log', { content: `- rival ${index}`, if_digest: digest }),
  )
  const done = await Promise.all(works)
  expect(done.filter((each) => each['error'])).toEqual([])
  const rivals = await Promise.all(racing)
  const won = rivals.filter((each) => !each['error'])
  expect(won.length).toBeLessThanOrEqual(1)
  for (const each of rivals) if (each['error']) expect(each['error'].code).toBe('conflict')

  const text = (await servers[1]!.textOf('log'))!
  for (let client = 0; client < 24; client++) {
    expect(text.split('\n').filter((line) => line === `- line ${client}`)).toHaveLength(1)
  }
  expect(text.split('rival').length - 1).toBe(won.length)
  expect((await servers[1]!.call('list', { path: 'new/', limit: 1 }))['total']).toBe(24)
  const { operations } = await servers[0]!.call('history', { limit: 100 })
  expect(operations).toHaveLength(1 + 48 + won.length)
  expect(new Set(operations.map(({ id }: { id: string }) => id)).size).toBe(operations.length)
  const found = await servers[0]!.call('search', { query: '"Number 17"' })
  expect(found['results'][0].id).toBe('notes/new/17.md')
  expect(await servers[0]!.base.doctor({ repair: false })).toMatchObject({ ok: true })
})

it('plans a change of a document that many change at once twice, and not once for each of them', async () => {
  const one = await open(newBase())
  await one.write('create', 'log', { content: 'Begin.\n' })
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => sent.mockRestore())
  const many = 12
  const appends = Array.from({ length: many }, (_, client) =>
    one.write('append', 'log', { content: `- line ${client}` }),
  )
  expect((await Promise.all(appends)).filter((each) => each['error'])).toEqual([])
  // Some more look after small segments.
  const transactions = sent.mock.calls.filter(([sql]) => String(sql).startsWith('BEGIN;'))
  expect(transactions.length).toBeLessThan(3 * many)
  expect((await one.textOf('log'))!.split('- line ')).toHaveLength(1 + many)
})

it('undoes on one server what another one did, with all documents of the operation', async () => {
  const base = newBase()
  const [one, other] = [await open(base), await open(base)]
  await one.write('create', 'tea', { content: 'Tea.\n' })
  const { findings } = await one.base.doctor({ repair: false })
  const sound = 'notes: the only document is in the index as it is in the database.'
  expect(findings.map(({ what }) => what)).toContain(sound)
  await one.write('create', 'cup', { content: 'For [[tea]].\n' })
  await one.write('move', 'tea', { to: 'drinks/green tea' })
  expect(await other.textOf('cup')).toContain('[[green tea]]')
  await other.call('history', { action: 'undo' })
  expect(await one.textOf('cup')).toContain('[[tea]]')
  expect(await one.textOf('tea')).toContain('Tea.')
  await expect(one.textOf('drinks/green tea')).resolves.toBeUndefined()
})

it('loses no acknowledged write and does none twice when connections break again and again', async () => {
  const base = newBase()
  const relay = await startRelay(server.url)
  onTestFinished(() => relay.cut())
  const [near, far] = [await open(base), await open(base, ['db:notes'], relay.url)]
  const acknowledged = new Set<string>()
  const client = async (number: number): Promise<void> => {
    for (let turn = 0; turn < 6; turn++) {
      const id = `notes/${number}-${turn}.md`
      const done = await far.write('create', id, { content: `Of ${number}, turn ${turn}.\n` })
      if (!done['error']) acknowledged.add(id)
      else expect(['unavailable', 'exists']).toContain(done['error'].code)
      // Another one breaks them while the rest are in the middle of something.
      if (turn % 2 === 1) relay.drop()
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, number) => client(number)))
  const ids = new Set(await near.base.ids())
  expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([])
  const kept = async (table: string, what: string) => {
    const sql = `SELECT ${what} AS id FROM cairn.${table}
      WHERE base = (SELECT id FROM cairn.bases WHERE name = '${base}')`
    const { rows } = await server.database.query<{ id: string }>(sql)
    return rows.map(({ id }) => id).toSorted()
  }
  expect(await kept('contents', `'notes/' || path`)).toEqual([...ids].toSorted())
  // Every operation made one document, and every document was made by one.
  expect(await kept('operations', 'id')).toEqual(await kept('contents', 'operation'))
  for (const id of ids) expect(await near.textOf(id)).toContain('turn')
  expect(await near.base.doctor({ repair: false })).toMatchObject({ ok: true })
})

/** Letters that do not repeat themselves, so that nothing can pack them. */
function letters(count: number): string {
  const hex = Array.from({ length: Math.ceil(count / 128) }, (_, at) =>
    createHash('sha512').update(`${at}`).digest('hex'),
  )
  return hex.join('').slice(0, count)
}

/** These take a while; `odd-documents.test.ts` has them as files in every run. */
const HUGE: readonly [id: string, content: string][] = [
  ['many.md', Array.from({ length: 20_000 }, (_, at) => `[[target ${at}]]`).join(' ')],
  ['huge.md', 'About a kettle.\n'.repeat(1_400_000)],
]

it('takes and refuses odd documents as a folder does', { timeout: FAULTS_TIMEOUT }, async () => {
  const folder = temporaryFolder()
  const rows = await open(newBase())
  const home = temporaryFolder()
  const base = await openBase(await configOf(`notes=${folder}`, {}, { home }))
  onTestFinished(() => base.close())
  const inFolder = async (tool: string, args: Record<string, unknown>) =>
    (await base.call(tool, args)).structured as Record<string, any>
  const long = letters(9_000)
  const deep = Array.from({ length: 13 }, (_, at) => letters(240 + at)).join('/')
  const odd: [id: string, content: string][] = [
    ['nul.md', '---\ntitle: "A\\0B"\naliases: ["x\\0y"]\n---\nWords \0 between.\n'],
    ['na\0me.md', 'NUL in the name.'],
    ['half.md', '---\ntitle: "A \\uD83D half"\n---\nAlso \uD83D in the text.\n'],
    ['ha\uD83Dlf.md', 'A half in the name.'],
    ['long.md', `---\ntitle: ${long}\naliases: [${long}]\ntags: [${long}]\n---\nTo [[${long}]].\n`],
    [`${long}.md`, 'A long name.'],
    [`${deep}/deep.md`, '# Deep\n\nFar down.\n'],
    ...(FAULTS.withHuge ? HUGE : []),
    ['../out.md', 'Elsewhere.'],
  ]
  const told = async (call: Opened['call'], id: string, content: string) => {
    const made = await call('write', { action: 'create', id, content })
    const read = made['error'] ? undefined : await call('fetch', { id: made['id'] })
    const { code, hint } = made['error'] ?? {}
    return { name: id.slice(0, 20), code, hint, id: made['id'], digest: made['digest'], read }
  }
  for (const [id, content] of odd) {
    const kept = await told(rows.call, id, content)
    const wanted = await told(inFolder, id, content)
    for (const each of [kept, wanted]) {
      delete each.read?.['modified']
      delete each.read?.['metadata']
    }
    expect(kept).toEqual(wanted)
  }
  const found = async (call: Opened['call'], query: string) =>
    (await call('search', { query }))['results'].map(({ id }: { id: string }) => id)
  for (const query of ['far down', 'words between', 'half', long, `tag:${long}`]) {
    expect(await found(rows.call, query)).toEqual(await found(inFolder, query))
  }
})
