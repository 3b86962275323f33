/**
 * Where is the derived index kept? Everything here can be rebuilt from the sources, so a store may
 * be thrown away at any time. The contract suite in `test/contract/` says what a store promises.
 */
import type { DocNo } from '../domain/document.ts'
import type { Batch } from './batch.ts'
import type { DocumentStore } from './document-store.ts'
import type { LeaseStore } from './lease-store.ts'
import type { LinkStore, ResolveLink } from './link-store.ts'
import type { MetaStore } from './meta-store.ts'
import type { SegmentStore } from './segment-store.ts'
import type { VectorStore } from './vector-store.ts'

export type * from './batch.ts'
export type * from './document-store.ts'
export type * from './lease-store.ts'
export type * from './link-store.ts'
export type * from './segment-store.ts'
export type * from './vector-store.ts'

export interface Store
  extends DocumentStore, LinkStore, SegmentStore, VectorStore, LeaseStore, MetaStore {
  stamps(): Promise<Stamps>
  /**
   * First of `count` document numbers that nobody has used or will use. `patienceMs` as in a
   * `Batch`.
   */
  reserveNumbers(count: number, patienceMs?: number): Promise<DocNo>
  commit(batch: Batch, resolve: ResolveLink): Promise<number>

  changesSince(generation: number): Promise<Changes>
  /** Checks the store's own integrity; an empty list means sound. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}

/** How far the index has come, in one look: what was derived under other stamps is out of date. */
export interface Stamps {
  /**
   * Another value means that numbers seen before mean nothing: the file was replaced, or brought back
   * from an earlier time. Values are compared and never ordered.
   */
  readonly epoch: string
  /**
   * Rises with every committed batch, whichever process committed it; not with one that only says
   * that files were looked at again and are as they were.
   */
  readonly generation: number
  /** Rises when documents come or go or a link leads elsewhere: what `edges` and `pathOrder` tell. */
  readonly graph: number
  /** Rises whenever vectors or the serving embedder change. */
  readonly vectors: number
  /** Nobody answers at the moment: these were told last, and there may be newer ones. */
  readonly remembered?: true
}

/** What became different between two generations. */
export interface Changes {
  readonly generation: number
  /** `<source>/<path>` of documents that were added or changed. */
  readonly put: readonly string[]
  readonly removed: readonly string[]
  /** Whether documents came or went. */
  readonly listChanged: boolean
  /** Too many changes to name, or too long ago: anything may be different. */
  readonly unnamed: boolean
  /** The same by number: whose record, passages and links are to be asked for again … */
  readonly putDocs: readonly DocNo[]
  /** … and which numbers are no document any more. */
  readonly goneDocs: readonly DocNo[]
  /**
   * Other documents whose links lead elsewhere now, because names came or went. Undefined: too many
   * to name.
   */
  readonly relinkedDocs: readonly DocNo[] | undefined
}
