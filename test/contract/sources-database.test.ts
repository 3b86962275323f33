/** Documents in a database, held to the contracts of sources and writers, with what else may come. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Contents } from '../../src/core/domain/contents.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { openDatabaseSource } from '../../src/team/database/open-database-source.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { startPglite } from '../support/pglite-server.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { startRelay } from '../support/relay.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeSource } from './source-contract.ts'
import { describeSourceWriter } from './source-writer-contract.ts'

interface Server {
  readonly url: string
  readonly close: () => Promise<void>
}

const LIMIT = 10 * 1024 * 1024
const bytes = (text: string) => new TextEncoder().encode(text)
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

let bases = 0

/** One server of a base; `base` names one that is open already. */
async function openOn(url: string, base = `contents ${bases++}`) {
  const store = await openPostgresStore({
    address: parseStoreAddress(`${url}?base=${base}`),
    format: 'test',
    sources: '',
    copies: temporaryFolder(),
  })
  onTestFinished(() => store.close())
  const source = openDatabaseSource({
    name: 'notes',
    shelf: 'notes',
    contents: () => store.contents,
    extensions: ['md'],
    maxFileBytes: LIMIT,
    watchMs: 10,
  })
  return { base, store, source, writer: source.writer!, contents: store.contents }
}

async function put(contents: Contents, path: string, text: string | undefined): Promise<void> {
  const [now] = await contents.look('notes', [path])
  const change = { path, expect: now?.digest, bytes: text === undefined ? undefined : bytes(text) }
  await contents.apply('notes', [change], 'by someone else')
}

function describeOn(start: () => Promise<Server>): void {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())

  describeSource('database', async (files) => {
    const other = await openOn(server.url)
    const pathOf = (name: string) => `${name}.md`
    for (const [name, text] of Object.entries(files)) await put(other.contents, pathOf(name), text)
    const relay = await startRelay(server.url)
    onTestFinished(() => relay.cut())
    const { source } = await openOn(relay.url, other.base)
    return {
      source,
      pathOf,
      put: (name, text) => put(other.contents, pathOf(name), text),
      remove: (name) => put(other.contents, pathOf(name), undefined),
      takeAway: () => relay.cut(),
    }
  })

  describeSourceWriter('database', async (files) => {
    const { writer, contents } = await openOn(server.url)
    for (const [path, text] of Object.entries(files)) await put(contents, path, text)
    return {
      writer,
      async look(path) {
        const [content] = await contents.read('notes', [path])
        return content && Buffer.from(content.bytes).toString()
      },
      put: (path, text) => put(contents, path, text),
    }
  })

  it('has one winner among all who saw the same digest, on whichever server', async () => {
    const one = await openOn(server.url)
    const other = await openOn(server.url, one.base)
    await put(one.contents, 'a.md', 'one')
    const attempt = async (index: number): Promise<string | undefined> => {
      const { writer } = index % 2 === 0 ? one : other
      const change = { path: 'a.md', expect: digest('one'), bytes: bytes(`of ${index}`) }
      try {
        await writer.apply([change], `op-${index}`)
        return `of ${index}`
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    const tries = Array.from({ length: 12 }, (_, index) => attempt(index))
    const ends = await Promise.all(tries)
    const winners = ends.filter((end) => end !== 'conflict')
    expect(winners).toHaveLength(1)
    const [now] = await one.contents.read('notes', ['a.md'])
    expect(Buffer.from(now!.bytes).toString()).toBe(winners[0])
  })

  it('keeps every byte, NUL and what is no text among them', async () => {
    const { writer } = await openOn(server.url)
    const odd = Uint8Array.from({ length: 512 }, (_, index) => index % 256)
    await writer.apply([{ path: 'odd.md', expect: undefined, bytes: odd }], 'op')
    expect([...(await writer.load('odd.md'))!.bytes]).toEqual([...odd])
    await writer.apply([{ path: 'none.md', expect: undefined, bytes: new Uint8Array() }], 'op')
    expect(await writer.load('none.md')).toMatchObject({ size: 0, digest: digest('') })
  })

  it.each([
    'nul\0.md',
    'lone\ud800.md',
    'back\\slash.md',
    '.hidden.md',
    '.cairn/x.md',
    'a/./b.md',
    `${'n'.repeat(300)}.md`,
    `${'d/'.repeat(3_000)}x.md`,
    'con.md',
    'a.md\n',
    "'); DROP TABLE cairn.contents; --",
    'x.exe',
  ])('has no place for %j, and says why', async (path) => {
    const { writer, contents } = await openOn(server.url)
    await expect(writer.place(path)).rejects.toMatchObject({ code: 'invalid' })
    expect(await contents.list('notes')).toEqual([])
  })

  it('takes a path of 3,000 letters, and finds it again', async () => {
    const { writer, source } = await openOn(server.url)
    const long = `${`${'ordner-ä'.repeat(20)}/`.repeat(18)}${'x'.repeat(60)}.md`
    expect(long.length).toBeGreaterThan(2_900)
    expect(await writer.place(long)).toBe(long)
    await writer.apply([{ path: long, expect: undefined, bytes: bytes('deep') }], 'op')
    const folder = long.slice(0, long.lastIndexOf('/'))
    expect((await source.rescan([folder])).files.map(({ path }) => path)).toEqual([long])
    expect(await source.read([long])).toMatchObject([{ kind: 'text', text: 'deep' }])
  })

  it('refuses a note of 20 MB by its size, and changes nothing', async () => {
    const { writer, contents } = await openOn(server.url)
    const change = { path: 'large.md', expect: undefined, bytes: new Uint8Array(20 * 1024 * 1024) }
    await expect(writer.apply([change], 'op')).rejects.toMatchObject({ code: 'invalid' })
    expect(await contents.list('notes')).toEqual([])
  })

  it('keeps a note as large as the limit', async () => {
    const { writer } = await openOn(server.url)
    const large = new Uint8Array(LIMIT).fill(0x61)
    await writer.apply([{ path: 'large.md', expect: undefined, bytes: large }], 'op')
    const loaded = await writer.load('large.md')
    expect(Buffer.compare(loaded!.bytes, large)).toBe(0)
  })

  it('knows names that differ only in case as one', async () => {
    const { writer, contents } = await openOn(server.url)
    await put(contents, 'Tea.md', 'one')
    await expect(writer.place('tea.md')).rejects.toMatchObject({ code: 'exists' })
    const second = { path: 'tea.md', expect: undefined, bytes: bytes('two') }
    await expect(writer.apply([second], 'op')).rejects.toMatchObject({ code: 'conflict' })
    // The document itself may be given its name in other letters.
    expect(await writer.place('tea.md', { except: 'Tea.md' })).toBe('tea.md')
    await writer.apply(
      [
        { ...second, bytes: bytes('one') },
        { path: 'Tea.md', expect: digest('one'), bytes: undefined },
      ],
      'op',
    )
    expect((await contents.list('notes')).map(({ path }) => path)).toEqual(['tea.md'])
  })

  it('lets nothing be a document and a folder at once', async () => {
    const { writer, contents } = await openOn(server.url)
    await put(contents, 'a.md', 'one')
    await put(contents, 'b.md/c.md', 'two')
    await expect(writer.place('A.md/x.md')).rejects.toMatchObject({ code: 'invalid' })
    await expect(writer.place('b.md')).rejects.toMatchObject({ code: 'invalid' })
  })

  it('shows nothing of one base or source in another', async () => {
    const one = await openOn(server.url)
    const other = await openOn(server.url)
    await put(one.contents, 'a.md', 'one')
    expect(await other.contents.list('notes')).toEqual([])
    expect(await one.contents.list('others')).toEqual([])
    expect(await other.writer.place('a.md')).toBe('a.md')
    expect((await other.contents.changedSince('notes', { epoch: '', version: 0 })).version).toBe(0)
  })

  it('settles a write whose confirmation was lost, and does it once', async () => {
    const { base, contents } = await openOn(server.url)
    const relay = await startRelay(server.url)
    onTestFinished(() => relay.cut())
    const far = await openOn(relay.url, base)
    const before = await contents.changedSince('notes')
    const writing = far.contents.apply(
      'notes',
      [{ path: 'a.md', expect: undefined, bytes: bytes('one') }],
      'op',
    )
    relay.cut()
    // Whatever is answered, the document is there whole or not at all, and no more than once.
    const end = await writing.then(
      () => 'done',
      (error: { code?: string }) => error.code,
    )
    if (end === 'done') expect(await contents.list('notes')).toHaveLength(1)
    expect(['done', 'unavailable']).toContain(end)
    // What was cut off may still be at work over there: between two looks it may come to its end.
    const look = async () => ({
      documents: (await contents.list('notes')).length,
      changed: (await contents.changedSince('notes')).version > before.version,
    })
    await expect.poll(look).toBeOneOf([
      { documents: 0, changed: false },
      { documents: 1, changed: true },
    ])
  })
}

describe('on PGlite', () =>
  describeOn(async () => {
    const { url, close } = await startPglite()
    return { url, close }
  }))

describe.skipIf(!POSTGRES_BIN)(`on a server${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`, () =>
  describeOn(async () => {
    const server = await startPostgres(['fsync=off'])
    return { url: server.url(), close: async () => server.remove() }
  }),
)
