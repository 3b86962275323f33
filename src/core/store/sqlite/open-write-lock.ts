/**
 * The write lock as a lock on an SQLite file of its own, and as a lease. The system lets go of it
 * when a process dies, however it dies. One that stands still (`SIGSTOP`, a frozen container) keeps
 * the system's lock, so its heartbeat counts: the holder touches the file, and whoever waits and has
 * seen no beat for five seconds puts another file in its place. The file is the fencing token: a
 * holder whose file is not the one behind the path has lost the lease, and must change nothing.
 *
 * It is not the index's own lock: a write flushes files to disk, and the process that indexes should
 * not wait for that.
 */
import { existsSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError, unavailable } from '../../domain/error.ts'
import { LockLost } from '../../domain/write-lock.ts'
import type { WriteLock } from '../../domain/write-lock.ts'
import { makeStateFolder, requireNoLink, requireOwnEntries } from '../state-folder.ts'
import { identityOf } from './file-lock.ts'
import { Heartbeats, lostHolders, putAside } from './lease.ts'
import { isBusy } from './open-database.ts'
import { waitingLine } from './waiting-line.ts'

export interface WriteLockOptions {
  /** How long a caller waits for its turn. */
  readonly waitMs?: number
  /** Heartbeats that others of this process follow too. */
  readonly heartbeats?: Heartbeats
}

const WAIT_MS = 30_000
/** How often the holder shows that it is there. */
const BEAT_MS = 1_000
/** Waiting callers look again after this long, a little later each time. */
const FIRST_LOOK_MS = 1
const LAST_LOOK_MS = 20
/** Who is next looks more often: nobody works between one turn and the next. */
const LAST_LOOK_OF_NEXT_MS = 5
/** A file that someone deletes again and again is made anew this often for one look. */
const OPENINGS = 10

export function openWriteLock(
  file: string,
  { waitMs = WAIT_MS, heartbeats = new Heartbeats() }: WriteLockOptions = {},
): WriteLock {
  let opened: LockFile | undefined
  let isHeld = false
  let lost: readonly string[] = []
  /** Callers of this thread queue here, so that each process asks for the lock once at a time. */
  let last: Promise<unknown> = Promise.resolve()

  const letGo = (): void => {
    opened?.database.close()
    opened = undefined
  }

  const tryLock = (): boolean => {
    let trouble: unknown
    for (let opening = 0; opening < OPENINGS; opening++) {
      try {
        opened ??= openLockFile(file)
        if (!opened) continue
        opened.database.exec('BEGIN IMMEDIATE')
        // A lock on a file that was deleted or replaced since keeps nobody out.
        if (identityOf(file) === opened.identity) return true
      } catch (error) {
        if (error instanceof KnowledgeError) throw error
        // Held by others, unless it is the file of one who has lost it.
        if (isBusy(error) && identityOf(file) === opened?.identity) return false
        trouble = error
      }
      letGo()
    }
    throw cannotLock(file, trouble ?? 'the file is replaced again and again')
  }

  /** Whoever has waited for longer goes first, in whichever process. */
  const lock = async (deadline: number): Promise<void> => {
    const line = waitingLine(file)
    try {
      for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LAST_LOOK_MS)) {
        const isNext = line.isNext()
        if (isNext && tryLock()) break
        if (isNext && heartbeats.haveStopped(file)) putAside(file, opened?.identity)
        if (performance.now() > deadline) throw tooBusy(waitMs)
        line.wait()
        const most = isNext ? LAST_LOOK_OF_NEXT_MS : LAST_LOOK_MS
        // Chance keeps two waiting processes from meeting at every look.
        await sleep(Math.min(pause, most) * (0.5 + Math.random()))
      }
    } finally {
      line.leave()
    }
    beat()
    isHeld = true
    lost = lostHolders(file)
  }

  const beat = (): void => {
    try {
      const now = new Date()
      // Never opened for it: closing the file would drop the lock.
      if (identityOf(file) === opened?.identity) utimesSync(file, now, now)
    } catch {
      // Whoever cannot show that it is there may be overtaken, and then begins again.
    }
  }

  return {
    hold(work) {
      const deadline = performance.now() + waitMs
      const turn = last.then(async () => {
        if (performance.now() > deadline) throw tooBusy(waitMs)
        await lock(deadline)
        const beating = setInterval(beat, BEAT_MS)
        beating.unref()
        try {
          return await work()
        } finally {
          clearInterval(beating)
          isHeld = false
          unlock()
        }
      })
      last = turn.catch(() => {})
      return turn
    },
    fence() {
      if (!isHeld) return
      const now = identityOf(file)
      // Deleted with all of `.cairn`, it has passed to nobody.
      if (now !== undefined && now !== opened?.identity) throw new LockLost()
    },
    lost: () => lost,
    async close() {
      await last
      letGo()
    },
  }

  /** What was done under the lock is done: trouble with letting go must not make it look failed. */
  function unlock(): void {
    try {
      opened?.database.exec('ROLLBACK')
    } catch {
      letGo()
    }
  }
}

interface LockFile {
  readonly database: DatabaseSync
  /** Which file was opened, whatever the path means later. */
  readonly identity: string
}

/**
 * Undefined when the file was new or changed while it was opened: then nobody can say which one it
 * is. It must not be opened in any other way: closing it would drop the locks of this process.
 */
function openLockFile(file: string): LockFile | undefined {
  const folder = dirname(file)
  requireNoLink(folder)
  if (existsSync(folder)) requireOwnEntries(folder)
  else makeStateFolder(folder)
  const before = identityOf(file)
  // Waiting happens outside: SQLite's own would stop the thread, and with it every reader.
  const database = new DatabaseSync(file, { timeout: 0 })
  const identity = identityOf(file)
  if (identity !== undefined && identity === before) return { database, identity }
  database.close()
  return undefined
}

function tooBusy(waitMs: number): KnowledgeError {
  return unavailable(
    `Other writers kept this base busy for ${Math.round(waitMs / 1000)} seconds.`,
    'Nothing was changed. Try again in a moment.',
  )
}

function cannotLock(file: string, error: unknown): KnowledgeError {
  const why = error instanceof Error ? error.message : String(error)
  return unavailable(
    `The lock file ${file} cannot be used: ${why}.`,
    'Nothing was changed. Writing needs a folder for it that can be written to.',
  )
}
