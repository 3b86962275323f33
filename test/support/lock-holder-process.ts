/**
 * A process that has the right to write and says so, waits for a line, and says whether it could go
 * on with what it had begun.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'

const [url = '', copies = '', id = ''] = process.argv.slice(2)
const say = (text: string): void => void writeSync(1, `${text}\n`)
const told = new Promise((resolve) =>
  createInterface({ input: process.stdin }).once('line', resolve),
)

const address = parseStoreAddress(url)
const store = await openPostgresStore({ address, format: 'test', sources: '', copies })
const { lease, history } = await store.openWriting({ keep: {} })
await lease.hold(async () => {
  await history.begin({ id, at: Date.now(), kind: 'create', by: {}, changes: [] })
  say('held')
  await told
  const attempts = {
    lock: () => lease.requireHeld(),
    settle: () => history.settle(id, 'done'),
    begin: () =>
      history.begin({ id: `${id}0`, at: Date.now(), kind: 'create', by: {}, changes: [] }),
  }
  for (const [name, attempt] of Object.entries(attempts)) {
    await attempt().then(
      () => say(`${name} went through`),
      (error: Error) => say(`${name} refused by ${error.constructor.name}`),
    )
  }
})
say('end')
await store.close()
process.exit(0)
