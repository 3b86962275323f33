/** Segments are merged while a hundred readers search, and nobody notices. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import type { Base } from '../../src/serve/wiring/open-base.ts'
import { openStore } from '../../src/serve/parts/stores.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const READERS = 100
/** Enough for a merge or two. */
const ROUNDS = 12

async function mergesUnderReaders(store: string | undefined): Promise<void> {
  const folder = temporaryFolder({ 'kettle.md': '# Kettle\n\nThe zygomorphic kettle boils.' })
  const shared = join(temporaryFolder(), 'state')
  const configFor = async () => {
    // A base in files is shared by its folder, one in a database by its address.
    const state = store === undefined ? shared : join(temporaryFolder(), 'state')
    const { config } = await loadConfig({
      folders: [folder],
      flags: { state, embedder: 'none', ...(store !== undefined && { store }) },
      configFile: undefined,
      env: {},
      cwd: folder,
      home: folder,
    })
    return config
  }
  const opened = async (): Promise<Base> => {
    const base = await openBase(await configFor())
    onTestFinished(() => base.close())
    return base
  }
  const writer = await opened()
  await writer.index({})
  const readers = [await opened(), await opened()]
  const looking = await openStore(await configFor())
  onTestFinished(() => looking.store.close())
  const ids = new Set<number>()
  let replaced = 0

  const over = new AbortController()
  let answers = 0
  const failed: unknown[] = []
  const read = async (base: Base): Promise<void> => {
    while (!over.signal.aborted) {
      const { structured, isError } = await base.call('search', { query: 'zygomorphic kettle' })
      const [first] = (structured['results'] ?? []) as { title: string }[]
      answers++
      // What is answered from memory waits for nothing; the writer wants its turn.
      await turn()
      if (isError || first?.title !== 'Kettle') failed.push(structured)
    }
  }
  const reading = Promise.all(
    Array.from({ length: READERS }, (_, number) => read(readers[number % readers.length]!)),
  )
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(join(folder, `${round}.md`), `# Note ${round}\n\nSomething about cups ${round}.`)
    await writer.index({})
    const living = new Set((await looking.store.segments()).map(({ id }) => id))
    replaced += [...ids].filter((id) => !living.has(id)).length
    // A number that was replaced never comes back.
    for (const id of ids) if (!living.has(id)) ids.delete(id)
    for (const id of living) ids.add(id)
  }
  over.abort()
  await reading
  expect(failed).toEqual([])
  expect(answers).toBeGreaterThan(READERS)
  expect(replaced).toBeGreaterThan(0)
}

it('in a file', { timeout: 900_000 }, () => mergesUnderReaders(undefined))

describe.skipIf(!POSTGRES_BIN)(
  `in PostgreSQL${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`,
  { timeout: 900_000 },
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres(['fsync=off'])
    }, 600_000)
    afterAll(() => server.remove())

    it('no answer fails', () => mergesUnderReaders(`${server.url()}?base=merging`))
  },
)
