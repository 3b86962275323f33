/** Opens what writing needs: the lock and the history of the store, under a name of this process. */
import type { HistoryKeep } from '../domain/history.ts'
import type { Writing } from '../operations/view/knowledge.ts'
import type { OpenedStore } from '../store/opened-store.ts'
import { leaseOwner } from './start-indexing.ts'

export interface OpenedWriting extends Writing {
  close(): Promise<void>
}

export async function openWriting(
  opened: Pick<OpenedStore, 'openWriting'>,
  keep: HistoryKeep = {},
): Promise<OpenedWriting> {
  return { ...(await opened.openWriting(keep)), owner: leaseOwner() }
}
