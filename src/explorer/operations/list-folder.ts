/** What is in a folder, as people browse: its folders with how many notes they hold, and its notes as a table. */
import type { DocumentRecord } from '../../core/domain/document.ts'
import { documentId, parsePlace } from '../../core/domain/document.ts'
import { eachInSteps, sortInSteps, stepsInSlices } from '../../core/kit/slices.ts'
import { keyOf, propertyOf } from '../../core/operations/reading/parse-condition.ts'
import { propertyText } from '../../core/operations/reading/property-text.ts'
import type { DocumentFilter } from '../../core/store/store.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { FolderTable, ListedFolders } from '../wire/wire.ts'
import { listForTyping } from './list-for-typing.ts'
import { propertyFacets } from './property-facets.ts'
import { editsOf } from './read-for-edit.ts'
import { searchPage } from './search-page.ts'

/** More folders beside each other than anybody scrolls through. */
const FOLDERS_SHOWN = 500

/** The folders directly in one, `''` being that of all sources; `handbook/guides/` ends as it does here. */
export async function listFolders(kb: View, folder: string): Promise<ListedFolders> {
  const list = await listForTyping(kb).now()
  const counts = new Map<string, { notes: number; deeper: boolean }>()
  let own = 0
  await stepsInSlices(
    eachInSteps(list.values(), ({ names }) => {
      const [{ id, kind }] = names as [(typeof names)[number]]
      if (kind === 'entity' || !id.startsWith(folder)) return
      const end = id.indexOf('/', folder.length)
      if (end < 0) {
        own++
        return
      }
      const name = id.slice(folder.length, end)
      const count = counts.get(name) ?? { notes: 0, deeper: false }
      counts.set(name, count)
      count.notes++
      count.deeper ||= id.indexOf('/', end + 1) >= 0
    }),
  )
  const sorted = await stepsInSlices(sortInSteps([...counts], ([a], [b]) => NAMES.compare(a, b)))
  return {
    notes: own,
    folders: sorted.slice(0, FOLDERS_SHOWN).map(([name, count]) => ({
      name,
      path: `${folder}${name}/`,
      ...count,
    })),
    more: Math.max(0, sorted.length - FOLDERS_SHOWN),
  }
}

/** `10` comes behind `9`. */
const NAMES = new Intl.Collator('en', { numeric: true })

export interface TableRequest {
  /** `''` for all. */
  readonly folder: string
  readonly tag?: string
  /** A condition over properties, and a question: only what is found for it. */
  readonly where?: string
  readonly words?: string
  /** `title`, `path`, `updated`, or the name of a property. */
  readonly sort: string
  /** The other way round: Z first, the oldest first. */
  readonly reverse: boolean
  /** Properties to show; those that most notes have, unless said. */
  readonly columns?: readonly string[]
  /** What a board or a file is made of: values as they are, and what one may change. */
  readonly raw?: boolean
  readonly offset: number
  readonly limit: number
}

const STORED_ORDERS = ['title', 'path', 'updated'] as const

/** So many of the notes are looked at to see which properties there are. */
const LOOKED_AT = 200
/** And to see what they have in common. */
const COUNTED = 2_000
const KEYS_OFFERED = 30
const COLUMNS_SHOWN = 3
const CELL = 120

/** All notes below a folder, in an order that may be that of a property. */
export async function tabulate(kb: View, request: TableRequest): Promise<FolderTable> {
  const filter = filterOf(kb, request)
  const found = filter ? await notesOf(kb, filter, request) : NOTHING
  const keys = keysOf(found.some)
  const columns = request.columns ?? keys.slice(0, COLUMNS_SHOWN)
  return {
    total: found.total,
    keys,
    columns,
    facets: propertyFacets(found.some),
    rows: found.page.map((record) => ({
      id: documentId(record),
      title: record.title,
      updatedAt: record.updatedAt,
      values: columns.map((key) => propertyText(propertyOf(record.properties, key), CELL)),
      ...(request.raw && {
        digest: record.digest,
        raw: columns.map((key) => propertyOf(record.properties, key) ?? null),
        key: columns[0] === undefined ? undefined : keyOf(record.properties, columns[0]),
        ...(editsOf(kb, record, '') && { edits: true as const }),
      }),
    })),
  }
}

interface Found {
  readonly total: number
  readonly page: readonly DocumentRecord[]
  /** Those that tell which properties there are. */
  readonly some: readonly DocumentRecord[]
}

const NOTHING: Found = { total: 0, page: [], some: [] }

/** Names of folders may look like patterns, so they are compared and not understood. */
function filterOf(kb: View, { folder, tag }: TableRequest): DocumentFilter | undefined {
  const tagged = tag === undefined ? {} : { tags: [tag] }
  if (folder === '') return { kind: 'document', ...tagged }
  const slash = folder.indexOf('/')
  const source = folder.slice(0, slash)
  if (slash < 0 || !kb.sources.has(source)) return undefined
  const pathPrefix = folder.slice(slash + 1)
  return {
    kind: 'document',
    sources: [source],
    ...(pathPrefix !== '' && { pathPrefix }),
    ...tagged,
  }
}

async function notesOf(kb: View, filter: DocumentFilter, request: TableRequest): Promise<Found> {
  const { sort, reverse, offset, limit, where, words } = request
  const stored = STORED_ORDERS.find((order) => order === sort)
  if (stored && where === undefined && words === undefined) {
    const first = { offset: 0, limit: LOOKED_AT }
    const { documents: some, total } = await kb.store.list(filter, 'path', first)
    if (!reverse) {
      const { documents } = await kb.store.list(filter, stored, { offset, limit })
      return { total, some, page: documents }
    }
    const from = Math.max(0, total - offset - limit)
    const page = { offset: from, limit: total - offset - from }
    if (page.limit <= 0) return { total, some, page: [] }
    return { total, some, page: (await kb.store.list(filter, stored, page)).documents.toReversed() }
  }
  const query = await import('../../core/operations/querying/select-notes.ts')
  const among = words === undefined ? undefined : await foundFor(kb, words)
  const wanted = { ...filter, ...(among && { among }) }
  const all = await query.selectNotes(kb, wanted, { where, sort, reverse })
  return { total: all.length, page: all.slice(offset, offset + limit), some: all.slice(0, COUNTED) }
}

/** The best of what is found for a question, as `Results` shows them. */
async function foundFor(kb: View, words: string): Promise<Uint32Array> {
  const { hits } = await searchPage(kb, words, { selection: {}, typing: false, limit: 100 })
  const found = await Promise.all(
    hits.map(({ id }) => {
      const { source, path } = parsePlace(id)
      return kb.store.findByPath(source, path)
    }),
  )
  return Uint32Array.from(found.flatMap((record) => (record ? [record.no] : []))).toSorted()
}

/** What is shown of every note anyhow. */
const SHOWN_ANYHOW = new Set(['title', 'tags', 'tag', 'aliases', 'alias', 'updated', 'modified'])

/** Most used first. */
function keysOf(documents: readonly DocumentRecord[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { properties } of documents) {
    for (const key of Object.keys(properties)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .filter(([key]) => !SHOWN_ANYHOW.has(key.toLowerCase()) && key.length <= CELL)
    .toSorted(([a, m], [b, n]) => n - m || NAMES.compare(a, b))
    .slice(0, KEYS_OFFERED)
    .map(([key]) => key)
}
