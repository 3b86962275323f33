/** The lease, as one row of the file that all processes share. */
import { doubtIn, leaseJudge } from '../judge-lease.ts'
import type { HeldLease } from '../judge-lease.ts'
import type { LeaseStore } from '../lease-store.ts'
import type { Connection } from './connection.ts'

export function leaseRow(connection: Connection): LeaseStore {
  const hasRunOut = leaseJudge()
  return {
    async acquireLease(owner, ttlMs) {
      return connection.transaction(() => {
        const held = heldLease(connection)
        const renews = held?.owner === owner
        if (held && !renews && !hasRunOut(held)) return undefined
        const fence = renews ? held.fence : connection.metaNumber('fence') + 1
        const lease: HeldLease = { owner, fence, ttlMs, expiresAt: Date.now() + ttlMs }
        connection.setMeta('lease', JSON.stringify(lease))
        if (!renews) connection.setMeta('fence', fence)
        return { owner, fence }
      })
    },

    async releaseLease(owner) {
      await connection.transaction(() => {
        if (heldLease(connection)?.owner === owner) {
          connection.run("DELETE FROM meta WHERE key = 'lease'")
        }
      })
    },

    doubtfulLease: async () => doubtIn(heldLease(connection)),

    async leaseHolder() {
      const held = heldLease(connection)
      return held && !hasRunOut(held) ? held.owner : undefined
    },
  }
}

export function heldLease(connection: Connection): HeldLease | undefined {
  const text = connection.meta('lease')
  if (text === undefined) return undefined
  // An earlier version wrote neither number nor length.
  return {
    fence: 0,
    ttlMs: 15_000,
    ...(JSON.parse(text) as Pick<HeldLease, 'owner' | 'expiresAt'>),
  }
}
