/** What each connection has seen. It is forgotten with the connection. */
import { openSeen } from '../../core/operations/searching/seen.ts'
import type { Seen } from '../../core/operations/searching/seen.ts'

const remembered = new WeakMap<object, Seen>()

/** Undefined where calls stand alone, or nobody wants this remembered. */
export function seenOn(connection: object | undefined): Seen | undefined {
  if (!connection) return undefined
  const seen = remembered.get(connection) ?? openSeen()
  remembered.set(connection, seen)
  return seen
}
