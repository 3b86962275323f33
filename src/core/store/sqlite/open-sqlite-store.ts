/**
 * The index in one SQLite file. Every batch is one immediate transaction, so a process killed at
 * any moment leaves either the index before the batch or the one after it.
 */
import { statSync } from 'node:fs'
import { unavailable } from '../../domain/error.ts'
import type { Warning } from '../../domain/warning.ts'
import { summarizeChanges } from '../changes.ts'
import type { Stamps, Store } from '../store.ts'
import { changesAfter } from './changes-table.ts'
import { checkIndex } from './check-index.ts'
import { commitBatch } from './commit-batch.ts'
import { Connection } from './connection.ts'
import { documentTable } from './documents-table.ts'
import { fileTable } from './files-table.ts'
import { followingFile } from './following-file.ts'
import { forgetOtherFormat } from './forget-other-format.ts'
import { leaseRow } from './lease-row.ts'
import { linkTable } from './links-table.ts'
import { isUnusable, markDamaged, openDatabase } from './open-database.ts'
import { segmentTable } from './segments-table.ts'
import { vectorTable } from './vectors-table.ts'

export interface OpenedSqliteStore {
  readonly store: Store
  readonly warning: Warning | undefined
}

/** `format` says what the index is made by; content of another format is forgotten. */
export async function openSqliteStore(file: string, format: string): Promise<OpenedSqliteStore> {
  const { store, setAside } = openFile(file, format)
  const warning: Warning | undefined = setAside && {
    kind: 'index',
    message: `The index file could not be used (${setAside.why}). It was moved to ${setAside.to} and the index is being rebuilt; no file of yours was touched.`,
  }
  return { store: followingFile(store, file, () => openFile(file, format).store), warning }
}

/** A file up to this size is looked through before anybody is answered from it: a few milliseconds. */
const CHECKED_AT_ONCE = 2 * 1024 * 1024

function openFile(file: string, format: string) {
  const { database, setAside } = openDatabase(file)
  forgetOtherFormat(database, format)
  const connection = new Connection(database)
  if (setAside || sizeOf(file) > CHECKED_AT_ONCE) {
    return { store: storeOver(connection, format), setAside }
  }
  const [finding] = findingsIn(connection)
  if (finding === undefined) return { store: storeOver(connection, format), setAside }
  connection.close()
  markDamaged(file)
  const again = openDatabase(file)
  forgetOtherFormat(again.database, format)
  return { store: storeOver(new Connection(again.database), format), setAside: again.setAside }
}

function findingsIn(connection: Connection): readonly string[] {
  try {
    return checkIndex(connection)
  } catch (error) {
    // A file that is taken away while it is looked through proves nothing.
    return isUnusable(error) ? [String(error)] : []
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Another version may have opened the file since: what this one makes is not what that one reads. */
function requireFormat(connection: Connection, format: string): void {
  if (connection.meta('format') === format) return
  throw unavailable(
    'Another version of Cairn makes the index here by now.',
    'End this server, and let one version serve the folder.',
  )
}

function storeOver(connection: Connection, format: string): Store {
  return {
    ...documentTable(connection),
    ...fileTable(connection),
    ...linkTable(connection),
    ...segmentTable(connection),
    ...vectorTable(connection),
    ...leaseRow(connection),

    stamps: stampsFrom(connection),

    reserveNumbers: (count, patienceMs) =>
      connection.transaction(() => {
        const first = connection.metaNumber('next_no')
        connection.setMeta('next_no', first + count)
        return first
      }, patienceMs),
    commit: (batch, resolve) =>
      connection.transaction(() => {
        requireFormat(connection, format)
        return commitBatch(connection, batch, resolve)
      }, batch.patienceMs),
    async changesSince(since) {
      const generation = connection.metaNumber('generation')
      return summarizeChanges(changesAfter(connection, since), { since, generation })
    },

    getMeta: async (key) => connection.meta(`user.${key}`),
    putMeta: (key, value) => connection.transaction(() => connection.setMeta(`user.${key}`, value)),
    check: async () => checkIndex(connection),
    close: async () => connection.close(),
  }
}

/**
 * Validation by version: every search asks for the stamps, and they are read again only when
 * somebody has committed since. Asking that looks at no table and takes a tenth of the time.
 */
function stampsFrom(connection: Connection): Store['stamps'] {
  let last: { readonly version: string; readonly stamps: Stamps } | undefined
  return async () => {
    // Asked first: what is committed in between is read, and counts as news at the next look.
    const version = connection.version()
    if (last?.version === version) return last.stamps
    const rows = connection.all(
      `SELECT key, value FROM meta
       WHERE key IN ('epoch', 'generation', 'graph_stamp', 'vector_stamp')`,
    )
    const known = new Map(rows.map((row) => [row['key'], String(row['value'])]))
    const stamps = {
      epoch: known.get('epoch') ?? '',
      generation: Number(known.get('generation') ?? 0),
      graph: Number(known.get('graph_stamp') ?? 0),
      vectors: Number(known.get('vector_stamp') ?? 0),
    }
    last = { version, stamps }
    return stamps
  }
}
