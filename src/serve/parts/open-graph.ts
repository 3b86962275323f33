/** Opens a graph of entities and relations with the lock that all who write to it share. */
import { join } from 'node:path'
import type { EntityGraph } from '../../core/domain/entity-graph.ts'
import { openJsonlGraph } from '../../core/sources/jsonl/open-jsonl-graph.ts'
import { openWriteLock } from '../../core/store/sqlite/open-write-lock.ts'

export interface OpenGraphOptions {
  readonly readOnly?: boolean
}

/**
 * The lock belongs to the folder and not to a base: whoever serves it, from whichever state folder,
 * has to meet the others there. It has its own name, so that a caller may hold a base's lock too.
 */
export function openGraph(root: string, { readOnly = false }: OpenGraphOptions = {}): EntityGraph {
  if (readOnly) return openJsonlGraph({ root })
  const openLock = (place: string) => openWriteLock(join(place, '.cairn', 'graph.lock'))
  return openJsonlGraph({ root, openLock })
}
