/** What the serving thread and the indexing thread say to each other. */
import type { Look, Progress } from '../../core/indexing/indexer.ts'
import type { Lease } from '../../core/store/store.ts'
import type { Config } from '../config/config.ts'

export type IndexingConfig = Pick<
  Config,
  'sources' | 'state' | 'store' | 'maxFileBytes' | 'watch' | 'embedding' | 'reading'
>

/** From the serving thread. */
export type Order =
  | { readonly kind: 'look'; readonly source: string; readonly path: string }
  | { readonly kind: 'stop' }

/** From the indexing thread. */
export type Report =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** The index has caught up with the files. */
  | { readonly kind: 'caught_up' }
  | { readonly kind: 'committed'; readonly generation: number }
  /** Another process indexes; this one waits to take over. */
  | { readonly kind: 'following' }
  /** Sources whose folder here is another one than that of the process that indexes. */
  | { readonly kind: 'other_copies'; readonly sources: readonly string[] }
  | { readonly kind: 'warning'; readonly message: string }
  /**
   * Indexing cannot go on for now, and is tried again; over with `caught_up` or `following`. Where
   * it was the store that did not answer, over as soon as that does.
   */
  | { readonly kind: 'trouble'; readonly message: string; readonly outOfReach?: boolean }

/** What an indexing process is started with; it answers with `progress` and `committed`. */
export interface Errand {
  /** Read what changed, learn what words mean, or see whether the index is sound. */
  readonly task: 'index' | 'learn' | 'check'
  readonly look?: Look
  readonly force?: boolean
  readonly config: IndexingConfig
  /** The right to do it. */
  readonly lease?: Lease
}
