/** Servers of Cairn and of PostgreSQL, killed while they write; each is started and ended here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { FAULTS, FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually, openedAt, putNote } from '../support/postgres-stores.ts'
import { runCairn } from '../support/run-cairn.ts'
import { startServerProcess } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `servers that are killed${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
const BATCHES = 20
const REPLICAS = 3

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 180_000)
  afterAll(() => server.remove())

  it(`keeps every acknowledged batch when the database is killed ${FAULTS.databaseKills} times`, async () => {
    const store = await openedAt(`${server.url()}?base=killed`)
    const kept: number[] = []
    let refused = 0
    for (let round = 0; round < FAULTS.databaseKills; round++) {
      const writing = (async () => {
        for (let each = 0; each < BATCHES; each++) {
          const no = round * BATCHES + each
          await putNote(store, no).then(
            () => kept.push(no),
            () => refused++,
          )
        }
      })()
      await sleep(30 + (round % 5) * 20)
      server.kill()
      server.start()
      await writing
    }
    await eventually(() => store.stamps())
    const there = await store.documents(kept)
    expect(there.filter((document) => document === undefined)).toEqual([])
    expect(await store.check()).toEqual([])
    expect(kept.length).toBeGreaterThan(FAULTS.databaseKills)
    // What was refused may be tried again, and nothing of it stands in the way.
    const all = Array.from({ length: FAULTS.databaseKills * BATCHES }, (_, no) => no)
    for (const no of all.filter((each) => !kept.includes(each))) await putNote(store, no)
    expect((await store.counts()).documents).toBe(all.length)
    expect(await store.check()).toEqual([])
    const [kills, acknowledged] = [FAULTS.databaseKills, kept.length]
    tellFigures('database killed', { kills, acknowledged, refused, lost: 0 })
  })

  it(`loses nothing when ${FAULTS.replicaKills} of its servers are killed one after the other`, async () => {
    const folder = temporaryFolder({ 'index.md': '# Index' })
    const state = join(temporaryFolder(), 'state')
    const base = [folder, '--state', state, '--store', `${server.url()}?base=replicas`]
    const acknowledged: { readonly name: string; readonly operation: string }[] = []
    const living: { readonly process: ServerProcess; readonly writing: Promise<void> }[] = []
    onTestFinished(async () => {
      for (const { process } of living) await process.kill()
    })
    /** Starts one more, which writes until it is killed. */
    const begin = async (name: string): Promise<void> => {
      const process = await startServerProcess(base)
      const write = async (): Promise<void> => {
        for (let each = 0; ; each++) {
          const id = `${name}-${each}`
          const content = `# ${id}\n\nWritten by ${name}.`
          const answer = await process.call('write', { action: 'create', id: `${id}.md`, content })
          if (answer['error']) await sleep(20)
          else acknowledged.push({ name: id, operation: answer['operation'] })
        }
      }
      living.push({ process, writing: write().catch(() => {}) })
    }
    await Promise.all(Array.from({ length: REPLICAS }, (_, at) => begin(`first${at}`)))
    for (let round = 0; round < FAULTS.replicaKills; round++) {
      // The oldest one is mostly the one that indexes. It dies in the middle of a write.
      const { process, writing } = living.shift()!
      const before = acknowledged.length
      await expect
        .poll(() => acknowledged.length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(before + 2)
      await process.kill()
      await writing
      await begin(`next${round}`)
    }
    for (const { process, writing } of living.splice(0)) {
      await process.kill()
      await writing
    }

    for (const { name } of acknowledged) {
      const content = readFileSync(join(folder, `${name}.md`), 'utf8')
      expect(content).toBe(`# ${name}\n\nWritten by ${name.split('-')[0]}.`)
    }
    expect(new Set(acknowledged.map(({ operation }) => operation)).size).toBe(acknowledged.length)
    const run = (...words: string[]) => runCairn(folder, ...words, ...base, '--json')
    // Temporary files of the dead are taken away, and nothing else is left of them.
    await run('doctor', '--repair')
    const doctor = await run('doctor')
    const { findings } = JSON.parse(doctor.out)
    expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([])
    expect(doctor.out).toContain('The index in the database is sound.')
    const [kills, lost] = [FAULTS.replicaKills, 0]
    tellFigures('replica killed', { kills, acknowledged: acknowledged.length, lost })
  })
})
