/**
 * Leases run by the clock of the database, so nobody's own clock counts. One statement takes or
 * renews; a commit holds on to the row while it checks its fence, so nobody takes over in between.
 */
import type { LeaseStore } from '../lease-store.ts'
import type { BaseRows } from './base-rows.ts'

const INDEXING = 'indexing'

export function leaseRow(base: BaseRows, writing: BaseRows): LeaseStore {
  return {
    async acquireLease(owner, ttlMs) {
      const row = await writing.row(
        `INSERT INTO cairn.leases AS held (base, role, owner, fence, expires_at)
         VALUES ($1, '${INDEXING}', $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
         ON CONFLICT (base, role) DO UPDATE SET
           fence = CASE WHEN held.owner = excluded.owner THEN held.fence ELSE held.fence + 1 END,
           owner = excluded.owner, expires_at = excluded.expires_at
         WHERE held.owner IS NULL OR held.owner = excluded.owner
           OR held.expires_at <= clock_timestamp()
         RETURNING fence`,
        owner,
        ttlMs,
      )
      return row && { owner, fence: Number(row['fence']) }
    },

    async releaseLease(owner) {
      await writing.rows(
        `UPDATE cairn.leases SET owner = NULL
         WHERE base = $1 AND role = '${INDEXING}' AND owner = $2`,
        owner,
      )
    },

    // There is one clock, and it is right.
    doubtfulLease: async () => undefined,

    async leaseHolder() {
      const row = await base.row(
        `SELECT owner FROM cairn.leases
         WHERE base = $1 AND role = '${INDEXING}' AND expires_at > clock_timestamp()`,
      )
      return row?.['owner'] ? String(row['owner']) : undefined
    },
  }
}

/** Who has the lease, who keeps it while the transaction lasts. */
export async function heldLease(base: BaseRows) {
  const row = await base.row(
    `SELECT owner, fence FROM cairn.leases WHERE base = $1 AND role = '${INDEXING}' FOR SHARE`,
  )
  if (!row?.['owner']) return undefined
  return { owner: String(row['owner']), fence: Number(row['fence']) }
}
