/** The four tools: two that add, one that searches and one that reports. */
import { z } from 'zod'
import { ENTITY_CATEGORIES, ENTITY_ID_LIMIT } from '../../core/domain/entity.ts'
import { entityObject, relationObject } from '../../core/domain/stored-entity.ts'
import type { ToolDefinition, ToolResult } from '../../serve/door/surface.ts'
import { definitionOf, rowsOf } from '../../serve/door/tool.ts'
import type { ToolRow } from '../../serve/door/tool.ts'
import { presentEntropy, presentFound } from './present.ts'
import type { CortexView } from './view.ts'

export type CortexRow = ToolRow<z.ZodObject, CortexView, any, ToolResult>
const tool = rowsOf<CortexView, ToolResult>()

/** `more` is what clients are told; whether a text fits is said in this surface's own sentences. */
function text(name: string, description: string, more: Readonly<Record<string, unknown>> = {}) {
  return z
    .string({ error: `${name} is required and must be a string` })
    .meta({ description, ...more })
}

const entity = z.looseObject({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  desc: z.string(),
  tags: z.array(z.string()),
  updated_at: z.string(),
})

const addEntity = tool({
  name: 'add_entity',
  title: 'Add an entity',
  description:
    'Add a new entity to the knowledge graph. It fails when the id exists in any category: entities are never changed. Search first. Example: {"category": "concepts", "id": "graph-db", "type": "tech", "name": "Graph DB", "desc": "A database for graphs"}',
  access: 'write',
  input: z.object({
    category: text('category', 'Where it is filed', { enum: ENTITY_CATEGORIES }),
    id: text('id', 'Unique slug in kebab-case, such as "graph-db"', {
      pattern: '^[a-z0-9-]+$',
      maxLength: ENTITY_ID_LIMIT,
    }),
    type: text('type', 'What it is, such as "concept" or "framework"', { minLength: 1 }),
    name: text('name', 'Name for people to read, on one line', { minLength: 1 }),
    desc: text('desc', 'Short description', { minLength: 1 }),
    tags: z
      .array(z.string({ error: 'tags must contain only strings' }), {
        error: 'tags must be a list of strings',
      })
      .optional()
      .describe('Default none'),
  }),
  output: z.object({ entity, category: z.string(), file: z.string() }),
  run: (view, input) => view.addEntity(input),
  present: ({ entity: added, category, file }) => ({
    texts: [`Successfully added entity '${added.id}' to category '${category}'.`],
    structured: { entity: entityObject(added), category, file },
  }),
})

const connectEntities = tool({
  name: 'connect_entities',
  title: 'Connect two entities',
  description:
    'Record a directed relation between two entities that exist; A to B does not imply B to A. Example: {"src": "rag", "rel": "uses", "dst": "graph-db"}',
  access: 'write',
  input: z.object({
    src: text('src', 'Id of the source entity'),
    rel: text('rel', 'Predicate, such as "uses" or "depends_on"', { minLength: 1, maxLength: 64 }),
    dst: text('dst', 'Id of the destination entity'),
    context: z
      .string({ error: 'context must be a string' })
      .optional()
      .describe('Why, or where this is from; default empty'),
  }),
  output: z.object({
    relation: z.looseObject({ src: z.string(), rel: z.string(), dst: z.string() }),
    created: z.boolean().describe('False: it was there already, and nothing was written'),
    file: z.string(),
  }),
  run: (view, input) => view.addRelation(input),
  present: ({ relation, created, file }) => {
    const arrow = `'${relation.src}' --[${relation.rel}]--> '${relation.dst}'`
    return {
      texts: [
        created ? `Successfully connected ${arrow}.` : `The link ${arrow} was already there.`,
      ],
      structured: { relation: relationObject(relation), created, file },
    }
  },
})

const searchKnowledge = tool({
  name: 'search_knowledge',
  title: 'Search entities',
  description:
    'Find entities by id, or by part of a name, description or tag, in any case and with small spelling mistakes. The best match comes first, 50 at most. Example: {"query": "retrieval"}',
  access: 'read',
  input: z.object({ query: text('query', 'Words to look for, or an id', { minLength: 1 }) }),
  output: z.object({
    results: z.array(entity.extend({ score: z.number().describe('1 for the id, less for less') })),
  }),
  run: async (view, { query }) => view.search(query),
  present: (found) => {
    const results = found.map(presentFound)
    return { texts: [JSON.stringify(results)], structured: { results } }
  },
})

const getEntropyReport = tool({
  name: 'get_entropy_report',
  title: 'Report on the health of the graph',
  description:
    'Analyse the graph now: how many entities and relations there are, which entities have no relation or were not touched for 30 days, which relations lead nowhere, how dense it is.',
  access: 'read',
  input: z.object({}),
  output: z.object({
    total_nodes: z.int(),
    total_edges: z.int(),
    orphan_nodes: z.array(z.string()),
    stale_nodes: z.array(z.string()),
    broken_links: z.array(z.string()),
    density: z.number(),
    generated_at: z.string(),
    stale_days: z.int(),
    warnings: z.array(z.string()).describe('Lines that could not be read'),
  }),
  run: async (view) => view.entropy(),
  present: (report) => {
    const structured = presentEntropy(report)
    return { texts: [JSON.stringify(structured)], structured }
  },
})

export const cortexTools: readonly CortexRow[] = [
  addEntity,
  connectEntities,
  searchKnowledge,
  getEntropyReport,
]

/** A tool without arguments says so in full, as the specification writes it. */
export function defineCortexTool(row: CortexRow): ToolDefinition {
  const definition = definitionOf(row)
  const { type, ...more } = definition.inputSchema
  return { ...definition, inputSchema: { type, properties: {}, required: [], ...more } }
}
