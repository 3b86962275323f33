/** The table of documents, with the keys and tags that lead to them. */
import { comparePlaces } from '../../domain/compare-places.ts'
import { isPart } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { eachInSteps, inSlices, Slices, sortInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import type { Batch, NewDocument } from '../batch.ts'
import type { DocumentOrder, DocumentStore } from '../document-store.ts'
import { foldPath } from '../fold-names.ts'
import type { NamedDocument } from '../link-store.ts'
import { unpackChunks } from '../pack-chunks.ts'
import type { Place, StoredDocument } from '../plan-commit.ts'
import { digestBytes, digestText, newRow, SUMMED } from '../rows.ts'
import type { Occasion } from '../rows.ts'
import { IN_LISTED, listed } from './among.ts'
import type { Connection, Row } from './connection.ts'
import { whereOf } from './document-filter.ts'
import { reading } from './rows.ts'
import { strikeOut } from './vector-blocks.ts'

export type DocumentTable = Omit<DocumentStore, 'files' | 'listFiles' | 'sources' | 'counts'>

export function documentTable(connection: Connection): DocumentTable {
  /** One may go while others are served. */
  const read = async (nos: Uint32Array): Promise<DocumentRecord[]> =>
    (await inSlices(nos, (no) => documentNumbered(connection, no))).filter(
      (each) => each !== undefined,
    )
  /** All are read for one caller after the other: for many at once they would not fit into memory. */
  let readingAll: Promise<void> = Promise.resolve()

  return {
    documents: (nos) => inSlices(nos, (no) => documentNumbered(connection, no)),

    async findByPath(source, path) {
      const row = connection.get(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE source = ? AND path = ?`,
        source,
        path,
      )
      return row && reading.documentOf(row)
    },

    async findByPathFolded(path) {
      return connection
        .all(
          `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE path_folded = ? ORDER BY source, path`,
          foldPath(path),
        )
        .map(reading.documentOf)
    },

    async named(keys) {
      const candidates = candidatesOf(connection)
      const found = (await inSlices(keys, candidates)).flat()
      return [...new Map(found.map((each) => [each.no, each])).values()]
    },

    async namesLike(prefix, limit) {
      return connection
        .all(
          'SELECT key, doc FROM names WHERE key >= ? AND key < ? ORDER BY key, doc LIMIT ?',
          prefix,
          `${prefix}\u{10ffff}`,
          limit,
        )
        .map((row) => ({ key: String(row['key']), no: Number(row['doc']) }))
    },

    async matching(filter) {
      const { where, values } = whereOf(filter)
      return connection.numbers(`SELECT no AS number FROM documents ${where}`, ...values)
    },

    async list(filter, order, page) {
      const { where, values } = whereOf(filter)
      if (where === '' && order === 'path' && page.limit < 0 && page.offset === 0) {
        const all = readingAll.then(async () => read(await pathOrder(connection)))
        readingAll = all.then(nothing, nothing)
        const documents = await all
        return { documents, total: documents.length }
      }
      // Of several who come at once, each finds out in a turn of its own which ones are meant.
      const slices = new Slices()
      if (slices.over) await slices.pause()
      const total = connection.count(`SELECT count(*) AS n FROM documents ${where}`, ...values)
      const nos = connection.numbers(
        `SELECT no AS number FROM documents ${where} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`,
        ...values,
        page.limit,
        page.offset,
      )
      return { documents: await read(nos), total }
    },

    chunksOf: (docs) =>
      inSlices(docs, (doc) => {
        const row = connection.get('SELECT chunks, chunks_sum FROM documents WHERE no = ?', doc)
        return row ? unpackChunks(doc, reading.soundChunks(row)) : []
      }),

    async warnings(doc) {
      const row = connection.get('SELECT warnings FROM documents WHERE no = ?', doc)
      return row?.['warnings'] ? JSON.parse(String(row['warnings'])) : []
    },

    async tags(limit, among) {
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

    paths: (nos) =>
      inSlices(nos, (no) => {
        const row = connection.get('SELECT source, path FROM documents WHERE no = ?', no)
        return { source: String(row?.['source'] ?? ''), path: String(row?.['path'] ?? '') }
      }),

    digests: (nos) =>
      inSlices(nos, (no) => {
        const row = connection.get('SELECT digest, stamp FROM documents WHERE no = ?', no)
        if (!row || isPart({ stamp: String(row['stamp']) })) return undefined
        return String(digestText(row['digest']))
      }),

    async duplicates() {
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
          const [digest, no] = [String(digestText(row['digest'])), Number(row['no'])]
          const group = groups.get(digest)
          if (group) group.push(no)
          else groups.set(digest, [no])
        }
      }
      return stepsInSlices(inPathOrder(connection, groups))
    },

    async changedDocuments(generation) {
      return connection.count(
        'SELECT count(*) AS n FROM documents WHERE generation > ?',
        generation,
      )
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
  return row && reading.documentOf(row)
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
    if (row && !found.has(Number(row['no']))) found.set(Number(row['no']), reading.storedOf(row))
  }
  // Of very many new ones none is looked for.
  const last = connection.count('SELECT max(no) AS n FROM documents')
  for (const no of nos) if (no <= last) add(byNo.get(no) as Row | undefined)
  for (const { source, path } of places) add(byPlace.get(source, path) as Row | undefined)
  return [...found.values()]
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

export function insertDocument(
  connection: Connection,
  document: NewDocument,
  { segment, generation, checkedAt }: Occasion,
): void {
  const row = newRow(document, String, Number)
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
    row.pathFolded,
    digestBytes(document.digest),
    document.size,
    document.modifiedAt,
    checkedAt,
    generation,
    document.createdAt ?? null,
    document.updatedAt ?? null,
    document.title,
    document.type,
    row.pageName ?? null,
    row.aliases,
    segment ?? null,
    row.details,
    row.chunks,
    row.chunkCount,
    row.warnings ?? null,
    document.stamp ?? null,
    row.sum,
    row.chunksSum,
  )
  for (const name of row.names) {
    connection.run('INSERT OR IGNORE INTO names (key, doc) VALUES (?, ?)', name, document.no)
  }
  for (const tag of row.tags) {
    connection.run('INSERT OR IGNORE INTO tags (tag, doc) VALUES (?, ?)', tag, document.no)
  }
  connection.run(
    'INSERT OR REPLACE INTO sums (doc, links, names) VALUES (?, ?, ?)',
    document.no,
    row.linksSum,
    row.namesSum,
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
    const each = known.get(no) ?? reading.namedOf(selectOne.get(no) as Row)
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
