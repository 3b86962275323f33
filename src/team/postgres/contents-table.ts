/**
 * Documents whose bytes live in the database. They are no part of the index: nothing that makes the
 * index anew touches them. Whoever changes them holds the row of the base until the transaction
 * ends, so what was looked at before it was changed is still so.
 *
 * A document that was removed leaves a row without bytes for a while: those who follow learn of it.
 */
import { createHash } from 'node:crypto'
import { ContentClash } from '../../core/domain/contents.ts'
import type {
  Clash,
  Content,
  ContentChange,
  ContentEntry,
  Contents,
  ContentWrite,
  Surroundings,
} from '../../core/domain/contents.ts'
import { compareIds } from '../../core/domain/document.ts'
import { type KnowledgeError, quoted, unavailable } from '../../core/domain/error.ts'
import { foldName } from '../../core/kit/fold-name.ts'
import type { BaseRows } from './base-rows.ts'
import type { Row } from './database.ts'
import { between } from './document-filter.ts'
import { isDamage } from './explain-trouble.ts'
import { putOperations } from './history-table.ts'
import { takeStep } from './steps.ts'
import type { Changing } from './steps.ts'
import { bytesArray, kept, numberArray, placeDigest, restored, textArray } from './values.ts'

export interface ContentParts {
  readonly base: BaseRows
  readonly change: Changing
  /** Nobody else commits to this base until the transaction ends. */
  readonly lock: (rows: BaseRows) => Promise<unknown>
}

/** More than these are not named to whoever asks what changed. */
const NEWS_NAMED = 1_000

const ENTRY = 'place, path, size, digest, modified_at, born_at, version'
const THERE = 'digest IS NOT NULL'
/** What lies below a folder: "0" is the character behind "/". */
const BELOW = (folder: string): string =>
  between('path_folded', `${folder} || '/'`, `${folder} || '0'`)

export function contentTable({ base: read, change, lock }: ContentParts): Contents {
  const base = sound(read)
  return {
    async list(source, under) {
      const rows =
        !under || under.includes('')
          ? await base.rows(
              `SELECT ${ENTRY} FROM cairn.contents WHERE base = $1 AND source = $2 AND ${THERE}`,
              source,
            )
          : await base.rows(
              `SELECT ${ENTRY} FROM cairn.contents
               WHERE base = $1 AND place = ANY ($3::bytea[]) AND ${THERE}
               UNION SELECT ${ENTRY} FROM unnest($4::text[], $5::text[]) AS f (folded, path_given)
               JOIN cairn.contents ON base = $1 AND source = $2 AND ${BELOW('f.folded')}
                 AND path >= f.path_given || '/' AND path < f.path_given || '0' AND ${THERE}`,
              source,
              bytesArray(under.map((path) => placeDigest({ source, path }))),
              textArray(under.map(foldName)),
              textArray(under),
            )
      return rows.map(entryOf).toSorted((a, b) => compareIds(a.path, b.path))
    },

    async look(source, paths) {
      if (paths.length === 0) return []
      const rows = await base.rows(
        `SELECT ${ENTRY} FROM cairn.contents
         WHERE base = $1 AND place = ANY ($2::bytea[]) AND ${THERE}`,
        bytesArray(paths.map((path) => placeDigest({ source, path }))),
      )
      return inOrder(source, paths, rows, entryOf)
    },

    async read(source, paths) {
      if (paths.length === 0) return []
      const rows = await base.rows(
        `SELECT ${ENTRY}, bytes FROM cairn.contents
         WHERE base = $1 AND place = ANY ($2::bytea[]) AND ${THERE}`,
        bytesArray([...new Set(paths)].map((path) => placeDigest({ source, path }))),
      )
      return inOrder(source, paths, rows, (row) => contentOf(source, row))
    },

    around: (source, path, except) => lookAround(base, source, path, except),

    async changedSince(source, seen) {
      const row = await base.row(
        `SELECT epoch, (SELECT coalesce(max(version), 0) FROM cairn.contents WHERE base = $1)
           AS version FROM cairn.bases WHERE id = $1`,
      )
      const epoch = String(row?.['epoch'] ?? '')
      const version = Number(row?.['version'] ?? 0)
      if (!seen || (seen.epoch === epoch && seen.version === version)) {
        return { epoch, version, paths: [] }
      }
      if (seen.epoch !== epoch || seen.version > version)
        return { epoch, version, paths: undefined }
      const rows = await base.rows(
        `SELECT path FROM cairn.contents WHERE base = $1 AND version > $3 AND source = $2
         ORDER BY version LIMIT ${NEWS_NAMED + 1}`,
        source,
        seen.version,
      )
      const paths = rows.map((each) => restored(String(each['path'])))
      return { epoch, version, paths: paths.length > NEWS_NAMED ? undefined : paths }
    },

    async apply(source, changes, operation) {
      await change(async (rows, mark) => {
        await lock(rows)
        const clashes = await putContents(
          rows,
          changes.map((each) => ({ ...each, source, operation })),
        )
        if (clashes.length > 0) throw new ContentClash(clashes)
        await takeStep(rows, mark)
      })
    },
  }
}

export interface PlacedChange extends ContentChange {
  readonly source: string
  /** The operation it is a part of. */
  readonly operation: string
}

/**
 * Bytes and history of several operations, in the transaction of the caller: all of it, or none.
 */
export async function putWrites(rows: BaseRows, writes: readonly ContentWrite[]): Promise<void> {
  if (writes.length === 0) return
  const clashes = await putContents(
    rows,
    writes.flatMap(({ operation: { id: operation }, changes }) =>
      changes.map((each) => ({ ...each, operation })),
    ),
  )
  if (clashes.length > 0) throw new ContentClash(clashes)
  await putOperations(
    rows,
    writes.map(({ operation }) => operation),
    { state: 'done' },
  )
}

/**
 * Puts and removes in the order given, where everything is as expected; otherwise says what is not,
 * and the caller gives the transaction up. The caller holds the row of the base.
 */
export async function putContents(
  given: BaseRows,
  changes: readonly PlacedChange[],
): Promise<readonly Clash[]> {
  if (changes.length === 0) return []
  const rows = sound(given)
  const known = await rows.rows(
    `SELECT place, folded, digest FROM cairn.contents
     WHERE base = $1 AND folded = ANY ($2::bytea[]) AND ${THERE}`,
    bytesArray(changes.map(foldedPlace)),
  )
  const digests = new Map(known.map((row) => [hexOf(row['place']), String(row['digest'])]))
  const names = new Map(known.map((row) => [hexOf(row['place']), hexOf(row['folded'])]))
  const last = new Map<string, PlacedChange & { readonly digest: string | undefined }>()
  const clashes: Clash[] = []
  for (const each of changes) {
    const place = hexOf(placeDigest(each))
    const found = digests.get(place)
    if (found !== each.expect) clashes.push({ operation: each.operation, path: each.path, found })
    const digest = each.bytes && digestOf(each.bytes)
    if (digest === undefined) digests.delete(place)
    else digests.set(place, digest)
    names.set(place, hexOf(foldedPlace(each)))
    last.set(place, { ...each, digest })
  }
  // Two names that differ only in case would be one file elsewhere.
  const holders = Map.groupBy(digests.keys(), (place) => names.get(place)!)
  for (const [place, { operation, path, digest }] of last) {
    const others = holders.get(names.get(place)!) ?? []
    const other = others.find((each) => each !== place)
    if (digest !== undefined && other !== undefined) {
      clashes.push({ operation, path, found: digests.get(other) })
    }
  }
  if (clashes.length > 0) return clashes
  const all = [...last.values()]
  await removeContents(
    rows,
    all.filter(({ bytes }) => !bytes),
  )
  await upsertContents(
    rows,
    all.flatMap(({ bytes, digest, ...rest }) =>
      bytes && digest !== undefined ? [{ ...rest, bytes, digest }] : [],
    ),
  )
  return []
}

const NOW = `extract(epoch FROM clock_timestamp()) * 1000`
const NEXT = `nextval('cairn.content_versions')`
/** So long those who follow may have been away. */
const REMOVED_KEPT_MS = 7 * 24 * 3_600_000

async function removeContents(rows: BaseRows, gone: readonly PlacedChange[]): Promise<void> {
  if (gone.length === 0) return
  await rows.rows(
    `UPDATE cairn.contents AS c SET digest = NULL, bytes = NULL, size = 0, modified_at = ${NOW},
       version = ${NEXT}, operation = g.operation
     FROM unnest($2::bytea[], $3::text[]) AS g (place, operation)
     WHERE c.base = $1 AND c.place = g.place`,
    bytesArray(gone.map(placeDigest)),
    textArray(gone.map(({ operation }) => operation)),
  )
  await rows.rows(
    `DELETE FROM cairn.contents
     WHERE base = $1 AND digest IS NULL AND modified_at < ${NOW} - ${REMOVED_KEPT_MS}`,
  )
}

interface Put extends PlacedChange {
  readonly bytes: Uint8Array
  readonly digest: string
}

async function upsertContents(rows: BaseRows, put: readonly Put[]): Promise<void> {
  if (put.length === 0) return
  await rows.rows(
    `INSERT INTO cairn.contents AS c (base, place, folded, source, path, path_folded, digest, size,
       modified_at, born_at, version, operation, bytes)
     SELECT $1, place, folded, source, path, path_folded, digest, size, coalesce(at, ${NOW}),
       coalesce(at, ${NOW}), ${NEXT}, operation, bytes
     FROM unnest($2::bytea[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::bigint[], $9::text[], $10::bytea[], $11::float8[])
       AS p (place, folded, source, path, path_folded, digest, size, operation, bytes, at)
     ON CONFLICT (base, place) DO UPDATE SET digest = excluded.digest, size = excluded.size,
       modified_at = excluded.modified_at, version = excluded.version,
       operation = excluded.operation, bytes = excluded.bytes,
       born_at = CASE WHEN c.digest IS NULL THEN excluded.born_at ELSE c.born_at END`,
    bytesArray(put.map(placeDigest)),
    bytesArray(put.map(foldedPlace)),
    textArray(put.map(({ source }) => source)),
    textArray(put.map(({ path }) => path)),
    textArray(put.map(({ path }) => foldName(path))),
    textArray(put.map(({ digest }) => digest)),
    numberArray(put.map(({ bytes }) => bytes.length)),
    textArray(put.map(({ operation }) => operation)),
    bytesArray(put.map(({ bytes }) => bytes)),
    numberArray(put.map(({ modifiedAt }) => modifiedAt)),
  )
}

async function lookAround(
  base: BaseRows,
  source: string,
  path: string,
  except: string | undefined,
): Promise<Surroundings> {
  const names = path.split('/')
  const folders = names.slice(1).map((_, depth) => names.slice(0, depth + 1).join('/'))
  const row = await base.row(
    `SELECT
       (SELECT path FROM cairn.contents WHERE base = $1 AND folded = $3 AND ${THERE}
         AND ($4::text IS NULL OR path <> $4)) AS taken,
       (SELECT path FROM cairn.contents WHERE base = $1 AND folded = ANY ($5::bytea[]) AND ${THERE}
         LIMIT 1) AS above,
       (SELECT path FROM cairn.contents WHERE base = $1 AND source = $2 AND ${THERE}
         AND ${BELOW('$6::text')} LIMIT 1) AS below`,
    source,
    foldedPlace({ source, path }),
    except === undefined ? null : kept(except),
    bytesArray(folders.map((folder) => foldedPlace({ source, path: folder }))),
    kept(foldName(path)),
  )
  const text = (name: string): string | undefined =>
    row?.[name] ? restored(String(row[name])) : undefined
  return {
    taken: text('taken'),
    blockedBy: text('above') ?? text('below'),
    folder: folders.length === 0 ? undefined : await spelledFolder(base, source, folders),
  }
}

async function spelledFolder(
  base: BaseRows,
  source: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const below = `SELECT path FROM cairn.contents
    WHERE base = $1 AND source = $2 AND ${THERE} AND ${BELOW('f.folded')}`
  const rows = await base.rows(
    `SELECT f.depth,
       (${below} AND path >= f.given || '/' AND path < f.given || '0' LIMIT 1) IS NOT NULL AS same,
       (${below} LIMIT 1) AS alike
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS f (folded, given, depth)
     ORDER BY f.depth DESC`,
    source,
    textArray(folders.map(foldName)),
    textArray(folders),
  )
  const deepest = rows.find((each) => each['alike'] !== null)
  if (!deepest) return undefined
  const depth = Number(deepest['depth'])
  if (deepest['same'] === 't') return folders[depth - 1]
  return restored(String(deepest['alike'])).split('/').slice(0, depth).join('/')
}

/**
 * What PostgreSQL says of damaged pages, in words. It is no damage of the index: that could be made
 * anew, and would only lose what is still known of these documents.
 */
function sound(rows: BaseRows): BaseRows {
  const inWords = (error: unknown): never => {
    throw isDamage(error) ? damagedPage() : error
  }
  return {
    rows: (sql, ...values) => rows.rows(sql, ...values).catch(inWords),
    row: (sql, ...values) => rows.row(sql, ...values).catch(inWords),
    numbers: (sql, ...values) => rows.numbers(sql, ...values).catch(inWords),
  }
}

function damagedPage(): KnowledgeError {
  return unavailable(
    'PostgreSQL says that a page of the documents in the database is damaged.',
    'Nothing was changed. Let a standby take over, or bring the database back from a backup; "cairn export" saves what can still be read.',
  )
}

/** Stands for a path in any spelling of upper and lower case. */
function foldedPlace({ source, path }: { readonly source: string; readonly path: string }): Buffer {
  return placeDigest({ source, path: foldName(path) })
}

function inOrder<Found>(
  source: string,
  paths: readonly string[],
  rows: readonly Row[],
  read: (row: Row) => Found,
): (Found | undefined)[] {
  const found = new Map(rows.map((row) => [hexOf(row['place']), read(row)]))
  return paths.map((path) => found.get(hexOf(placeDigest({ source, path }))))
}

function entryOf(row: Row): ContentEntry {
  return {
    path: restored(String(row['path'])),
    size: Number(row['size']),
    digest: String(row['digest']),
    modifiedAt: Number(row['modified_at']),
    bornAt: Number(row['born_at']),
    version: Number(row['version']),
  }
}

function contentOf(source: string, row: Row): Content {
  const entry = entryOf(row)
  const bytes = row['bytes'] as Buffer
  if (digestOf(bytes) === entry.digest) return { ...entry, bytes }
  throw unavailable(
    `The content of ${quoted(`${source}/${entry.path}`)} was damaged in the database.`,
    'Bring it back from a backup of the database, or write the document anew.',
  )
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hexOf(bytes: unknown): string {
  return (bytes as Buffer).toString('hex')
}
