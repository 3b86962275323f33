/**
 * Deduplication over a conversation: tools are told what their connection has been shown, so that it
 * is named instead of repeated. It is forgotten with the connection.
 */
import { createShownBefore } from '../../core/operations/searching/shown-before.ts'
import type { ShownBefore } from '../../core/operations/searching/shown-before.ts'
import type { Observer } from '../door/observer.ts'

export function openGovernor(): Observer {
  const remembered = new WeakMap<object, ShownBefore>()
  return {
    surface: 'native',
    began({ connection }) {
      // Where calls stand alone there is nothing to remember.
      if (!connection) return undefined
      const seen = remembered.get(connection) ?? createShownBefore()
      remembered.set(connection, seen)
      return { seen }
    },
  }
}
