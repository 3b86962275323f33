/** The table of documents, with the keys and tags that lead to them. */
import { isPart } from '../../core/domain/document.ts'
import type { ChunkRecord, DocNo, DocumentRecord } from '../../core/domain/document.ts'
import { inSlices, Slices } from '../../core/kit/slices.ts'
import type { Warning } from '../../core/domain/warning.ts'
import type { NewDocument } from '../../core/store/batch.ts'
import type { DocumentOrder, DocumentStore } from '../../core/store/document-store.ts'
import { foldPath } from '../../core/store/fold-names.ts'
import type { NamedDocument } from '../../core/store/link-store.ts'
import { unpackChunks } from '../../core/store/pack-chunks.ts'
import type { DocumentPlan, Place, StoredDocument } from '../../core/store/plan-commit.ts'
import { newRow } from '../../core/store/rows.ts'
import type { Occasion } from '../../core/store/rows.ts'
import type { BaseRows } from './base-rows.ts'
import { whereOf } from './document-filter.ts'
import { isKey, isLong, isLongKey, isShortKey } from './keys.ts'
import { reading } from './rows.ts'
import { KEY_CHARACTERS } from './schema.ts'
import { bytesArray, endOf, kept, numberArray, placeDigest, restored, textArray } from './values.ts'

export type DocumentTable = Omit<DocumentStore, 'files' | 'listFiles' | 'sources' | 'counts'>

export function documentTable(base: BaseRows): DocumentTable {
  return {
    async documents(nos) {
      if (nos.length === 0) return []
      const found = await documentsNumbered(base, nos)
      return nos.map((no) => found.get(no))
    },

    async findByPath(source, path) {
      const row = await base.row(
        `SELECT ${DOCUMENT_COLUMNS} FROM cairn.documents WHERE base = $1 AND place = $2`,
        placeDigest({ source, path }),
      )
      return row && reading.documentOf(row)
    },

    async findByPathFolded(path) {
      const folded = kept(foldPath(path))
      const rows = await base.rows(
        `SELECT ${DOCUMENT_COLUMNS} FROM cairn.documents
         WHERE base = $1 AND ${isKey('path_folded', '$2::text', folded)}
         ORDER BY source, path`,
        folded,
      )
      return rows.map(reading.documentOf)
    },

    async named(keys) {
      const wanted = [...new Set(keys.map(kept))]
      if (wanted.length === 0) return []
      // Each document once, by the first of its keys, and looked up by its number.
      const rows = await base.rows(
        `SELECT d.* FROM (SELECT doc, min(place) AS place FROM (${havingKeys(wanted)}) AS n
             GROUP BY doc) AS k
           CROSS JOIN LATERAL (SELECT ${DOCUMENT_COLUMNS.replace('details', CODE_DETAILS)},
               path_folded, page_name, aliases
             FROM cairn.documents WHERE base = $1 AND no = k.doc OFFSET 0) AS d
         ORDER BY k.place, d.source, d.path`,
        textArray(wanted.map(restored)),
      )
      return inSlices(rows, (row) => {
        const isCode = row['details'] !== null
        return {
          ...reading.namedOf(row),
          ...(isCode && { symbols: reading.documentOf(row).symbols ?? [] }),
        }
      })
    },

    async namesLike(prefix, limit) {
      const [from, to] = [kept(prefix), endOf(kept(prefix))]
      const rows = await base.rows(
        `SELECT key, doc FROM cairn.names
         WHERE base = $1 AND left(key, ${KEY_CHARACTERS}) >= left($2, ${KEY_CHARACTERS})
           AND left(key, ${KEY_CHARACTERS}) <= left($3, ${KEY_CHARACTERS})
           AND key >= $2 AND key < $3
         ORDER BY key, doc LIMIT $4`,
        from,
        to,
        limit < 0 ? null : limit,
      )
      return rows.map((row) => ({ key: restored(String(row['key'])), no: Number(row['doc']) }))
    },

    async matching(filter) {
      const { where, values } = whereOf(filter)
      return base.numbers(`SELECT no AS number FROM cairn.documents ${where}`, ...values)
    },

    async list(filter, order, page) {
      const { where, values } = whereOf(filter)
      const rows = await base.rows(
        `WITH found AS (SELECT no FROM cairn.documents ${where}),
         page AS (
           SELECT no, row_number() OVER (ORDER BY ${ORDERS[order]}) AS place
           FROM cairn.documents WHERE base = $1 AND no IN (SELECT no FROM found)
           ORDER BY place LIMIT $${values.length + 2} OFFSET $${values.length + 3}
         )
         SELECT NULL::bigint AS total, page.place, ${prefixed('documents', DOCUMENT_COLUMNS)}
         FROM page JOIN cairn.documents ON documents.base = $1 AND documents.no = page.no
         UNION ALL
         SELECT (SELECT count(*) FROM found), NULL, ${EMPTY_COLUMNS}`,
        ...values,
        page.limit < 0 ? null : page.limit,
        page.offset,
      )
      const total = Number(rows.find((row) => row['total'] !== null)?.['total'] ?? 0)
      const listed = rows
        .filter((row) => row['place'] !== null)
        .toSorted((a, b) => Number(a['place']) - Number(b['place']))
      return { documents: await inSlices(listed, reading.documentOf), total }
    },

    async chunksOf(docs) {
      if (docs.length === 0) return []
      const rows = await base.rows(
        `SELECT no, chunks, chunks_sum FROM cairn.documents
         WHERE base = $1 AND no = ANY ($2::integer[])`,
        numberArray(new Set(docs)),
      )
      const packed = new Map(rows.map((row) => [Number(row['no']), row]))
      return inSlices(docs, (doc): readonly ChunkRecord[] => {
        const row = packed.get(doc)
        return row ? unpackChunks(doc, reading.soundChunks(row)) : []
      })
    },

    async documentsWithChunks(nos) {
      const rows = await base.rows(
        `SELECT ${DOCUMENT_COLUMNS}, chunks, chunks_sum FROM cairn.documents
         WHERE base = $1 AND no = ANY ($2::integer[])`,
        numberArray(new Set(nos)),
      )
      const found = await inSlices(rows, (row) => {
        const document = reading.documentOf(row)
        return { document, chunks: unpackChunks(document.no, reading.soundChunks(row)) }
      })
      const known = new Map(found.map((each) => [each.document.no, each]))
      return nos.map((no) => known.get(no))
    },

    async warnings(doc): Promise<readonly Warning[]> {
      const row = await base.row(
        'SELECT warnings FROM cairn.documents WHERE base = $1 AND no = $2',
        doc,
      )
      return row?.['warnings'] ? JSON.parse(String(row['warnings'])) : []
    },

    async tags(limit, among) {
      const rows = await base.rows(
        `SELECT key, count(*) AS n FROM cairn.tags
         WHERE base = $1 ${among ? 'AND doc = ANY ($3::integer[])' : ''}
         GROUP BY key ORDER BY n DESC, key LIMIT $2`,
        limit < 0 ? null : limit,
        ...(among ? [numberArray(among)] : []),
      )
      return rows.map((row) => ({
        tag: restored(String(row['key'])),
        documents: Number(row['n']),
      }))
    },

    pathOrder: () =>
      base.numbers(
        'SELECT no AS number FROM cairn.documents WHERE base = $1 ORDER BY source, path',
      ),

    async paths(nos) {
      const rows = await base.rows(
        `SELECT no, source, path FROM cairn.documents
         WHERE base = $1 AND no = ANY ($2::integer[])`,
        numberArray(new Set(nos)),
      )
      const known = new Map(rows.map((row) => [Number(row['no']), reading.placeOf(row)]))
      return nos.map((no) => known.get(no) ?? { source: '', path: '' })
    },

    async digests(nos) {
      const rows = await base.rows(
        `SELECT no, digest, stamp FROM cairn.documents
         WHERE base = $1 AND no = ANY ($2::integer[])`,
        numberArray(new Set(nos)),
      )
      const whole = rows.filter((row) => !isPart({ stamp: String(row['stamp']) }))
      const known = new Map(
        whole.map((row) => [Number(row['no']), restored(String(row['digest']))]),
      )
      return nos.map((no) => known.get(no))
    },

    async duplicates() {
      const groups = new Map<string, DocNo[]>()
      const rows = await base.rows(
        `SELECT digest, no FROM cairn.documents
         WHERE base = $1 AND digest IN (SELECT digest FROM cairn.documents WHERE base = $1
           GROUP BY digest HAVING count(*) > 1)
         ORDER BY source, path`,
      )
      for (const row of rows) {
        const digest = restored(String(row['digest']))
        const group = groups.get(digest)
        if (group) group.push(Number(row['no']))
        else groups.set(digest, [Number(row['no'])])
      }
      return [...groups].map(([digest, nos]) => ({ digest, nos }))
    },

    async changedDocuments(generation) {
      const row = await base.row(
        'SELECT count(*) AS n FROM cairn.documents WHERE base = $1 AND generation > $2',
        generation,
      )
      return Number(row?.['n'] ?? 0)
    },
  }
}

async function documentsNumbered(
  base: BaseRows,
  nos: readonly DocNo[],
): Promise<Map<DocNo, DocumentRecord>> {
  const rows = await base.rows(
    `SELECT ${DOCUMENT_COLUMNS} FROM cairn.documents
     WHERE base = $1 AND no = ANY ($2::integer[])`,
    numberArray(new Set(nos)),
  )
  const documents = await inSlices(rows, reading.documentOf)
  return new Map(documents.map((document) => [document.no, document]))
}

export const DOCUMENT_COLUMNS =
  `no, size, modified_at, stamp, checked_at, source, path, digest, title,
  type, created_at, updated_at, details, sum`.replaceAll(/\s+/g, ' ')
/** Whoever asks for a name may want to know what a file of code defines by it. */
const CODE_DETAILS = "CASE type WHEN 'code' THEN details END AS details"
/** As many columns of the same types, for a row that only says how many there are. */
const EMPTY_COLUMNS = `NULL::integer, NULL::bigint, NULL::float8, NULL::text, NULL::float8,
  NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::float8, NULL::float8, NULL::text, NULL::bigint`

function prefixed(table: string, columns: string): string {
  return columns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ')
}

const ORDERS = {
  updated: 'updated_at DESC NULLS LAST, source, path',
  created: 'coalesce(created_at, updated_at) DESC NULLS LAST, source, path',
  // What has no date is neither the newest nor the oldest.
  stale: 'updated_at NULLS LAST, source, path',
  // In this collation only the letters of ASCII are folded.
  title: 'lower(title), source, path',
  path: 'source, path',
} as const satisfies Record<DocumentOrder, string>

/** Documents with one of the numbers or at one of the places, before a batch changes them. */
export async function storedDocuments(
  base: BaseRows,
  nos: Iterable<DocNo>,
  places: readonly Place[],
): Promise<StoredDocument[]> {
  const rows = await base.rows(
    `SELECT no, source, path, title, page_name, segment, size, modified_at, details
     FROM cairn.documents
     WHERE base = $1 AND (no = ANY ($2::integer[]) OR place = ANY ($3::bytea[]))`,
    numberArray(nos),
    bytesArray(places.map(placeDigest)),
  )
  return rows.map(reading.storedOf)
}

export async function deleteDocuments(base: BaseRows, nos: readonly DocNo[]): Promise<void> {
  if (nos.length === 0) return
  const rest = ['names', 'tags', 'links', 'vectors'].map(
    (table) =>
      `${table} AS (DELETE FROM cairn.${table} WHERE base = $1 AND doc = ANY ($2::integer[]))`,
  )
  await base.rows(
    `WITH ${rest.join(', ')}
     DELETE FROM cairn.documents WHERE base = $1 AND no = ANY ($2::integer[])`,
    numberArray(nos),
  )
}

/** Files that were looked at again and have the same content. */
export async function touchDocuments(
  base: BaseRows,
  touch: DocumentPlan['touch'],
  checkedAt: number,
): Promise<void> {
  if (touch.length === 0) return
  await base.rows(
    `UPDATE cairn.documents AS d
     SET size = t.size, modified_at = t.modified_at, stamp = t.stamp, checked_at = $6
     FROM unnest($2::integer[], $3::bigint[], $4::float8[], $5::text[])
       AS t (no, size, modified_at, stamp)
     WHERE d.base = $1 AND d.no = t.no`,
    numberArray(touch.map(({ no }) => no)),
    numberArray(touch.map(({ size }) => size)),
    numberArray(touch.map(({ modifiedAt }) => modifiedAt)),
    textArray(touch.map(({ stamp }) => stamp)),
    checkedAt,
  )
}

/** So many travel together: of more, putting the message together keeps the base locked for long. */
const DOCUMENTS_AT_ONCE = 2_000

/** Documents with their names and tags; what was left out before and is a document now is forgotten. */
export async function insertDocuments(
  base: BaseRows,
  documents: readonly NewDocument[],
  occasion: Occasion,
): Promise<void> {
  for (let at = 0; at < documents.length; at += DOCUMENTS_AT_ONCE) {
    await insertSome(base, documents.slice(at, at + DOCUMENTS_AT_ONCE), occasion)
  }
}

async function insertSome(
  base: BaseRows,
  documents: readonly NewDocument[],
  { segment, generation, checkedAt }: Occasion,
): Promise<void> {
  const rows = await inSlices(documents, rowOf)
  const names = rows.flatMap(({ no, names: keys }) => keys.map((key) => ({ no, key })))
  const tags = rows.flatMap(({ no, tags: keys }) => keys.map((key) => ({ no, key })))
  // Columns of a large batch take long on a busy machine, and the database waits for them.
  const slices = new Slices()
  const column = async (make: () => string): Promise<string> => {
    if (slices.over) await slices.pause()
    return make()
  }
  const numbers = (pick: (row: NewRow) => number | undefined) =>
    column(() => numberArray(rows.map(pick)))
  const texts = (pick: (row: NewRow) => string | undefined) =>
    column(() => textArray(rows.map(pick)))
  await base.rows(
    `WITH forgotten AS (DELETE FROM cairn.files WHERE base = $1 AND place = ANY ($6::bytea[])),
     named AS (INSERT INTO cairn.names (base, doc, key)
       SELECT $1, doc, key FROM unnest($27::integer[], $28::text[]) AS n (doc, key)),
     tagged AS (INSERT INTO cairn.tags (base, doc, key)
       SELECT $1, doc, key FROM unnest($29::integer[], $30::text[]) AS n (doc, key))
     INSERT INTO cairn.documents (base, segment, generation, checked_at, no, place, size,
       modified_at, created_at, updated_at, sum, chunks_sum, links_sum, names_sum, chunk_count,
       source, path, path_folded, digest, title, type, page_name, stamp, aliases, details,
       warnings, chunks)
     SELECT $1, $2::bigint, $3::bigint, $4::float8, * FROM unnest($5::integer[], $6::bytea[],
       $7::bigint[], $8::float8[], $9::float8[], $10::float8[], $11::bigint[], $12::bigint[],
       $13::bigint[], $14::bigint[], $15::integer[], $16::text[], $17::text[], $18::text[],
       $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::text[],
       $26::text[], $31::text[])`,
    segment ?? null,
    generation,
    checkedAt,
    await numbers(({ no }) => no),
    await column(() => bytesArray(documents.map(placeDigest))),
    await numbers(({ size }) => size),
    await numbers(({ modifiedAt }) => modifiedAt),
    await numbers(({ createdAt }) => createdAt),
    await numbers(({ updatedAt }) => updatedAt),
    await numbers(({ sum }) => sum),
    await numbers(({ chunksSum }) => chunksSum),
    await numbers(({ linksSum }) => linksSum),
    await numbers(({ namesSum }) => namesSum),
    await numbers(({ chunkCount }) => chunkCount),
    await texts(({ source }) => source),
    await texts(({ path }) => path),
    await texts(({ pathFolded }) => pathFolded),
    await texts(({ digest }) => digest),
    await texts(({ title }) => title),
    await texts(({ type }) => type),
    await texts(({ pageName }) => pageName),
    await texts(({ stamp }) => stamp),
    await texts(({ aliases }) => aliases),
    await texts(({ details }) => details),
    await texts(({ warnings }) => warnings),
    numberArray(names.map(({ no }) => no)),
    textArray(names.map(({ key }) => key)),
    numberArray(tags.map(({ no }) => no)),
    textArray(tags.map(({ key }) => key)),
    await texts(({ chunks }) => chunks),
  )
}

type NewRow = ReturnType<typeof rowOf>

function rowOf(document: NewDocument) {
  return { ...document, ...newRow(document, kept, String) }
}

/** Which documents are known under which of the keys (`$2`): their number and the place of the key. */
function havingKeys(wanted: readonly string[]): string {
  const having = (isSame: string): string =>
    `SELECT k.place, n.doc FROM unnest($2::text[]) WITH ORDINALITY AS k (key, place)
     JOIN cairn.names AS n ON n.base = $1 AND ${isSame}`
  return [
    having(isShortKey('n.key', 'k.key')),
    ...(wanted.some(isLong) ? [having(isLongKey('n.key', 'k.key'))] : []),
  ].join(' UNION ALL ')
}

/** Documents by the keys they are known under, in the order of source and path. */
export async function candidatesOf(
  base: BaseRows,
  keys: Iterable<string>,
): Promise<(key: string) => readonly NamedDocument[]> {
  const wanted = [...new Set([...keys].map(kept))]
  if (wanted.length === 0) return () => []
  const pairs = await base.rows(
    `SELECT place, string_agg(doc::text, ',') AS docs FROM (${havingKeys(wanted)}) AS n
     GROUP BY place`,
    textArray(wanted.map(restored)),
  )
  const numbers = pairs.map((row) => String(row['docs']).split(',').map(Number))
  // One with thousands of aliases is met under each of them, and read once.
  const rows = await base.rows(
    `SELECT no, source, path, path_folded, title, page_name, aliases FROM cairn.documents
     WHERE base = $1 AND no = ANY ($2::integer[]) ORDER BY source, path`,
    numberArray(new Set(numbers.flat())),
  )
  const named = await inSlices(rows, reading.namedOf)
  const order = new Map(named.map((document, place) => [document.no, { place, document }]))
  const found = new Map<string, readonly NamedDocument[]>()
  pairs.forEach((row, index) => {
    const known = numbers[index]!.flatMap((no) => order.get(no) ?? [])
    const inOrder = known.toSorted((a, b) => a.place - b.place).map(({ document }) => document)
    found.set(wanted[Number(row['place']) - 1]!, inOrder)
  })
  return (key) => found.get(kept(key)) ?? []
}
