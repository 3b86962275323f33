/**
 * A database that keeps its connections and says nothing: whoever asks is answered from memory,
 * whoever writes is told, and what was under way when it happened is done once or not at all.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { FAR_TOO_LONG_MS, FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { HAS_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'
import { startRelay } from '../support/relay.ts'
import { serveFolder } from '../support/serve-folder.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { modern, raw } from '../transports/http-raw.ts'

const title = `a database that falls silent${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
const NOTES = { 'tea.md': '# Tea\n\nBoil water.', 'cup.md': '# Cup\n\nHolds tea.' }

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off', 'log_connections=on'])
  }, 600_000)
  afterAll(() => server.remove())

  /** Connections of Cairn that the server has let in since it was started. */
  const letIn = (): number =>
    readFileSync(join(server.folder, 'log'), 'utf8').split('application_name=cairn').length - 1
  const backends = (): number[] =>
    server
      .sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'cairn'")
      .split('\n')
      .map(Number)

  it('answers from memory while it is frozen, says so to who watches, and heals', async () => {
    const store = `${server.url()}?base=watched`
    const served = await serveFolder(temporaryFolder(NOTES), { store, embedder: 'none' })
    const { origin } = new URL(served.url!)
    const call = async (name: string, args: object): Promise<any> => {
      const { json } = await raw(origin, modern('tools/call', { name, arguments: args }))
      return json.result.structuredContent ?? JSON.parse(json.result.content[0].text)
    }
    const status = async (): Promise<unknown> => {
      const { status: code, json } = await raw(origin, { method: 'GET', path: '/readyz' })
      return [code, json.status]
    }
    const metric = async (name: string): Promise<number> => {
      const text = await (await fetch(`${origin}/metrics`)).text()
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    }
    await expect.poll(status, { timeout: 150_000 }).toEqual([200, 'ready'])
    expect((await call('search', { query: 'tea' })).results).toHaveLength(2)

    server.freeze()
    onTestFinished(() => server.thaw())
    const frozenAt = performance.now()
    const { results, indexing } = await call('search', { query: 'tea' })
    const answeredMs = Math.round(performance.now() - frozenAt)
    expect(answeredMs).toBeLessThan(FAR_TOO_LONG_MS)
    expect(results).toHaveLength(2)
    expect(indexing).toMatch(/has not answered since/)
    const note = { action: 'create', id: 'pot.md', content: '# Pot' }
    const { error } = await call('write', note)
    expect(error).toMatchObject({ code: 'unavailable' })
    expect(error.message).toContain('keeps its connections open and says nothing')
    await expect.poll(status, { timeout: 150_000 }).toEqual([503, 'out_of_reach'])
    expect(await metric('cairn_store_out_of_reach')).toBe(1)
    expect(await metric('cairn_store_lag_seconds')).toBeGreaterThan(0)

    server.thaw()
    const thawedAt = performance.now()
    await eventually(async () => expect((await call('write', note)).error).toBeUndefined())
    const writtenMs = Math.round(performance.now() - thawedAt)
    await expect.poll(status, { timeout: 150_000 }).toEqual([200, 'ready'])
    expect(await metric('cairn_store_out_of_reach')).toBe(0)
    tellFigures('frozen and thawed', { answeredMs, writtenMs })
  })

  it('does what was under way once or not at all when a port swallows it', async () => {
    const relay = await startRelay(server.url())
    onTestFinished(() => relay.cut())
    const store = ['--store', `${relay.url}?base=swallowed`, '--state', temporaryFolder()]
    const cairn = await startServerProcess(['db:rows', ...store])
    onTestFinished(() => cairn.kill())
    const acknowledged: string[] = []
    let tried = 0
    const over = new AbortController()
    const write = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const id = `${tried++}.md`
        const { error } = await cairn.call('write', { action: 'create', id, content: `# ${id}` })
        if (error) await sleep(20)
        else acknowledged.push(id)
      }
    }
    const busy = Promise.all([write(), write(), write()])
    const search = () => cairn.call('search', { query: 'md' })
    const more = async (count: number): Promise<void> => {
      const enough = acknowledged.length + count
      await expect.poll(() => acknowledged.length, { timeout: 150_000 }).toBeGreaterThan(enough)
    }
    for (let round = 0; round < 3; round++) {
      await more(10)
      relay.swallow()
      // A look that was answered just before may still serve the first who asks.
      await eventually(async () => {
        const askedAt = performance.now()
        const { indexing } = await search()
        expect(performance.now() - askedAt).toBeLessThan(FAR_TOO_LONG_MS)
        expect(String(indexing)).toMatch(/has not answered since/)
      })
      relay.carry()
    }
    await more(10)
    over.abort()
    await busy
    const paths = server
      .sql(
        `SELECT c.path FROM cairn.contents AS c JOIN cairn.bases AS b ON b.id = c.base
         WHERE b.name = 'swallowed' AND c.digest IS NOT NULL`,
      )
      .split('\n')
    expect(acknowledged.filter((id) => !paths.includes(id))).toEqual([])
    const made = server.sql(
      `SELECT count(*) FROM cairn.operations AS o JOIN cairn.bases AS b ON b.id = o.base
       WHERE b.name = 'swallowed' AND o.state = 'done'`,
    )
    expect(Number(made)).toBe(paths.length)
  })

  it('asks on another connection where one of them stands still', async () => {
    const store = await openedAt(`${server.url()}?base=stuck`)
    await putNote(store, 1)
    await Promise.all(Array.from({ length: 12 }, () => store.stamps()))
    const stopped = backends()
    expect(stopped.every((pid) => pid > 1)).toBe(true)
    onTestFinished(() => {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    })
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    const stoppedAt = performance.now()
    expect(await store.stamps()).toMatchObject({ generation: 1 })
    expect(await store.documents([1])).toMatchObject([{ no: 1 }])
    expect(performance.now() - stoppedAt).toBeLessThan(FAR_TOO_LONG_MS)
  })

  it('waits for one that is only slow', async () => {
    const store = await openedAt(`${server.url()}?base=slow`)
    await putNote(store, 1)
    const client = new pg.Client({ connectionString: server.url() })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('BEGIN; LOCK TABLE cairn.documents IN ACCESS EXCLUSIVE MODE')
    const before = letIn()
    const reading = store.documents([1])
    // It is found out again and again that somebody is there, on connections made for that.
    await expect.poll(letIn, { timeout: 150_000 }).toBeGreaterThan(before + 2)
    await client.query('COMMIT')
    expect(await reading).toMatchObject([{ no: 1 }])
  })

  it.skipIf(!HAS_PGBOUNCER)('is not taken in by pgbouncer, which lets everybody in', async () => {
    const bouncer = await startPgbouncer(server)
    onTestFinished(() => bouncer.close())
    const store = ['--store', `${bouncer.url}?base=bounced`, '--state', temporaryFolder()]
    const cairn = await startServerProcess([temporaryFolder(NOTES), ...store])
    onTestFinished(() => cairn.kill())
    const search = () => cairn.call('search', { query: 'tea' })
    await eventually(async () => expect((await search())['results']).toHaveLength(2))
    server.freeze()
    onTestFinished(() => server.thaw())
    const frozenAt = performance.now()
    const { results, indexing } = await search()
    const answeredMs = Math.round(performance.now() - frozenAt)
    expect(answeredMs).toBeLessThan(FAR_TOO_LONG_MS)
    expect(results).toHaveLength(2)
    expect(indexing).toMatch(/has not answered since/)
    server.thaw()
    await eventually(async () => {
      expect(JSON.stringify(await search())).not.toMatch(/has not answered/)
    })
    tellFigures('frozen behind pgbouncer', { answeredMs })
  })
})
