/** The tools of this surface in the order clients see them: search, reading, writing. */
import { z } from 'zod'
import { invalid } from '../../core/domain/error.ts'
import { checkNoteLinks } from '../../core/operations/reading/check-notes.ts'
import { findSimilarNotes, findTaggedNotes } from './operations/find-notes.ts'
import type { View } from '../../core/operations/view/view.ts'
import { findNote, readNotes } from '../../core/operations/reading/read-notes.ts'
import { pickRandom, reportHubs } from '../../core/operations/reporting/report-insights.ts'
import { pathBetween } from '../../core/operations/walking/find-path.ts'
import { findNoteContext, listNoteNeighbors } from './operations/walk-notes.ts'
import { createNote, deleteNote, updateNote } from './operations/write-notes.ts'
import type { Author, WrittenNote } from './operations/write-notes.ts'
import type { CallContext } from '../../serve/door/surface.ts'
import {
  choice,
  depth,
  flag,
  limit,
  optionalNumber,
  optionalTags,
  optionalText,
  requiredTags,
  requiredText,
} from './fields.ts'
import {
  CONTENT,
  NEIGHBORS_SHOWN,
  nodeAnswer,
  nodesAnswer,
  presentContext,
  presentNode,
  presentWithoutContent,
} from './present.ts'
import type { Answer } from './present.ts'
import { listNodes, nodesExist, resolveNodes } from './list-tools.ts'
import { extractNodeEntities, suggestNodeTags, summarizeNode } from './model-tools.ts'
import { idField, tool, warned } from './row.ts'
import { findNode, idOf } from './view.ts'
import type { RouxRow } from './row.ts'
import { aboutLink } from './warnings.ts'

const linked = z.object({ id: z.string(), title: z.string() })
const node = z.looseObject({
  id: z.string(),
  title: z.string(),
  content: z.string().optional(),
  tags: z.array(z.string()),
  links: z.array(linked),
})
const oneNode = z.object({ node: node.nullable(), ...warned })
const manyNodes = z.object({ nodes: z.array(node), ...warned })

const search = tool({
  name: 'search',
  title: 'Search by meaning',
  description:
    'Find nodes whose meaning is closest to the query, each with a score from 0 to 1. Example: {"query": "how sourdough rises", "limit": 5}',
  access: 'read',
  needs: ['embedder'],
  input: z.object({
    query: requiredText('query', 'What to look for, in plain words'),
    limit: limit(10, 50),
  }),
  output: manyNodes,
  run: (kb, { query, limit: count }) => findSimilarNotes(kb, query, count),
  present: (found) =>
    nodesAnswer(found.map(({ note, score }) => ({ ...presentNode(note, CONTENT.list), score }))),
})

const getNode = tool({
  name: 'get_node',
  title: 'Read a node',
  description:
    'A node by id: title, content, tags and links; null when there is none. With depth 1 also its neighbors and how many there are. Example: {"id": "notes/tea.md", "depth": 1}',
  access: 'read',
  input: z.object({ id: idField, depth }),
  output: oneNode,
  run: async (kb, { id, depth: around }) => {
    const named = await idOf(kb, id)
    return around === 0 ? findNote(kb, named) : findNoteContext(kb, named, NEIGHBORS_SHOWN)
  },
  present: (found) =>
    nodeAnswer(found && ('note' in found ? presentContext(found) : presentNode(found))),
})

const getNeighbors = tool({
  name: 'get_neighbors',
  title: 'Linked nodes',
  description:
    'Nodes that link to a node (in), that it links to (out), or both. Example: {"id": "notes/tea.md", "direction": "in"}',
  access: 'read',
  input: z.object({
    id: idField,
    direction: choice('direction', ['in', 'out', 'both'], 'both'),
    limit: limit(20, 50),
    include_content: flag(true, 'Default true'),
  }),
  output: manyNodes,
  run: async (kb, { id, direction, limit: count }) =>
    listNoteNeighbors(kb, await idOf(kb, id), { direction, limit: count }),
  present: (found, { include_content: whole }) =>
    nodesAnswer(
      found.map((note) => (whole ? presentNode(note, CONTENT.list) : presentWithoutContent(note))),
    ),
})

const findPath = tool({
  name: 'find_path',
  title: 'Path between nodes',
  description:
    'Ids along the shortest path from source to target that follows links forwards; null when there is none. Example: {"source": "a.md", "target": "notes/b.md"}',
  access: 'read',
  input: z.object({
    source: requiredText('source', 'Id of the first node'),
    target: requiredText('target', 'Id of the last node'),
  }),
  output: z.object({
    path: z.array(z.string()).nullable(),
    length: z.int().optional().describe('Links on the way'),
    ...warned,
  }),
  run: async (kb, { source, target }) => {
    const [from, to] = [await findNode(kb, source), await findNode(kb, target)]
    const forwards = { directed: true, maxHops: Infinity }
    return from && to && pathBetween(kb, from.doc, to.doc, forwards)
  },
  present: (steps) => {
    if (!steps) return { value: null, structured: { path: null } }
    const path = steps.map(({ id }) => id)
    return { value: path, structured: { path, length: path.length - 1 } }
  },
})

const METRICS = { in_degree: 'in', out_degree: 'out', pagerank: 'pagerank' } as const

const getHubs = tool({
  name: 'get_hubs',
  title: 'Central nodes',
  description:
    'The most central nodes with their scores, highest first: by links in, links out or PageRank. Example: {"metric": "pagerank", "limit": 5}',
  access: 'read',
  input: z.object({
    metric: choice('metric', ['in_degree', 'out_degree', 'pagerank'], 'in_degree'),
    limit: limit(10, 50),
  }),
  output: z.object({ hubs: z.array(linked.extend({ score: z.number() })), ...warned }),
  run: (kb, { metric, limit: count }) => reportHubs(kb, { metric: METRICS[metric], limit: count }),
  present: (found) => {
    const hubs = found.map(({ id, title, score }) => ({ id, title, score }))
    return { value: hubs, structured: { hubs } }
  },
})

const searchByTags = tool({
  name: 'search_by_tags',
  title: 'Nodes by tag',
  description:
    'Nodes that have any or all of the tags of their front matter, in any case. Example: {"tags": ["recipe", "bread"], "mode": "all"}',
  access: 'read',
  input: z.object({
    tags: requiredTags,
    mode: choice('mode', ['any', 'all'], 'any'),
    limit: limit(20, 100),
  }),
  output: manyNodes,
  run: async (kb, { tags, mode, limit: count }) => {
    const docs = await findTaggedNotes(kb, tags, mode)
    return readNotes(kb, docs.slice(0, count))
  },
  present: (found) => nodesAnswer(found.map((note) => presentNode(note, CONTENT.list))),
})

const randomNode = tool({
  name: 'random_node',
  title: 'Some node',
  description:
    'A node picked at random, of those with any of the tags where some are given; null when there is none to pick. Example: {"tags": ["idea"]}',
  access: 'read',
  input: z.object({
    tags: optionalTags('Only nodes with one of these'),
    seed: optionalNumber('The same seed picks the same node'),
  }),
  output: oneNode,
  run: async (kb, { tags, seed }) => {
    // An empty list leaves nobody out, as for a caller who fills in every argument.
    const tagged = tags?.length ? await findTaggedNotes(kb, tags, 'any') : undefined
    const among = tagged ?? (await kb.names.now()).all.map(({ doc }) => doc)
    const picked = await pickRandom(kb, { seed, among })
    return picked && (await readNotes(kb, [picked.no]))[0]
  },
  present: (note) => nodeAnswer(note && presentNode(note)),
})

const createNode = tool({
  name: 'create_node',
  title: 'Create a node',
  description:
    'Write a new note; its file is named after the title, and a slash in the title makes a folder. Fails when the node exists. Example: {"title": "Meeting Notes", "content": "See [[lemon]].", "tags": ["meeting"], "directory": "meetings"}',
  access: 'write',
  input: z.object({
    title: requiredText('title', 'Shown title'),
    content: requiredText('content', 'Markdown; [[links]] become edges'),
    tags: optionalTags('Default none', []),
    directory: optionalText('directory', 'Folder below the root'),
  }),
  output: oneNode,
  run: async (kb, { title, content, tags = [], directory }, call) =>
    asWritten(kb, await createNote(kb, { title, content, tags, directory }, authorOf(call))),
  present: writtenAnswer,
})

const updateNode = tool({
  name: 'update_node',
  title: 'Change a node',
  description:
    'Replace the title, content or tags of a node; at least one of them. Other front matter and the id stay. A node that others link to gets a new title only with update_links. Example: {"id": "notes/tea.md", "tags": ["drink"]}',
  access: 'write',
  input: z.object({
    id: idField,
    title: optionalText('title', 'New title'),
    content: optionalText('content', 'New Markdown, in place of all there is'),
    tags: optionalTags('New tags, in place of all there are'),
    update_links: flag(false, 'Put the new title into links that say the old one'),
  }),
  output: oneNode,
  run: async (kb, { id, title, content, tags, update_links: updateLinks }, call) => {
    if (title === undefined && content === undefined && tags === undefined) {
      throw invalid('At least one of title, content or tags must be provided', '')
    }
    if (title?.trim() === '') throw invalid('title must be a non-empty string', '')
    const update = { title, content, tags, updateLinks }
    return asWritten(kb, await updateNote(kb, await idOf(kb, id), update, authorOf(call)))
  },
  present: writtenAnswer,
})

const deleteNode = tool({
  name: 'delete_node',
  title: 'Delete a node',
  description:
    'Delete a node and its file: true when it was there, false when not. Links to it stay and lead nowhere. Example: {"id": "notes/old.md"}',
  access: 'delete',
  input: z.object({ id: idField }),
  output: z.object({ deleted: z.boolean(), ...warned }),
  run: async (kb, { id }, call) => deleteNote(kb, await idOf(kb, id), authorOf(call)),
  present: (result) => {
    const deleted = result !== undefined
    return { value: deleted, structured: { deleted } }
  },
})

function authorOf({ client, principal }: CallContext): Author {
  return { client, principal }
}

/** The node as it is now, with what is wrong with its links. */
async function asWritten(kb: View, written: WrittenNote) {
  const { noteId } = written
  const note = await findNote(kb, noteId)
  return { written, note, trouble: await checkNoteLinks(kb, noteId) }
}

function writtenAnswer({ written, note, trouble }: Awaited<ReturnType<typeof asWritten>>): Answer {
  const { path, digest = '' } = written
  const others = written.warnings.filter(({ kind }) => kind !== 'broken_link')
  return {
    ...nodeAnswer(note && presentNode(note)),
    written: { path, digest },
    warnings: [...others.map(({ message }) => message), ...trouble.map(aboutLink)],
  }
}

export const rouxTools: readonly RouxRow[] = [
  search,
  getNode,
  getNeighbors,
  findPath,
  getHubs,
  searchByTags,
  randomNode,
  listNodes,
  resolveNodes,
  nodesExist,
  createNode,
  updateNode,
  deleteNode,
  summarizeNode,
  suggestNodeTags,
  extractNodeEntities,
]
