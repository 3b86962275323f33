/**
 * The entities of a graph as entries of a scan. An entry has to change whenever the entity's
 * document does, and an entity has no file whose time could tell: so the text decides. What was
 * worked out is kept, and an addition costs only the entities it touches.
 */
import { crc32 } from 'node:zlib'
import { entityPath, OFFERED_ID_LIMIT } from '../../domain/entity-document.ts'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import type { Entity } from '../../domain/entity.ts'
import type { FileEntry } from '../../domain/source.ts'
import { parseStoredTime } from '../../domain/stored-time.ts'
import { mergedEntities } from './merged-entities.ts'
import type { MergedEntities } from './merged-entities.ts'

export class EntityEntries {
  readonly #graph: EntityGraph
  #byPath = new Map<string, FileEntry>()
  #epoch: number | undefined
  #entitiesSeen = 0
  #relationsSeen = 0
  #merged: MergedEntities['survivorOf'] | undefined
  #news = new Set<string>()

  constructor(graph: EntityGraph) {
    this.#graph = graph
  }

  /** Takes in what changed in the files. Throws `unavailable` like the graph itself. */
  follow(): ReadonlyMap<string, FileEntry> {
    this.#graph.refresh()
    // Whoever is merged by an addition has no document any more, and relations to it lead elsewhere.
    const { survivorOf } = mergedEntities(this.#graph)
    const isSame = this.#epoch === this.#graph.epoch && this.#merged === survivorOf
    this.#merged = survivorOf
    if (isSame) this.#takeAdditions()
    else this.#takeEverything()
    const { entities, relations } = this.#graph.added
    this.#entitiesSeen = entities.length
    this.#relationsSeen = relations.length
    return this.#byPath
  }

  /** Paths whose document changed, came or went since this was asked last. */
  takeNews(): readonly string[] {
    const news = [...this.#news]
    this.#news = new Set()
    return news
  }

  #takeAdditions(): void {
    const { entities, relations } = this.#graph.added
    const touched = new Set<string>()
    for (const { id } of entities.slice(this.#entitiesSeen)) touched.add(id)
    for (const { src } of relations.slice(this.#relationsSeen)) touched.add(src)
    for (const id of new Set([...touched].map((each) => this.#graph.survivorOf(each)))) {
      const entity = this.#graph.findEntity(id)
      if (entity) this.#put(this.#byPath, entity)
    }
  }

  #takeEverything(): void {
    const before = this.#byPath
    const now = new Map<string, FileEntry>()
    for (const entity of this.#graph.entities()) this.#put(now, entity)
    for (const path of before.keys()) if (!now.has(path)) this.#news.add(path)
    this.#byPath = now
    this.#epoch = this.#graph.epoch
  }

  #put(into: Map<string, FileEntry>, entity: Entity): void {
    if (!isOffered(entity.id)) return
    // What was merged into another one is shown there.
    if (this.#graph.survivorOf(entity.id) !== entity.id) return
    const entry = entryOf(entity, this.#graph.textOf(entity))
    const known = this.#byPath.get(entry.path)
    const same = known?.size === entry.size && known.modifiedAt === entry.modifiedAt
    if (!same) this.#news.add(entry.path)
    into.set(entry.path, same ? known : entry)
  }
}

/** An id that the index can hold. */
export function isOffered(id: string): boolean {
  return id.length <= OFFERED_ID_LIMIT && id.isWellFormed()
}

/**
 * The time is the entity's own, to the second; what is below a second is a checksum of the text,
 * so that an edit in place that keeps length and time is noticed as well.
 */
export function entryOf({ id, updatedAt }: Entity, text: string): FileEntry {
  const at = parseStoredTime(updatedAt) ?? 0
  const sum = crc32(text)
  const second = Math.floor(at / 1000) * 1000
  return {
    path: entityPath(id),
    size: Buffer.byteLength(text),
    modifiedAt: second + (sum % 1000) + (Math.floor(sum / 1000) % 4096) / 4096,
  }
}
