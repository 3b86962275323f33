/** Databases that are damaged, full, restored or crowded. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { PostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { CONTENT_TABLES } from '../../src/team/postgres/schema.ts'
import { FAULTS_TIMEOUT } from '../support/fault-counts.ts'
import { HAS_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'
import { startServerProcess } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { mountSmallDisk, NO_MOUNT } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `databases in a bad way${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
const PAGE_BYTES = 8_192

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    // What tidies up by itself would write pages anew that are damaged here.
    server = await startPostgres(['max_connections=30', 'autovacuum=off'])
  }, 600_000)
  afterAll(() => server.remove())

  it('builds the index anew when a page of its tables is damaged on disk, and names one of documents', async () => {
    const bases: {
      readonly store: PostgresStore
      readonly epoch: string
      readonly file: string
    }[] = []
    for (const table of ['documents', 'segment_pages', 'names']) {
      server.sql(`CREATE DATABASE ${table}`)
      const store = await openedAt(`${server.url('postgres', table)}?base=damaged`)
      for (const no of [1, 2, 3]) await putNote(store, no)
      const { epoch } = await store.stamps()
      const file = server.sql(`SELECT pg_relation_filepath('cairn.${table}')`, table)
      bases.push({ store, epoch, file })
    }
    server.sql('CREATE DATABASE contents')
    const texts = await openedAt(`${server.url('postgres', 'contents')}?base=damaged`)
    await putNote(texts, 1)
    const whole = await texts.stamps()
    const bytes = Buffer.from('# Tea')
    await texts.contents.apply('notes', [{ path: 'tea.md', expect: undefined, bytes }], 'one')
    const kept = server.sql("SELECT pg_relation_filepath('cairn.contents')", 'contents')
    server.sql('CHECKPOINT')
    server.stop()
    damagePages(join(server.folder, 'data', kept))
    for (const { file } of bases) damagePages(join(server.folder, 'data', file))
    server.start()
    for (const { store, epoch } of bases) {
      await eventually(async () => {
        await store.check()
        expect((await store.stamps()).epoch).not.toBe(epoch)
      })
      await putNote(store, 4)
      expect((await store.counts()).documents).toBe(1)
      expect(await store.check()).toEqual([])
    }
    // Documents cannot be made anew; what is known of them stays.
    const named = { code: 'unavailable', message: expect.stringContaining('page of the documents') }
    const { contents } = texts
    await expect(contents.read('notes', ['tea.md'])).rejects.toMatchObject(named)
    const change = { path: 'tea.md', expect: undefined, bytes }
    await expect(contents.apply('notes', [change], 'two')).rejects.toMatchObject(named)
    expect((await texts.stamps()).epoch).toBe(whole.epoch)
    expect((await texts.counts()).documents).toBe(1)
  })

  it('finds everything again when the tables of the index were emptied under a server', async () => {
    server.sql('CREATE DATABASE emptied')
    const { found } = await startOver(server.url('postgres', 'emptied'))
    const tables = [...CONTENT_TABLES, 'steps'].map((table) => `cairn.${table}`).join(', ')
    // All of them or none: where the server is at work on some of them, it is tried again.
    await eventually(async () => server.sql(`TRUNCATE ${tables}`, 'emptied'))
    await eventually(async () => expect(await found('tea')).toEqual(['cup.md', 'tea.md']))
    await expect
      .poll(() => server.sql('SELECT count(*) FROM cairn.documents', 'emptied'), {
        timeout: 150_000,
      })
      .toBe('2')
    expect(await found('tea')).toEqual(['cup.md', 'tea.md'])
  })

  it('fetches again what is damaged in the local copies', async () => {
    server.sql('CREATE DATABASE copied')
    const url = server.url('postgres', 'copied')
    const { cairn, folder, state } = await startOver(url)
    await cairn.close()
    const copies = readdirSync(join(state, 'segments'), { recursive: true, withFileTypes: true })
    const files = copies.filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(0)
    for (const { parentPath, name } of files) scribble(join(parentPath, name), 0)
    const { found } = await startOver(url, { folder, state })
    expect(await found('boil')).toEqual(['tea.md'])
  })

  it('refuses to write while the disk of the database is full, and goes on when there is room', async ({
    skip,
  }) => {
    const place = mountSmallDisk('14m')
    if (place === undefined) return skip(NO_MOUNT)
    server.own(place)
    server.sql(`CREATE TABLESPACE small LOCATION '${place}'`)
    server.sql('CREATE DATABASE small TABLESPACE small')
    // The disk is emptied before it goes.
    onTestFinished(() => {
      server.sql('DROP DATABASE small WITH (FORCE)')
      server.sql('DROP TABLESPACE small')
    })
    const store = await openedAt(`${server.url('postgres', 'small')}?base=full`)
    await putNote(store, 1)
    // Large ones until none fits any more, then small ones until not even these do.
    for (const bytes of [200_000, 20_000, 2_000]) await fill(store, bytes)
    let refusal: unknown
    const kept: number[] = [1]
    for (let no = 2; no < 200 && kept.length === no - 1; no++) {
      await putNote(store, no).then(
        () => kept.push(no),
        (error: unknown) => (refusal = error),
      )
    }
    expect(refusal).toMatchObject({
      code: 'unavailable',
      message: 'The disk of the database is full.',
      hint: expect.stringContaining('Nothing was changed'),
    })
    expect((await store.counts()).documents).toBe(kept.length)
    execFileSync('mount', ['-o', 'remount,size=64m', place])
    await putNote(store, 5_000)
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('says so when the database accepts no more connections, and goes on with those it has', async () => {
    server.sql('CREATE DATABASE crowded')
    server.sql('CREATE ROLE few LOGIN CONNECTION LIMIT 1')
    server.sql('GRANT CREATE ON DATABASE crowded TO few')
    const url = `${server.url('few', 'crowded')}?base=crowded`
    const store = await openedAt(url)
    await putNote(store, 1)
    // More questions at once than there are connections.
    const asked = await Promise.all(Array.from({ length: 20 }, () => store.documents([1])))
    expect(asked.flat().filter((document) => document?.no === 1)).toHaveLength(20)
    await expect(openedAt(url)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The role "few" has as many connections to PostgreSQL as it may have.',
      hint: expect.stringContaining('ALTER ROLE "few" CONNECTION LIMIT'),
    })
    server.sql('ALTER DATABASE crowded CONNECTION LIMIT 1; ALTER ROLE few CONNECTION LIMIT -1')
    await expect(openedAt(url)).rejects.toMatchObject({
      message: 'The database "crowded" has as many connections as it may have.',
    })
    await putNote(store, 2)
    expect(await store.check()).toEqual([])
  })

  it('names the setting of PostgreSQL that keeps it out', async () => {
    const small = await startPostgres([
      'fsync=off',
      'max_connections=4',
      'superuser_reserved_connections=1',
      'max_wal_senders=0',
    ])
    onTestFinished(() => small.remove())
    small.sql('CREATE ROLE plain LOGIN; GRANT CREATE ON DATABASE postgres TO plain')
    const url = small.url('plain')
    const clients = Array.from({ length: 3 }, () => new pg.Client({ connectionString: url }))
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))))
    for (const client of clients) await client.connect()
    await expect(openedAt(`${url}?base=b`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/role "plain": max_connections is reached/),
      hint: expect.stringContaining('postgresql.conf'),
    })
  })

  it.skipIf(!HAS_PGBOUNCER)('names the setting of pgbouncer that keeps it out', async () => {
    const bouncer = await startPgbouncer(server, ['max_client_conn = 1'])
    onTestFinished(() => bouncer.close())
    // Whoever looked whether it is there may have the one place for a moment longer.
    const client = await eventually(async () => {
      const one = new pg.Client({ connectionString: bouncer.url })
      await one.connect()
      return one
    })
    onTestFinished(() => client.end())
    await expect(openedAt(`${bouncer.url}?base=b`)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'pgbouncer accepts no more connections: max_client_conn is reached.',
      hint: expect.stringContaining('pgbouncer.ini'),
    })
  })

  /** A server of two notes that has read them. */
  async function startOver(
    url: string,
    { folder = '', state = '' }: { folder?: string; state?: string } = {},
  ) {
    folder ||= temporaryFolder({ 'tea.md': '# Tea\n\nBoil water.', 'cup.md': '# Cup\n\nTea.' })
    state ||= join(temporaryFolder(), 'state')
    const args = [folder, '--state', state, '--store', `${url}?base=notes`]
    const cairn: ServerProcess = await startServerProcess(args)
    onTestFinished(() => cairn.kill())
    const found = async (query: string): Promise<string[]> => {
      const { results = [] } = await cairn.call('search', { query })
      return results.map(({ id }: { id: string }) => id.split('/').at(-1)).toSorted()
    }
    await eventually(async () => expect(await found('tea')).toEqual(['cup.md', 'tea.md']))
    return { cairn, found, folder, state }
  }
})

const MOST = 200

async function fill(store: PostgresStore, bytes: number): Promise<void> {
  for (let at = 0; at < MOST; at++) {
    try {
      await store.putMeta(`${bytes} ${at}`, randomBytes(bytes / 2).toString('hex'))
    } catch {
      return
    }
  }
}

/** In the middle of every page, past its head, so that its checksum no longer fits. */
function damagePages(file: string): void {
  for (let at = 0; at < statSync(file).size; at += PAGE_BYTES) scribble(file, at + PAGE_BYTES - 64)
}

function scribble(file: string, at: number): void {
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(32, 0xa5), 0, 32, at)
  closeSync(opened)
}
