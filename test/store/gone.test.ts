/** Both databases are gone for a while: who only asks misses nothing, and all heals by itself. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FAULTS, FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { eventually } from '../support/postgres-stores.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `no database at all${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  it(`goes on searching with a note for ${FAULTS.outageMs} ms, refuses to write, and heals`, async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const standby = await primary.standby()
    onTestFinished(() => standby.remove())
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
    const folder = temporaryFolder({
      'tea.md': '# Tea\n\nBoil water.',
      'cup.md': '# Cup\n\nHolds tea.',
    })
    const cairn = await startServerProcess([
      folder,
      '--state',
      join(temporaryFolder(), 'state'),
      '--store',
      `postgres://postgres@${hosts}/postgres?base=gone`,
    ])
    onTestFinished(() => cairn.kill())
    const found = async (query: string) => {
      const answer = await cairn.call('search', { query })
      const { results = [], ...rest } = answer
      const ids = results.map(({ id }: { id: string }) => id.split('/').at(-1)).toSorted()
      return { ids, rest: JSON.stringify(rest) }
    }
    const both = ['cup.md', 'tea.md']
    await eventually(async () => expect((await found('tea')).ids).toEqual(both))
    await eventually(async () => expect((await found('tea')).rest).not.toMatch(/indexing/))

    for (const each of [primary, standby]) each.kill()
    const until = performance.now() + FAULTS.outageMs
    let [answers, refusals] = [0, 0]
    do {
      const { ids, rest } = await found('tea')
      expect({ ids, rest }).toEqual({
        ids: both,
        rest: expect.stringMatching(/has not answered since/),
      })
      answers++
      const written = await cairn.call('write', {
        action: 'create',
        id: 'new.md',
        content: '# New',
      })
      expect(written['error']).toMatchObject({ code: 'unavailable' })
      refusals++
      await sleep(100)
    } while (performance.now() < until)
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
        .toSorted(),
    ).toEqual(both)

    for (const each of [primary, standby]) each.start()
    await eventually(async () => expect((await found('tea')).rest).not.toMatch(/has not answered/))
    await eventually(async () => {
      const pot = { action: 'create', id: 'pot.md', content: '# Pot\n\nFor tea.' }
      expect((await cairn.call('write', pot))['error']).toBeUndefined()
    })
    writeFileSync(join(folder, 'jug.md'), '# Jug\n\nFor cold tea.')
    await eventually(async () =>
      expect((await found('tea')).ids).toEqual(['cup.md', 'jug.md', 'pot.md', 'tea.md']),
    )
    tellFigures('both gone', { outageMs: FAULTS.outageMs, answers, failed: 0, refusals })
  })
})
