/** A server tells the others that it has committed; those who cannot be told look for themselves. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { PostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { HAS_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts'
import { startPglite } from '../support/pglite-server.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'

const title = `hints${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`

/** The last generation that whoever listens has seen for himself after a hint. */
function following(store: PostgresStore): () => number {
  let generation = 0
  const look = async (): Promise<void> => {
    generation = Math.max(generation, (await store.stamps()).generation)
  }
  onTestFinished(store.listen(() => void look().catch(() => {})))
  return () => generation
}

const SOON = { timeout: 150_000 }

describe.skipIf(!POSTGRES_BIN)(title, { timeout: 600_000 }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 600_000)
  afterAll(() => server.remove())

  it('reach every other server of the base, and no server of another', async () => {
    const url = `${server.url()}?base=told`
    const writer = await openedAt(url)
    const readers = [await openedAt(url), await openedAt(url)]
    const seen = readers.map(following)
    const stranger = await openedAt(`${server.url()}?base=untold`)
    following(stranger)
    for (const store of [...readers, stranger]) {
      await expect.poll(() => store.heard().listening, SOON).toBe(true)
    }
    const before = stranger.heard().hints
    for (const no of [1, 2, 3]) {
      const generation = await putNote(writer, no)
      for (const last of seen) await expect.poll(last, SOON).toBe(generation)
    }
    expect(stranger.heard().hints).toBe(before)
  })

  it('come again after the server was killed, and what was missed is looked for', async () => {
    const url = `${server.url()}?base=back`
    const [writer, reader] = [await openedAt(url), await openedAt(url)]
    const last = following(reader)
    await expect.poll(() => reader.heard().listening, SOON).toBe(true)
    server.kill()
    await expect.poll(() => reader.heard().listening, SOON).toBe(false)
    server.start()
    const generation = await eventually(() => putNote(writer, 1))
    await expect.poll(last, SOON).toBe(generation)
    await expect.poll(() => reader.heard().listening, SOON).toBe(true)
  })

  it.skipIf(!HAS_PGBOUNCER)('are not waited for behind pgbouncer', async () => {
    const bouncer = await startPgbouncer(server)
    onTestFinished(() => bouncer.close())
    const store = await openedAt(`${bouncer.url}?base=behind`)
    let told = 0
    onTestFinished(store.listen(() => told++))
    const generation = await putNote(store, 1)
    await expect
      .poll(() => server.sql("SELECT count(*) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'"))
      .toBe('0')
    expect(store.heard()).toEqual({ listening: false, hints: 0 })
    expect(told).toBe(0)
    expect((await store.stamps()).generation).toBe(generation)
  })
})

it('are done without where the server has one connection', { timeout: 600_000 }, async () => {
  const database = await startPglite()
  onTestFinished(() => database.close())
  const store = await openedAt(`${database.url}?base=alone`)
  onTestFinished(store.listen(() => {}))
  const generation = await putNote(store, 1)
  expect(store.heard().listening).toBe(false)
  expect((await store.stamps()).generation).toBe(generation)
})
