/** Every store, held to the contract. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemoryStore } from '../support/memory-store/open-memory-store.ts'
import { emptyTables } from '../support/memory-store/tables.ts'
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts'
import { openReplica } from '../../src/team/replica/open-replica.ts'
import { describeStore } from './store-contract.ts'

describeStore('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-store-'))
  const open = async () => (await openSqliteStore(join(folder, 'index.db'), 'test')).store
  return {
    store: await open(),
    neighbour: (await openSqliteStore(join(folder, 'neighbour.db'), 'test')).store,
    reopen: open,
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
})

describeStore('memory', async () => {
  const tables = emptyTables()
  const reopen = async () => openMemoryStore(tables)
  return { store: await reopen(), neighbour: openMemoryStore(), reopen, close: () => {} }
})

describeStore('replica', async () => {
  const tables = emptyTables()
  const reopen = async () => openReplica(openMemoryStore(tables)).store
  const neighbour = openReplica(openMemoryStore()).store
  return { store: await reopen(), neighbour, reopen, close: () => {} }
})
