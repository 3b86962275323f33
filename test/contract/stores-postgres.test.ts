/** The PostgreSQL store, held to the contract: on PGlite with npm alone, and on a real server. */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe } from 'vitest'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { POSTGRES_BIN, WHY_SKIPPED } from '../support/postgres-server.ts'
import { pglite, real } from '../support/store-servers.ts'
import type { Server } from '../support/store-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeStore } from './store-contract.ts'

function describeOn(name: string, start: () => Promise<Server>): void {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())
  let bases = 0
  describeStore(name, async () => {
    const copies = temporaryFolder({}, () => {})
    const address = parseStoreAddress(`${server.url}?base=contract ${bases++}`)
    const more = { format: 'test', sources: '', copies }
    const open = () => openPostgresStore({ address, ...more })
    const beside = parseStoreAddress(`${server.url}?base=beside ${bases}`)
    return {
      store: await open(),
      neighbour: await openPostgresStore({ address: beside, ...more }),
      reopen: open,
      // Its clock is the database's, which nobody here can turn.
      minutePasses: async () => {
        const ago = "interval '61 seconds'"
        await server.run(`UPDATE cairn.segments SET replaced_at = replaced_at - ${ago}`)
      },
      close: () => rmSync(copies, { recursive: true, force: true }),
    }
  })
}

describe('on PGlite', () => describeOn('postgres', pglite))
describe.skipIf(!POSTGRES_BIN)(`on a server${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`, () =>
  describeOn('postgres', real),
)
