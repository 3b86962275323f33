/** Opens the store in the state folder. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { KnowledgeError } from '../domain/error.ts'
import type { Warning } from '../domain/warning.ts'
import { INDEX_FORMAT } from '../indexing/index-format.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { makeStateFolder } from '../store/state-folder.ts'
import type { Store } from '../store/store.ts'
import type { Config, SourceConfig } from '../config/config.ts'

export interface OpenedStore {
  readonly store: Store
  readonly warning: Warning | undefined
}

export type IndexedConfig = Pick<Config, 'state'> & {
  readonly sources: readonly Pick<SourceConfig, 'name' | 'path' | 'kind'>[]
}

/**
 * The index of these sources. Several together have a file of their own: a server of one folder and
 * a server of that folder and others share a state folder, and would undo each other's work for
 * ever if they shared an index. So would one that knows of the entities in a folder and one that
 * was started before there were any.
 */
export function indexFile({ state, sources }: IndexedConfig): string {
  const plain = sources.every(({ kind = 'notes' }) => kind === 'notes')
  if (sources.length <= 1 && plain) return join(state, 'index.db')
  const choice = JSON.stringify(
    sources.map(({ name, path, kind }) => (plain ? [name, path] : [name, path, kind])),
  )
  return join(state, `index-${createHash('sha256').update(choice).digest('hex').slice(0, 8)}.db`)
}

export async function openStore(config: IndexedConfig): Promise<OpenedStore> {
  const { state } = config
  try {
    makeStateFolder(state)
    return await openSqliteStore(indexFile(config), INDEX_FORMAT)
  } catch (error) {
    if (error instanceof KnowledgeError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new KnowledgeError(
      'unavailable',
      `The state folder ${state} cannot be used: ${why}.`,
      'Name a folder that can be written to with --state DIR or CAIRN_STATE.',
    )
  }
}
