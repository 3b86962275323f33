/** What the index knows of documents and of the files they come from. */
import type { ChunkRecord, DocNo, DocumentRecord, FileRecord } from '../domain/document.ts'
import type { Warning } from '../domain/warning.ts'
import type { NamedDocument } from './link-store.ts'

export interface DocumentStore {
  /** What became of a source's files; with `under`, only of these paths and what lies below them. */
  files(source: string, under?: readonly string[]): Promise<readonly FileRecord[]>
  /** The same one after the other, in no order, where all of them need not be in memory at once. */
  eachFile?(source: string, visit: (file: FileRecord) => void): Promise<void>
  /** Coverage report: what became of the files, a page at a time, in path order. */
  listFiles(
    filter: { readonly state?: FileRecord['state']; readonly source?: string },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly files: readonly FileRecord[]; readonly total: number }>
  /** Names of the sources the store holds something of. */
  sources(): Promise<readonly string[]>

  documents(nos: readonly DocNo[]): Promise<readonly (DocumentRecord | undefined)[]>
  findByPath(source: string, path: string): Promise<DocumentRecord | undefined>
  /** Same path whatever the case, in any source. */
  findByPathFolded(path: string): Promise<readonly DocumentRecord[]>
  /** Documents known under one of the keys. */
  named(keys: readonly string[]): Promise<readonly NamedDocument[]>
  /** Keys that begin with `prefix`, for suggestions; all of them where the limit is negative. */
  namesLike(prefix: string, limit: number): Promise<readonly { key: string; no: DocNo }[]>
  matching(filter: DocumentFilter): Promise<Uint32Array>
  /** A negative limit means no limit. */
  list(
    filter: DocumentFilter,
    order: DocumentOrder,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly documents: readonly DocumentRecord[]; readonly total: number }>
  /** The passages of each document, in the order of the numbers; none for one that is gone. */
  chunksOf(docs: readonly DocNo[]): Promise<readonly (readonly ChunkRecord[])[]>
  /** Both at once, where asking twice would cost a way to the database more. */
  documentsWithChunks?(nos: readonly DocNo[]): Promise<readonly (DocumentWithChunks | undefined)[]>
  warnings(doc: DocNo): Promise<readonly Warning[]>
  /** Most used first; of these documents only, where some are given. */
  tags(limit: number, among?: Among): Promise<readonly { tag: string; documents: number }[]>
  /** Every document's number, ordered by source and path. */
  pathOrder(): Promise<Uint32Array>
  paths(
    nos: readonly DocNo[],
  ): Promise<readonly { readonly source: string; readonly path: string }[]>
  /**
   * Of what each was made, in the order of the numbers; undefined for one that is gone, or of whose
   * file only the beginning was read: all of it has the same digest.
   */
  digests(nos: readonly DocNo[]): Promise<readonly (string | undefined)[]>
  /** Groups of documents with the same bytes, in path order. */
  duplicates(): Promise<readonly { readonly digest: string; readonly nos: readonly DocNo[] }[]>
  /** Of these documents only, where some are given: to all others no link leads. */
  counts(among?: Among): Promise<Counts>
  /** Documents put after a generation: how far the base has moved since. */
  changedDocuments(generation: number): Promise<number>
}

export interface DocumentWithChunks {
  readonly document: DocumentRecord
  readonly chunks: readonly ChunkRecord[]
}

/** Numbers of documents, for a question that only those count for. */
export type Among = Uint32Array

export interface DocumentFilter {
  readonly among?: Among
  readonly sources?: readonly string[]
  /** Beginning of the path below its source, in any case. */
  readonly pathPrefix?: string
  readonly tags?: readonly string[]
  readonly tagMode?: 'any' | 'all'
  readonly types?: readonly string[]
  /** Only entities, or everything else. */
  readonly kind?: 'entity' | 'document'
  readonly updatedAfter?: number
  readonly updatedBefore?: number
}

/** `updated` and `created` put the newest first, `stale` the oldest. */
export type DocumentOrder = 'updated' | 'created' | 'stale' | 'title' | 'path'

export interface Counts {
  readonly documents: number
  readonly chunks: number
  readonly links: number
  readonly brokenLinks: number
  readonly tags: number
  readonly segments: number
}
