/**
 * Documents that have no file: their bytes lie in the database beside the index, for every server
 * of a base alike. The contract that a store keeps which holds such documents.
 */
import { quoted } from './error.ts'
import type { Operation } from './history.ts'
import { WriteError } from './source.ts'

export interface ContentEntry {
  readonly path: string
  readonly size: number
  /** sha256 of the bytes, in hex. */
  readonly digest: string
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
  readonly bornAt: number
  /** Rises with every change in the database; of two versions of a path the later is the higher. */
  readonly version: number
}

export interface Content extends ContentEntry {
  readonly bytes: Uint8Array
}

/** What happens to one path. */
export interface ContentChange {
  readonly path: string
  /** Digest of what must be there now; undefined: nothing may be there. */
  readonly expect: string | undefined
  /** What is there afterwards; undefined: nothing. */
  readonly bytes: Uint8Array | undefined
  /** When that was, milliseconds since the epoch; the database says it where nobody does. */
  readonly modifiedAt?: number
}

/** An operation with the bytes it leaves: all of it happens, and is in the history, or none. */
export interface ContentWrite {
  readonly operation: Operation
  readonly changes: readonly (ContentChange & { readonly source: string })[]
}

/** Something is not what a change expected. */
export interface Clash {
  readonly operation: string
  readonly path: string
  /** Digest of what is there in its place. */
  readonly found: string | undefined
}

/** Nothing was changed, because some operations were overtaken. */
export class ContentClash extends WriteError {
  readonly operations: readonly string[]

  constructor(clashes: readonly Clash[]) {
    const { path = '', found } = clashes[0] ?? {}
    const now = found === undefined ? 'it is gone' : `its digest is now ${found}`
    super(
      'conflict',
      `${quoted(path)} was changed by someone else: ${now}.`,
      'Nothing was overwritten. Read the document again and repeat the change.',
      [],
    )
    this.operations = clashes.map(({ operation }) => operation)
  }
}

/** What changed behind a version. */
export interface ContentNews {
  /** Another one means that versions seen before mean nothing: look at everything. */
  readonly epoch: string
  /** The last version there is. */
  readonly version: number
  /** Undefined where there are too many to name. */
  readonly paths: readonly string[] | undefined
}

/** What stands where a new document should go. */
export interface Surroundings {
  /** A document at this path in any spelling of upper and lower case. */
  readonly taken: string | undefined
  /** A document where the path needs a folder, or documents below the path. */
  readonly blockedBy: string | undefined
  /** The longest folder of the path that exists, as it is spelled there. */
  readonly folder: string | undefined
}

export interface Contents {
  /** All documents of a source, or those at and below some paths, in the order of their paths. */
  list(source: string, under?: readonly string[]): Promise<ContentEntry[]>
  /** In the order asked for; undefined where there is nothing. */
  look(source: string, paths: readonly string[]): Promise<(ContentEntry | undefined)[]>
  read(source: string, paths: readonly string[]): Promise<(Content | undefined)[]>
  around(source: string, path: string, except?: string): Promise<Surroundings>
  /** Gives what changed, removed documents included. Without a version: none, and where to begin. */
  changedSince(source: string, seen?: Pick<ContentNews, 'epoch' | 'version'>): Promise<ContentNews>
  /**
   * Changes all of them in one transaction, or none: throws a `WriteError` with `conflict` where
   * something is not what was expected. Done once, also where nobody hears the confirmation.
   */
  apply(source: string, changes: readonly ContentChange[], operation: string): Promise<void>
}
