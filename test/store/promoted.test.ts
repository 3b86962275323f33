/** A primary that dies or freezes under writes, and a synchronous standby that takes its place. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FAR_TOO_LONG_MS, FAULTS, FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { freePort, POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'
import { runCairn } from '../support/run-cairn.ts'
import { startServerProcess } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `a standby that takes over${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
/** Acknowledged before the primary is killed, and again after the standby has taken over. */
const WRITES = 10
const UNHARMED = `loses nothing and answers everything when one is %s ${FAULTS.promotions} times`

type Answer = Record<string, any>

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  it.each(['killed', 'frozen'])(UNHARMED, async (how) => {
    let primary = await startPostgres()
    onTestFinished(() => primary.remove())
    let standby = await followed(primary, await freePort())
    onTestFinished(() => standby.remove())
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = `postgres://postgres@${hosts}/postgres`

    const folder = temporaryFolder({ 'tea.md': '# Tea\n\nBoil water.', 'cup.md': '# Cup\n\nTea.' })
    const state = temporaryFolder()
    const sources = [`files=${folder}`, 'db:rows', '--store', `${url}?base=notes`]
    const servers = await Promise.all(
      ['one', 'two'].map((name) => startServerProcess([...sources, '--state', join(state, name)])),
    )
    onTestFinished(async () => void (await Promise.all(servers.map((each) => each.kill()))))
    const search = (at: number) => servers[at]!.call('search', { query: 'tea' })
    for (const at of [0, 1]) {
      await eventually(async () => expect((await search(at))['results']).toHaveLength(2))
    }

    const kept: number[] = []
    let [next, refused, answers] = [0, 0, 0]
    const failed: unknown[] = []
    const over = new AbortController()
    const write = async (at: number): Promise<void> => {
      while (!over.signal.aborted) {
        const no = next++
        const written = { action: 'create', id: `rows/${no}.md`, content: `# Number ${no}` }
        const { error } = await servers[at]!.call('write', written)
        if (error) {
          refused++
          await sleep(20)
        } else kept.push(no)
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
        .poll(() => kept.length, { timeout: 150_000, interval: 5 })
        .toBeGreaterThanOrEqual(enough)
    }

    const answeredMs: number[] = []
    const resumedMs: number[] = []
    for (let round = 0; round < FAULTS.promotions; round++) {
      await acknowledgedAfter(WRITES)
      // Frozen, it keeps every connection, and the system takes new ones for it: nobody is told.
      if (how === 'frozen') primary.freeze()
      else primary.kill()
      const struckAt = performance.now()
      // Nobody who only asks has to wait for a new primary, or for the end of the old one.
      for (const { results } of await Promise.all([search(0), search(1)])) {
        expect(results).toHaveLength(2)
      }
      answeredMs.push(Math.round(performance.now() - struckAt))
      expect(answeredMs.at(-1)).toBeLessThan(FAR_TOO_LONG_MS)
      standby.promote()
      const promotedAt = performance.now()
      await acknowledgedAfter(1)
      resumedMs.push(Math.round(performance.now() - promotedAt))
      await acknowledgedAfter(WRITES)
      primary.kill()
      if (round + 1 === FAULTS.promotions) break
      // The dead one comes back as a standby of the new one, at its old address.
      primary.remove()
      const dead = primary
      primary = standby
      standby = await followed(primary, dead.port)
    }
    over.abort()
    await busy
    const written = { action: 'create', id: 'files/pot.md', content: '# Pot\n\nA zygomorphic tea.' }
    expect((await servers[0]!.call('write', written))['error']).toBeUndefined()
    const found = await servers[1]!.call('search', { query: 'zygomorphic' })
    expect(found['results']).toMatchObject([{ title: 'Pot' }])

    const there = new Set(
      standby.sql('SELECT path FROM cairn.contents WHERE digest IS NOT NULL').split('\n'),
    )
    expect(kept.filter((no) => !there.has(`${no}.md`))).toEqual([])
    // Each was tried once, and what was begun and not acknowledged is there once or not at all.
    const made = standby.sql("SELECT count(*) FROM cairn.operations WHERE state = 'done'")
    expect(Number(made)).toBe(there.size + 1)
    await eventually(async () => {
      const { code, out } = await runCairn(folder, 'doctor', ...sources)
      expect(out).toContain('The index in the database is sound.')
      expect(code).toBe(0)
    })
    expect(failed).toEqual([])
    expect(answers).toBeGreaterThan(0)
    const counts = { acknowledged: kept.length, lost: 0, refused, answers, failed: 0 }
    const figures = { ...counts, answeredMs, resumedMs }
    tellFigures(`${how} and promoted ${FAULTS.promotions} times`, figures)
  })

  it('confirms nothing while the standby is away, and answers questions meanwhile', async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const standby = await followed(primary, await freePort())
    onTestFinished(() => standby.remove())
    const store = await openedAt(`${primary.url()}?base=away`)
    await putNote(store, 1)
    // Most roles see that somebody follows, and not how: nothing is concluded from that.
    primary.sql('CREATE ROLE plain LOGIN; GRANT USAGE ON SCHEMA cairn TO plain')
    primary.sql('GRANT ALL ON ALL TABLES IN SCHEMA cairn TO plain')
    const plain = await openedAt(`${primary.url('plain')}?base=away`)
    const unseen = { waitsInVain: undefined, isSynchronous: undefined, lagBytes: undefined }
    expect(await plain.facts()).toMatchObject({ seesStandbys: false, role: 'plain', ...unseen })
    primary.sql('GRANT pg_read_all_stats TO plain')
    expect(await plain.facts()).toMatchObject({ waitsInVain: false, isSynchronous: true })
    const patience = { confirmMs: 1_000, lockMs: 1_000 }
    const impatient = await openedAt(`${primary.url()}?base=away`, { patience })
    standby.stop()

    const unknown = {
      code: 'unavailable',
      message: expect.stringContaining('a standby that it waits for may be away'),
      hint: expect.stringContaining('look before you try again'),
    }
    await expect(putNote(impatient, 2)).rejects.toMatchObject(unknown)
    // Whoever comes next waits for the first, and is told that nothing was done.
    await expect(putNote(impatient, 3)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Other writers'),
    })
    // So is whoever changes something in one message, and not much later.
    await expect(impatient.putMeta('first', 'x')).rejects.toMatchObject({
      ...unknown,
      message: expect.stringContaining('within 1.25 seconds'),
    })
    // However many wait, questions are answered.
    const waiting = Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => impatient.putMeta(`${at}`, 'x')),
    )
    expect(await impatient.documents([1, 3])).toMatchObject([{ no: 1 }, undefined])
    expect(await impatient.facts()).toMatchObject({ waitsInVain: true, isSynchronous: false })

    standby.start()
    await waiting
    await eventually(() => putNote(store, 4))
    // The one that waited came about in the end, and once.
    expect(await store.documents([1, 2, 3, 4])).toMatchObject([
      { no: 1 },
      { no: 2 },
      undefined,
      { no: 4 },
    ])
    expect((await store.stamps()).generation).toBe(3)
    expect(await store.check()).toEqual([])
    expect(await store.facts()).toMatchObject({ waitsInVain: false, isSynchronous: true })
  })

  it('notices a standby that was behind, and builds again what only the dead one had', async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const standby = await primary.standby()
    onTestFinished(() => standby.remove())
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = `postgres://postgres@${hosts}/postgres`
    const store = await openedAt(`${url}?base=rows`)
    await putNote(store, 1)
    const { epoch } = await store.stamps()
    const folder = temporaryFolder({ 'tea.md': '# Tea\n\nBoil water.', 'cup.md': '# Cup\n\nTea.' })
    const state = temporaryFolder()
    const base = [folder, '--state', join(state, 'one'), '--store', `${url}?base=notes`]
    const other = base.with(2, join(state, 'two'))
    const servers = await Promise.all([base, other].map((args) => startServerProcess(args)))
    onTestFinished(async () => void (await Promise.all(servers.map((each) => each.kill()))))
    const found = async (each: ServerProcess, query: string): Promise<string[]> => {
      const { results } = await each.call('search', { query })
      return results.map(({ title: name }: { title: string }) => name).toSorted()
    }
    for (const each of servers) {
      await eventually(async () => expect(await found(each, 'tea')).toEqual(['Cup', 'Tea']))
    }
    const place = () => primary.sql('SELECT pg_current_wal_flush_lsn()')
    await expect
      .poll(() => standby.sql(`SELECT pg_last_wal_replay_lsn() >= '${place()}'`), {
        timeout: 150_000,
      })
      .toBe('t')
    const warned = await runCairn(folder, 'doctor', ...base)
    expect(warned.out).toContain('an acknowledged write can be lost when a standby takes over')

    standby.stop()
    // Acknowledged by the primary alone.
    await putNote(store, 2)
    expect((await store.stamps()).epoch).toBe(epoch)
    const pot = { action: 'create', id: 'pot.md', content: '# Pot\n\nFor tea.' }
    expect((await servers[0]!.call('write', pot))['error']).toBeUndefined()
    for (const each of servers) expect(await found(each, 'tea')).toEqual(['Cup', 'Pot', 'Tea'])
    primary.kill()
    standby.start()
    standby.promote()

    const now = await eventually(() => store.stamps())
    expect(now.epoch).not.toBe(epoch)
    expect(now.generation).toBe(1)
    expect(await store.documents([1, 2])).toMatchObject([{ no: 1 }, undefined])
    await eventually(() => putNote(store, 3))
    expect((await store.stamps()).epoch).toBe(now.epoch)
    expect(await store.check()).toEqual([])
    for (const each of servers) {
      await eventually(async () => {
        const titles = await found(each, 'tea')
        // With what was lost or without it; never a title for the number of another.
        expect([
          ['Cup', 'Tea'],
          ['Cup', 'Pot', 'Tea'],
        ]).toContainEqual(titles)
        expect(titles).toContain('Pot')
      })
    }
    await eventually(async () => {
      const { code, out } = await runCairn(folder, 'doctor', ...base)
      expect(out).toContain('all 3 files are in the index as they are on disk')
      expect(code).toBe(0)
    })
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
    .poll(() => primary.sql('SELECT sync_state FROM pg_stat_replication'), { timeout: 150_000 })
    .toBe('sync')
  // Whoever commits waits for it once the process that writes checkpoints has read the setting.
  primary.sql('CHECKPOINT')
  return standby
}
