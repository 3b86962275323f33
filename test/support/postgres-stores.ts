/** Stores in a real database, opened for one test, and documents to put into them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { resolveLink } from '../../src/core/indexing/resolve-link.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { PostgresOptions, PostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import type { Lease } from '../../src/core/store/store.ts'
import { note, segmentOf } from '../contract/store-contract.ts'
import { temporaryFolder } from './temporary-folder.ts'

export async function openedAt(
  url: string,
  more: Partial<PostgresOptions> = {},
): Promise<PostgresStore> {
  const address = parseStoreAddress(url)
  const copies = temporaryFolder()
  const store = await openPostgresStore({ address, format: 'test', sources: '', copies, ...more })
  onTestFinished(() => store.close())
  return store
}

/** One small document, in a segment of its own. */
export function putNote(
  store: PostgresStore,
  no: number,
  { path = `${no}.md`, lease }: { readonly path?: string; readonly lease?: Lease } = {},
): Promise<number> {
  const document = note(no, path)
  const segment = segmentOf([document])
  return store.commit({ put: [document], segment, ...(lease && { lease }) }, resolveLink)
}

/** A guard, longer than it takes on a busy machine until another server has taken over. */
const ATTEMPTS = 1_500
const PAUSE_MS = 100

/** Tries again until it succeeds. */
export async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS)
    }
  }
}
