/**
 * Where is the derived index kept? Everything here can be rebuilt from the sources, so a store may
 * be thrown away at any time. The contract suite in `test/contract/` says what a store promises.
 */
import type {
  ChunkRecord,
  DocNo,
  DocumentRecord,
  FileRecord,
  LinkRecord,
} from '../domain/document.ts'
import type { Chunk, Link, LinkKind } from '../domain/text.ts'
import type { Warning } from '../domain/warning.ts'

/** A document on its way into the store, with the number it will have. */
export interface NewDocument extends DocumentRecord {
  readonly chunks: readonly Chunk[]
  /** Links to other documents; links to the outside are not kept. */
  readonly links: readonly NewLink[]
  /** Keys other documents' links may know it by; see `indexing/link-names.ts`. */
  readonly names: readonly string[]
  readonly warnings: readonly Warning[]
}

export interface NewLink extends Pick<Link, 'kind' | 'target' | 'fragment' | 'label' | 'line'> {
  /** The one key under which a possible target would be found. */
  readonly key: string
  /** Points at a picture, a PDF or the like: never a broken link. */
  readonly attachment: boolean
}

export interface NewSegment {
  readonly docs: readonly DocNo[]
  readonly resident: Readonly<Record<string, Uint8Array>>
  readonly paged: Readonly<Record<string, Uint8Array>>
}

export interface SegmentRecord {
  readonly id: number
  readonly docs: number
  readonly bytes: number
  /** Documents of this segment that were changed or removed since it was written. */
  readonly deleted: Uint32Array
}

/** One atomic step of the index. Either all of it is there afterwards, or none. */
export interface Batch {
  /**
   * The generation before the files of this batch were looked at. A file that someone else put
   * into the index since was seen too early by this batch: it is left out, and `onLeftOut` is told.
   */
  readonly asOf?: number
  readonly onLeftOut?: (file: { readonly source: string; readonly path: string }) => void
  /** Only the holder of the lease may commit; a batch of anyone else is refused. */
  readonly lease?: Lease
  /** When reading the files began: a file that changed since may have to be read again. */
  readonly checkedAt?: number
  readonly put?: readonly NewDocument[]
  readonly remove?: readonly DocNo[]
  /** Files that were written again with the same content. */
  readonly touch?: readonly {
    readonly no: DocNo
    readonly size: number
    readonly modifiedAt: number
  }[]
  /** What became of files that did not turn into documents, and files to forget. */
  readonly files?: readonly FileRecord[]
  readonly forget?: readonly { readonly source: string; readonly path: string }[]
  /** Holds exactly the documents of `put`. */
  readonly segment?: NewSegment
  /** Segments replaced by one that holds their living documents. */
  readonly merge?: { readonly from: readonly number[]; readonly to: NewSegment | undefined }
}

/** The right to write, held by one process at a time. */
export interface Lease {
  readonly owner: string
}

/** A document that a link might mean. */
export interface NamedDocument {
  readonly no: DocNo
  readonly source: string
  readonly path: string
  /** The path in NFC and lower case: how links compare it. */
  readonly foldedPath: string
  readonly title: string
  readonly aliases: readonly string[]
  /** `slug`, `permalink` or `url` of the front matter, in lower case without outer slashes. */
  readonly pageName: string | undefined
}

/** Decides which of the candidates a link means, if any. */
export type ResolveLink = (
  link: Pick<LinkRecord, 'kind' | 'target'>,
  from: { readonly source: string; readonly path: string },
  candidates: readonly NamedDocument[],
) => DocNo | undefined

export interface DocumentFilter {
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
}

/** How far the index has come, in one look: what was derived under other stamps is out of date. */
export interface Stamps {
  /** Another value means another index behind the store: numbers seen before mean nothing. */
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
}

export interface Store {
  stamps(): Promise<Stamps>
  /** Rises when the index behind it was replaced by another: numbers seen before mean nothing. */
  readonly epoch: number
  /** Rises with every committed batch, whichever process committed it. */
  generation(): Promise<number>
  /** Takes or renews the right to write. False while another living owner has it. */
  acquireLease(owner: string, ttlMs: number): Promise<boolean>
  releaseLease(owner: string): Promise<void>
  /** Who may write at the moment, if anyone. */
  leaseHolder(): Promise<string | undefined>
  /** First of `count` document numbers that nobody has used or will use. */
  reserveNumbers(count: number): Promise<DocNo>
  commit(batch: Batch, resolve: ResolveLink): Promise<number>

  /** Rises when documents come or go or a link leads elsewhere: what `edges` and `pathOrder` tell. */
  graphStamp(): Promise<number>

  changesSince(generation: number): Promise<Changes>

  /** What became of a source's files; with `under`, only of these paths and what lies below them. */
  files(source: string, under?: readonly string[]): Promise<readonly FileRecord[]>
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
  /** Keys that begin with `prefix`, for suggestions. */
  namesLike(prefix: string, limit: number): Promise<readonly { key: string; no: DocNo }[]>
  matching(filter: DocumentFilter): Promise<Uint32Array>
  /** A negative limit means no limit. */
  list(
    filter: DocumentFilter,
    order: DocumentOrder,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly documents: readonly DocumentRecord[]; readonly total: number }>
  chunks(doc: DocNo): Promise<readonly ChunkRecord[]>
  /** The passages of each document, in the order of the numbers; none for one that is gone. */
  chunksOf(docs: readonly DocNo[]): Promise<readonly (readonly ChunkRecord[])[]>
  warnings(doc: DocNo): Promise<readonly Warning[]>
  tags(limit: number): Promise<readonly { tag: string; documents: number }[]>

  linksFrom(doc: DocNo): Promise<readonly LinkRecord[]>
  linksTo(doc: DocNo): Promise<readonly LinkRecord[]>
  linksBetween(from: DocNo, to: DocNo): Promise<readonly LinkRecord[]>
  brokenLinks(page: {
    readonly offset: number
    readonly limit: number
  }): Promise<{ readonly links: readonly LinkRecord[]; readonly total: number }>
  /**
   * Every resolved link as pairs of numbers, one pair per distinct link; of all kinds or of some.
   * With `labels`, of the relations only those with one of these predicates.
   */
  edges(
    kinds?: readonly LinkKind[],
    labels?: readonly string[],
  ): Promise<{ readonly from: Uint32Array; readonly to: Uint32Array }>
  /** Every link of these kinds as it is written, resolved or not: by document, in the order of its text. */
  linkTargets(
    kinds: readonly LinkKind[],
  ): Promise<readonly { readonly from: DocNo; readonly target: string }[]>
  /** Every document's number, ordered by source and path. */
  pathOrder(): Promise<Uint32Array>
  paths(
    nos: readonly DocNo[],
  ): Promise<readonly { readonly source: string; readonly path: string }[]>
  /** Groups of documents with the same bytes, in path order. */
  duplicates(): Promise<readonly { readonly digest: string; readonly nos: readonly DocNo[] }[]>
  counts(): Promise<Counts>

  /** The embedder whose vectors serve, once there is one. */
  servingEmbedder(): Promise<string | undefined>
  /** Makes an embedder the serving one and forgets the vectors and models of all others. */
  serveEmbedder(embedder: string | undefined): Promise<void>
  putModel(embedder: string, data: Uint8Array): Promise<void>
  model(embedder: string): Promise<Uint8Array | undefined>
  /** Keeps vectors of documents that still have the digest they were made from. */
  putVectors(
    embedder: string,
    rows: readonly { readonly doc: DocNo; readonly digest: string; readonly data: Uint8Array }[],
  ): Promise<void>
  /** Documents the embedder has no vectors of yet, in path order. */
  withoutVectors(embedder: string, limit: number): Promise<readonly DocNo[]>
  /**
   * Shows every document's vectors that were put after a stamp, one after the other: together they
   * may be large. Returns the stamp to ask with next time.
   */
  vectorsSince(
    embedder: string,
    stamp: number,
    visit: (doc: DocNo, data: Uint8Array) => void,
  ): Promise<number>
  /** Documents that have vectors. */
  vectorDocs(embedder: string): Promise<Uint32Array>
  /** Rises whenever vectors or the serving embedder change. */
  vectorStamp(): Promise<number>
  /** Documents put after a generation: how far the base has moved since. */
  changedDocuments(generation: number): Promise<number>

  segments(): Promise<readonly SegmentRecord[]>
  segmentStream(segment: number, name: string): Promise<Uint8Array>
  segmentRanges(
    segment: number,
    name: string,
    ranges: readonly { readonly start: number; readonly end: number }[],
  ): Promise<readonly Uint8Array[]>
  /** Documents a living segment holds now (deleted ones left out). */
  segmentDocs(segment: number): Promise<readonly DocNo[]>

  getMeta(key: string): Promise<string | undefined>
  putMeta(key: string, value: string): Promise<void>
  /** Checks the store's own integrity; an empty list means sound. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}
