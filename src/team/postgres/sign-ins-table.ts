/** Sign-ins as all servers of a base know them, in the database: see `core/domain/sign-ins.ts`. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MOST_SIGN_INS, type SignIns } from '../../core/domain/sign-ins.ts'
import type { BaseRows } from './base-rows.ts'
import { sharedSecret } from './shared-secret.ts'

/** So old may be what is known of sign-ins that ended; those who call are not all asked about. */
const FRESH_MS = 1_000
/** While the database does not answer, what was known counts, and nobody waits for long. */
const PATIENCE_MS = 1_000

export function signInsTable(base: BaseRows, writing: BaseRows): SignIns {
  const ended = endedSignIns(base)
  /** What is over is forgotten; of too many, those that end first and have not ended. */
  const makeRoom = async (): Promise<void> => {
    await writing.rows('DELETE FROM cairn.sign_ins WHERE base = $1 AND until < $2', Date.now())
    await writing.rows(
      `DELETE FROM cairn.sign_ins WHERE base = $1 AND id IN (SELECT id FROM cairn.sign_ins
         WHERE base = $1 ORDER BY ended DESC, until DESC OFFSET $2)`,
      MOST_SIGN_INS - 1,
    )
  }
  return {
    key: sharedSecret(base, writing, 'sign-in'),
    async begin(id, until) {
      await makeRoom()
      // A statement whose answer was lost is sent again: by its mark it knows itself.
      const row = await writing.row(
        `INSERT INTO cairn.sign_ins AS known (base, id, mark, until) VALUES ($1, $2, $3, $4)
         ON CONFLICT (base, id) DO UPDATE SET until = excluded.until
           WHERE known.mark = excluded.mark
         RETURNING 1 AS n`,
        id,
        newMark(),
        until,
      )
      return row !== undefined
    },
    async advance(id, step, until) {
      const row = await writing.row(
        `UPDATE cairn.sign_ins SET step = $3 + 1, mark = $4, until = $5
         WHERE base = $1 AND id = $2 AND NOT ended
           AND (step = $3 OR (step = $3 + 1 AND mark = $4))
         RETURNING 1 AS n`,
        id,
        step,
        newMark(),
        until,
      )
      return row !== undefined
    },
    async end(id, until) {
      await makeRoom()
      await writing.rows(
        `INSERT INTO cairn.sign_ins (base, id, mark, ended, until) VALUES ($1, $2, $3, true, $4)
         ON CONFLICT (base, id) DO UPDATE SET ended = true, until = excluded.until`,
        id,
        newMark(),
        until,
      )
      ended.add(id)
    },
    hasEnded: ended.has,
    close: () => {},
  }
}

/** All that ended of late: few, and read at most once a second. */
function endedSignIns(base: BaseRows) {
  let known: ReadonlySet<string> = new Set()
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  let isSilent = false
  const read = async (): Promise<void> => {
    const startedAt = performance.now()
    try {
      const rows = await base.rows('SELECT id FROM cairn.sign_ins WHERE base = $1 AND ended')
      known = new Set(rows.map((row) => String(row['id'])))
      readAt = startedAt
      isSilent = false
    } catch {
      isSilent = true
    } finally {
      reading = undefined
    }
  }
  const wait = async (): Promise<void> => {
    const late = new AbortController()
    const patience = sleep(PATIENCE_MS, 'late', { signal: late.signal, ref: false })
    const first = await Promise.race([reading, patience.catch(() => {})])
    late.abort()
    if (first === 'late') isSilent = true
  }
  return {
    async has(id: string): Promise<boolean> {
      if (performance.now() - readAt >= FRESH_MS) {
        reading ??= read()
        if (!isSilent) await wait()
      }
      return known.has(id)
    },
    add(id: string): void {
      known = new Set([...known, id])
    },
  }
}

function newMark(): string {
  return randomBytes(8).toString('hex')
}
