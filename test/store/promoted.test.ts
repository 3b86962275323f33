/** A primary that dies under writes, and a synchronous standby that takes its place. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FAULTS, FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { freePort, POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `a standby that takes over${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
/** Acknowledged before the primary is killed, and again after the standby has taken over. */
const WRITES = 10

type Answer = Record<string, any>

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  it(`loses nothing and answers everything when it happens ${FAULTS.promotions} times`, async () => {
    let primary = await startPostgres()
    onTestFinished(() => primary.remove())
    let standby = await followed(primary, await freePort())
    onTestFinished(() => standby.remove())
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = `postgres://postgres@${hosts}/postgres`

    const folder = temporaryFolder({ 'tea.md': '# Tea\n\nBoil water.', 'cup.md': '# Cup\n\nTea.' })
    const state = temporaryFolder()
    const servers = await Promise.all(
      ['one', 'two'].map((name) =>
        startServerProcess([folder, '--state', join(state, name), '--store', `${url}?base=notes`]),
      ),
    )
    onTestFinished(async () => void (await Promise.all(servers.map((each) => each.kill()))))
    const search = (at: number) => servers[at]!.call('search', { query: 'tea' })
    for (const at of [0, 1]) {
      await eventually(async () => expect((await search(at))['results']).toHaveLength(2))
    }

    const stores = [await openedAt(`${url}?base=writes`), await openedAt(`${url}?base=writes`)]
    const kept: number[] = []
    let [next, refused, answers] = [0, 0, 0]
    const failed: unknown[] = []
    const over = new AbortController()
    const write = async (at: number): Promise<void> => {
      while (!over.signal.aborted) {
        const no = next++
        await putNote(stores[at]!, no).then(
          () => kept.push(no),
          async () => {
            refused++
            await sleep(20)
          },
        )
      }
    }
    const ask = async (at: number): Promise<void> => {
      while (!over.signal.aborted) {
        const answer = await search(at).catch((error: unknown): Answer => ({ error }))
        answers++
        if (answer['error'] || answer['results'].length !== 2) failed.push(answer)
        await sleep(20)
      }
    }
    const busy = Promise.all([write(0), write(1), ask(0), ask(1)])
    const acknowledgedAfter = async (count: number): Promise<void> => {
      const enough = kept.length + count
      await expect
        .poll(() => kept.length, { timeout: 120_000, interval: 5 })
        .toBeGreaterThanOrEqual(enough)
    }

    const resumedMs: number[] = []
    for (let round = 0; round < FAULTS.promotions; round++) {
      await acknowledgedAfter(WRITES)
      primary.kill()
      standby.promote()
      const promotedAt = performance.now()
      await acknowledgedAfter(1)
      resumedMs.push(Math.round(performance.now() - promotedAt))
      await acknowledgedAfter(WRITES)
      if (round + 1 === FAULTS.promotions) break
      // The dead one comes back as a standby of the new one, at its old address.
      primary.remove()
      const dead = primary
      primary = standby
      standby = await followed(primary, dead.port)
    }
    over.abort()
    await busy
    const written = { action: 'create', id: 'pot.md', content: '# Pot\n\nFor a zygomorphic tea.' }
    expect((await servers[0]!.call('write', written))['error']).toBeUndefined()
    const found = await servers[1]!.call('search', { query: 'zygomorphic' })
    expect(found['results']).toMatchObject([{ title: 'Pot' }])

    const there = await stores[0]!.documents(kept)
    expect(there.filter((document) => document === undefined)).toEqual([])
    const { documents } = await stores[0]!.counts()
    // Each was tried once, and what was begun and not acknowledged is there once or not at all.
    expect((await stores[1]!.stamps()).generation).toBe(documents)
    expect(await stores[1]!.check()).toEqual([])
    expect(failed).toEqual([])
    expect(answers).toBeGreaterThan(0)
    const figures = { acknowledged: kept.length, lost: 0, refused, answers, failed: 0, resumedMs }
    tellFigures(`promoted ${FAULTS.promotions} times`, figures)
  })
})

/** A standby that the primary waits for before it confirms anything. */
async function followed(primary: PostgresServer, port: number): Promise<PostgresServer> {
  const standby = await primary.standby({ port })
  // Where it takes over there is nobody yet whom it could wait for.
  standby.sql('ALTER SYSTEM RESET synchronous_standby_names')
  primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
  for (const each of [standby, primary]) each.sql('SELECT pg_reload_conf()')
  await expect
    .poll(() => primary.sql('SELECT sync_state FROM pg_stat_replication'), { timeout: 60_000 })
    .toBe('sync')
  return standby
}
