/** The right to index, held by one process at a time. */

export interface LeaseStore {
  /** Takes or renews the right to write. Undefined while another living owner has it. */
  acquireLease(owner: string, ttlMs: number): Promise<Lease | undefined>
  releaseLease(owner: string): Promise<void>
  /**
   * Changes whenever the right is taken or renewed; undefined unless it is held for longer than it
   * lasts, by the clock of somebody whose clock is ahead.
   */
  doubtfulLease(): Promise<{ readonly token: string; readonly ttlMs: number } | undefined>
  /** Who may write at the moment, if anyone. */
  leaseHolder(): Promise<string | undefined>
}

/** The right to write as one owner has it. */
export interface Lease {
  readonly owner: string
  /**
   * Rises whenever the right passes to someone, and stays while it is renewed: whoever had it, slept
   * past its end and comes back late has an older number, and is refused.
   */
  readonly fence: number
}
