/**
 * History since a moment, by the order of the log and not by the clock. A clock that is set dates
 * some operations before what came before them, or after what came after them:
 *
 *     09:00  a    09:10  b    2000-01-01  c (no clock yet)    09:20  d
 *
 * Since 09:05 are b, c and d: the oldest operation that is dated since, and everything behind it.
 */
import type { History, LoggedOperation } from '../../history/history.ts'

/** How many operations in a row may be dated before the moment until what is older is not looked at. */
const MOST_MISDATED = 1_000

type Unread = 'line' | 'file'

export interface SinceOptions {
  /** By the clock that operations are dated by. */
  readonly now: number
  readonly unread?: (what: Unread) => void
}

/** Newest first, until `visit` returns false. All of it without a moment. */
export async function eachSince(
  history: History,
  since: number | undefined,
  visit: (operation: LoggedOperation) => boolean,
  { now, unread }: SinceOptions,
): Promise<void> {
  if (since === undefined) return history.each(visit, undefined, unread)
  // What is dated in the future says nothing about when it was, unless that is what is asked for.
  const latest = since > now ? Infinity : now
  const waiting: (LoggedOperation | Unread)[] = []
  let misdated = 0
  const release = (): boolean =>
    waiting.splice(0).every((each) => {
      if (typeof each !== 'string') return visit(each)
      unread?.(each)
      return true
    })
  await history.each(
    (operation) => {
      waiting.push(operation)
      const { at } = operation
      const isSince = (at >= since && at <= latest) || (at > latest && misdated === 0)
      misdated = isSince ? 0 : misdated + 1
      return isSince ? release() : misdated < MOST_MISDATED
    },
    undefined,
    (what) => (misdated === 0 ? unread?.(what) : void waiting.push(what)),
  )
}
