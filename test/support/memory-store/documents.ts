/** Documents and files of a store in memory. */
import { comparePlaces, compareText } from '../../../src/core/domain/compare-places.ts'
import { isPart } from '../../../src/core/domain/document.ts'
import type { DocNo, DocumentRecord, FileRecord } from '../../../src/core/domain/document.ts'
import { isEntityPath } from '../../../src/core/domain/entity-document.ts'
import { DOCUMENT_ORDERS } from '../../../src/core/store/document-orders.ts'
import type {
  Among,
  DocumentFilter,
  DocumentStore,
} from '../../../src/core/store/document-store.ts'
import { foldPath, foldTag, foldedTags } from '../../../src/core/store/fold-names.ts'
import type { NewDocument } from '../../../src/core/store/batch.ts'
import { chunksOf, namedOf, placeKey } from './tables.ts'
import type { MemoryDocument, Tables } from './tables.ts'

export function documentPart(tables: Tables): DocumentStore {
  const whole = ({ record, checkedAt }: MemoryDocument): NewDocument => ({ ...record, checkedAt })
  const records = (): NewDocument[] => [...tables.documents.values()].map(whole)
  const recordOf = (no: DocNo): NewDocument | undefined => {
    const found = tables.documents.get(no)
    return found && whole(found)
  }
  const allFiles = (): FileRecord[] => [
    ...[...tables.documents.values()].map(fileOf).toSorted(comparePlaces),
    ...[...tables.files.values()].toSorted(comparePlaces),
  ]
  return {
    async files(source, under) {
      const isUnder = (path: string): boolean =>
        !under || under.some((at) => at === '' || path === at || path.startsWith(`${at}/`))
      return allFiles().filter((file) => file.source === source && isUnder(file.path))
    },
    async listFiles({ state, source }, { offset, limit }) {
      const found = allFiles()
        .filter((file) => state === undefined || file.state === state)
        .filter((file) => source === undefined || file.source === source)
        .toSorted(comparePlaces)
      return { files: pageOf(found, offset, limit), total: found.length }
    },
    async sources() {
      return [...new Set(allFiles().map(({ source }) => source))].toSorted(compareText)
    },

    async documents(nos) {
      return nos.map((no) => {
        const record = recordOf(no)
        return record && publicOf(record)
      })
    },
    async findByPath(source, path) {
      const record = recordOf(tables.places.get(placeKey({ source, path })) ?? -1)
      return record && publicOf(record)
    },
    async findByPathFolded(path) {
      const folded = foldPath(path)
      const found = records().filter((record) => foldPath(record.path) === folded)
      return found.toSorted(comparePlaces).map(publicOf)
    },
    async named(keys) {
      const found = new Map<DocNo, NewDocument>()
      for (const key of keys) {
        const known = [...(tables.names.get(key) ?? [])].map((no) => recordOf(no)!)
        for (const record of known.toSorted(comparePlaces)) found.set(record.no, record)
      }
      return [...found.values()].map(namedOf)
    },
    async namesLike(prefix, limit) {
      return [...tables.names]
        .filter(([key]) => key.startsWith(prefix))
        .toSorted(([a], [b]) => compareText(a, b))
        .flatMap(([key, nos]) => [...nos].toSorted((a, b) => a - b).map((no) => ({ key, no })))
        .slice(0, limit < 0 ? undefined : limit)
    },
    async matching(filter) {
      return Uint32Array.from(records().filter(matcher(filter)), ({ no }) => no)
    },
    async list(filter, order, { offset, limit }) {
      const found = records().filter(matcher(filter)).toSorted(DOCUMENT_ORDERS[order])
      return { documents: pageOf(found, offset, limit).map(publicOf), total: found.length }
    },

    async chunksOf(docs) {
      return docs.map((doc) => {
        const record = recordOf(doc)
        return record ? chunksOf(record) : []
      })
    },
    async warnings(doc) {
      return recordOf(doc)?.warnings ?? []
    },
    async tags(limit, among) {
      const isAmong = within(among)
      return [...tables.tags]
        .map(([tag, docs]) => ({ tag, documents: [...docs].filter(isAmong).length }))
        .filter(({ documents }) => documents > 0)
        .toSorted((a, b) => b.documents - a.documents || compareText(a.tag, b.tag))
        .slice(0, limit)
    },
    async pathOrder() {
      return Uint32Array.from(records().toSorted(comparePlaces), ({ no }) => no)
    },
    async paths(nos) {
      return nos.map((no) => {
        const { source, path } = recordOf(no) ?? { source: '', path: '' }
        return { source, path }
      })
    },
    async digests(nos) {
      return nos.map((no) => (isPart(recordOf(no) ?? {}) ? undefined : recordOf(no)?.digest))
    },
    async duplicates() {
      const groups = Map.groupBy(records().toSorted(comparePlaces), ({ digest }) => digest)
      return [...groups]
        .map(([digest, group]) => ({ digest, nos: group.map(({ no }) => no) }))
        .filter(({ nos }) => nos.length > 1)
    },
    async counts(among) {
      const isAmong = within(among)
      const own = records().filter(({ no }) => isAmong(no))
      const links = own.flatMap(({ no }) => tables.links.get(no) ?? [])
      const leads = links.filter(({ to }) => to !== undefined && isAmong(to))
      return {
        documents: own.length,
        chunks: own.reduce((sum, { chunks }) => sum + chunks.length, 0),
        links: leads.length,
        brokenLinks: links.filter(
          ({ to, attachment }) => !attachment && (to === undefined || !isAmong(to)),
        ).length,
        tags: [...tables.tags.values()].filter((docs) => [...docs].some(isAmong)).length,
        segments: tables.segments.size,
      }
    },
    async changedDocuments(generation) {
      return [...tables.documents.values()].filter((each) => each.generation > generation).length
    },
  }
}

/** All documents, where none are named. */
export function within(among: Among | undefined): (doc: DocNo) => boolean {
  if (!among) return () => true
  const numbers = new Set(among)
  return (doc) => numbers.has(doc)
}

/** A negative limit means no limit. */
export function pageOf<Item>(all: readonly Item[], offset: number, limit: number): readonly Item[] {
  return all.slice(offset, limit < 0 ? undefined : offset + limit)
}

function publicOf(document: NewDocument): DocumentRecord {
  const { chunks: _, links: _links, names: _names, warnings: _warnings, ...record } = document
  return record
}

function fileOf({ record, checkedAt }: MemoryDocument): FileRecord {
  const { no, source, path, size, modifiedAt, stamp } = record
  const state = { state: 'indexed', reason: undefined } as const
  return { source, path, ...state, size, modifiedAt, stamp, checkedAt, doc: no }
}

function matcher(filter: DocumentFilter): (document: NewDocument) => boolean {
  const { sources, types, kind, tagMode, updatedAfter, updatedBefore } = filter
  const prefix = foldPath(filter.pathPrefix ?? '')
  const tags = new Set((filter.tags ?? []).map(foldTag))
  const hasTags = (document: NewDocument): boolean => {
    if (tags.size === 0) return true
    const own = foldedTags(document)
    // A tag stands for those nested in it too.
    const has = (tag: string) => own.some((each) => each === tag || each.startsWith(`${tag}/`))
    return tagMode === 'all' ? [...tags].every(has) : [...tags].some(has)
  }
  const isAmong = within(filter.among)
  return (document) =>
    isAmong(document.no) &&
    (!sources || sources.includes(document.source)) &&
    (!types || types.includes(document.type)) &&
    (!kind || isEntityPath(document.path) === (kind === 'entity')) &&
    (prefix === '' || foldPath(document.path).startsWith(prefix)) &&
    (updatedAfter === undefined || (document.updatedAt ?? -Infinity) >= updatedAfter) &&
    (updatedBefore === undefined || (document.updatedAt ?? Infinity) < updatedBefore) &&
    hasTags(document)
}
