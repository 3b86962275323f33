/**
 * Deduplication over a conversation: tools are told what their connection has been shown, so that it
 * is named instead of repeated. It is forgotten with the connection.
 */
import { openSeen } from '../../core/operations/searching/seen.ts'
import type { Seen } from '../../core/operations/searching/seen.ts'
import type { Observer } from '../door/observer.ts'

export function openGovernor(): Observer {
  const remembered = new WeakMap<object, Seen>()
  return {
    surface: 'native',
    began({ connection }) {
      // Where calls stand alone there is nothing to remember.
      if (!connection) return undefined
      const seen = remembered.get(connection) ?? openSeen()
      remembered.set(connection, seen)
      return { seen }
    },
  }
}
