/**
 * Lease with a fencing token: the right to change documents of a base, as a row in the database:
 * one server has it at a time, by the database's clock, under a number that rises whenever it
 * passes on. No session holds it, so pgbouncer may be in between. Whoever stands still for longer
 * than it lasts loses it to the next, and is refused when it wakes up.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type KnowledgeError, unavailable } from '../../core/domain/error.ts'
import { LockLost } from '../../core/domain/write-lock.ts'
import type { BaseRows } from './base-rows.ts'
import { aheadOf, NOW } from './clock.ts'
import { LATEST } from './lease-row.ts'

export interface WriteLease {
  /** Waits for its turn, and keeps the right while the work is under way. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  /** Throws `LockLost` where somebody else has taken over from the one who holds it here. */
  requireHeld(): Promise<void>
  /** The same in a transaction, until whose end nobody takes over. */
  requireIn(rows: BaseRows): Promise<void>
  /** How far the clock of the database is ahead of ours; 0 where they agree. */
  aheadMs(): number
  /** Waits for whoever holds it in this process. */
  close(): Promise<void>
}

export interface WriteLeaseOptions {
  /** Another for every server, and every time it is opened. */
  readonly owner: string
  /** Whoever does not renew it for so long has lost it to the next. */
  readonly ttlMs?: number
  readonly renewMs?: number
  /** How long a caller waits for its turn. */
  readonly waitMs?: number
}

const TTL_MS = 5_000
const RENEW_MS = 1_200
const WAIT_MS = 30_000
/** Waiting callers look again after this long, a little later each time. */
const FIRST_LOOK_MS = 3
const LAST_LOOK_MS = 60

const ROLE = 'writing'

interface Held {
  readonly fence: number
  /** When it was last known to be ours, by a clock of ours that runs steadily. */
  renewedAt: number
  isLost: boolean
}

export function openWriteLease(writing: BaseRows, options: WriteLeaseOptions): WriteLease {
  const { owner, ttlMs = TTL_MS, renewMs = RENEW_MS, waitMs = WAIT_MS } = options
  let held: Held | undefined
  let aheadMs = 0
  /** Callers of this process queue here, so that each asks for the row once at a time. */
  let last: Promise<unknown> = Promise.resolve()

  const take = async (): Promise<Held | undefined> => {
    const [began, renewedAt] = [Date.now(), performance.now()]
    const row = await writing.row(
      `INSERT INTO cairn.leases AS held (base, role, owner, fence, expires_at, since)
       VALUES ($1, '${ROLE}', $2, 1, clock_timestamp() + $3 * interval '1 millisecond',
         clock_timestamp())
       ON CONFLICT (base, role) DO UPDATE SET fence = held.fence + 1, owner = excluded.owner,
         expires_at = excluded.expires_at, since = excluded.since
       WHERE held.owner IS NULL OR held.owner = excluded.owner
         OR held.expires_at <= clock_timestamp() OR held.expires_at > ${LATEST}
       RETURNING fence, ${NOW}`,
      owner,
      ttlMs,
    )
    if (!row) return undefined
    aheadMs = aheadOf(Number(row['now']), began, Date.now())
    return { fence: Number(row['fence']), renewedAt, isLost: false }
  }

  const renew = async (lease: Held): Promise<void> => {
    const renewedAt = performance.now()
    const row = await writing.row(
      `UPDATE cairn.leases SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
       WHERE base = $1 AND role = '${ROLE}' AND owner = $2 AND fence = $3 RETURNING fence`,
      owner,
      lease.fence,
      ttlMs,
    )
    if (row) lease.renewedAt = renewedAt
    else lease.isLost = true
  }

  const letGo = async ({ fence }: Held): Promise<void> => {
    // What was done is done; a row that cannot be given back now runs out by itself.
    await writing
      .rows(
        `UPDATE cairn.leases SET owner = NULL
         WHERE base = $1 AND role = '${ROLE}' AND owner = $2 AND fence = $3`,
        owner,
        fence,
      )
      .catch(() => {})
  }

  const wait = async (deadline: number): Promise<Held> => {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LAST_LOOK_MS)) {
      const taken = await take()
      if (taken) return taken
      if (performance.now() > deadline) throw tooBusy(waitMs)
      // Chance keeps two that wait from meeting at every look.
      await sleep(pause * (0.5 + Math.random()))
    }
  }

  const requireHeld = async (): Promise<void> => {
    if (!held) return
    if (!held.isLost && performance.now() - held.renewedAt > ttlMs / 2) await renew(held)
    if (held.isLost) throw new LockLost()
  }

  return {
    hold(work) {
      const deadline = performance.now() + waitMs
      const turn = last.then(async () => {
        const lease = await wait(deadline)
        held = lease
        const renewing = setInterval(() => void renew(lease).catch(() => {}), renewMs)
        renewing.unref()
        try {
          return await work()
        } finally {
          clearInterval(renewing)
          held = undefined
          await letGo(lease)
        }
      })
      last = turn.catch(() => {})
      return turn
    },
    requireHeld,
    async requireIn(rows) {
      if (!held) return
      const row = await rows.row(
        `SELECT 1 AS n FROM cairn.leases
         WHERE base = $1 AND role = '${ROLE}' AND owner = $2 AND fence = $3 FOR SHARE`,
        owner,
        held.fence,
      )
      if (!row) throw new LockLost()
    },
    aheadMs: () => aheadMs,
    async close() {
      await last
    },
  }
}

function tooBusy(waitMs: number): KnowledgeError {
  return unavailable(
    `Writers on other servers kept this base busy for ${Math.round(waitMs / 1000)} seconds.`,
    'Nothing was changed. Try again in a moment.',
  )
}
