/** Both databases are gone for a while: who only asks misses nothing, and all heals by itself. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FAULTS, FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { eventually } from '../support/postgres-stores.ts'
import { startServerProcess } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `no database at all${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
const NOTES = { 'tea.md': '# Tea\n\nBoil water.', 'cup.md': '# Cup\n\nHolds tea.' }
const BOTH = ['cup.md', 'tea.md']

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  it(`goes on searching with a note for ${FAULTS.outageMs} ms, refuses to write, and heals`, async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const standby = await primary.standby()
    onTestFinished(() => standby.remove())
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
    const serve = async (source: string, base: string): Promise<ServerProcess> => {
      const store = `postgres://postgres@${hosts}/postgres?base=${base}`
      const state = join(temporaryFolder(), 'state')
      const cairn = await startServerProcess([source, '--state', state, '--store', store])
      onTestFinished(() => cairn.kill())
      return cairn
    }
    const folder = temporaryFolder(NOTES)
    // The documents of one are files, those of the other lie in the database that goes.
    const [files, rows] = await Promise.all([serve(folder, 'files'), serve('db:notes', 'rows')])
    const write = (cairn: ServerProcess, id: string, content: string) =>
      cairn.call('write', { action: 'create', id, content })
    for (const [id, content] of Object.entries(NOTES)) {
      expect((await write(rows, id, content))['error']).toBeUndefined()
    }
    const servers = [files, rows]
    for (const cairn of servers) {
      await eventually(async () => expect((await found(cairn)).ids).toEqual(BOTH))
      await eventually(async () => expect((await found(cairn)).rest).not.toMatch(/indexing/))
    }

    // It is not quiet when they go: what was announced last may never have been fetched.
    const gone = new AbortController()
    let written = 0
    const writing = (async () => {
      for (let no = 0; !gone.signal.aborted; no++) {
        const { error } = await write(rows, `other-${no}.md`, `# Other ${no}\n\nNot to be found.`)
        if (!error) written++
      }
    })()
    await expect.poll(() => written, { timeout: 600_000, interval: 5 }).toBeGreaterThan(2)
    for (const each of [primary, standby]) each.kill()
    gone.abort()
    const until = performance.now() + FAULTS.outageMs
    let [answers, refusals] = [0, 0]
    do {
      for (const cairn of servers) {
        expect(await found(cairn)).toEqual({
          ids: BOTH,
          rest: expect.stringMatching(/cannot be kept current .*has not answered since/),
        })
        answers++
        const { error } = await write(cairn, 'new.md', '# New')
        expect(error).toMatchObject({ code: 'unavailable' })
        refusals++
      }
      await sleep(100)
    } while (performance.now() < until)
    await writing
    for (const cairn of servers) {
      expect((await cairn.call('fetch', { id: 'tea.md' }))['text']).toContain('Boil water.')
      // What is not known here: when it can be had again, in words for who reads.
      const { hint } = (await cairn.call('list', {}))['error']
      expect(hint).toMatch(/from memory.*works again as soon as the database answers/)
    }
    const append = { action: 'append', id: 'tea.md', content: 'Twice.' }
    expect((await rows.call('write', append))['error']).toMatchObject({ code: 'unavailable' })
    expect(readdirSync(folder).filter(isNote).toSorted()).toEqual(BOTH)

    for (const each of [primary, standby]) each.start()
    for (const cairn of servers) {
      await eventually(async () =>
        expect((await found(cairn)).rest).not.toMatch(/cannot be kept current/),
      )
      // One that was refused because nobody could tell its end may have come about.
      await eventually(async () => {
        const { error } = await write(cairn, 'pot.md', '# Pot\n\nFor tea.')
        expect(error?.code ?? 'exists').toBe('exists')
      })
    }
    writeFileSync(join(folder, 'jug.md'), '# Jug\n\nFor cold tea.')
    const all = [...BOTH, 'pot.md'].toSorted()
    await eventually(async () => expect((await found(rows)).ids).toEqual(all))
    await eventually(async () =>
      expect((await found(files)).ids).toEqual([...all, 'jug.md'].toSorted()),
    )
    // What was acknowledged before they went is there, and nothing that was refused.
    const kept = primary.sql("SELECT count(*) FROM cairn.contents WHERE path ~ '^other'")
    expect(Number(kept)).toBeGreaterThanOrEqual(written)
    expect(primary.sql("SELECT count(*) FROM cairn.contents WHERE path = 'new.md'")).toBe('0')
    tellFigures('both gone', { outageMs: FAULTS.outageMs, answers, failed: 0, refusals })
  })
})

function isNote(name: string): boolean {
  return name.endsWith('.md')
}

async function found(cairn: ServerProcess): Promise<{ ids: string[]; rest: string }> {
  const { results = [], ...rest } = await cairn.call('search', { query: 'tea' })
  const ids = results.map(({ id }: { id: string }) => id.split('/').at(-1)).toSorted()
  return { ids, rest: JSON.stringify(rest) }
}
