/**
 * Reader-writer lock as a lock on an SQLite file of its own: many share it, or one has it alone. The
 * system lets go of it when a process dies, however it dies, so there is never a stale one to judge.
 */
import { lstatSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './open-database.ts'

/** Someone may delete the file in the very moment; then it is made again. */
const ATTEMPTS = 5

const STATEMENTS = {
  shared: 'BEGIN; SELECT count(*) FROM sqlite_master',
  // Nothing is ever written to it; without this there would be a journal beside it.
  alone: 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE',
} as const

/**
 * Gives what lets go of it; undefined while others have it. Makes the file where there is none, in
 * a folder that is there. Throws where that cannot be, and where the file system has no locks.
 */
export function tryFileLock(file: string, how: keyof typeof STATEMENTS): (() => void) | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = makeFile(file)
    // It must not be opened in any other way: closing it would drop the locks of this process.
    const database = new DatabaseSync(file, { timeout: 0 })
    try {
      database.exec(STATEMENTS[how])
    } catch (error) {
      database.close()
      if (isBusy(error)) return undefined
      throw error
    }
    // A lock on a file that was deleted or replaced since keeps nobody out.
    if (identityOf(file) === before) return () => database.close()
    database.close()
  }
  throw new Error(`${file} is replaced again and again`)
}

function makeFile(file: string): string | undefined {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })) writeFileSync(file, '', NEW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const identity = identityOf(file)
  if (identity === undefined) throw new Error(`${file} is no file`)
  return identity
}

const NEW = { flag: 'wx', mode: 0o600 } as const

/**
 * Which file a path means at this moment. Undefined where there is none, for a link, which may lead
 * anywhere, and for a pipe, which would be waited for.
 */
export function identityOf(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true })
  return stats?.isFile() ? `${stats.dev}:${stats.ino}` : undefined
}
