/** Opens the store in the state folder. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KnowledgeError } from '../domain/error.ts'
import type { Warning } from '../domain/warning.ts'
import { INDEX_FORMAT } from '../indexing/index-format.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'

export interface OpenedStore {
  readonly store: Store
  readonly warning: Warning | undefined
}

export function indexFile(state: string): string {
  return join(state, 'index.db')
}

export function openStore(state: string): OpenedStore {
  try {
    mkdirSync(state, { recursive: true })
    // The folder ignores itself: nobody wants an index in their repository.
    const ignore = join(state, '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
    return openSqliteStore(indexFile(state), INDEX_FORMAT)
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
