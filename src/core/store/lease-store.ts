/** Leases: the rights to index, to merge and to learn, each held by one process at a time. */

/** What only one process of all that serve a base does at a time. */
export type Role = 'indexing' | 'merging' | 'learning'

export const ROLES: readonly Role[] = ['indexing', 'merging', 'learning']

export interface LeaseStore {
  /**
   * Takes or renews the right to something, to index unless said. Undefined while another living
   * owner has it.
   */
  acquireLease(owner: string, ttlMs: number, role?: Role): Promise<Lease | undefined>
  releaseLease(owner: string, role?: Role): Promise<void>
  /**
   * Changes whenever the right to index is taken or renewed; undefined unless it is held for longer
   * than it lasts, by the clock of somebody whose clock is ahead.
   */
  doubtfulLease(): Promise<{ readonly token: string; readonly ttlMs: number } | undefined>
  /** Who may index at the moment, if anyone. */
  leaseHolder(): Promise<string | undefined>
  /** Who does what at the moment, in the order of `ROLES`, then the homes of sources. */
  heldRoles(): Promise<readonly HeldRole[]>
}

/** A right as one owner has it. */
export interface Lease {
  readonly owner: string
  /**
   * Rises whenever the right passes to someone, and stays while it is renewed: whoever had it,
   * slept past its end and comes back late has an older number, and is refused.
   */
  readonly fence: number
  /** To index unless said. */
  readonly role?: Role
}

export interface HeldRole {
  /** Also `home:NAME`: who writes the files of a source. */
  readonly role: Role | `home:${string}`
  readonly owner: string
  readonly fence: number
  /** Milliseconds since 1970, by the clock that leases run by. */
  readonly since: number
}
