/**
 * What was changed, by whom, and how is it undone? An append-only log of operations, kept apart
 * from the index: the index can be thrown away, history cannot be rebuilt.
 */
import type { FileAttributes } from './source.ts'

export const OPERATION_KINDS = [
  'create',
  'replace',
  'append',
  'prepend',
  'edit_section',
  'find_replace',
  'set_metadata',
  'update',
  'move',
  'delete',
  'restore',
  'undo',
  // What another program saved to a file while it was being replaced: put into the file as well,
  // or kept here alone.
  'merge',
  'overtaken',
] as const

export type OperationKind = (typeof OPERATION_KINDS)[number]

export interface Author {
  /** `name/version` of the program that asked. */
  readonly client?: string
  /** The authenticated caller. */
  readonly principal?: string
}

/**
 * One edit as the bytes that went and the bytes that came: enough to do it again and to undo it,
 * and for most edits a few dozen bytes however long the document is.
 */
export interface Splice {
  /** Where in the file, in bytes. */
  readonly at: number
  readonly removed: Uint8Array
  readonly added: Uint8Array
}

/** What became of one file. */
export interface ChangeRecord {
  readonly source: string
  readonly path: string
  /** Where the file was before, when it was moved. */
  readonly from?: string
  /** Digest of the bytes before; undefined: there was no file. */
  readonly before: string | undefined
  /** Digest of the bytes afterwards; undefined: there is no file. */
  readonly after: string | undefined
  /** A short unified diff for people. */
  readonly diff: string
  /** Who could do what with the file, when it goes or moves. */
  readonly attributes?: FileAttributes
  /** Where the file was a symbolic link to, as it was written, when it goes or moves. */
  readonly link?: string
  /**
   * So many of the folders above the file were made for it, and go with it when it is taken back.
   */
  readonly folders?: number
}

/** The same with the bytes: `before` + `splice` = `after`. */
export interface Change extends ChangeRecord {
  readonly splice: Splice
  /** The lines before and behind it, to find the place again when the rest has changed. */
  readonly around?: Surroundings
}

export interface Surroundings {
  readonly before: Uint8Array
  readonly behind: Uint8Array
}

export interface Operation {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: OperationKind
  readonly by: Author
  readonly changes: readonly Change[]
  /** Operations that this one took back. */
  readonly undoes?: readonly string[]
}

/**
 * `open`: written down and not known to have happened; its process is at work or was killed.
 * `failed`: nothing of it is in the files.
 */
export type OperationState = 'open' | 'done' | 'failed'

export interface LoggedOperation extends Omit<Operation, 'changes'> {
  readonly changes: readonly ChangeRecord[]
  readonly state: OperationState
  /** Taken back by this operation, which was not taken back itself. */
  readonly undoneBy: string | undefined
}

export interface Begun {
  /** Rejects where the log cannot be put on disk; then it says nothing of the operations. */
  readonly flushed: Promise<void>
}

export interface History {
  /**
   * How far the clock that operations are dated by is ahead of this machine's, where it is another.
   */
  aheadMs?(): Promise<number>
  /**
   * Write-ahead log: writes down what is about to happen, all of it or nothing. Others see it when
   * the promise resolves; it is on disk when `flushed` does, and before that no file may change.
   */
  begin(...operations: readonly Operation[]): Promise<Begun>
  /** What stood in the way of the last `begin` and was set aside, said once. */
  takeWarning?(): string | undefined
  /** Says how they ended. */
  settle(ids: string | readonly string[], state: 'done' | 'failed'): Promise<void>
  /**
   * Says in one step that an operation failed and what happened instead, which is done: what was
   * left of a group that could neither be finished nor taken back.
   */
  amend(id: string, instead: Operation): Promise<void>
  /**
   * Operations that nobody said the end of, oldest first. Where several servers keep one history,
   * those that are about documents of this one.
   */
  unsettled(): Promise<readonly LoggedOperation[]>
  /**
   * Operations, newest first, until `visit` returns false. `mentions` spares reading those whose
   * record cannot hold this text. Gives others their turn while it reads. `unread` is told of each
   * line, or file of lines, that says nothing any more, in the same order.
   */
  each(
    visit: (operation: LoggedOperation) => boolean,
    mentions?: string,
    unread?: (what: 'line' | 'file') => void,
  ): Promise<void>
  find(id: string): Promise<LoggedOperation | undefined>
  /** How an operation stands, also where it is hidden: for whoever must not carry it out twice. */
  stateOf(id: string): Promise<OperationState | undefined>
  /** Every document and every client that an operation speaks of. */
  names(): Promise<HistoryNames>
  /**
   * What it takes to undo an operation that `each`, `find` or `unsettled` gave. Throws
   * `unavailable` when a content is missing or damaged.
   */
  changesOf(operation: LoggedOperation): Promise<readonly Change[]>
  /** What cannot be read. Reads all of it. */
  examine(): Promise<HistoryDamage>
  /** Takes away what one who has lost the lock may be about to put in place of a part of it. */
  disarm?(): Promise<void>
  /** Sets what cannot be read aside, so that the rest is whole. Only under the lock. */
  repair(): Promise<HistoryDamage>
  /** Whether there is something older than what is kept. */
  isOutgrown(): Promise<boolean>
  /** Forgets the oldest operations, by default what it was opened with. Only under the lock. */
  prune(keep?: HistoryKeep, options?: { readonly dryRun?: boolean }): Promise<PrunedHistory>
}

export interface HistoryNames {
  /** As `<source>/<path>`, those that moved under all their names. */
  readonly documents: ReadonlySet<string>
  readonly authors: ReadonlySet<string>
}

export interface HistoryDamage {
  readonly operations: number
  /** Lines that say nothing any more. */
  readonly damagedLines: number
  /** Files of the log that cannot be read. */
  readonly unreadable: readonly string[]
  /** Operations whose content is missing or damaged: they are listed, and cannot be undone. */
  readonly withoutContent: readonly string[]
}

/** How much history is kept. Without any of these: all of it. */
export interface HistoryKeep {
  readonly ageMs?: number
  readonly bytes?: number
}

export interface PrunedHistory {
  readonly operations: number
  readonly bytes: number
  /** Operations that are left. */
  readonly kept: number
}
