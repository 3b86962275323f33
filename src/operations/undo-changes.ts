/** Takes operations back, as one operation that can itself be taken back. */
import type { WriteOptions, WriteResult } from './change-files.ts'
import type { Knowledge } from './knowledge.ts'

export interface UndoRequest {
  /** This operation. Without any of these fields: the last one that was not taken back. */
  readonly operation?: string
  /** Everything at or after this instant, milliseconds since the epoch. */
  readonly since?: number
  /** Only what this client or principal did. */
  readonly by?: string
  /** Only operations on this document. */
  readonly id?: string
}

export interface UndoResult extends WriteResult {
  /** Ids of the operations that were taken back, newest first. */
  readonly undone: readonly string[]
}

/** Throws `conflict` when a later edit would be lost, naming it; then nothing is changed. */
export async function undoChanges(
  _kb: Knowledge,
  _request: UndoRequest,
  _options: WriteOptions,
): Promise<UndoResult> {
  throw new Error('not built yet')
}

/** Brings a deleted document back to its place. `id` is the document's or the operation's. */
export async function restoreDocument(
  _kb: Knowledge,
  _id: string,
  _options: WriteOptions,
): Promise<WriteResult> {
  throw new Error('not built yet')
}
