/** A graph kept as lines of JSON below a folder: `knowledge/entities/` and `knowledge/relations/`. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { notFound, quoted } from '../../domain/error.ts'
import type { WriteLock } from '../../domain/write-lock.ts'
import { GraphFiles } from './graph-files.ts'
import { JsonlGraphWriter } from './graph-writer.ts'
import { mergedEntities, observationsOfEntity, textOfEntity } from './merged-entities.ts'

export interface JsonlGraphOptions {
  readonly root: string
  /** The lock that all writers of this root share; without it the graph can only be read. */
  readonly openLock?: (root: string) => WriteLock
  readonly now?: () => Date
}

/** Reads everything. Throws `not_found` when there is no such folder or file. */
export function openJsonlGraph({
  root,
  openLock,
  now = () => new Date(),
}: JsonlGraphOptions): EntityGraph {
  const { place, isFile } = realRoot(root)
  const files = new GraphFiles(place)
  // A single file belongs to the program that keeps it, and is only read.
  const lock = isFile ? undefined : openLock?.(files.root)
  const graph: EntityGraph = {
    root: files.root,
    refresh: () => files.refresh(),
    get epoch() {
      return files.epoch
    },
    get added() {
      return files.added
    },
    findEntity: (id) => files.findEntity(id),
    survivorOf: (id) => mergedEntities(graph).survivorOf(id),
    textOf: (entity, also) => textOfEntity(graph, entity, also),
    observationsOf: (entity) => observationsOfEntity(graph, entity),
    get entityCount() {
      return files.entityCount
    },
    entities: () => files.entities(),
    relations: () => files.relations(),
    shards: () => files.shards(),
    relationsIn: (shard) => files.relationsIn(shard),
    outgoing: (id) => files.outgoing(id),
    incoming: (id) => files.incoming(id),
    findRelation: (src, rel, dst) => files.findRelation(src, rel, dst),
    warnings: () => files.warnings(),
    writer: lock && new JsonlGraphWriter(files, lock, now),
    async close() {
      await lock?.close()
    },
  }
  return graph
}

function realRoot(root: string): { readonly place: string; readonly isFile: boolean } {
  const place = resolve(root)
  const stats = statSync(place, { throwIfNoEntry: false })
  const isFile = stats?.isFile() ?? false
  if (isFile || stats?.isDirectory()) return { place: realpathSync.native(place), isFile }
  throw notFound(
    `There is no folder ${quoted(place)}.`,
    'Name the folder that holds "knowledge/", or make it first.',
  )
}
