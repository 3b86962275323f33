/** What became of every file: documents, and a table of those that did not become one. */
import type { FileRecord } from '../../core/domain/document.ts'
import type { DocumentStore } from '../../core/store/document-store.ts'
import type { Place } from '../../core/store/plan-commit.ts'
import type { BaseRows } from './base-rows.ts'
import type { Row, Value } from './database.ts'
import { between } from './document-filter.ts'
import { brokenAmong } from './links-table.ts'
import { reading } from './rows.ts'
import { KEY_CHARACTERS } from './schema.ts'
import { bytesArray, kept, numberArray, placeDigest, restored, textArray } from './values.ts'

export type FileTable = Pick<DocumentStore, 'files' | 'listFiles' | 'sources' | 'counts'>

/** Both tables have the same columns for what is asked here. */
const BOTH = (where: string): string => `
  SELECT source, path, 'indexed'::text COLLATE "C" AS state, NULL::text AS reason, size,
    modified_at, stamp, checked_at, no
  FROM cairn.documents WHERE base = $1 AND ${where}
  UNION ALL
  SELECT source, path, state, reason, size, modified_at, stamp, checked_at, NULL AS no
  FROM cairn.files WHERE base = $1 AND ${where}`

const OF_SOURCE = `left(source, ${KEY_CHARACTERS}) = left($2, ${KEY_CHARACTERS}) AND source = $2`

/** These paths and what lies below them, however many they are. */
const UNDER = (['documents', 'files'] as const)
  .flatMap((table) => {
    const rest =
      table === 'documents'
        ? `'indexed'::text AS state, NULL::text AS reason, no`
        : 'state, reason, NULL::integer AS no'
    const columns = `source, path, size, modified_at, stamp, checked_at, ${rest}`
    const selected = `SELECT ${columns} FROM`
    return [
      `${selected} cairn.${table} WHERE base = $1 AND place = ANY ($3::bytea[])`,
      `${selected} unnest($4::text[], $5::text[]) AS range (first, behind)
       JOIN cairn.${table} ON base = $1 AND ${OF_SOURCE}
         AND ${between('path', 'range.first', 'range.behind')}`,
    ]
  })
  .join(' UNION ALL ')

export function fileTable(base: BaseRows): FileTable {
  return {
    async files(source, under) {
      if (!under || under.includes('')) {
        const rows = await base.rows(
          `SELECT * FROM (${BOTH(OF_SOURCE)}) AS found ORDER BY no IS NULL, path`,
          kept(source),
        )
        return rows.map(fileOf)
      }
      const rows = await base.rows(
        UNDER,
        kept(source),
        bytesArray(under.map((path) => placeDigest({ source, path }))),
        // "0" is the character behind "/": the range holds everything below the folder.
        textArray(under.map((path) => `${path}/`)),
        textArray(under.map((path) => `${path}0`)),
      )
      return [...new Map(rows.map((row) => [row['path'], fileOf(row)])).values()]
    },

    async listFiles(filter, page) {
      const where = '($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR source = $3)'
      const values: Value[] = [
        filter.state ?? null,
        filter.source === undefined ? null : kept(filter.source),
      ]
      const all = `SELECT * FROM (${BOTH('true')}) AS found WHERE ${where}`
      const count = await base.row(`SELECT count(*) AS n FROM (${all}) AS counted`, ...values)
      const rows = await base.rows(
        `${all} ORDER BY source, path, no IS NULL LIMIT $4 OFFSET $5`,
        ...values,
        page.limit < 0 ? null : page.limit,
        page.offset,
      )
      return { files: rows.map(fileOf), total: Number(count?.['n'] ?? 0) }
    },

    async sources() {
      const rows = await base.rows(
        `SELECT source FROM cairn.documents WHERE base = $1
         UNION SELECT source FROM cairn.files WHERE base = $1 ORDER BY 1`,
      )
      return rows.map((row) => restored(String(row['source'])))
    },

    async counts(among) {
      const only = (column: string): string => (among ? `AND ${column} = ANY ($2::integer[])` : '')
      const row = await base.row(
        `SELECT
          (SELECT count(*) FROM cairn.documents WHERE base = $1 ${only('no')}) AS documents,
          (SELECT coalesce(sum(chunk_count), 0) FROM cairn.documents
            WHERE base = $1 ${only('no')}) AS chunks,
          (SELECT count(*) FROM cairn.links
            WHERE base = $1 AND to_doc IS NOT NULL ${only('doc')} ${only('to_doc')}) AS links,
          (SELECT count(*) FROM cairn.links WHERE base = $1 AND ${brokenAmong(among)}) AS broken,
          (SELECT count(DISTINCT key) FROM cairn.tags WHERE base = $1 ${only('doc')}) AS tags,
          (SELECT count(*) FROM cairn.segments WHERE base = $1 AND replaced_at IS NULL) AS segments`,
        ...(among ? [numberArray(among)] : []),
      )
      return {
        documents: Number(row?.['documents']),
        chunks: Number(row?.['chunks']),
        links: Number(row?.['links']),
        brokenLinks: Number(row?.['broken']),
        tags: Number(row?.['tags']),
        segments: Number(row?.['segments']),
      }
    },
  }
}

function fileOf(row: Row): FileRecord {
  return {
    ...reading.placeOf(row),
    state: String(row['state']) as FileRecord['state'],
    reason: reading.optional(row['reason']),
    size: Number(row['size']),
    modifiedAt: Number(row['modified_at']),
    stamp: reading.optional(row['stamp']),
    checkedAt: Number(row['checked_at']),
    doc: row['no'] === null ? undefined : Number(row['no']),
  }
}

export async function putFiles(base: BaseRows, all: readonly FileRecord[]): Promise<void> {
  if (all.length === 0) return
  // The last word on a file counts.
  const files = [...new Map(all.map((file) => [`${file.source}\n${file.path}`, file])).values()]
  await base.rows(
    `INSERT INTO cairn.files (base, place, size, modified_at, checked_at, source, path, state,
       reason, stamp)
     SELECT $1, * FROM unnest($2::bytea[], $3::bigint[], $4::float8[], $5::float8[], $6::text[],
       $7::text[], $8::text[], $9::text[], $10::text[])
     ON CONFLICT (base, place) DO UPDATE SET size = excluded.size,
       modified_at = excluded.modified_at, checked_at = excluded.checked_at,
       state = excluded.state, reason = excluded.reason, stamp = excluded.stamp`,
    bytesArray(files.map(placeDigest)),
    numberArray(files.map(({ size }) => size)),
    numberArray(files.map(({ modifiedAt }) => modifiedAt)),
    numberArray(files.map(({ checkedAt }) => checkedAt)),
    textArray(files.map(({ source }) => source)),
    textArray(files.map(({ path }) => path)),
    textArray(files.map(({ state }) => state)),
    textArray(files.map(({ reason }) => reason)),
    textArray(files.map(({ stamp }) => stamp)),
  )
}

export async function forgetFiles(base: BaseRows, places: readonly Place[]): Promise<void> {
  if (places.length === 0) return
  await base.rows(
    'DELETE FROM cairn.files WHERE base = $1 AND place = ANY ($2::bytea[])',
    bytesArray(places.map(placeDigest)),
  )
}
