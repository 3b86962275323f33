/**
 * Where the files of a source are written. Of several servers one is the home of a folder; a change
 * that arrives elsewhere is planned there, travels to the home, and comes back with how it ended.
 */
import type { ErrorCode } from './error.ts'
import type { Author, OperationKind } from './history.ts'
import type { FileAttributes } from './source.ts'
import type { Warning } from './warning.ts'

/** One file of a change on its way: what it must be, and what it becomes. */
export interface SentEdit {
  readonly source: string
  readonly path: string
  readonly from?: string
  readonly like?: string
  readonly attributes?: FileAttributes
  readonly link?: string
  readonly removedBy?: string
  /** Digest of what is there; undefined: nothing. */
  readonly before: string | undefined
  readonly after: Uint8Array | undefined
}

export interface SentChange {
  /** The id of the operation, by which it is never carried out twice. */
  readonly id: string
  readonly kind: OperationKind
  readonly by: Author
  readonly undoes?: readonly string[]
  readonly edits: readonly SentEdit[]
}

export type SentAnswer =
  | { readonly kind: 'done'; readonly warnings: readonly Warning[] }
  /** Nothing was changed. `raced`: a file is not what it was when the change was planned. */
  | {
      readonly kind: 'refused'
      readonly raced: boolean
      readonly code: ErrorCode
      readonly message: string
      readonly hint: string
    }
  /** This server has become the home meanwhile, and nobody has begun with the change. */
  | { readonly kind: 'here' }

export interface Homes {
  /**
   * Whether these sources are written here, all by one other server, or by several. What nobody is
   * the home of becomes ours.
   */
  whereAre(sources: readonly string[]): Promise<'here' | 'away' | 'several'>
  /**
   * To the home of these sources. Throws `unavailable` when it is away, or when it is not known what
   * became of the change.
   */
  send(change: SentChange, sources: readonly string[]): Promise<SentAnswer>
  /**
   * Carries out what others send, for as long as this is a home. `listen` calls whenever there may
   * be something; what is not said is found by looking.
   */
  serve(
    carryOut: (change: SentChange) => Promise<SentAnswer>,
    listen?: (listener: () => void) => () => void,
  ): void
  /** Waits for what is under way, and leaves the home to others. */
  close(): Promise<void>
}
