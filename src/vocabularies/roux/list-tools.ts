/** Tools that came after the specification: which nodes there are, and which are meant. */
import { z } from 'zod'
import { listNotes } from './operations/list-notes.ts'
import type { ListedNote } from './operations/list-notes.ts'
import { unavailable } from '../../core/domain/error.ts'
import { rankNames } from './operations/find-notes.ts'
import { resolveNames } from './operations/resolve-names.ts'
import { choice, limit, offset, optionalText, requiredTexts, share } from './fields.ts'
import { tool, warned } from './row.ts'
import { findNode } from './view.ts'

const filter = {
  tag: optionalText('tag', 'Only nodes with this tag in their front matter, in any case'),
  path: optionalText('path', 'Only nodes whose path begins so, in any case'),
}

export const listNodes = tool({
  name: 'list_nodes',
  title: 'List nodes',
  description:
    'Ids and titles of nodes by tag and path, a page at a time, with how many there are. Example: {"path": "meetings/", "limit": 20}',
  access: 'read',
  input: z.object({ ...filter, limit: limit(100, 1_000), offset: offset() }),
  output: z.object({
    nodes: z.array(z.object({ id: z.string(), title: z.string() })),
    total: z.int(),
    ...warned,
  }),
  run: (kb, { tag, path }) => listNotes(kb, { tag, path }),
  present: (all: readonly ListedNote[], { limit: count, offset: first }) => {
    const page = { nodes: all.slice(first, first + count), total: all.length }
    return { value: page, structured: page }
  },
})

export const resolveNodes = tool({
  name: 'resolve_nodes',
  title: 'Nodes that names mean',
  description:
    'For each name the id of the node it means, or null: exact by title in any case, fuzzy by letters (for slips), semantic by meaning (for other words). Example: {"names": ["sourdogh"]}',
  access: 'read',
  input: z.object({
    names: requiredTexts('names', 'Names of nodes, as somebody wrote them'),
    strategy: choice('strategy', ['exact', 'fuzzy', 'semantic'], 'fuzzy'),
    threshold: share('threshold', 0.7, 'How alike they have to be, from 0 to 1; not for exact'),
    ...filter,
  }),
  output: z.object({
    results: z.array(
      z.object({ query: z.string(), match: z.string().nullable(), score: z.number() }),
    ),
    ...warned,
  }),
  run: async (kb, { names, strategy, threshold, tag, path }) => {
    const notes = await listNotes(kb, { tag, path })
    if (strategy !== 'semantic') {
      return resolveNames(names, notes, strategy === 'exact' ? 1 : threshold)
    }
    if (!kb.similar) {
      const message = 'Semantic resolution requires embedding provider'
      throw unavailable(message, 'Use the strategy fuzzy.')
    }
    return rankNames(kb, names, notes, threshold)
  },
  present: (results) => ({ value: results, structured: { results } }),
})

export const nodesExist = tool({
  name: 'nodes_exist',
  title: 'Whether nodes exist',
  description:
    'For each id whether there is such a node. Example: {"ids": ["notes/tea.md", "notes/nope.md"]}',
  access: 'read',
  input: z.object({ ids: requiredTexts('ids', 'Ids of nodes, or ids of their front matter') }),
  output: z.object({ exists: z.record(z.string(), z.boolean()), ...warned }),
  run: async (kb, { ids }) => {
    const found: [string, boolean][] = []
    for (const id of ids) found.push([id, (await findNode(kb, id)) !== undefined])
    return Object.fromEntries(found)
  },
  present: (exists) => ({ value: exists, structured: { exists } }),
})
