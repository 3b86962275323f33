/**
 * Where the files of a source are written. Of several servers one is the home of a folder; a change
 * that arrives elsewhere is planned there, travels to the home, and comes back with how it ended.
 */
import type {
  AddedEntity,
  AddedRelation,
  GraphAddition,
  GraphRefusal,
} from '../../core/domain/entity-graph.ts'
import type { ErrorCode } from '../../core/domain/error.ts'
import type { FileEdit } from '../../core/domain/file-edit.ts'
import type { Author, OperationKind } from '../../core/domain/history.ts'
import type { Warning } from '../../core/domain/warning.ts'

/** One file of a change on its way: what it must be, and what it becomes. */
export type SentEdit = FileEdit<string>

export interface SentChange {
  /** The id of the operation, by which it is never carried out twice. */
  readonly id: string
  readonly kind: OperationKind
  readonly by: Author
  readonly undoes?: readonly string[]
  readonly edits: readonly SentEdit[]
}

/** A line for a graph of entities. Its time tells it from any other: it is never added twice. */
export interface SentAddition {
  readonly id: string
  readonly source: string
  readonly addition: GraphAddition
}

export type Sent = SentChange | SentAddition

export type SentAnswer =
  | {
      readonly kind: 'done'
      readonly warnings: readonly Warning[]
      /** What became of an addition. */
      readonly added?: AddedEntity | AddedRelation
    }
  /** Nothing was changed. `raced`: a file is not what it was when the change was planned. */
  | {
      readonly kind: 'refused'
      readonly raced: boolean
      readonly code: ErrorCode
      readonly message: string
      readonly hint: string
      readonly refusal?: GraphRefusal
    }
  /** This server has become the home meanwhile, and nobody has begun with the change. */
  | { readonly kind: 'here' }

export interface Homes {
  /** Whether this machine has the files of a source, and not another copy of them. */
  hasFiles(source: string): boolean
  /**
   * Whether these sources are written here, all by one other server, or by several. What nobody is
   * the home of becomes ours.
   */
  whereAre(sources: readonly string[]): Promise<'here' | 'away' | 'several'>
  /**
   * To the home of these sources. Throws `unavailable` when it is away, or when it is not known what
   * became of the change.
   */
  send(sent: Sent, sources: readonly string[]): Promise<SentAnswer>
  /**
   * Carries out what others send, for as long as this is a home. `listen` calls whenever there may
   * be something; what is not said is found by looking.
   */
  serve(
    carryOut: (sent: Sent) => Promise<SentAnswer>,
    listen?: (listener: () => void) => () => void,
  ): void
  /** Waits for what is under way, and leaves the home to others. */
  close(): Promise<void>
}
