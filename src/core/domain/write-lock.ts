import { KnowledgeError } from './error.ts'

/** The right to change something, held by one caller at a time among all processes. */
export interface WriteLock {
  /** Waits for its turn, at most `waitMs`; then throws `unavailable`. Readers never wait. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Fencing: throws `LockLost` where this process holds it and somebody else has taken over. Cheap,
   * and asked right before each step that cannot be taken back.
   */
  fence(): void
  /** Names of those who have lost it and may wake up, as of when it was taken. */
  lost(): readonly string[]
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
  /** The same as that of a `WriteLock`, for all that are held. */
  fence(): void
  /**
   * Runs `work` where one who has lost a lock may wake up and this process has not heard of it yet:
   * it takes away what that one had prepared. True where there is one, heard of or not.
   */
  disarm(work: () => Promise<void>): Promise<boolean>
  /** The same as `fence` where it takes a question to somebody else. */
  requireHeld?(): Promise<void>
  close(): Promise<void>
}

/** Whoever held the lock stood still for too long, and another writer has taken over. */
export class LockLost extends KnowledgeError {
  /**
   * Documents that had been changed before, for whoever settles what was begun: others may have gone
   * on from there, and then the files alone do not show it.
   */
  readonly changed: readonly string[]

  constructor(changed: readonly string[] = []) {
    super(
      'unavailable',
      'This server stood still in the middle of the change, and another one has taken over.',
      'Look at the document and at the history before you make the change again.',
    )
    this.changed = changed
  }
}
