/** The right to change files, held by one caller at a time among all processes of a base. */
export interface WriteLock {
  /** Waits for its turn, at most `waitMs`; then throws `unavailable`. Readers never wait. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  /** Waits for whoever holds it in this process. */
  close(): Promise<void>
}
