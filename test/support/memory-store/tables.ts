/** What a store in memory holds, and the orders in which it tells it. */
import type { ChunkRecord, DocNo, FileRecord } from '../../../src/core/domain/document.ts'
import type { NewDocument } from '../../../src/core/store/batch.ts'
import { foldPath, foldedTags, pageNameOf } from '../../../src/core/store/fold-names.ts'
import type { HeldLease } from '../../../src/core/store/judge-lease.ts'
import type { Role } from '../../../src/core/store/lease-store.ts'
import type { NamedDocument } from '../../../src/core/store/link-store.ts'
import { packChunks, unpackChunks } from '../../../src/core/store/pack-chunks.ts'
import type {
  Change,
  Place,
  PlannedLink,
  StoredDocument,
} from '../../../src/core/store/plan-commit.ts'

export interface MemoryDocument {
  readonly record: NewDocument
  readonly checkedAt: number
  readonly generation: number
  readonly segment: number | undefined
}

export interface MemorySegment {
  readonly docs: number
  readonly bytes: number
  readonly deleted: ReadonlySet<DocNo>
  readonly streams: ReadonlyMap<string, Uint8Array>
}

export interface Tables {
  readonly documents: Map<DocNo, MemoryDocument>
  /** By `placeKey`. */
  readonly places: Map<string, DocNo>
  readonly names: Map<string, Set<DocNo>>
  readonly tags: Map<string, Set<DocNo>>
  readonly links: Map<DocNo, PlannedLink[]>
  /** Documents that hold a link with the key. */
  readonly linkKeys: Map<string, Set<DocNo>>
  readonly files: Map<string, FileRecord>
  readonly segments: Map<number, MemorySegment>
  /** Kept for readers that began before a merge. */
  readonly replaced: Map<number, MemorySegment & { readonly replacedAt: number }>
  readonly models: Map<string, Uint8Array>
  readonly vectors: Map<string, Map<DocNo, { readonly stamp: number; readonly data: Uint8Array }>>
  readonly meta: Map<string, string>
  changes: (Change & { readonly generation: number })[]
  generation: number
  graphStamp: number
  vectorStamp: number
  nextNo: DocNo
  nextSegment: number
  embedder: string | undefined
  readonly leases: Map<Role, HeldLease>
  readonly fences: Map<Role, number>
}

export function emptyTables(): Tables {
  return {
    documents: new Map(),
    places: new Map(),
    names: new Map(),
    tags: new Map(),
    links: new Map(),
    linkKeys: new Map(),
    files: new Map(),
    segments: new Map(),
    replaced: new Map(),
    models: new Map(),
    vectors: new Map(),
    meta: new Map(),
    changes: [],
    generation: 0,
    graphStamp: 0,
    vectorStamp: 0,
    nextNo: 0,
    nextSegment: 1,
    embedder: undefined,
    leases: new Map(),
    fences: new Map(),
  }
}

export function placeKey({ source, path }: Place): string {
  return `${source}\n${path}`
}

export function storedOf({ record, segment }: MemoryDocument): StoredDocument {
  const { no, source, path, title, names, aliases, size, modifiedAt } = record
  const pageName = pageNameOf(record.properties)
  const tags = foldedTags(record)
  return { no, source, path, title, pageName, names, aliases, tags, segment, size, modifiedAt }
}

export function namedOf(document: NewDocument): NamedDocument {
  const { no, source, path, title, aliases, properties } = document
  const pageName = pageNameOf(properties)
  return { no, source, path, foldedPath: foldPath(path), title, aliases, pageName }
}

export function chunksOf({ no, chunks }: NewDocument): ChunkRecord[] {
  return unpackChunks(no, packChunks(chunks))
}

/** Adds to, or takes from, one of many sets. */
export function link<Key>(sets: Map<Key, Set<DocNo>>, key: Key, no: DocNo): void {
  const known = sets.get(key)
  if (known) known.add(no)
  else sets.set(key, new Set([no]))
}

export function unlink<Key>(sets: Map<Key, Set<DocNo>>, key: Key, no: DocNo): void {
  const known = sets.get(key)
  known?.delete(no)
  if (known?.size === 0) sets.delete(key)
}
