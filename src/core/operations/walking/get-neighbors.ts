/** A document together with everything a few links away. */
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { pictureType } from '../../domain/picture.ts'
import { edgeTypes as graphEdgeTypes } from '../../graph/graph.ts'
import { neighborPaths, neighbors } from '../../graph/neighbors.ts'
import type { Direction } from '../../graph/neighbors.ts'
import { subgraph } from '../../graph/subgraph.ts'
import { lastSegment } from '../../kit/paths.ts'
import { hasEntities } from '../../indexing/indexer.ts'
import { findGhost } from './list-ghosts.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import { edgeTypes, numbersOf, parseEdgeTypes } from '../view/edge-types.ts'
import { outgoingLinks } from '../reading/fetch-document.ts'
import { labelDocuments } from '../reading/label-documents.ts'
import type { LinkedDocument } from '../reading/label-documents.ts'
import type { ScopedLinks, View } from '../view/view.ts'
import { readDocuments } from '../reading/read-document.ts'
import { resolveDocument } from '../reading/resolve-document.ts'
import { mentionsIn, mentionsOf } from './find-mentions.ts'

export interface NeighborsOptions {
  readonly direction?: Direction
  /**
   * `LINKS_TO`, `DESCRIBES`, `RELATES` or `RELATES:<predicate>`; all that are written unless said.
   * Names in prose (`MENTIONS`) are read from the texts, and only of the origin.
   */
  readonly types?: readonly string[]
  readonly depth?: number
  readonly limit?: number
  readonly cursor?: string
}

export interface NeighborDocument extends LinkedDocument {
  readonly hops: number
  /** How it is linked to the document before it on the way. */
  readonly direction: Direction
  /** What leads there from the document before it; undefined where there are only links. */
  readonly types: readonly string[] | undefined
  /** Ids between the origin and this document, both left out. */
  readonly through: readonly string[]
  /** What says its name, or the origin's, and in which line: only of mentions in prose. */
  readonly sentence?: string
  readonly line?: number
}

export interface Neighborhood {
  readonly id: string
  readonly title: string
  /** False where links lead to a note that nobody has written yet. */
  readonly exists: boolean
  readonly neighbors: readonly NeighborDocument[]
  readonly total: number
  /** Links among the origin and the neighbours of this page, as ids. */
  readonly edges: readonly Edge[]
  /** What the origin links to and nobody has written yet. */
  readonly unresolved: readonly string[]
  readonly nextCursor: string | undefined
  /** Remarks on how the past was read. */
  readonly notes?: readonly string[]
}

export interface Edge {
  readonly from: string
  readonly to: string
  readonly types: readonly string[] | undefined
}

const DEFAULT_LIMIT = 20

export async function getNeighbors(
  kb: View,
  id: string,
  options: NeighborsOptions = {},
): Promise<Neighborhood> {
  try {
    return await around(kb, await resolveDocument(kb, id), options)
  } catch (error) {
    const isMissing = error instanceof KnowledgeError && error.code === 'not_found'
    const found = isMissing
      ? ((await wanting(kb, id, options)) ?? (await aroundPicture(kb, id, options)))
      : undefined
    if (found) return found
    throw error
  }
}

async function around(
  kb: View,
  origin: DocumentRecord,
  options: NeighborsOptions,
): Promise<Neighborhood> {
  const { direction = 'both', depth = 1, limit = DEFAULT_LIMIT, cursor, types } = options
  const chosen = types?.length ? parseEdgeTypes(types) : undefined
  const question = ['neighbors', origin.no, direction, depth, types]
  const offset = parseCursor(question, cursor)
  const links = await kb.links()
  const { graph, docs, nodeOf } = links
  const within = chosen ? { ...links.within, types: numbersOf(links, chosen) } : links.within
  const node = nodeOf(origin.no)
  const found = node === undefined ? [] : neighbors(graph, node, { direction, depth, ...within })
  const paths = node === undefined ? [] : neighborPaths(node, found)
  const known = new Set(found.map((each) => docs[each.node]!))
  const mentions =
    chosen?.kinds.includes('mention') && depth > 0
      ? (await mentionedAround(kb, origin, direction)).filter(({ doc }) => !known.has(doc))
      : []
  const page = found.slice(offset, offset + limit)
  const shown = [...(node === undefined ? [] : [node]), ...page.map((each) => each.node)]
  const onTheWay = paths.slice(offset, offset + limit).flat()
  const labelOf = await labelNodes(kb, docs, [...shown, ...onTheWay])
  const spoken = mentions.slice(
    Math.max(0, offset - found.length),
    Math.max(0, offset + limit - found.length),
  )
  const total = found.length + mentions.length
  const end = offset + page.length + spoken.length
  const neighborhood: NeighborDocument[] = []
  for (const [index, each] of page.entries()) {
    const way = paths[offset + index]!
    neighborhood.push({
      ...labelOf(each.node),
      hops: each.hops,
      direction: each.relation,
      types: await typesBetween(kb, links, way.at(-2)!, each.node),
      through: way.slice(1, -1).map((between) => labelOf(between).id),
    })
  }
  const edges: Edge[] = []
  for (const { from, to } of distinctPairs(subgraph(graph, shown, within).edges)) {
    const types = await typesOfEdge(kb, links, from, to)
    edges.push({ from: labelOf(from).id, to: labelOf(to).id, types })
  }
  const id = documentId(origin)
  for (const { neighbor } of spoken) {
    neighborhood.push(neighbor)
    const ends = { from: id, to: neighbor.id, types: neighbor.types }
    if (neighbor.direction !== 'in') edges.push(ends)
    if (neighbor.direction !== 'out') edges.push({ ...ends, from: ends.to, to: ends.from })
  }
  return {
    id,
    title: origin.title,
    exists: true,
    neighbors: neighborhood,
    total,
    edges,
    unresolved: (await outgoingLinks(kb, origin)).unresolved,
    nextCursor: end < total ? makeCursor(question, end) : undefined,
  }
}

/** Whom a document mentions in its prose and who mentions it, each once, in the order of ids. */
async function mentionedAround(
  kb: View,
  origin: DocumentRecord,
  direction: Direction,
): Promise<readonly { readonly doc: DocNo; readonly neighbor: NeighborDocument }[]> {
  const [live] = direction === 'in' ? [] : await readDocuments(kb, [origin.no])
  const out = live ? await mentionsIn(kb, live) : []
  const into = direction === 'out' ? [] : await mentionsOf(kb, origin)
  const back = new Map(into.map((each) => [each.from.no, each]))
  const all = new Map([...back, ...out.map((each) => [each.to, each] as const)])
  const labels = await labelDocuments(kb, [...all.keys()])
  const forth = new Set(out.map(({ to }) => to))
  const found = [...all].flatMap(([doc, { sentence, line }]) => {
    const label = labels.get(doc)
    if (!label) return []
    const way = forth.has(doc) ? (back.has(doc) ? 'both' : 'out') : 'in'
    const neighbor: NeighborDocument = {
      ...label,
      hops: 1,
      direction: way,
      types: ['MENTIONS'],
      through: [],
      sentence,
      line,
    }
    return [{ doc, neighbor }]
  })
  return found.toSorted((a, b) => compareIds(a.neighbor.id, b.neighbor.id))
}

/** A note that does not exist yet is a node as well: who links to it wants it. */
async function wanting(
  kb: View,
  id: string,
  { direction, limit = DEFAULT_LIMIT, cursor }: NeighborsOptions,
): Promise<Neighborhood | undefined> {
  const ghost = await findGhost(kb, id)
  if (!ghost) return undefined
  const question = ['wanting', ghost.target]
  const offset = parseCursor(question, cursor)
  const from = direction === 'out' ? [] : ghost.from
  const page = from.slice(offset, offset + limit)
  const labels = await labelDocuments(kb, page)
  const end = offset + page.length
  return {
    id: ghost.target,
    title: ghost.target,
    exists: false,
    neighbors: page.flatMap((doc) => {
      const label = labels.get(doc)
      const hop = { hops: 1, direction: 'in', types: undefined, through: [] } as const
      return label ? [{ ...label, ...hop }] : []
    }),
    total: from.length,
    edges: [],
    unresolved: [],
    nextCursor: end < from.length ? makeCursor(question, end) : undefined,
  }
}

/** A picture is no node of the graph; the notes that show it are around it. */
async function aroundPicture(
  kb: View,
  id: string,
  { direction, limit = DEFAULT_LIMIT, cursor }: NeighborsOptions,
): Promise<Neighborhood | undefined> {
  if (pictureType(id) === undefined) return undefined
  const { findPicture } = await import('../reading/find-picture.ts')
  const { notesThatShow } = await import('../reading/describe-picture.ts')
  const place = await findPicture(kb, id)
  if (!place) return undefined
  const picture = documentId(place)
  const question = ['picture', picture]
  const offset = parseCursor(question, cursor)
  const notes = direction === 'out' ? [] : await notesThatShow(kb, place)
  const page = notes.slice(offset, offset + limit)
  const end = offset + page.length
  const neighbors: NeighborDocument[] = []
  for (const record of page) {
    const label = { id: await kb.nameOf(record), title: kb.titleOf(record) }
    neighbors.push({ ...label, hops: 1, direction: 'in', types: undefined, through: [] })
  }
  return {
    id: picture,
    title: lastSegment(place.path),
    exists: true,
    neighbors,
    total: notes.length,
    edges: [],
    unresolved: [],
    nextCursor: end < notes.length ? makeCursor(question, end) : undefined,
  }
}

/** What leads from one node to another, either way. Said only where there is more than links. */
export async function typesBetween(
  kb: View,
  links: ScopedLinks,
  a: number,
  b: number,
): Promise<readonly string[] | undefined> {
  const there = await typesAlong(kb, links, a, b)
  const back = await typesAlong(kb, links, b, a)
  return unlessPlain(kb, [...new Set([...there, ...back])].toSorted())
}

async function typesOfEdge(
  kb: View,
  links: ScopedLinks,
  from: number,
  to: number,
): Promise<readonly string[] | undefined> {
  return unlessPlain(kb, await typesAlong(kb, links, from, to))
}

/** In a base of notes, that a link is a link goes without saying. */
function unlessPlain({ sources }: View, types: readonly string[]): readonly string[] | undefined {
  const all = [...sources.values()]
  const isTold = hasEntities(all) || all.some(({ holdsCode }) => holdsCode)
  return isTold || types.some((type) => type !== 'LINKS_TO') ? types : undefined
}

async function typesAlong(
  { store }: View,
  { graph, docs, types }: ScopedLinks,
  from: number,
  to: number,
): Promise<readonly string[]> {
  const found = graphEdgeTypes(graph, from, to).map((number) => types[number]!)
  // Of very many predicates, some share a number; which it is the store knows.
  const unclear = found.some(({ kind, label }) => kind === 'relation' && label === undefined)
  return edgeTypes(unclear ? await store.linksBetween(docs[from]!, docs[to]!) : found)
}

/** One for all links between two nodes in one direction. */
function distinctPairs<Pair extends { readonly from: number; readonly to: number }>(
  edges: readonly Pair[],
): readonly Pair[] {
  return edges.filter(
    ({ from, to }, index) => from !== edges[index - 1]?.from || to !== edges[index - 1]?.to,
  )
}

/** Ids and titles of graph nodes. */
export async function labelNodes(
  kb: View,
  docs: Uint32Array,
  nodes: readonly number[],
): Promise<(node: number) => LinkedDocument> {
  const labels = await labelDocuments(
    kb,
    nodes.map((node) => docs[node]!),
  )
  // Gone since the graph was read; the next question will not see it.
  return (node) => labels.get(docs[node]!) ?? { id: '(deleted)', title: '(deleted)' }
}
