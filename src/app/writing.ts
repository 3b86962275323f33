/** Opens what writing needs in the state folder: the lock and the history. */
import { join } from 'node:path'
import type { HistoryKeep } from '../history/history.ts'
import { openHistory } from '../history/open-history.ts'
import type { Writing } from '../operations/view/knowledge.ts'
import { openFolderLocks } from '../store/sqlite/open-folder-locks.ts'
import { leaseOwner } from './start-indexing.ts'

export function openWriting(state: string, keep: HistoryKeep = {}): Writing {
  return {
    lock: openFolderLocks(state),
    history: openHistory(join(state, 'history'), { keep }),
    owner: leaseOwner(),
  }
}
