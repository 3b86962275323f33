/**
 * Sign-ins of a base in a file of the state folder, shared by the processes of the machine. Every
 * statement is a flushed transaction of its own. The key is in the same file, so that one that
 * cannot be read may be set aside: with the key everything goes that was ever signed.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MOST_SIGN_INS, type SignIns } from '../../domain/sign-ins.ts'
import { makeStateFolder } from '../state-folder.ts'
import { isUnusable, setFileAside } from './open-database.ts'

export interface SignInsOptions {
  readonly now?: () => number
  readonly most?: number
}

/** How long a statement waits for another process's. */
const BUSY_MS = 2_000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS sign_ins (
    id TEXT PRIMARY KEY, step INTEGER NOT NULL, ended INTEGER NOT NULL, until REAL NOT NULL
  ) STRICT, WITHOUT ROWID`

/** The file is made when the first sign-in needs it. */
export function openSignIns(file: string, options: SignInsOptions = {}): SignIns {
  const { now = Date.now, most = MOST_SIGN_INS } = options
  let opened: DatabaseSync | undefined
  let key: string | undefined
  const run = (sql: string, ...values: (string | number)[]): number =>
    Number((opened ??= open(file)).prepare(sql).run(...values).changes)
  const get = (sql: string, ...values: (string | number)[]) =>
    (opened ??= open(file)).prepare(sql).get(...values)
  /** What is over is forgotten; of too many, those that end first and have not ended. */
  const makeRoom = (): void => {
    run('DELETE FROM sign_ins WHERE until < ?', now())
    run(
      `DELETE FROM sign_ins WHERE id IN
         (SELECT id FROM sign_ins ORDER BY ended DESC, until DESC LIMIT -1 OFFSET ?)`,
      most - 1,
    )
  }
  return {
    async key() {
      if (key !== undefined) return key
      // Of several that start in the same moment one draws it.
      run(
        `INSERT OR IGNORE INTO secrets (name, value) VALUES ('key', ?)`,
        randomBytes(32).toString('hex'),
      )
      return (key = String(get(`SELECT value FROM secrets WHERE name = 'key'`)?.['value']))
    },
    async begin(id, until) {
      makeRoom()
      return run('INSERT OR IGNORE INTO sign_ins VALUES (?, 0, 0, ?)', id, until) > 0
    },
    async advance(id, step, until) {
      const sql = `UPDATE sign_ins SET step = step + 1, until = ?
        WHERE id = ? AND step = ? AND NOT ended`
      return run(sql, until, id, step) > 0
    },
    async end(id, until) {
      makeRoom()
      run(
        `INSERT INTO sign_ins VALUES (?, 0, 1, ?)
         ON CONFLICT (id) DO UPDATE SET ended = 1, until = excluded.until`,
        id,
        until,
      )
    },
    hasEnded: async (id) =>
      get('SELECT 1 AS n FROM sign_ins WHERE id = ? AND ended', id) !== undefined,
    close() {
      opened?.close()
      opened = undefined
    },
  }
}

function open(file: string): DatabaseSync {
  makeStateFolder(dirname(file))
  try {
    return openSound(file)
  } catch (error) {
    if (!isUnusable(error)) throw error
    setFileAside(file)
    return openSound(file)
  }
}

function openSound(file: string): DatabaseSync {
  // What SQLite puts beside it gets the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec(SCHEMA)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
