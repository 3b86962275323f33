/** A server tells the others that it has committed; those who cannot be told look for themselves. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { PostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { note, segmentOf } from '../contract/store-contract.ts'
import { HAS_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.ts'
import { startPglite } from '../support/pglite-server.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `hints${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`

async function opened(url: string): Promise<PostgresStore> {
  const address = parseStoreAddress(url)
  const copies = temporaryFolder()
  const store = await openPostgresStore({ address, format: 'test', sources: '', copies })
  onTestFinished(() => store.close())
  return store
}

function put(store: PostgresStore, no: number): Promise<number> {
  const document = note(no, `${no}.md`)
  return store.commit({ put: [document], segment: segmentOf([document]) }, resolveLink)
}

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
    const writer = await opened(url)
    const readers = [await opened(url), await opened(url)]
    const seen = readers.map(following)
    const stranger = await opened(`${server.url()}?base=untold`)
    following(stranger)
    for (const store of [...readers, stranger]) {
      await expect.poll(() => store.heard().listening, SOON).toBe(true)
    }
    const before = stranger.heard().hints
    for (const no of [1, 2, 3]) {
      const generation = await put(writer, no)
      for (const last of seen) await expect.poll(last, SOON).toBe(generation)
    }
    expect(stranger.heard().hints).toBe(before)
  })

  it('come again after the server was killed, and what was missed is looked for', async () => {
    const url = `${server.url()}?base=back`
    const [writer, reader] = [await opened(url), await opened(url)]
    const last = following(reader)
    await expect.poll(() => reader.heard().listening, SOON).toBe(true)
    server.kill()
    await expect.poll(() => reader.heard().listening, SOON).toBe(false)
    server.start()
    let generation = 0
    for (let attempt = 0; generation === 0 && attempt < 100; attempt++) {
      generation = await put(writer, 1).catch(async () => {
        await sleep(100)
        return 0
      })
    }
    await expect.poll(last, SOON).toBe(generation)
    await expect.poll(() => reader.heard().listening, SOON).toBe(true)
  })

  it.skipIf(!HAS_PGBOUNCER)('are not waited for behind pgbouncer', async () => {
    const bouncer = await startPgbouncer(server)
    onTestFinished(() => bouncer.close())
    const store = await opened(`${bouncer.url}?base=behind`)
    let told = 0
    onTestFinished(store.listen(() => told++))
    const generation = await put(store, 1)
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
  const store = await opened(`${database.url}?base=alone`)
  onTestFinished(store.listen(() => {}))
  const generation = await put(store, 1)
  expect(store.heard().listening).toBe(false)
  expect((await store.stamps()).generation).toBe(generation)
})
