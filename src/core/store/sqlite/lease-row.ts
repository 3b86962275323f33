/** The leases, each as one row of the file that all processes share. */
import { doubtIn, leaseJudges } from '../judge-lease.ts'
import type { HeldLease } from '../judge-lease.ts'
import { ROLES } from '../lease-store.ts'
import type { LeaseStore, Role } from '../lease-store.ts'
import type { Connection } from './connection.ts'

export function leaseRow(connection: Connection): LeaseStore {
  const hasRunOut = leaseJudges()
  const living = (role: Role): HeldLease | undefined => {
    const held = heldLease(connection, role)
    return held && !hasRunOut(held, role) ? held : undefined
  }
  return {
    async acquireLease(owner, ttlMs, role = 'indexing') {
      return connection.transaction(() => {
        const held = heldLease(connection, role)
        const renews = held?.owner === owner
        if (held && !renews && !hasRunOut(held, role)) return undefined
        const fence = renews ? held.fence : connection.metaNumber(keyOf('fence', role)) + 1
        const now = Date.now()
        const since = renews ? held.since : now
        const lease: HeldLease = { owner, fence, ttlMs, expiresAt: now + ttlMs, since }
        connection.setMeta(keyOf('lease', role), JSON.stringify(lease))
        if (!renews) connection.setMeta(keyOf('fence', role), fence)
        return { owner, fence, ...(role !== 'indexing' && { role }) }
      })
    },

    async releaseLease(owner, role = 'indexing') {
      await connection.transaction(() => {
        if (heldLease(connection, role)?.owner === owner) {
          connection.run('DELETE FROM meta WHERE key = ?', keyOf('lease', role))
        }
      })
    },

    doubtfulLease: async () => doubtIn(heldLease(connection, 'indexing')),
    leaseHolder: async () => living('indexing')?.owner,

    async heldRoles() {
      return ROLES.flatMap((role) => {
        const held = living(role)
        return held ? [{ role, owner: held.owner, fence: held.fence, since: held.since }] : []
      })
    },
  }
}

/** The first of them has been there longer than the others. */
function keyOf(what: 'lease' | 'fence', role: Role): string {
  return role === 'indexing' ? what : `${what}_${role}`
}

export function heldLease(connection: Connection, role: Role = 'indexing'): HeldLease | undefined {
  const text = connection.meta(keyOf('lease', role))
  if (text === undefined) return undefined
  // An earlier version wrote neither number nor length nor beginning.
  const held = JSON.parse(text) as Pick<HeldLease, 'owner' | 'expiresAt'>
  return { fence: 0, ttlMs: 15_000, since: held.expiresAt - 15_000, ...held }
}
