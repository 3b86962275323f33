/** What the servers of one base know of each other's clients: a session begun at one is known to all. */
export interface SharedSessions {
  /** The same at all of them, and at nobody else. */
  key(): Promise<string>
  /** Whether a client has said goodbye, to whichever of them. */
  hasEnded(session: string): Promise<boolean>
  end(session: string): Promise<void>
}
