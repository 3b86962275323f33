/** What do the files of a graph say, word for word? Entities by id and relations by month. */
import type { Entity } from '../../../core/domain/entity.ts'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { relationObject } from '../../../core/domain/stored-entity.ts'
import type { StoredObject } from '../../../core/domain/stored-entity.ts'

/** `type` is the entity's own, or the category it is filed under. */
export function findEntityOfType(graph: EntityGraph, type: string, id: string): Entity | undefined {
  const entity = graph.findEntity(id)
  return entity && (entity.type === type || entity.category === type) ? entity : undefined
}

/** `month` is such as `2026-02`. In the order of the file; none where there is no file. */
export function listRelationsOf(graph: EntityGraph, month: string): readonly StoredObject[] {
  return graph.relationsIn(month).map(relationObject)
}

/** Some entities in the order of the files, from `offset` on. */
export function listEntities(graph: EntityGraph, offset: number, limit: number): readonly Entity[] {
  const entities: Entity[] = []
  let at = 0
  for (const entity of graph.entities()) {
    if (at++ < offset) continue
    if (entities.length === limit) break
    entities.push(entity)
  }
  return entities
}
