import { KnowledgeError } from './error.ts'

/** The right to change something, held by one caller at a time among all processes. */
export interface WriteLock {
  /** Waits for its turn, at most `waitMs`; then throws `unavailable`. Readers never wait. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  /** Waits for whoever holds it in this process. */
  close(): Promise<void>
}

/**
 * The right to change files of a base. It belongs to the folders as well as to the base: whoever
 * serves them, from whichever state folder, or a folder above or below them, waits for the same.
 */
export interface FolderLocks {
  /** Holds the base and these folders (absolute, real) with everything that overlaps them. */
  hold<Result>(folders: readonly string[], work: () => Promise<Result>): Promise<Result>
  /** Whether holding these folders leaves nothing behind that was not there before. */
  isKept(folders: readonly string[]): boolean
  /** Folders below `root` and above one of the files that other bases lock and this one does not. */
  unheldBelow(root: string, paths: readonly string[]): readonly string[]
  /** Throws `LockLost` where the right has passed to somebody else meanwhile; missing where it cannot. */
  requireHeld?(): Promise<void>
  close(): Promise<void>
}

/** Whoever held the lock stood still for too long, and another writer has taken over. */
export class LockLost extends KnowledgeError {
  constructor() {
    super(
      'unavailable',
      'This server stood still in the middle of the change, and another one has taken over.',
      'Look at the document and at the history before you make the change again.',
    )
  }
}
