/** The table of documents, with the keys and tags that lead to them. */
import { crc32 } from 'node:zlib'
import { comparePlaces } from '../../domain/compare-places.ts'
import type { ChunkRecord, DocNo, DocumentRecord } from '../../domain/document.ts'
import { eachInSteps, inSlices, Slices, sortInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import type { Warning } from '../../domain/warning.ts'
import type { Batch, NewDocument } from '../batch.ts'
import type { Among, DocumentFilter, DocumentOrder, DocumentStore } from '../document-store.ts'
import { foldPath, foldedTags, pageNameOf } from '../fold-names.ts'
import type { NamedDocument } from '../link-store.ts'
import { packChunks, unpackChunks } from '../pack-chunks.ts'
import type { Place, StoredDocument } from '../plan-commit.ts'
import { IN_LISTED, listed } from './among.ts'
import {
  addSums,
  documentSum,
  keySum,
  knownBySum,
  linkSum,
  requireSoundDocument,
  soundChunks,
  SUMMED,
} from './checksums.ts'
import type { Connection, Row } from './connection.ts'
import { whereOf } from './document-filter.ts'
import { strikeOut } from './vector-blocks.ts'

export type DocumentTable = Omit<DocumentStore, 'files' | 'listFiles' | 'sources' | 'counts'>

export function documentTable(connection: Connection): DocumentTable {
  /** One may go while others are served. */
  const read = async (nos: Uint32Array): Promise<DocumentRecord[]> =>
    (await inSlices(nos, (no) => documentNumbered(connection, no))).filter(
      (each) => each !== undefined,
    )
  /** All are read for one caller after the other: for many at once they would not fit into memory. */
  let reading: Promise<void> = Promise.resolve()

  return {
    async documents(nos: readonly DocNo[]): Promise<readonly (DocumentRecord | undefined)[]> {
      return inSlices(nos, (no) => documentNumbered(connection, no))
    },

    async findByPath(source: string, path: string): Promise<DocumentRecord | undefined> {
      const row = connection.get(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE source = ? AND path = ?`,
        source,
        path,
      )
      return row && documentOf(row)
    },

    async findByPathFolded(path: string): Promise<readonly DocumentRecord[]> {
      return connection
        .all(
          `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE path_folded = ? ORDER BY source, path`,
          foldPath(path),
        )
        .map(documentOf)
    },

    async named(keys: readonly string[]): Promise<readonly NamedDocument[]> {
      const candidates = candidatesOf(connection)
      const found = (await inSlices(keys, candidates)).flat()
      return [...new Map(found.map((each) => [each.no, each])).values()]
    },

    async namesLike(prefix: string, limit: number): Promise<readonly { key: string; no: DocNo }[]> {
      return connection
        .all(
          'SELECT key, doc FROM names WHERE key >= ? AND key < ? ORDER BY key, doc LIMIT ?',
          prefix,
          `${prefix}\u{10ffff}`,
          limit,
        )
        .map((row) => ({ key: String(row['key']), no: Number(row['doc']) }))
    },

    async matching(filter: DocumentFilter): Promise<Uint32Array> {
      const { where, values } = whereOf(filter)
      return connection.numbers(`SELECT no AS number FROM documents ${where}`, ...values)
    },

    async list(
      filter: DocumentFilter,
      order: DocumentOrder,
      page: { readonly offset: number; readonly limit: number },
    ): Promise<{ readonly documents: readonly DocumentRecord[]; readonly total: number }> {
      const { where, values } = whereOf(filter)
      if (where === '' && order === 'path' && page.limit < 0 && page.offset === 0) {
        const all = reading.then(async () => read(await pathOrder(connection)))
        reading = all.then(nothing, nothing)
        const documents = await all
        return { documents, total: documents.length }
      }
      // Of several who come at once, each finds out in a turn of its own which ones are meant.
      const slices = new Slices()
      if (slices.over) await slices.pause()
      const total = Number(
        connection.get(`SELECT count(*) AS n FROM documents ${where}`, ...values)?.['n'] ?? 0,
      )
      const nos = connection.numbers(
        `SELECT no AS number FROM documents ${where} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`,
        ...values,
        page.limit,
        page.offset,
      )
      return { documents: await read(nos), total }
    },

    async chunksOf(docs: readonly DocNo[]): Promise<readonly (readonly ChunkRecord[])[]> {
      return inSlices(docs, (doc) => {
        const row = connection.get('SELECT chunks, chunks_sum FROM documents WHERE no = ?', doc)
        return row ? unpackChunks(doc, soundChunks(row)) : []
      })
    },

    async warnings(doc: DocNo): Promise<readonly Warning[]> {
      const row = connection.get('SELECT warnings FROM documents WHERE no = ?', doc)
      return row?.['warnings'] ? JSON.parse(String(row['warnings'])) : []
    },

    async tags(
      limit: number,
      among?: Among,
    ): Promise<readonly { tag: string; documents: number }[]> {
      return connection
        .all(
          `SELECT tag, count(*) AS n FROM tags ${among ? `WHERE doc ${IN_LISTED}` : ''}
           GROUP BY tag ORDER BY n DESC, tag LIMIT ?`,
          ...(among ? [listed(among)] : []),
          limit,
        )
        .map((row) => ({ tag: String(row['tag']), documents: Number(row['n']) }))
    },

    pathOrder: () => pathOrder(connection),

    async paths(
      nos: readonly DocNo[],
    ): Promise<readonly { readonly source: string; readonly path: string }[]> {
      return inSlices(nos, (no) => {
        const row = connection.get('SELECT source, path FROM documents WHERE no = ?', no)
        return { source: String(row?.['source'] ?? ''), path: String(row?.['path'] ?? '') }
      })
    },

    async duplicates(): Promise<readonly { digest: string; nos: readonly DocNo[] }[]> {
      const slices = new Slices()
      const last = connection.count('SELECT max(no) AS n FROM documents')
      const groups = new Map<string, DocNo[]>()
      for (let from = -1; from < last; from += DIGESTS_AT_ONCE) {
        if (slices.over) await slices.pause()
        const rows = connection.all(
          'SELECT digest, no FROM documents WHERE no > ? AND no <= ?',
          from,
          from + DIGESTS_AT_ONCE,
        )
        for (const row of rows) {
          const [digest, no] = [String(row['digest']), Number(row['no'])]
          const group = groups.get(digest)
          if (group) group.push(no)
          else groups.set(digest, [no])
        }
      }
      return stepsInSlices(inPathOrder(connection, groups))
    },

    async changedDocuments(generation: number): Promise<number> {
      const row = connection.get(
        'SELECT count(*) AS n FROM documents WHERE generation > ?',
        generation,
      )
      return Number(row?.['n'] ?? 0)
    },
  }
}

const DIGESTS_AT_ONCE = 1_000

function nothing(): void {}

/** Groups of more than one, each and all of them in the order of paths. */
function* inPathOrder(
  connection: Connection,
  groups: ReadonlyMap<string, readonly DocNo[]>,
): Steps<{ digest: string; nos: readonly DocNo[] }[]> {
  const places = new Map<DocNo, Place>()
  const several = [...groups].filter(([, nos]) => nos.length > 1)
  yield
  yield* eachInSteps(
    several.flatMap(([, nos]) => nos),
    (no) => {
      const row = connection.get('SELECT source, path FROM documents WHERE no = ?', no)
      places.set(no, { source: String(row?.['source']), path: String(row?.['path']) })
    },
  )
  const byPlace = (a: DocNo, b: DocNo): number => comparePlaces(places.get(a)!, places.get(b)!)
  const sorted: { digest: string; nos: readonly DocNo[] }[] = []
  for (const [digest, nos] of several) {
    sorted.push({ digest, nos: yield* sortInSteps(nos, byPlace) })
  }
  return yield* sortInSteps(sorted, (a, b) => byPlace(a.nos[0]!, b.nos[0]!))
}

/** So many documents are put in order between two chances for others. */
const PLACES_AT_ONCE = 10_000
/** Where the index changes again and again, the order is read at once in the end. */
const ORDER_TRIES = 3

async function pathOrder(connection: Connection): Promise<Uint32Array> {
  const slices = new Slices()
  for (let tries = 0; tries < ORDER_TRIES; tries++) {
    const before = connection.meta('generation')
    const pages: Uint32Array[] = []
    for (let last: DocNo | undefined; ;) {
      const page = placesAfter(connection, last)
      pages.push(page)
      if (page.length < PLACES_AT_ONCE) break
      last = page.at(-1)
      if (slices.over) await slices.pause()
    }
    // What came or went meanwhile may be in two pages, or in none.
    if (pages.length === 1 || connection.meta('generation') === before) return joined(pages)
  }
  return connection.numbers('SELECT no AS number FROM documents ORDER BY source, path')
}

/** The documents behind one in the order of paths, as many as are looked at at once. */
function placesAfter(connection: Connection, last: DocNo | undefined): Uint32Array {
  const place =
    last === undefined
      ? undefined
      : connection.get('SELECT source, path FROM documents WHERE no = ?', last)
  return connection.numbers(
    `SELECT no AS number FROM documents WHERE (source, path) > (?, ?)
     ORDER BY source, path LIMIT ${PLACES_AT_ONCE}`,
    String(place?.['source'] ?? ''),
    String(place?.['path'] ?? ''),
  )
}

function joined(pages: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(pages.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const page of pages) {
    all.set(page, at)
    at += page.length
  }
  return all
}

function documentNumbered(connection: Connection, no: DocNo): DocumentRecord | undefined {
  const row = connection.get(`SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE no = ?`, no)
  return row && documentOf(row)
}

interface Details extends Pick<
  DocumentRecord,
  'aliases' | 'tags' | 'inlineTags' | 'description' | 'properties' | 'symbols' | 'secrets'
> {
  readonly names: readonly string[]
}

const DOCUMENT_COLUMNS = `no, size, modified_at, stamp, checked_at, ${SUMMED}`

const ORDERS = {
  updated: 'updated_at DESC, source, path',
  created: 'coalesce(created_at, updated_at) DESC, source, path',
  // What has no date is neither the newest nor the oldest.
  stale: 'updated_at NULLS LAST, source, path',
  title: 'title COLLATE NOCASE, source, path',
  path: 'source, path',
} as const satisfies Record<DocumentOrder, string>

function documentOf(row: Row): DocumentRecord {
  requireSoundDocument(row)
  const details = JSON.parse(String(row['details'])) as Details
  return {
    no: Number(row['no']),
    source: String(row['source']),
    path: String(row['path']),
    digest: String(row['digest']),
    size: Number(row['size']),
    modifiedAt: Number(row['modified_at']),
    ...(row['stamp'] !== null && { stamp: String(row['stamp']) }),
    checkedAt: Number(row['checked_at']),
    createdAt: row['created_at'] === null ? undefined : Number(row['created_at']),
    updatedAt: row['updated_at'] === null ? undefined : Number(row['updated_at']),
    title: String(row['title']),
    type: String(row['type']),
    aliases: details.aliases,
    tags: details.tags,
    inlineTags: details.inlineTags,
    description: details.description,
    properties: details.properties,
    ...(details.symbols && { symbols: details.symbols }),
    ...(details.secrets && { secrets: details.secrets }),
  }
}

const STORED_COLUMNS = 'no, source, path, title, page_name, segment, size, modified_at, details'

/** Documents with one of the numbers or at one of the places, before a batch changes them. */
export function storedDocuments(
  connection: Connection,
  nos: Iterable<DocNo>,
  places: Iterable<Place>,
): StoredDocument[] {
  const byNo = connection.prepare(`SELECT ${STORED_COLUMNS} FROM documents WHERE no = ?`)
  const byPlace = connection.prepare(
    `SELECT ${STORED_COLUMNS} FROM documents WHERE source = ? AND path = ?`,
  )
  const found = new Map<DocNo, StoredDocument>()
  const add = (row: Row | undefined): void => {
    if (row && !found.has(Number(row['no']))) found.set(Number(row['no']), storedOf(row))
  }
  for (const no of nos) add(byNo.get(no) as Row | undefined)
  for (const { source, path } of places) add(byPlace.get(source, path) as Row | undefined)
  return [...found.values()]
}

function storedOf(row: Row): StoredDocument {
  const details = JSON.parse(String(row['details'])) as Details
  return {
    no: Number(row['no']),
    source: String(row['source']),
    path: String(row['path']),
    title: String(row['title']),
    pageName: row['page_name'] === null ? undefined : String(row['page_name']),
    names: details.names,
    aliases: details.aliases,
    tags: foldedTags(details),
    segment: row['segment'] === null ? undefined : Number(row['segment']),
    size: Number(row['size']),
    modifiedAt: Number(row['modified_at']),
  }
}

export function deleteDocument(connection: Connection, { no, names, tags }: StoredDocument): void {
  for (const name of names) connection.run('DELETE FROM names WHERE key = ? AND doc = ?', name, no)
  for (const tag of tags) connection.run('DELETE FROM tags WHERE tag = ? AND doc = ?', tag, no)
  connection.run('DELETE FROM links WHERE doc = ?', no)
  connection.run('DELETE FROM sums WHERE doc = ?', no)
  strikeOut(connection, no)
  connection.run('DELETE FROM documents WHERE no = ?', no)
}

/** A file that was looked at again and has the same content. */
export function touchDocument(
  connection: Connection,
  { no, size, modifiedAt, stamp }: NonNullable<Batch['touch']>[number],
  checkedAt: number,
): void {
  connection.run(
    'UPDATE documents SET size = ?, modified_at = ?, stamp = ?, checked_at = ? WHERE no = ?',
    size,
    modifiedAt,
    stamp ?? null,
    checkedAt,
    no,
  )
}

export interface Occasion {
  readonly segment: number | undefined
  readonly generation: number
  readonly checkedAt: number
}

export function insertDocument(
  connection: Connection,
  document: NewDocument,
  { segment, generation, checkedAt }: Occasion,
): void {
  const details: Details = {
    aliases: document.aliases,
    tags: document.tags,
    inlineTags: document.inlineTags,
    description: document.description,
    properties: document.properties,
    ...(document.symbols && { symbols: document.symbols }),
    ...(document.secrets && { secrets: document.secrets }),
    names: document.names,
  }
  const { source, path, digest, title, type, createdAt, updatedAt } = document
  const summed = {
    source,
    path,
    digest,
    title,
    type,
    created_at: createdAt ?? null,
    updated_at: updatedAt ?? null,
    details: JSON.stringify(details),
  }
  const chunks = packChunks(document.chunks)
  const knownBy = {
    path_folded: foldPath(document.path),
    page_name: pageNameOf(document.properties) ?? null,
    aliases: JSON.stringify(document.aliases),
    warnings: document.warnings.length > 0 ? JSON.stringify(document.warnings) : null,
    chunk_count: document.chunks.length,
  }
  // A file that was left out before and is a document now.
  connection.run('DELETE FROM files WHERE source = ? AND path = ?', document.source, document.path)
  connection.run(
    `INSERT INTO documents (no, source, path, path_folded, digest, size, modified_at, checked_at,
      generation, created_at, updated_at, title, type, page_name, aliases, segment, details, chunks,
      chunk_count, warnings, stamp, sum, chunks_sum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    document.no,
    document.source,
    document.path,
    knownBy.path_folded,
    document.digest,
    document.size,
    document.modifiedAt,
    checkedAt,
    generation,
    summed.created_at,
    summed.updated_at,
    document.title,
    document.type,
    knownBy.page_name,
    knownBy.aliases,
    segment ?? null,
    summed.details,
    chunks,
    knownBy.chunk_count,
    knownBy.warnings,
    document.stamp ?? null,
    documentSum(summed),
    crc32(chunks),
  )
  for (const name of document.names) {
    connection.run('INSERT OR IGNORE INTO names (key, doc) VALUES (?, ?)', name, document.no)
  }
  for (const tag of foldedTags(details)) {
    connection.run('INSERT OR IGNORE INTO tags (tag, doc) VALUES (?, ?)', tag, document.no)
  }
  // What the store keeps of two texts is one where they differ in what no text can hold.
  const stored = (keys: readonly string[]) => new Set(keys.map((key) => key.toWellFormed()))
  const links = document.links.map((link, ordinal) =>
    linkSum({
      ...link,
      fragment: link.fragment ?? null,
      label: link.label ?? null,
      attachment: link.attachment ? 1 : 0,
      ordinal,
    }),
  )
  connection.run(
    'INSERT OR REPLACE INTO sums (doc, links, names) VALUES (?, ?, ?)',
    document.no,
    links.reduce(addSums, 0),
    [
      knownBySum(knownBy),
      ...[...stored(document.names)].map((key) => keySum('name', key)),
      ...[...stored(foldedTags(details))].map((key) => keySum('tag', key)),
    ].reduce(addSums, 0),
  )
}

export type Candidates = (key: string) => readonly NamedDocument[]

/** Candidates of a key as they are when first asked for; ask after the documents are in. */
export function candidatesOf(connection: Connection): Candidates {
  const cache = new Map<string, readonly NamedDocument[]>()
  const select = connection.prepare(
    `SELECT no FROM names JOIN documents ON documents.no = names.doc
     WHERE key = ? ORDER BY source, path`,
  )
  const selectOne = connection.prepare(
    'SELECT no, source, path, path_folded, title, page_name, aliases FROM documents WHERE no = ?',
  )
  // One with thousands of aliases is met under each of them.
  const known = new Map<DocNo, NamedDocument>()
  const named = (no: DocNo): NamedDocument => {
    const each = known.get(no) ?? namedOf(selectOne.get(no) as Row)
    known.set(no, each)
    return each
  }
  return (key) => {
    let found = cache.get(key)
    if (!found) {
      found = (select.all(key) as Row[]).map((row) => named(Number(row['no'])))
      cache.set(key, found)
    }
    return found
  }
}

function namedOf(row: Row): NamedDocument {
  return {
    no: Number(row['no']),
    source: String(row['source']),
    path: String(row['path']),
    foldedPath: String(row['path_folded']),
    title: String(row['title']),
    aliases: aliasesIn(String(row['aliases'])),
    pageName: row['page_name'] === null ? undefined : String(row['page_name']),
  }
}

const NO_ALIASES: readonly string[] = []
const MANY_CHARACTERS = 500
const LISTS_KEPT = 8
const longLists = new Map<string, readonly string[]>()

/** A document with thousands of aliases is met under each of them: its list is read once. */
function aliasesIn(text: string): readonly string[] {
  if (text === '[]') return NO_ALIASES
  if (text.length < MANY_CHARACTERS) return JSON.parse(text) as string[]
  const known = longLists.get(text) ?? (JSON.parse(text) as string[])
  if (longLists.size >= LISTS_KEPT) longLists.clear()
  longLists.set(text, known)
  return known
}
