/** Every history, held to the contract: in files, on PGlite with npm alone, on a real server. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { openHistory } from '../../src/core/history/open-history.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { PostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { POSTGRES_BIN, WHY_SKIPPED } from '../support/postgres-server.ts'
import { pglite, real } from '../support/store-servers.ts'
import type { Server } from '../support/store-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeHistory } from './history-contract.ts'

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}

describeHistory('files', async () => {
  const folder = temporaryFolder()
  const own = join(folder, 'own')
  const holding = (text: string): string =>
    filesIn(own).find((file) => readFileSync(file).includes(text))!
  return {
    open: async (keep) => openHistory(own, { keep }),
    neighbour: openHistory(join(folder, 'neighbour')),
    async damage(text) {
      const file = holding(text)
      const bytes = readFileSync(file)
      const at = bytes.indexOf(text)
      bytes[at] = bytes[at]! ^ 1
      writeFileSync(file, bytes)
    },
    loseContent: async (beginning) => rmSync(holding(beginning)),
    close: async () => {},
  }
})

function describeOn(start: () => Promise<Server>): void {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())
  let bases = 0
  it('outlives the index beside it', async () => {
    const address = parseStoreAddress(`${server.url}?base=outlived`)
    const more = { format: 'test', sources: '', copies: temporaryFolder() }
    const store = await openPostgresStore({ address, ...more })
    onTestFinished(() => store.close())
    const { history } = await store.openWriting({ keep: {} })
    const id = '20260101T000000-00000000'
    await history.begin({ id, at: 0, kind: 'create', by: {}, changes: [] })
    await store.putMeta('kept', 'no')
    const { epoch } = await store.stamps()
    await server.run(`DELETE FROM cairn.bases WHERE name = 'outlived'`)
    expect((await store.stamps()).epoch).not.toBe(epoch)
    expect(await store.getMeta('kept')).toBeUndefined()
    expect(await history.find(id)).toMatchObject({ id, state: 'open' })
    await history.settle(id, 'done')
    expect(await history.unsettled()).toEqual([])
  })
  describeHistory('PostgreSQL', async () => {
    const stores: PostgresStore[] = []
    const store = async (base: string): Promise<PostgresStore> => {
      const address = parseStoreAddress(`${server.url}?base=${base}`)
      const more = { format: 'test', sources: '', copies: temporaryFolder({}, () => {}) }
      const opened = await openPostgresStore({ address, ...more })
      stores.push(opened)
      return opened
    }
    const name = `history ${bases++}`
    const base = `(SELECT id FROM cairn.bases WHERE name = '${name}')`
    return {
      open: async (keep = {}) => (await (await store(name)).openWriting({ keep })).history,
      neighbour: (await (await store(`beside ${bases}`)).openWriting({ keep: {} })).history,
      damage: (text) =>
        server.run(
          `UPDATE cairn.operations SET record = replace(record, '${text}', 'x${text.slice(1)}')
           WHERE base = ${base}`,
        ) as Promise<void>,
      loseContent: (beginning) =>
        server.run(
          `DELETE FROM cairn.operation_contents WHERE base = ${base}
             AND position('${beginning}'::bytea in data) = 1`,
        ) as Promise<void>,
      close: async () => void (await Promise.all(stores.map((each) => each.close()))),
    }
  })
}

describe('on PGlite', () => describeOn(pglite))
describe.skipIf(!POSTGRES_BIN)(`on a server${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`, () =>
  describeOn(real),
)
