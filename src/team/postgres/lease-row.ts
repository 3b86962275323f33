/**
 * Leases run by the clock of the database, so nobody's own clock counts. One statement takes or
 * renews; a commit holds on to the row while it checks its fence, so nobody takes over in between.
 */
import { ROLES } from '../../core/store/lease-store.ts'
import type { HeldRole, LeaseStore, Role } from '../../core/store/lease-store.ts'
import { requireLease } from '../../core/store/judge-lease.ts'
import type { Lease } from '../../core/store/lease-store.ts'
import type { BaseRows } from './base-rows.ts'
import { restored, textArray } from './values.ts'

/** No lease lasts longer; one that ends later was given by a database whose clock was ahead. */
const LONGEST_MS = 120_000
export const LATEST = `clock_timestamp() + ${LONGEST_MS} * interval '1 millisecond'`

export function leaseRow(base: BaseRows, writing: BaseRows): LeaseStore {
  const heldRoles = async (): Promise<HeldRole[]> => {
    const rows = await base.rows(
      `SELECT role, owner, fence, extract(epoch FROM since)::float8 * 1000 AS since
       FROM cairn.leases
       WHERE base = $1 AND owner IS NOT NULL AND expires_at > clock_timestamp()
         AND expires_at <= ${LATEST}`,
    )
    const homes = rows.map((row) => String(row['role'])).filter((role) => role.startsWith('home:'))
    const listed = [...ROLES, ...(homes.toSorted() as `home:${string}`[])]
    return listed.flatMap((role) =>
      rows
        .filter((row) => row['role'] === role)
        .map((row) => ({
          role: restored(role) as HeldRole['role'],
          owner: String(row['owner']),
          fence: Number(row['fence']),
          since: Number(row['since']),
        })),
    )
  }
  return {
    async acquireLease(owner, ttlMs, role = 'indexing') {
      const fence = (await takeLeases(writing, [role], owner, ttlMs)).get(role)
      return fence === undefined
        ? undefined
        : { owner, fence, ...(role !== 'indexing' && { role }) }
    },

    async releaseLease(owner, role = 'indexing') {
      await writing.rows(
        `UPDATE cairn.leases SET owner = NULL WHERE base = $1 AND role = $2 AND owner = $3`,
        role,
        owner,
      )
    },

    // There is one clock, and it is right.
    doubtfulLease: async () => undefined,
    leaseHolder: async () => (await heldRoles()).find(({ role }) => role === 'indexing')?.owner,
    heldRoles,
  }
}

/** Takes or renews those that nobody else has. Gives the fencing number of each that is ours. */
export async function takeLeases(
  writing: BaseRows,
  roles: readonly string[],
  owner: string,
  ttlMs: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await writing.rows(
    `INSERT INTO cairn.leases AS held (base, role, owner, fence, expires_at, since)
     SELECT $1, role, $3, 1, clock_timestamp() + $4 * interval '1 millisecond', clock_timestamp()
     FROM unnest($2::text[]) AS r (role) ORDER BY role
     ON CONFLICT (base, role) DO UPDATE SET
       fence = CASE WHEN held.owner = excluded.owner THEN held.fence ELSE held.fence + 1 END,
       since = CASE WHEN held.owner = excluded.owner THEN held.since ELSE excluded.since END,
       owner = excluded.owner, expires_at = excluded.expires_at
     WHERE held.owner IS NULL OR held.owner = excluded.owner
       OR held.expires_at <= clock_timestamp() OR held.expires_at > ${LATEST}
     RETURNING role, fence`,
    textArray(roles),
    owner,
    Math.min(ttlMs, LONGEST_MS),
  )
  return new Map(rows.map((row) => [String(row['role']), Number(row['fence'])]))
}

/** Refuses whoever has this right no more; who has it keeps it while the transaction lasts. */
export async function requireHeld(base: BaseRows, lease: Lease | undefined): Promise<void> {
  if (!lease) return
  const role: Role = lease.role ?? 'indexing'
  const row = await base.row(
    'SELECT owner, fence FROM cairn.leases WHERE base = $1 AND role = $2 FOR SHARE',
    role,
  )
  const owner = row?.['owner'] ? String(row['owner']) : undefined
  requireLease(lease, owner === undefined ? undefined : { owner, fence: Number(row!['fence']) })
}
