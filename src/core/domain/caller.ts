/** Who calls, and what they may do and see. Transports find it out; the door holds them to it. */
import type { Place } from './document.ts'

export const PERMISSIONS = ['read', 'write', 'maintain'] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * The permissions that these ones amount to. Whoever changes a document is shown what it says, by the
 * reply, the history or a trial of the change: who may write may read.
 */
export function amountTo(may: readonly Permission[]): readonly Permission[] {
  if (!may.includes('write') || may.includes('read')) return may
  return PERMISSIONS.filter((each) => each === 'read' || may.includes(each))
}

/** Nobody in particular, such as the person at the keyboard, may do everything. */
export interface Caller {
  /** How the caller is called in history, logs and limits. */
  readonly principal: string
  readonly may: readonly Permission[]
  /** Which places the caller sees; all unless said. The same function for the same caller. */
  readonly sees?: (place: Place) => boolean
  /** Whether there is anything of a source to see; as far as `sees` goes unless said. */
  readonly knows?: (source: string) => boolean
  /** Which of the places it sees the caller may change; all unless said. The same function again. */
  readonly writes?: (place: Place) => boolean
}

/** Whether somebody may be told what is in the base, or that it has changed. */
export function mayRead(caller: Caller | undefined): boolean {
  return !caller || caller.may.includes('read')
}
