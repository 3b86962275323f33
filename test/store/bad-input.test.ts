/** What is wrong with an address or a database is said in words, and nothing is changed. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { storeFindings } from '../../src/keep/doctor/doctor-store.ts'
import { openStore } from '../../src/serve/parts/stores.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { LOCK } from '../../src/team/postgres/migrate.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { PostgresOptions } from '../../src/team/postgres/open-postgres-store.ts'
import { note, segmentOf } from '../contract/store-contract.ts'
import { CAIRN } from '../support/cairn-process.ts'
import { freePort, POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { runCairn } from '../support/run-cairn.ts'
import { COMPILED } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `addresses and databases that cannot be used${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`

describe.skipIf(!POSTGRES_BIN)(title, { timeout: 600_000 }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off', 'password_encryption=scram-sha-256'])
  }, 600_000)
  afterAll(() => server.remove())

  const opened = async (url: string, sources = '', patience: PostgresOptions['patience'] = {}) => {
    const address = parseStoreAddress(url)
    const store = await openPostgresStore({
      address,
      format: 'test',
      sources,
      copies: temporaryFolder(),
      patience,
    })
    onTestFinished(() => store.close())
    return store
  }
  const refusal = async (url: string, sources?: string) => {
    const error = await opened(url, sources).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ name: 'KnowledgeError', hint: expect.stringMatching(/\w/) })
    const said = `${String(error)} ${(error as { hint: string }).hint}`
    expect(said).not.toContain('geheim')
    return said
  }

  it('says which of host, role, password and database is wrong', async () => {
    const closed = await freePort()
    expect(await refusal(`postgres://postgres:geheim@127.0.0.1:${closed}/postgres`)).toContain(
      'does not answer',
    )
    expect(await refusal(server.url('nobody:geheim'))).toContain('nobody')
    expect(await refusal(server.url('postgres:geheim', 'nowhere'))).toContain('nowhere')
    server.sql("CREATE ROLE locked LOGIN PASSWORD 'right'")
    const rules = join(server.folder, 'data', 'pg_hba.conf')
    writeFileSync(
      rules,
      'host all locked 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n',
    )
    server.sql('SELECT pg_reload_conf()')
    expect(await refusal(server.url('locked:geheim'))).toContain('PGPASSWORD')
    for (const name of ['PGPASSWORD', 'PGPASSFILE']) vi.stubEnv(name, '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const none = await refusal(server.url('locked'))
    expect(none).toMatch(/asks for the password of the role "locked".*PGPASSFILE/)
    for (const sslmode of ['require', 'verify-full']) {
      const plain = await refusal(`${server.url()}?sslmode=${sslmode}`)
      expect(plain).toContain(`does not encrypt connections, and sslmode=${sslmode} asks for it`)
    }
  })

  it('names the database and never the state folder where it cannot say what is wrong', async () => {
    server.sql('CREATE DATABASE odd')
    const url = server.url('postgres', 'odd')
    await opened(url)
    server.sql('DROP TABLE cairn.bases', 'odd')
    const folder = temporaryFolder({ 'tea.md': '# Tea' })
    const sources = [{ name: 'notes', path: folder }]
    const open = openStore({ state: join(temporaryFolder(), 's'), sources, store: url })
    await expect(open).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The database "odd" of PostgreSQL at .*"cairn\.bases"/),
      hint: expect.stringContaining('--store'),
    })
  })

  it('asks for the right to make its tables, and for an encoding that holds all texts', async () => {
    server.sql('CREATE ROLE weak LOGIN')
    expect(await refusal(server.url('weak'))).toContain('GRANT CREATE')
    await opened(server.url())
    server.sql('GRANT CREATE ON DATABASE postgres TO weak')
    expect(await refusal(server.url('weak'))).toMatch(
      /denied for schema cairn.*one role for all servers, the owner.*GRANT USAGE ON SCHEMA cairn/,
    )
    server.sql("CREATE DATABASE narrow ENCODING 'LATIN1' TEMPLATE template0")
    expect(await refusal(server.url('postgres', 'narrow'))).toContain("ENCODING 'UTF8'")
  })

  it('leaves tables of a newer version alone', async () => {
    server.sql('CREATE DATABASE newer')
    await opened(server.url('postgres', 'newer'))
    server.sql('UPDATE cairn.version SET version = 99', 'newer')
    expect(await refusal(server.url('postgres', 'newer'))).toContain('newer Cairn')
    expect(server.sql('SELECT version FROM cairn.version', 'newer')).toBe('99')
  })

  it('refuses other sources under a name, and takes hostile names for what they are', async () => {
    await opened(`${server.url()}?base=one`, 'a')
    expect(await refusal(`${server.url()}?base=one`, 'b')).toContain('?base=')
    const hostile = `'); DROP SCHEMA cairn CASCADE; --`
    const store = await opened(`${server.url()}?base=${encodeURIComponent(hostile)}`)
    await store.commit(
      { put: [note(1, 'a.md')], segment: segmentOf([note(1, 'a.md')]) },
      resolveLink,
    )
    expect((await store.counts()).documents).toBe(1)
    expect(server.sql('SELECT name FROM cairn.bases ORDER BY id DESC LIMIT 1')).toBe(hostile)
  })

  it('heeds no search path', async () => {
    server.sql(
      'CREATE SCHEMA evil; CREATE TABLE evil.documents (base int); CREATE ROLE led LOGIN; ' +
        'GRANT CREATE ON DATABASE postgres TO led; GRANT ALL ON ALL TABLES IN SCHEMA cairn TO led; ' +
        'GRANT ALL ON ALL SEQUENCES IN SCHEMA cairn TO led; ' +
        'GRANT USAGE ON SCHEMA cairn, evil TO led; ALTER ROLE led SET search_path = evil, public',
    )
    const store = await opened(`${server.url('led')}?base=led`)
    await store.commit(
      { put: [note(1, 'a.md')], segment: segmentOf([note(1, 'a.md')]) },
      resolveLink,
    )
    expect((await store.counts()).documents).toBe(1)
  })

  it('names rights that a role lacks, and content without a base, with what mends it', async () => {
    server.sql('CREATE DATABASE shared')
    const url = server.url('postgres', 'shared')
    await opened(url)
    server.sql(
      'CREATE ROLE half LOGIN; GRANT USAGE ON SCHEMA cairn TO half; ' +
        'GRANT ALL ON ALL TABLES IN SCHEMA cairn TO half; REVOKE INSERT ON cairn.links FROM half; ' +
        'INSERT INTO cairn.segments (base, id, docs, bytes, sum, deleted) ' +
        "VALUES (99, 1, 0, 0, 0, '')",
      'shared',
    )
    const store = await opened(server.url('half', 'shared'))
    const findings = async () => storeFindings(await store.facts())
    const starting = (what: string) => ({ what: expect.stringContaining(what) })
    const said = await findings()
    const lacking = 'The role half lacks rights: INSERT ON cairn.links, USAGE ON cairn.content_v'
    expect(said).toContainEqual(expect.objectContaining({ level: 'error', ...starting(lacking) }))
    const left = said.find(({ what }) => what.includes('a base that has no name'))
    server.sql(left!.fix!, 'shared')
    const grants = said.find(({ level }) => level === 'error')!.fix!
    server.sql(grants.slice(grants.indexOf('GRANT')), 'shared')
    expect(await store.facts()).toMatchObject({ missingRights: [], orphans: 0 })
    expect((await findings()).map(({ level }) => level)).not.toContain('error')
    expect(server.sql('SELECT count(*) FROM cairn.bases', 'shared')).toBe('1')
  })

  it('repeats a password nowhere', async () => {
    const secret = 'Grüße-an:alle@17'
    server.sql(`CREATE ROLE keeper LOGIN PASSWORD '${secret}'`)
    server.sql('CREATE DATABASE kept OWNER keeper')
    const rules = join(server.folder, 'data', 'pg_hba.conf')
    const before = readFileSync(rules, 'utf8')
    writeFileSync(rules, `host all keeper 127.0.0.1/32 scram-sha-256\n${before}`)
    server.sql('SELECT pg_reload_conf()')
    const written = encodeURIComponent(secret)
    const right = server.url(`keeper:${written}`, 'kept')
    const folder = temporaryFolder({ 'tea.md': '# Tea' })
    const said: string[] = []
    const run = async (url: string, ...words: string[]): Promise<number> => {
      const base = [folder, '--state', join(temporaryFolder(), 's'), '--store', url]
      const { code, out, err } = await runCairn(folder, ...words, ...base)
      said.push(`${words.join(' ')}: ${out}${err}`)
      return code
    }
    for (const words of [['index'], ['doctor'], ['config', 'show'], ['status']]) {
      expect(await run(right, ...words)).toBeLessThan(2)
      await run(right, ...words, '--json')
    }
    const closed = await freePort()
    for (const wrong of [
      right.replace(`:${written}`, `:${written}no`),
      right.replace(/:\d+\//, `:${closed}/`),
      right.replace('/kept', '/nowhere'),
      `${right}?password=${written}`,
      right.replace(`:${written}`, `:%${written}`),
      right.replace('postgres:', 'http:'),
    ]) {
      expect(await run(wrong, 'index')).not.toBe(0)
      await run(wrong, 'config', 'show')
    }
    const cairn = spawn(
      process.execPath,
      [CAIRN, 'serve', folder, '--http', '0', '--log-level', 'debug', '--store', right],
      { env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } },
    )
    const ended = once(cairn, 'close')
    onTestFinished(async () => {
      cairn.kill('SIGKILL')
      await ended
    })
    let log = ''
    for (const stream of [cairn.stdout, cairn.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (log += text))
    }
    await expect.poll(() => log, { timeout: 180_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(log)!
    const isReady = async () => (await fetch(`${address}/readyz`)).ok
    await expect.poll(isReady, { timeout: 180_000 }).toBe(true)
    for (const path of ['/metrics', '/readyz', '/healthz']) {
      said.push(await (await fetch(`${address}${path}`)).text())
    }
    server.sql('ALTER ROLE keeper NOLOGIN')
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'keeper'")
    // Nothing is to be indexed and nobody asks: it is said all the same.
    await expect.poll(() => log, { timeout: 180_000 }).toMatch(/keeper|not answer/)
    said.push(log)
    expect(said.join('\n').length).toBeGreaterThan(2_000)
    const leaks = said.filter((text) => /Gr(ü|%C3%BC)(ß|%C3%9F)e|alle(@|%40)17/i.test(text))
    expect(leaks).toEqual([])
  })

  it('migrates once, however many start at the same moment', async () => {
    server.sql('CREATE DATABASE together')
    const url = `${server.url('postgres', 'together')}?base=b`
    const stores = await Promise.all(Array.from({ length: 6 }, () => opened(url)))
    const epochs = await Promise.all(stores.map(async (store) => (await store.stamps()).epoch))
    expect(new Set(epochs).size).toBe(1)
    expect(server.sql('SELECT count(*) FROM cairn.version', 'together')).toBe('1')
  })

  it('waits for longer while another makes the tables than for a write of another', async () => {
    server.sql('CREATE DATABASE slowly')
    const url = server.url('postgres', 'slowly')
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('SELECT pg_advisory_lock($1)', [LOCK])
    const opening = opened(url, '', { lockMs: 50 })
    const waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    const isRefused = opening.then(
      () => false,
      () => true,
    )
    await expect.poll(() => server.sql(waits, 'slowly')).toBe('1')
    // Whoever waits since then and for as long as for a write is refused first.
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    onTestFinished(() => writer.end())
    await writer.query('SET lock_timeout = 50')
    const lock = writer.query('SELECT pg_advisory_lock($1)', [LOCK])
    await expect(lock).rejects.toThrow(/lock timeout/)
    await other.query('SELECT pg_advisory_unlock($1)', [LOCK])
    expect(await isRefused).toBe(false)
  })

  it.skipIf(!hasPgbouncer())('works through pgbouncer in transaction mode', async () => {
    const port = await freePort()
    const file = join(server.folder, 'sockets', 'pgbouncer.ini')
    writeFileSync(
      file,
      `[databases]\n* = host=127.0.0.1 port=${server.port} user=postgres\n[pgbouncer]\n` +
        `listen_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\n` +
        'pool_mode = transaction\ndefault_pool_size = 2\nunix_socket_dir =\n',
    )
    const command = ['-u', 'postgres', '--', 'pgbouncer', file]
    const isRoot = process.getuid?.() === 0
    const bouncer = isRoot ? spawn('runuser', command) : spawn('pgbouncer', [file])
    onTestFinished(() => void bouncer.kill())
    const url = `postgres://postgres@127.0.0.1:${port}/postgres?base=bounced`
    await expect
      .poll(
        () =>
          opened(url).then(
            () => true,
            () => false,
          ),
        { timeout: 600_000 },
      )
      .toBe(true)
    // Two connections for all of them: on a busy machine the last waits for longer than people would.
    const patience = { lockMs: 300_000, confirmMs: 300_000 }
    const stores = await Promise.all([1, 2, 3].map(() => opened(url, '', patience)))
    await Promise.all(
      Array.from({ length: 30 }, async (_, no) => {
        const document = note(no, `${no}.md`)
        const store = stores[no % 3]!
        await store.commit({ put: [document], segment: segmentOf([document]) }, resolveLink)
        expect((await store.documents([no]))[0]?.path).toBe(`${no}.md`)
      }),
    )
    expect((await stores[0]!.counts()).documents).toBe(30)
    expect(await stores[1]!.check()).toEqual([])
  })
})

function hasPgbouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}
