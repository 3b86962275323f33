/** What is in a folder, as people browse: its folders with how many notes they hold, and its notes as a table. */
import type { DocumentRecord } from '../../core/domain/document.ts'
import { documentId } from '../../core/domain/document.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { PropertyValue } from '../../core/domain/text.ts'
import { eachInSteps, inSlices, sortInSteps, stepsInSlices } from '../../core/kit/slices.ts'
import { propertyOf } from '../../core/operations/reading/parse-condition.ts'
import { propertyText } from '../../core/operations/reading/property-text.ts'
import type { DocumentFilter } from '../../core/store/store.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { FolderTable, ListedFolders } from '../wire/wire.ts'
import { listForTyping } from './list-for-typing.ts'

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
  /** `title`, `path`, `updated`, or the name of a property. */
  readonly sort: string
  /** The other way round: Z first, the oldest first. */
  readonly reverse: boolean
  /** Properties to show; those that most notes have, unless said. */
  readonly columns?: readonly string[]
  readonly offset: number
  readonly limit: number
}

const STORED_ORDERS = ['title', 'path', 'updated'] as const

/** Notes are asked what they say of themselves to put them in order by it: of no more than these. */
const MOST_SORTED = 20_000
/** So many of the notes are looked at to see which properties there are. */
const LOOKED_AT = 200
const KEYS_OFFERED = 30
const COLUMNS_SHOWN = 3
const CELL = 120

/** All notes below a folder, in an order that may be that of a property. */
export async function tabulate(kb: View, request: TableRequest): Promise<FolderTable> {
  const filter = filterOf(kb, request)
  const { documents: some, total } = filter
    ? await kb.store.list(filter, 'path', { offset: 0, limit: LOOKED_AT })
    : { documents: [], total: 0 }
  const keys = keysOf(some)
  const columns = request.columns ?? keys.slice(0, COLUMNS_SHOWN)
  const documents = filter ? await pageOf(kb, filter, request, total) : []
  return {
    total,
    keys,
    columns,
    rows: documents.map((record) => ({
      id: documentId(record),
      title: record.title,
      updatedAt: record.updatedAt,
      values: columns.map((key) => propertyText(propertyOf(record.properties, key), CELL)),
    })),
  }
}

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

async function pageOf(
  kb: View,
  filter: DocumentFilter,
  { sort, reverse, offset, limit }: TableRequest,
  total: number,
): Promise<readonly DocumentRecord[]> {
  const stored = STORED_ORDERS.find((order) => order === sort)
  if (stored) {
    if (!reverse) return (await kb.store.list(filter, stored, { offset, limit })).documents
    const from = Math.max(0, total - offset - limit)
    const page = { offset: from, limit: total - offset - from }
    if (page.limit <= 0) return []
    return (await kb.store.list(filter, stored, page)).documents.toReversed()
  }
  if (total > MOST_SORTED) {
    throw invalid(
      `${total} notes are too many to put in order by ${quoted(sort)}.`,
      `Choose a folder with at most ${MOST_SORTED}, or sort by title, path or updated.`,
    )
  }
  const { documents } = await kb.store.list(filter, 'title', { offset: 0, limit: -1 })
  const keyed = await inSlices(documents, (record): Keyed => {
    const value = propertyOf(record.properties, sort)
    return { record, value, text: propertyText(value, CELL) }
  })
  const way = reverse ? -1 : 1
  const sorted = await stepsInSlices(
    sortInSteps(keyed, (a, b) => {
      // Who has nothing to say comes last, whichever way one looks.
      if (a.text === '' || b.text === '') return Number(a.text === '') - Number(b.text === '')
      return way * compareValues(a, b)
    }),
  )
  return sorted.slice(offset, offset + limit).map(({ record }) => record)
}

interface Keyed {
  readonly record: DocumentRecord
  readonly value: PropertyValue | undefined
  readonly text: string
}

function compareValues(a: Keyed, b: Keyed): number {
  if (typeof a.value === 'number' && typeof b.value === 'number') return a.value - b.value
  return NAMES.compare(a.text, b.text)
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
