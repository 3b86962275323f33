/** The server that writes the files of a folder is killed in a change that another one sent to it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { FAULTS, FAULTS_TIMEOUT, tellFigures } from '../support/fault-counts.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { eventually } from '../support/postgres-stores.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const title = `a home that is killed${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`
const DIES = fileURLToPath(new URL('../support/die-at.ts', import.meta.url))

describe.skipIf(!POSTGRES_BIN)(title, { timeout: FAULTS_TIMEOUT }, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 600_000)
  afterAll(() => server.remove())

  it.each(FAULTS.homeMoments)('does a change once or not at all: %s', async (moment) => {
    const folder = temporaryFolder({ 'tea.md': '# Tea\n' })
    const text = (): string => readFileSync(join(folder, 'tea.md'), 'utf8')
    const armed = join(temporaryFolder(), 'armed')
    const args = (): string[] => [
      `notes=${folder}`,
      '--state',
      join(temporaryFolder(), 'state'),
      '--store',
      `${server.url()}?base=${moment}`,
    ]
    const dying = `${DIES}?${new URLSearchParams({ moment, armed }).toString()}`
    const home = await startServerProcess(args(), 'home', ['--import', dying])
    onTestFinished(() => home.kill())
    const append = (content: string) => ({ action: 'append', id: 'tea.md', content })
    // Whoever writes first is the home.
    await eventually(async () =>
      expect((await home.call('write', append('First.')))['error']).toBeUndefined(),
    )
    const other = await startServerProcess(args(), 'other')
    onTestFinished(() => other.kill())

    const rows = (what: string): string =>
      server.sql(`SELECT ${what} AND base = (SELECT id FROM cairn.bases WHERE name = '${moment}')`)
    // Only one change is to meet its end here, and it is asked for by somebody who knows the note.
    await eventually(async () => expect((await other.call('list', {}))['total']).toBe(1))
    if (moment === 'asked') home.process.kill('SIGSTOP')
    else writeFileSync(armed, '')
    const answer = other.call('write', append('Second.'))
    if (moment === 'asked') {
      await expect
        .poll(() => rows("count(*) FROM cairn.requests WHERE state = 'asked'"), {
          timeout: 600_000,
        })
        .toBe('1')
      await home.kill()
    }
    const { error } = await answer
    // It was killed, and did not come to its end by itself.
    await expect.poll(() => home.process.signalCode, { timeout: 600_000 }).toBe('SIGKILL')
    const times = (word: string): number => text().split(word).length - 1
    if (error) expect(error).toMatchObject({ code: 'unavailable', hint: expect.any(String) })
    if (!error) expect(times('Second.')).toBe(1)
    if (/Nothing was changed/.test(error?.hint ?? '')) expect(times('Second.')).toBe(0)
    const waiting = rows("count(*) FROM cairn.requests WHERE state IN ('asked', 'taken')")
    if (!error) expect(waiting).toBe('0')
    // Whoever writes next has settled what was begun.
    let tries = 0
    await eventually(async () => {
      tries++
      const again = await other.call('write', append(`Again, ${tries}.`))
      expect(again['error']).toBeUndefined()
    })
    const counts = [
      'First.',
      'Second.',
      ...Array.from({ length: tries }, (_, at) => `, ${at + 1}.`),
    ]
    expect(counts.filter((word) => times(word) > 1)).toEqual([])
    const done = counts.filter((word) => times(word) === 1).length
    const operations = 'count(*) FROM cairn.operations WHERE state ='
    expect([rows(`${operations} 'done'`), rows(`${operations} 'open'`)]).toEqual([`${done}`, '0'])
    await eventually(async () => {
      const { results } = await other.call('search', { query: 'again' })
      expect(results).toMatchObject([{ id: 'notes/tea.md' }])
    })
    tellFigures('home killed', { moment, answered: error ? 'refused, nothing changed' : 'done' })
  })
})
