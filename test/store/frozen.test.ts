/** Processes that stand still in the middle, and machines that do not agree on the time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'
import { runCairn } from '../support/run-cairn.ts'
import { configOf } from '../support/serve-folder.ts'
import { COMPILED, startServerProcess } from '../support/server-process.ts'
import type { Order } from '../support/store-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `processes that stand still${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
const PROGRAM = fileURLToPath(new URL('../support/store-process.ts', import.meta.url))
const CLOCK = new URL('../support/other-clock.ts', import.meta.url).href
const HOUR_MS = 3_600_000

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 600_000)
  afterAll(() => server.remove())

  /** A process with a store of its own, told what to do and asked what came of it. */
  async function startStoreProcess(url: string) {
    const child = spawn(process.execPath, [PROGRAM, url, temporaryFolder()], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    })
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const said = async (): Promise<unknown> => JSON.parse((await lines.next()).value as string)
    expect(await said()).toEqual({ opened: true })
    return {
      said,
      tell: (order: Order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
      freeze: () => process.kill(child.pid!, 'SIGSTOP'),
      thaw: () => process.kill(child.pid!, 'SIGCONT'),
    }
  }

  it('goes on when a writer freezes in its transaction, and refuses it when it thaws', async () => {
    const url = `${server.url()}?base=frozen`
    const store = await openedAt(url)
    await putNote(store, 1)
    const writer = await startStoreProcess(url)
    const gate = join(temporaryFolder(), 'open')
    writer.tell({ kind: 'put', no: 2, until: gate })
    expect(await writer.said()).toEqual({ inside: true })
    writer.freeze()
    const frozenAt = performance.now()
    await putNote(store, 3)
    const waitedMs = Math.round(performance.now() - frozenAt)
    writeFileSync(gate, '')
    writer.thaw()
    expect(await writer.said()).toMatchObject({ refused: 'unavailable' })
    expect(await store.documents([1, 2, 3])).toMatchObject([{ no: 1 }, undefined, { no: 3 }])
    expect((await store.stamps()).generation).toBe(2)
    expect(await store.check()).toEqual([])
    // The one that was refused can begin again.
    writer.tell({ kind: 'put', no: 2 })
    expect(await writer.said()).toEqual({ put: 2 })
    tellFigures('writer frozen', { waitedMs })
  })

  it('fences a leader that freezes past the end of its lease', async () => {
    const url = `${server.url()}?base=led`
    const store = await openedAt(url)
    const leader = await startStoreProcess(url)
    leader.tell({ kind: 'lease', owner: 'first', ttlMs: 500 })
    expect(await leader.said()).toMatchObject({ lease: { owner: 'first', fence: 1 } })
    leader.freeze()
    const lease = await eventually(async () => {
      const taken = await store.acquireLease('second', 60_000)
      expect(taken).toBeDefined()
      return taken!
    })
    expect(lease.fence).toBe(2)
    await putNote(store, 1, { lease })
    leader.tell({ kind: 'put', no: 2 })
    leader.thaw()
    expect(await leader.said()).toMatchObject({ refused: 'conflict' })
    expect((await store.counts()).documents).toBe(1)
    leader.tell({ kind: 'lease', owner: 'first', ttlMs: 500 })
    // Whoever took over keeps it.
    expect(await leader.said()).toEqual({})
  })

  it('takes a lease over that a database with another clock has left behind', async () => {
    const [first, second] = [
      await openedAt(`${server.url()}?base=clocks`),
      await openedAt(`${server.url()}?base=clocks`),
    ]
    const lease = await first.acquireLease('first', 60_000)
    expect(await second.acquireLease('second', 60_000)).toBeUndefined()
    // As a standby sees it that takes over and whose clock is an hour behind.
    server.sql("UPDATE cairn.leases SET expires_at = expires_at + interval '1 hour'")
    const taken = await second.acquireLease('second', 60_000)
    expect(taken).toMatchObject({ owner: 'second', fence: lease!.fence + 1 })
    await expect(putNote(first, 1, { lease: lease! })).rejects.toMatchObject({ code: 'conflict' })
    await putNote(second, 1, { lease: taken! })
  })

  it.each([HOUR_MS, -HOUR_MS])('dates documents by the clock of the database', async (aheadMs) => {
    const right = Date.now
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => right() + aheadMs)
    onTestFinished(() => clock.mockRestore())
    const url = `${server.url()}?base=dated ${aheadMs}`
    const flags = { store: url, state: temporaryFolder(), embedding: 'none' }
    const base = await openBase(await configOf('db:notes', flags))
    onTestFinished(() => base.close())
    const call = async (tool: string, args: Record<string, unknown>): Promise<any> =>
      (await base.call(tool, args)).structured
    await call('write', { action: 'create', id: 'a.md', content: '# A\n' })
    expect((await call('history', { since: '30 minutes ago' })).operations).toHaveLength(1)
    const dates = server.sql(
      `SELECT count(*) FROM cairn.operations AS o JOIN cairn.contents AS c USING (base)
       JOIN cairn.bases AS b ON b.id = o.base AND b.name = 'dated ${aheadMs}'
       WHERE greatest(abs(o.at - c.modified_at), abs(o.at - ${right()})) < ${HOUR_MS / 2}`,
    )
    expect(dates.trim()).toBe('1')
    const { undone } = await call('history', { action: 'undo', since: '30 minutes ago' })
    expect(undone).toHaveLength(1)
  })

  it('does the same on machines whose clocks are an hour apart', async () => {
    const folder = temporaryFolder({ 'tea.md': '# Tea\n\nBoil water.' })
    const state = temporaryFolder()
    const store = ['--store', `${server.url()}?base=hours`]
    const start = (name: string, aheadMs: number) =>
      startServerProcess([folder, '--state', join(state, name), ...store], name, [
        '--import',
        `${CLOCK}?ahead=${aheadMs}`,
      ])
    const finds = (each: typeof early, query: string, wanted: string): Promise<void> =>
      eventually(async () => {
        const { results } = await each.call('search', { query })
        expect(results.map(({ title: name }: { title: string }) => name)).toContain(wanted)
      })
    const leader = (): string =>
      server.sql(
        `SELECT l.owner || ' ' || l.fence FROM cairn.leases AS l
         JOIN cairn.bases AS b ON b.id = l.base AND b.name = 'hours' WHERE l.role = 'indexing'`,
      )
    const late = await start('late', HOUR_MS)
    onTestFinished(() => late.kill())
    await finds(late, 'water', 'Tea')
    const led = leader()
    const early = await start('early', -HOUR_MS)
    onTestFinished(() => early.kill())
    await finds(early, 'water', 'Tea')

    const write = (id: string) => ({ action: 'create', id: `${id}.md`, content: `# ${id}\n\nNew.` })
    expect((await early.call('write', write('Cup')))['error']).toBeUndefined()
    await finds(late, 'cup', 'Cup')
    expect((await late.call('write', write('Pot')))['error']).toBeUndefined()
    await finds(early, 'pot', 'Pot')
    // The history goes by the clock of the database, and so does what is asked of it.
    for (const each of [early, late]) {
      const { operations } = await each.call('history', { since: '30 minutes ago' })
      expect(operations.map(({ documents }: { documents: string[] }) => documents[0])).toEqual([
        expect.stringContaining('Pot.md'),
        expect.stringContaining('Cup.md'),
      ])
      const ages = operations.map(({ at }: { at: string }) => Date.now() - Date.parse(at))
      expect(ages.filter((age: number) => Math.abs(age) > HOUR_MS / 2)).toEqual([])
    }
    writeFileSync(join(folder, 'bowl.md'), '# Bowl\n\nBy hand.')
    await finds(early, 'bowl', 'Bowl')
    // Nobody took the lease for one that has run out.
    expect(leader()).toBe(led)
    await late.kill()
    writeFileSync(join(folder, 'jug.md'), '# Jug\n\nBy hand.')
    await finds(early, 'jug', 'Jug')
    expect(leader()).not.toBe(led)
    writeFileSync(join(folder, 'jug.md'), '# Jug\n\nBy another hand.')
    await finds(early, 'another', 'Jug')
    const doctor = await runCairn(
      folder,
      'doctor',
      folder,
      '--state',
      join(state, 'early'),
      ...store,
    )
    expect(doctor.out).toContain('all 5 files are in the index as they are on disk')
  })
})
