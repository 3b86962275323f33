/**
 * Fair queue of a lock: who waits, so that whoever lets go of it does not take it again before
 * them. Each process that waits has an empty file beside the lock, whose name says since when. It
 * is a courtesy: the lock alone keeps others out, and a line that cannot be kept keeps nobody
 * waiting.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orElse } from '../../kit/or-else.ts'
import { HOST_MARK, isAlive } from '../../kit/processes.ts'

/** One who has not been seen for this long stands still, or is gone: it is passed by. */
const SEEN_MS = 5_000
/** How often one who waits shows that it is there. */
const SHOW_MS = 1_000

/** Behind the name of the lock: the time, the process, its machine, and something of its own. */
const TICKET = /^\d{15}\.(\d+)\.([0-9a-f]{8})\.[0-9a-f]{8}$/

export interface WaitingLine {
  /** Whether nobody has waited for longer. */
  isNext(): boolean
  /** Takes a place at the end, and keeps it. */
  wait(): void
  leave(): void
}

export function waitingLine(lock: string): WaitingLine {
  const folder = dirname(lock)
  const prefix = `${basename(lock)}.`
  const partsOf = (name: string) =>
    name.startsWith(prefix) ? TICKET.exec(name.slice(prefix.length)) : null
  let own: string | undefined
  let shownAt = 0

  const isThere = (name: string): boolean => {
    const [, pid, host] = partsOf(name)!
    const seenAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs
    if (seenAt === undefined) return false
    const isSeen = Math.abs(Date.now() - seenAt) < SEEN_MS
    if (isSeen && (host !== HOST_MARK || isAlive(Number(pid)))) return true
    rmSync(join(folder, name), { force: true })
    return false
  }

  return {
    isNext: () =>
      orElse(() => {
        const others = readdirSync(folder).filter((name) => partsOf(name) && name !== own)
        return !others.some((name) => (own === undefined || name < own) && isThere(name))
      }, true),
    wait: () =>
      orElse(() => {
        if (own !== undefined && performance.now() - shownAt < SHOW_MS) return
        shownAt = performance.now()
        own ??= ticketFor(lock)
        const now = new Date()
        // Made again where it was deleted, with all of `.cairn` or by who took us for gone.
        writeFileSync(join(folder, own), '', { flag: 'a', mode: 0o600 })
        utimesSync(join(folder, own), now, now)
      }, undefined),
    leave: () =>
      orElse(() => {
        if (own !== undefined) rmSync(join(folder, own), { force: true })
        own = undefined
      }, undefined),
  }
}

/** Names are in the order of their times. */
function ticketFor(lock: string): string {
  const time = String(Date.now()).padStart(15, '0')
  return `${basename(lock)}.${time}.${process.pid}.${HOST_MARK}.${randomBytes(4).toString('hex')}`
}
