/** The knowledge base as operations see it: the parts, already opened and plugged together. */
import type { DocNo, Place } from '../../domain/document.ts'
import type { Format } from '../../domain/format.ts'
import type { Source } from '../../domain/source.ts'
import type { FolderLocks } from '../../domain/write-lock.ts'
import type { History } from '../../history/history.ts'
import type { Progress } from '../../indexing/indexer.ts'
import type { Answerer } from '../../models/answerer.ts'
import type { FileHistory, WorkTree } from '../../sources/work-tree.ts'
import type { Changes, Store } from '../../store/store.ts'
import type { Keeping } from '../keeping/keeping.ts'
import type { Place as WritePlace } from '../writing/place.ts'
import type { Derived } from './derived.ts'
import type { Index } from './open-index.ts'
import type { Relinked } from './relinked.ts'

/** What it takes to change documents. */
export interface Writing {
  readonly lock: FolderLocks
  readonly history: History
  /** Where changes go besides the files of this machine; the first that takes one has it. */
  readonly places?: readonly WritePlace[]
  /** How this process is called where it takes the lease for a moment. */
  readonly owner: string
}

export interface Knowledge {
  readonly store: Store
  readonly sources: ReadonlyMap<string, Source>
  readonly index: Index
  readonly formatOf: (path: string) => Format
  /** Base of the links that people can open, such as `https://wiki.example/`. */
  readonly publicUrl: string | undefined
  /** How far the index is behind the files, or undefined when it has caught up. */
  readonly catchingUp: () => Progress | undefined
  /** Why the index cannot be kept current at the moment; undefined while it can. */
  readonly trouble: () => string | undefined
  /** Whether somebody indexes beside this thread, and looks at what it is told of. */
  readonly indexedBeside?: boolean
  /** Asks whoever indexes to look at a file again, because it was seen to have changed. */
  readonly noticeChange: (source: string, path: string) => void
  /** Tells about every committed change, whichever process made it. Returns how to stop. */
  readonly subscribe: (listener: (changes: Changes) => void) => () => void
  /** Undefined for a base that may only be read. */
  readonly writing: Writing | undefined
  /** What git and a catalogue say of a source that holds a program. */
  readonly workTreeOf?: (source: string) => WorkTree | undefined
  /**
   * What git has of the files of a source. A commit speaks of other files as well, so it is
   * undefined for whoever sees a part of the base.
   */
  readonly fileHistoryOf?: ((source: string) => Promise<FileHistory | undefined>) | undefined
  /** Compares by meaning; undefined where nothing embeds text. */
  readonly similar?: Similarity
  /** Which places there are, for someone who sees a part of the base; all unless said. */
  readonly sees?: (place: Place) => boolean
  /** Links that lead elsewhere among those places. */
  readonly relinked?: Derived<Relinked>
  /** Which places may be changed; all unless said. */
  readonly writes?: (place: Place) => boolean
  /** The base that this one is a part of. */
  readonly trunk?: Knowledge
  /** Backups, recipes and feedback; undefined where there is no state folder. */
  readonly keeping?: Keeping
  /** Words answers; undefined where no language model is configured. */
  readonly answerer?: Answerer
}

/** Ranks whole documents by how close their meaning is to a query. */
export interface Similarity {
  /** Best first. `score` is the cosine of the angle between the two. */
  rank(
    query: string,
    options: { readonly limit: number; readonly includes: (doc: DocNo) => boolean },
  ): Promise<readonly { readonly doc: DocNo; readonly score: number }[]>
  /** How many of the documents can be found this way. */
  covered(docs: readonly DocNo[]): Promise<number>
  /** The same on a part of the base. */
  of(part: Knowledge): Similarity
}
