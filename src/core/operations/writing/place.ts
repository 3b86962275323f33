/**
 * Strategy: where a change is committed. The files of this machine are one place
 * (`folder-place.ts`); where several servers share a base, `team/` brings others when it is opened:
 * a database, and the home of files that another server writes. Locks, leases, group commit and
 * waiting in turn are the place's own.
 */
import type { AddedEntity, AddedRelation, GraphAddition } from '../../domain/entity-graph.ts'
import type { Operation, OperationKind } from '../../domain/history.ts'
import type { WriteError } from '../../domain/source.ts'
import type { Warning } from '../../domain/warning.ts'
import type { View } from '../view/view.ts'
import type { Plan, WriteOptions } from './change-files.ts'

/** A change that somebody asks for. */
export interface Wanted {
  readonly kb: View
  readonly kind: OperationKind
  readonly options: WriteOptions
  /** What it comes to. May run more than once, and changes nothing itself. */
  readonly plan: (kb: View) => Promise<Plan>
}

export interface Written {
  readonly plan: Plan
  /** Undefined where there was nothing to change. */
  readonly operation: Operation | undefined
  readonly warnings: readonly Warning[]
}

/** Why a change has to be planned again, and with what it ends where that was tried often enough. */
export interface Again {
  /**
   * `raced`: a document is not what the plan was made from. `held`: by another base, below a folder
   * that this one holds. `moved`: the place is another one by now.
   */
  readonly again: 'raced' | 'held' | 'moved'
  readonly error?: WriteError
}

export interface Place {
  /**
   * Whether it takes a plan to know if a change belongs here, or a checked one before anything is
   * left behind. Asked for every change, so it is cheap.
   */
  looksAhead(wanted: Wanted): boolean | Promise<boolean>
  /** Whether a change belongs here that was planned and checked. */
  takes(wanted: Wanted, plan: Plan): boolean | Promise<boolean>
  /**
   * All of it or nothing, once, as one operation of the history. Every document must be what the
   * plan was made from; what is changed is on disk and in the index when this resolves.
   */
  commit(wanted: Wanted, plan: Plan): Promise<Written | Again>
  /** Adds to a graph whose files are written there; undefined where they are not. */
  record?(source: string, addition: GraphAddition): Promise<Recorded | undefined>
}

/** What became of an addition to a graph. */
export type Recorded<Added = AddedEntity | AddedRelation> = Added & {
  readonly source: string
  readonly warnings: readonly Warning[]
}
