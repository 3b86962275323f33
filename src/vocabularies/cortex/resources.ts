/** The graph as resources: every entity, the relations of a month, and the report. All JSON. */
import type { Entity } from '../../core/domain/entity.ts'
import type { EntityGraph } from '../../core/domain/entity-graph.ts'
import { cutText } from '../../core/kit/cut-text.ts'
import { makeCursor, parseCursor } from '../../core/operations/reading/cursor.ts'
import { entityObject } from '../../core/domain/stored-entity.ts'
import { findEntityOfType, listEntities, listRelationsOf } from './operations/read-graph.ts'
import type { ResourceEntry, Resources } from '../../serve/door/surface.ts'
import { presentEntropy } from './present.ts'
import { ENTITY_TEMPLATE, ENTROPY_URI, entityUri, parseUri, RELATIONS_TEMPLATE } from './uris.ts'
import type { Named } from './uris.ts'
import type { CortexView } from './view.ts'

const PAGE = 500
const COMPLETIONS = 100
/** Descriptions are short; one that is not is for those who read the entity. */
const DESCRIPTION_LIMIT = 1_000
const MIME = { mimeType: 'application/json' }

const ENTROPY: ResourceEntry = {
  uri: ENTROPY_URI,
  name: 'entropy',
  title: 'Entropy report',
  description: 'Counts, orphans, stale entities, broken links and density of the graph, now.',
  ...MIME,
}

export function cortexResources(view: CortexView): Resources {
  const { graph } = view
  return {
    templates: [
      {
        uriTemplate: ENTITY_TEMPLATE,
        name: 'entity',
        title: 'Entity',
        description: 'One entity by its type (or category) and id.',
        ...MIME,
      },
      {
        uriTemplate: RELATIONS_TEMPLATE,
        name: 'relations',
        title: 'Relations of a month',
        description: 'The relations recorded in one month, such as 2026 and 02.',
        ...MIME,
      },
    ],
    async list(cursor) {
      const offset = parseCursor('cortex-resources', cursor)
      view.look()
      const end = offset + PAGE
      const first = offset === 0 ? [ENTROPY] : []
      return {
        items: [...first, ...listEntities(graph, offset, PAGE).flatMap(entryOf)],
        nextCursor: end < graph.entityCount ? makeCursor('cortex-resources', end) : undefined,
      }
    },
    async read(uri) {
      const named = parseUri(uri)
      if (!named) return undefined
      view.look()
      const content = contentOf(view, named)
      return content && [{ uri, ...MIME, text: JSON.stringify(content) }]
    },
    async complete(_template, variable, value, others) {
      view.look()
      const all = [...new Set(valuesOf(graph, variable, others))]
      const values = all.filter((each) => each.startsWith(value)).toSorted()
      return { values: values.slice(0, COMPLETIONS), total: values.length }
    },
  }
}

function entryOf(entity: Entity): readonly ResourceEntry[] {
  const { name, desc } = entity
  const uri = entityUri(entity)
  const description = cutText(desc, DESCRIPTION_LIMIT)
  return uri === undefined ? [] : [{ uri, name, ...(desc !== '' && { description }), ...MIME }]
}

function contentOf(view: CortexView, named: Named): object | undefined {
  switch (named.kind) {
    case 'entropy':
      return presentEntropy(view.entropy())
    case 'relations':
      return listRelationsOf(view.graph, named.month)
    case 'entity': {
      const found = named.candidates
        .map(({ type, id }) => findEntityOfType(view.graph, type, id))
        .find((entity) => entity !== undefined)
      return found && entityObject(found)
    }
    default:
      return named satisfies never
  }
}

function valuesOf(
  graph: EntityGraph,
  variable: string,
  others: Readonly<Record<string, string>>,
): readonly string[] {
  const { type, year } = others
  switch (variable) {
    case 'type':
      return Array.from(graph.entities(), (entity) => entity.type || entity.category)
    case 'id':
      return Array.from(graph.entities())
        .filter((entity) => !type || entity.type === type || entity.category === type)
        .map(({ id }) => id)
    case 'year':
      return graph.shards().map((shard) => shard.slice(0, 4))
    case 'month':
      return graph
        .shards()
        .filter((shard) => !year || shard.startsWith(year))
        .map((shard) => shard.slice(5))
    default:
      return []
  }
}
