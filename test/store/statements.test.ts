/**
 * A commit takes as many statements for ten documents as for hundreds, and an answer few. In a
 * database every one of them is a message to it and back; in a file one that has to be prepared.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openSources } from '../../src/serve/parts/sources.ts'
import { openStore } from '../../src/serve/parts/stores.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { rankDocuments } from '../../src/core/operations/searching/rank-documents.ts'
import { withOneSnapshot } from '../../src/core/operations/view/snapshot.ts'
import { wholeView } from '../../src/core/operations/view/view.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../src/core/store/store.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { fileRecord, note, segmentOf, wiki } from '../contract/store-contract.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FEW = 10
const MANY = 600

/** Statements of a first commit, and of one that does everything to every document. */
async function statementsOf(
  open: () => Promise<Store>,
  statements: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } },
  count: number,
): Promise<{ readonly first: number; readonly second: number }> {
  const store = await open()
  // Who is at work for long says so now and then, and hints that follow each other at once are one:
  // that is a matter of time, not of size.
  const soFar = (): number =>
    statements.mock.calls.filter(([sql]) => sql !== 'SELECT 1' && !/pg_notify/.test(String(sql)))
      .length
  const counted = async (work: () => Promise<unknown>): Promise<number> => {
    const before = soFar()
    await work()
    return soFar() - before
  }
  const numbers = Array.from({ length: count }, (_, no) => no + 1)
  const documents = numbers.map((no) =>
    note(no, `notes/${no}.md`, {
      aliases: [`also ${no}`],
      tags: [`tag ${no % 7}`, 'common'],
      links: Array.from({ length: 5 }, (_, ordinal) => wiki(`${((no + ordinal) % count) + 1}`)),
    }),
  )
  const lease = (await store.acquireLease('1@here:1', 600_000))!
  const first = await counted(() =>
    store.commit({ lease, put: documents, segment: segmentOf(documents) }, resolveLink),
  )
  const [gone, touched, renamed] = [0, 1, 2].map((rest) =>
    documents.filter(({ no }) => no % 3 === rest),
  ) as [typeof documents, typeof documents, typeof documents]
  const put = renamed.map(({ no, links }) => note(no, `renamed/${no}.md`, { links }))
  const second = await counted(() =>
    store.commit(
      {
        lease,
        put,
        remove: gone.map(({ no }) => no),
        touch: touched.map(({ no }) => ({ no, size: 9, modifiedAt: 9 })),
        files: numbers.map((no) => fileRecord(`skipped/${no}.bin`, 'skipped', 'no text')),
        forget: numbers.map((no) => ({ source: 'notes', path: `forgotten/${no}.md` })),
        segment: segmentOf(put),
      },
      resolveLink,
    ),
  )
  expect(await store.check()).toEqual([])
  expect((await store.counts()).documents).toBe(touched.length + renamed.length)
  await store.close()
  return { first, second }
}

async function expectTheSame(
  open: () => Promise<Store>,
  statements: Parameters<typeof statementsOf>[1],
): Promise<void> {
  const few = await statementsOf(open, statements, FEW)
  const many = await statementsOf(open, statements, MANY)
  expect(many).toEqual(few)
  expect(few.first).toBeGreaterThan(5)
}

let started: ReturnType<typeof startPglite> | undefined
const databaseHere = (): ReturnType<typeof startPglite> => (started ??= startPglite())
afterAll(async () => (await started)?.close())

it('sends a database as many for many documents as for few', { timeout: 600_000 }, async () => {
  const database = await databaseHere()
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => sent.mockRestore())
  let bases = 0
  await expectTheSame(
    () =>
      openPostgresStore({
        address: parseStoreAddress(`${database.url}?base=statements-${bases++}`),
        format: 'test',
        sources: '',
        copies: temporaryFolder(),
      }),
    sent,
  )
})

it('opens a base with one message, and fetches small segments with their list', async () => {
  const database = await databaseHere()
  const address = parseStoreAddress(`${database.url}?base=opened`)
  const open = () =>
    openPostgresStore({ address, format: 'test', sources: '', copies: temporaryFolder() })
  const first = await open()
  const documents = [note(1, 'a.md', { links: [wiki('b')] }), note(2, 'b.md')]
  await first.commit({ put: documents, segment: segmentOf(documents) }, resolveLink)
  await first.close()
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => sent.mockRestore())
  const store = await open()
  expect(sent).toHaveBeenCalledTimes(1)
  const [segment] = await store.segments({ toRead: true })
  for (const [name, data] of Object.entries(segmentOf(documents).resident)) {
    expect(await store.segmentStream(segment!.id, name)).toEqual(data)
  }
  expect(sent).toHaveBeenCalledTimes(2)
  await store.edges()
  expect(sent).toHaveBeenCalledTimes(3)
  await store.close()
})

const HANDBOOK = join(import.meta.dirname, '../../examples/handbook')

/** Headings of all notes, and each of their words alone: many of them are names of notes. */
function questionsAbout(folder: string): string[] {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('.cairn'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
  const headings = texts.flatMap((text) =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!),
  )
  const words = headings.flatMap((heading) => heading.match(/[\p{L}\p{N}]+/gu) ?? [])
  return [...new Set([...headings, ...words])]
}

/** The most messages that any of the questions takes, as a whole answer and ranking alone. */
async function messagesOf(folder: string, url: string, questions: readonly string[]) {
  const flags = { state: join(temporaryFolder(), 'state'), store: url }
  const surroundings = { configFile: undefined, env: {}, cwd: folder, home: folder }
  const { config } = await loadConfig({ folders: [folder], flags, ...surroundings })
  const indexing = await openBase(config)
  await indexing.index({ waitForMeaning: true })
  await indexing.close()
  const sources = openSources(config)
  const { store } = await openStore(config)
  const kb = openKnowledge({ config, store, sources })
  const surface = openNativeSurface(kb, { version: 'test', log: () => {} })
  const client = { signal: new AbortController().signal, client: 'test', progress: () => {} }
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  const most = async (ask: (query: string) => Promise<unknown>, asked: readonly string[]) => {
    const counts = []
    for (const query of asked) {
      const before = sent.mock.calls.length
      await ask(query)
      counts.push(sent.mock.calls.length - before)
    }
    return Math.max(...counts)
  }
  const search = async (query: string): Promise<void> => {
    const { isError = false } = await surface.call('search', { query }, client)
    expect(isError).toBe(false)
  }
  const rank = (query: string) =>
    withOneSnapshot(() => rankDocuments(wholeView(kb), query, { limit: 10 }))
  try {
    // A look at the stamps holds for a second: here none passes, however busy the machine is.
    vi.useFakeTimers({ toFake: ['performance'] })
    // What is kept in memory is loaded by the first who need it.
    const cold = await most(search, ['how does somebody begin here', 'beginning'])
    expect(cold).toBeGreaterThan(3)
    return { whole: await most(search, questions), ranking: await most(rank, questions) }
  } finally {
    vi.useRealTimers()
    sent.mockRestore()
    for (const source of sources.values()) await source.close?.()
    await store.close()
  }
}

it('asks a database once to rank, and once more to show it', { timeout: 600_000 }, async () => {
  const database = await databaseHere()
  const folder = temporaryFolder()
  cpSync(HANDBOOK, folder, { recursive: true })
  rmSync(join(folder, '.cairn'), { recursive: true, force: true })
  const questions = questionsAbout(folder)
  expect(questions.length).toBeGreaterThan(200)
  const notes = await messagesOf(folder, `${database.url}?base=notes`, questions)
  expect(notes).toEqual({ whole: 2, ranking: 1 })
  // Where there is code, a single word may be the name of something in it: that is asked for.
  writeFileSync(join(folder, 'gauges.py'), 'class Glossary:\n    def alerts(self):\n        pass\n')
  const named = ['Glossary', 'alerts', 'Glossary.alerts', 'symbol:alerts', 'nowhere', 'gauges']
  const code = await messagesOf(folder, `${database.url}?base=code`, named)
  expect(code).toEqual({ whole: 3, ranking: 2 })
})

it('prepares as many for a file', { timeout: 600_000 }, async () => {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare')
  onTestFinished(() => prepared.mockRestore())
  await expectTheSame(
    async () => (await openSqliteStore(join(temporaryFolder(), 'index.db'), 'test')).store,
    prepared,
  )
})
