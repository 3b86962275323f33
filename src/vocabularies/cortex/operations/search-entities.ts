/** Which entities of a graph does a query mean, the best first? */
import type { Entity } from '../../../core/domain/entity.ts'
import type { EntityGraph } from '../../../core/domain/entity-graph.ts'
import { invalid } from '../../../core/domain/error.ts'
import { EntityIndex } from '../search/entity-index.ts'
import type { EntityRank } from '../search/entity-index.ts'

export interface FoundEntity {
  readonly entity: Entity
  /** From 1 down to 0: how it was found. */
  readonly score: number
}

export interface EntitySearch {
  /** Reads what there is, which the first search would do otherwise. */
  prepare(): void
  /** Throws `invalid` for a query that is blank or a whole text. */
  search(query: string): readonly FoundEntity[]
}

const LIMIT = 50
/** Nobody looks for more, and what is longer would only cost time. */
const QUERY_LIMIT = 1_000

const SCORE = {
  id: 1,
  name: 0.9,
  name_start: 0.8,
  name_part: 0.7,
  tag: 0.6,
  tag_part: 0.5,
  desc: 0.4,
  fuzzy: 0.2,
} as const satisfies Record<EntityRank, number>

/** Reads everything once, when it is first needed, and from then on what is new. */
export function openEntitySearch(graph: EntityGraph): EntitySearch {
  const index = new EntityIndex()
  return {
    prepare: () => index.follow(graph),
    search(query) {
      if (query.trim() === '') throw invalid('The query is blank.', 'Say what to look for.')
      if (query.length > QUERY_LIMIT) {
        throw invalid(
          `The query is longer than ${QUERY_LIMIT} characters.`,
          'Look for the words that matter most.',
        )
      }
      index.follow(graph)
      return index.search(query, LIMIT).map(({ entity, rank }) => ({ entity, score: SCORE[rank] }))
    },
  }
}
