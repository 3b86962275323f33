/**
 * Sign-ins as all servers of a base know them: a key to sign with, and how far each sign-in has come.
 * What clients hold are signed texts, so nothing else has to be kept: a text that was used shows by
 * the step that its sign-in has reached (refresh token rotation with reuse detection).
 */
export interface SignIns {
  /** 32 bytes as hex; the same at all servers of the base, and after a restart. */
  key(): Promise<string>
  /** False where it was begun before. It is forgotten after `until`, in milliseconds. */
  begin(id: string, until: number): Promise<boolean>
  /** To the next step, for whoever comes first; false where it is at another one, over or unknown. */
  advance(id: string, step: number, until: number): Promise<boolean>
  /** Ends it, begun or not, which is remembered for as long as anything of it might still be shown. */
  end(id: string, until: number): Promise<void>
  hasEnded(id: string): Promise<boolean>
  close(): void
}

/** More than anybody has; beyond it those that would end first have to sign in again. */
export const MOST_SIGN_INS = 100_000
