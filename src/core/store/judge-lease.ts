/** Whether a lease still holds, and who may commit under it. Shared by all stores. */
import { hostname } from 'node:os'
import { conflict } from '../domain/error.ts'
import { isAlive } from '../kit/processes.ts'
import type { Lease, Role } from './lease-store.ts'

export interface HeldLease extends Lease {
  readonly ttlMs: number
  /** By the clock of whoever took or renewed it. */
  readonly expiresAt: number
  /** When its owner got it, by the same clock. */
  readonly since: number
}

type Judged = Pick<HeldLease, 'owner' | 'fence' | 'ttlMs' | 'expiresAt'>

/** What says whether a lease has run out. */
export type LeaseJudge = (held: Judged) => boolean

export interface Clocks {
  /** The time of day, which may be wrong. */
  readonly now: () => number
  /** Runs steadily from wherever it began. */
  readonly steady: () => number
}

const CLOCKS: Clocks = { now: () => Date.now(), steady: () => performance.now() }

/**
 * Two hosts that share a folder may not agree on the time. A lease has run out when its time is over
 * by our clock; or when we watched it for its whole length and nobody renewed it, whatever its
 * holder thinks the time is.
 */
export function leaseJudge({ now, steady }: Clocks = CLOCKS): LeaseJudge {
  let seen: { readonly token: string; readonly at: number } | undefined
  return (held) => {
    if (held.expiresAt <= now() || !ownerLives(held.owner)) return true
    const token = tokenOf(held)
    if (seen?.token !== token) seen = { token, at: steady() }
    return steady() - seen.at >= held.ttlMs
  }
}

/** One for each role: what is watched of one says nothing of another. */
export function leaseJudges(): (held: Judged, role: Role) => boolean {
  const judges = new Map<Role, LeaseJudge>()
  return (held, role) => {
    const judge = judges.get(role) ?? leaseJudge()
    judges.set(role, judge)
    return judge(held)
  }
}

/** Clocks that agree differ by less than this. */
const AGREEING_MS = 5_000

/** A lease that ends later than it could have been taken: only watching tells whether it is held. */
export function doubtIn(
  held: HeldLease | undefined,
  now = Date.now(),
): { readonly token: string; readonly ttlMs: number } | undefined {
  if (!held || held.expiresAt - now <= held.ttlMs + AGREEING_MS) return undefined
  return { token: tokenOf(held), ttlMs: held.ttlMs }
}

function tokenOf({ fence, owner, expiresAt }: Judged): string {
  return `${fence} ${owner} ${expiresAt}`
}

const HOST = hostname()

/**
 * An owner is `<pid>@<host>:<random>`. On the same machine a dead process gives its lease up at
 * once; elsewhere the lease has to run out.
 */
function ownerLives(owner: string): boolean {
  const match = /^(\d+)@([^:]*):/.exec(owner)
  if (!match || match[2] !== HOST) return true
  return isAlive(Number(match[1]))
}

/** Refuses someone who has the right no more. */
export function requireLease(
  lease: Lease | undefined,
  held: Pick<Lease, 'owner' | 'fence'> | undefined,
): void {
  if (!lease || (held?.owner === lease.owner && held.fence === lease.fence)) return
  throw conflict(
    `Another process has taken over ${lease.role ?? 'indexing'} this base.`,
    'Nothing was changed. The other process keeps the index current.',
  )
}
