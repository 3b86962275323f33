/** Content that was made another way than this version makes it is forgotten. */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { CONTENT_TABLES } from './schema.ts'

/** Numbers and stamps go on, so that nobody mistakes new content for old. */
const KEPT =
  "'next_no', 'generation', 'graph_stamp', 'vector_stamp', 'lease', 'fence', " +
  "'lease_merging', 'fence_merging', 'lease_learning', 'fence_learning'"

export function forgetOtherFormat(database: DatabaseSync, format: string): void {
  const select = "SELECT value FROM meta WHERE key = 'format'"
  if (database.prepare(select).get()?.['value'] === format) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have done it while this one waited.
    if (database.prepare(select).get()?.['value'] !== format) {
      for (const table of CONTENT_TABLES) database.exec(`DELETE FROM ${table}`)
      database.exec(`DELETE FROM meta WHERE key NOT IN (${KEPT})`)
      database.exec("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
      database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('format', ?)").run(format)
      // Tells this file from any other that may stand in its place.
      const epoch = randomBytes(8).toString('hex')
      database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('epoch', ?)").run(epoch)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
