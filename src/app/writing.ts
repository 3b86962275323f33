/** Opens what writing needs: the lock and the history of the store, under a name of this process. */
import type { Config } from '../config/config.ts'
import type { Writing } from '../operations/view/knowledge.ts'
import type { OpenedStore } from '../store/opened-store.ts'
import { leaseOwner } from './start-indexing.ts'

export interface OpenedWriting extends Writing {
  /** What whoever runs the base should know. */
  readonly warning: string | undefined
  close(): Promise<void>
}

export async function openWriting(
  opened: Pick<OpenedStore, 'openWriting'>,
  { historyKeep = {}, state, store }: Partial<Pick<Config, 'historyKeep' | 'state' | 'store'>> = {},
  isHere?: (source: string) => boolean,
): Promise<OpenedWriting> {
  const writing = await opened.openWriting(historyKeep, isHere)
  try {
    return { ...writing, owner: leaseOwner(), warning: await bring(writing) }
  } catch (error) {
    await writing.close()
    throw error
  }

  async function bring(into: typeof writing): Promise<string | undefined> {
    if (state === undefined || store === undefined) return undefined
    const { bringHistory } = await import('./bring-history.ts')
    return bringHistory({ state, store }, into)
  }
}
