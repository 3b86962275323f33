/**
 * What opening a store gives: the index, and what it takes to change documents. Lock and history
 * belong to where the base is kept, so whoever keeps the index somewhere else brings its own.
 */
import type { Contents } from '../domain/contents.ts'
import type { History, HistoryKeep } from '../domain/history.ts'
import type { SharedSessions } from '../domain/shared-sessions.ts'
import type { SignIns } from '../domain/sign-ins.ts'
import type { Warning } from '../domain/warning.ts'
import type { FolderLocks } from '../domain/write-lock.ts'
import type { Store } from './store.ts'

/** `Writing` is what a wing adds to it. */
export interface OpenedStore<Writing extends StoreWriting = StoreWriting> {
  readonly store: Store
  /** What was wrong with the index that was there before. */
  readonly warning: Warning | undefined
  /** Why answers may be of an earlier moment; undefined while they are of now. */
  readonly trouble?: () => string | undefined
  /** How long ago the store was last looked at, where it is elsewhere. */
  readonly lagMs?: () => number
  /**
   * Calls whenever somebody else says that the base was changed, until told to stop; what is not
   * said is found by looking. Undefined where looking costs nothing.
   */
  readonly listen?: (listener: () => void) => () => void
  /** Documents that have no file; undefined where the store keeps none. */
  readonly contents?: Contents
  /** The same for whoever serves: what was read is known also while the store does not answer. */
  readonly remembered?: Contents
  /** Where several servers are asked by the same clients. */
  readonly sessions?: SharedSessions
  /** Clients that signed in, as all servers of the base know them. */
  readonly signIns: SignIns
  /** Who keeps the index at the moment, unless it is this one; where others may. */
  readonly leader?: (
    owner: string,
  ) => Promise<{ readonly owner: string; readonly until: number } | undefined>
  /**
   * For a base that may be changed. Whoever opens it closes it before the store. `isHere` tells
   * whether this machine has the files of a source, and not another copy of them.
   */
  openWriting(keep: HistoryKeep, isHere?: (source: string) => boolean): Promise<Writing>
}

export interface StoreWriting {
  /** Held by one writer at a time among all that serve the base, from whichever machine. */
  readonly lock: FolderLocks
  /** Keeps what it was told whatever happens to the index. */
  readonly history: History
  close(): Promise<void>
}
