/**
 * Heartbeat of a transaction. A writer that stands still in a transaction is thrown out by the
 * database, so that others can go on. One that is only busy, with a large batch on a slow machine,
 * says so now and then; a process that is frozen, stuck or gone cannot.
 */
import type { Asking } from './database.ts'

/** Whoever takes longer than this for a transaction is stuck, however awake. */
export const LONGEST_MS = 120_000

export interface Awake extends Asking {
  /** Nothing is said any more. */
  end(): void
}

export function stayAwake(asking: Asking, everyMs: number): Awake {
  let underWay = 0
  let times = Math.floor(LONGEST_MS / everyMs)
  const rows: Asking['rows'] = async (...asked) => {
    underWay++
    try {
      return await asking.rows(...asked)
    } finally {
      underWay--
    }
  }
  const timer = setInterval(() => {
    if (times-- <= 0) clearInterval(timer)
    // While the database is at work for this writer it does not wait for it.
    else if (underWay === 0) rows('SELECT 1').catch(() => {})
  }, everyMs)
  timer.unref()
  return { rows, end: () => clearInterval(timer) }
}
