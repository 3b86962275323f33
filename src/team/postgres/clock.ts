/**
 * How far the clock of the database is ahead of this machine's. What is dated for all servers of a
 * base goes by the database's, so that it is in order whatever the servers believe.
 */
import type { BaseRows } from './base-rows.ts'

export interface Clock {
  /** In milliseconds; 0 where the clocks agree. Asked of the database now and then. */
  aheadMs(): Promise<number>
}

/** Clocks that agree differ by less. */
const AGREEING_MS = 2_000
const HOLDS_MS = 60_000

export function createClock(base: BaseRows): Clock {
  let known: { readonly aheadMs: number; readonly at: number } | undefined
  return {
    async aheadMs() {
      const at = performance.now()
      if (known && at - known.at < HOLDS_MS) return known.aheadMs
      const began = Date.now()
      const row = await base.row(`SELECT ${NOW} FROM cairn.bases WHERE id = $1`)
      const aheadMs = row ? aheadOf(Number(row['now']), began, Date.now()) : 0
      known = { aheadMs, at }
      return aheadMs
    },
  }
}

/** The time of the database as a column `now`. */
export const NOW = 'extract(epoch FROM clock_timestamp())::float8 * 1000 AS now'

/** The database said its time between two moments of ours, which may be far from each other. */
export function aheadOf(now: number, began: number, ended: number): number {
  if (now > began - AGREEING_MS && now < ended + AGREEING_MS) return 0
  return Math.round(now - (began + ended) / 2)
}
