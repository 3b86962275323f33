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
  }, 600_000)
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
    const sources = [`files=${folder}`, 'db:rows']
    const base = [...sources, '--state', state, '--store', `${server.url()}?base=replicas`]
    const acknowledged: { readonly id: string; readonly operation: string }[] = []
    const living: { readonly process: ServerProcess; readonly writing: Promise<void> }[] = []
    onTestFinished(async () => {
      for (const { process } of living) await process.kill()
    })
    /** Starts one more, which writes until it is killed. */
    const begin = async (name: string): Promise<void> => {
      const process = await startServerProcess(base)
      const write = async (): Promise<void> => {
        for (let each = 0; ; each++) {
          // By turns a file and a document in the database.
          const id = `${each % 2 === 0 ? 'files' : 'rows'}/${name}-${each}.md`
          const written = { action: 'create', id, content: contentOf(id) }
          const answer = await process.call('write', written)
          if (answer['error']) await sleep(20)
          else acknowledged.push({ id, operation: answer['operation'] })
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
        .poll(() => acknowledged.length, { timeout: 600_000, interval: 5 })
        .toBeGreaterThan(before + 2)
      await process.kill()
      await writing
      await begin(`next${round}`)
    }
    for (const { process, writing } of living.splice(0)) {
      await process.kill()
      await writing
    }

    const ofBase = "base = (SELECT id FROM cairn.bases WHERE name = 'replicas')"
    const rows: Record<string, string> = JSON.parse(
      server.sql(
        `SELECT coalesce(json_object_agg(path, convert_from(bytes, 'UTF8')), '{}')
         FROM cairn.contents WHERE digest IS NOT NULL AND ${ofBase}`,
      ),
    )
    for (const { id } of acknowledged) {
      const [source, path = ''] = id.split('/')
      const content = source === 'rows' ? rows[path] : readFileSync(join(folder, path), 'utf8')
      expect(content).toBe(contentOf(id))
    }
    // Each was made once, also those whose end nobody saw.
    const twice = `SELECT names FROM cairn.operations WHERE ${ofBase} AND state = 'done'
      GROUP BY names HAVING count(*) > 1`
    expect(server.sql(twice)).toBe('')
    expect(new Set(acknowledged.map(({ operation }) => operation)).size).toBe(acknowledged.length)
    const inRows = acknowledged.filter(({ id }) => id.startsWith('rows/')).length
    expect(inRows).toBeGreaterThan(0)
    const run = (...words: string[]) => runCairn(folder, ...words, ...base, '--json')
    // Temporary files of the dead are taken away, and nothing else is left of them.
    await run('doctor', '--repair')
    const doctor = await run('doctor')
    const { findings } = JSON.parse(doctor.out)
    expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([])
    expect(doctor.out).toContain('The index in the database is sound.')
    const [kills, lost] = [FAULTS.replicaKills, 0]
    tellFigures('replica killed', { kills, acknowledged: acknowledged.length, inRows, lost })
  })
})

function contentOf(id: string): string {
  return `# ${id}\n\nWritten as ${id}.`
}
