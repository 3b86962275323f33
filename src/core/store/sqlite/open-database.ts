/** Opens the SQLite file, brings it to the current schema, and sets a broken one aside. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { APPLICATION_ID, CONTENT_TABLES, SCHEMA, SCHEMA_VERSION } from './schema.ts'

export interface OpenedDatabase {
  readonly database: DatabaseSync
  /** Where an unusable file was moved to, when that happened. */
  readonly setAside: { readonly to: string; readonly why: string } | undefined
}

/** How long a statement waits for another process's transaction. */
export const BUSY_TIMEOUT_MS = 10_000

/**
 * The index is derived from files, so a file that cannot be used is moved away and a fresh one is
 * begun; it is kept, not deleted, because it may be something else that was put there by mistake.
 */
export function openDatabase(file: string): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file + DAMAGED) && existsSync(file)) {
    const setAside = { to: setFileAside(file), why: 'it was found to be damaged' }
    rmSync(file + DAMAGED, { force: true })
    return { database: openSound(file), setAside }
  }
  try {
    return { database: openSound(file), setAside: undefined }
  } catch (error) {
    if (!isUnusable(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    const to = setFileAside(file)
    return { database: openSound(file), setAside: { to, why } }
  }
}

/** Stands beside a file whose damage showed only while it was used. */
const DAMAGED = '.damaged'

/** Has the file set aside when it is opened next; those who have it open cannot do that. */
export function markDamaged(file: string): void {
  writeFileSync(file + DAMAGED, '')
}

/** Why this file is no index of ours. */
class ForeignFile extends Error {}

function openSound(file: string): DatabaseSync {
  keepPrivate(file)
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    // Reading the schema is what finds out whether this is a database at all.
    const tables = count(database, 'SELECT count(*) AS n FROM sqlite_schema')
    const application = pragma(database, 'application_id')
    const version = pragma(database, 'user_version')
    if (tables > 0 && application !== APPLICATION_ID) {
      throw new ForeignFile('It is an SQLite file of another program.')
    }
    if (version > SCHEMA_VERSION) {
      throw new ForeignFile(`It was written by a newer version of Cairn (schema ${version}).`)
    }
    // Larger pages suit the blobs of the segments; it takes effect on an empty file only.
    if (tables === 0) database.exec('PRAGMA page_size = 8192')
    database.exec(
      `PRAGMA journal_mode = WAL;
       PRAGMA synchronous = NORMAL;
       PRAGMA foreign_keys = OFF;
       PRAGMA temp_store = MEMORY;
       PRAGMA cache_size = -4096;
       PRAGMA mmap_size = 0;
       PRAGMA journal_size_limit = 4194304`,
    )
    if (version < SCHEMA_VERSION) makeTables(database)
    probe(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * It holds what notes say, and the folder it is in may be open to everybody. What SQLite puts
 * beside it is as private. Made before it is opened, and never opened in any other way: closing it
 * would drop the locks of this process.
 */
function keepPrivate(file: string): void {
  try {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode
    if (mode === undefined) writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    // Whoever lets a group write to it means to share it.
    else if ((mode & 0o020) !== 0) chmodSync(file, mode & 0o770)
    else if ((mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch {
    // Another process made it, or it is another user's: opening it says what is wrong.
  }
}

/** What was made for other tables is made again; without its format, `forgetOtherFormat` sees to the rest. */
function makeTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have made them while this one waited for the lock.
    if (pragma(database, 'user_version') < SCHEMA_VERSION) {
      for (const table of CONTENT_TABLES) database.exec(`DROP TABLE IF EXISTS ${table}`)
      database.exec(SCHEMA)
      database.exec("DELETE FROM meta WHERE key = 'format'")
      database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    }
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** A row of these is large: that it can be found is told without reading all of it. */
const LARGE: Readonly<Record<string, string>> = {
  segment_pages: 'segment, stream, page',
  models: 'length(data)',
}

/** Touches every table once: damage at the top of a tree shows here and not in a user's query. */
function probe(database: DatabaseSync): void {
  for (const table of ['meta', ...CONTENT_TABLES]) {
    database.prepare(`SELECT ${LARGE[table] ?? '*'} FROM ${table} LIMIT 1`).get()
  }
}

/** Someone else is writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

/** SQLITE_CORRUPT, SQLITE_NOTADB and a schema that is not ours ask for a new file. */
export function isUnusable(error: unknown): boolean {
  if (error instanceof ForeignFile) return true
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const primary = Number(error.errcode) & 0xff
  return primary === 11 || primary === 26 || /no such (table|column)/.test(error.message)
}

export function setFileAside(file: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  let to = `${file}.broken-${stamp}`
  for (let attempt = 2; existsSync(to); attempt++) to = `${file}.broken-${stamp}-${attempt}`
  renameSync(file, to)
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, to + suffix)
  }
  return to
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
}

function count(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.['n'] ?? 0)
}
