/**
 * The write lock as a lock on an SQLite file of its own. The system lets go of it when a process
 * dies, however it dies, so there is never a stale lock to judge. It is not the index's own lock:
 * a write flushes files to disk, and the process that indexes should not wait for that.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError } from '../../domain/error.ts'
import type { WriteLock } from '../../domain/write-lock.ts'
import { makeStateFolder } from '../state-folder.ts'
import { isBusy } from './open-database.ts'

export interface WriteLockOptions {
  /** How long a caller waits for its turn. */
  readonly waitMs?: number
}

const WAIT_MS = 30_000
/** Waiting callers look again after this long, a little later each time. */
const FIRST_LOOK_MS = 1
const LAST_LOOK_MS = 20

export function openWriteLock(
  file: string,
  { waitMs = WAIT_MS }: WriteLockOptions = {},
): WriteLock {
  let database: DatabaseSync | undefined
  /** Callers of this thread queue here, so that each process asks for the lock once at a time. */
  let last: Promise<unknown> = Promise.resolve()

  const tryLock = (): boolean => {
    try {
      if (!database) {
        if (!existsSync(dirname(file))) makeStateFolder(dirname(file))
        // Waiting happens outside: SQLite's own would stop the thread, and with it every reader.
        database = new DatabaseSync(file, { timeout: 0 })
      }
      database.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw cannotLock(file, error)
    }
  }

  const lock = async (deadline: number): Promise<void> => {
    for (let pause = FIRST_LOOK_MS; !tryLock(); pause = Math.min(pause * 1.5, LAST_LOOK_MS)) {
      if (performance.now() > deadline) throw tooBusy(waitMs)
      // Chance keeps two waiting processes from meeting at every look.
      await sleep(pause * (0.5 + Math.random()))
    }
  }

  return {
    hold(work) {
      const deadline = performance.now() + waitMs
      const turn = last.then(async () => {
        if (performance.now() > deadline) throw tooBusy(waitMs)
        await lock(deadline)
        try {
          return await work()
        } finally {
          database?.exec('ROLLBACK')
        }
      })
      last = turn.catch(() => {})
      return turn
    },
    async close() {
      await last
      database?.close()
      database = undefined
    },
  }
}

function tooBusy(waitMs: number): KnowledgeError {
  return new KnowledgeError(
    'unavailable',
    `Other writers kept this base busy for ${Math.round(waitMs / 1000)} seconds.`,
    'Nothing was changed. Try again in a moment.',
  )
}

function cannotLock(file: string, error: unknown): KnowledgeError {
  const why = error instanceof Error ? error.message : String(error)
  return new KnowledgeError(
    'unavailable',
    `The lock file ${file} cannot be used: ${why}.`,
    'Nothing was changed. Writing needs a folder for it that can be written to.',
  )
}
