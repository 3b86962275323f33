/** All links of the base as one typed graph, loaded once for every state of the index. */
import type { DocNo, LinkRecord } from '../../domain/document.ts'
import { buildGraph, patchGraph } from '../../graph/graph.ts'
import type { Graph, Outgoing } from '../../graph/graph.ts'
import type { EdgeType } from '../../store/link-store.ts'
import type { Store } from '../../store/store.ts'

/** Every document in the order of sources and paths. */
export interface PathOrder {
  readonly docs: Uint32Array
  /** Position of a document, for ties. Stale numbers sort last. */
  readonly rank: (doc: DocNo) => number
}

export interface LinkGraph {
  readonly graph: Graph
  /** What the numbers of its edges mean. */
  readonly types: readonly EdgeType[]
  /** Node numbers follow the order of paths, so "smallest node" means "alphabetically first". */
  readonly docs: Uint32Array
  nodeOf(doc: DocNo): number | undefined
}

export async function loadPathOrder(store: Pick<Store, 'pathOrder'>): Promise<PathOrder> {
  const docs = await store.pathOrder()
  const ranks = inverse(docs)
  return {
    docs,
    rank: (doc) => (docs[ranks[doc] ?? 0] === doc ? (ranks[doc] ?? docs.length) : docs.length),
  }
}

export async function loadLinkGraph(
  store: Pick<Store, 'edges'>,
  { docs, rank }: PathOrder,
): Promise<LinkGraph> {
  const { from, to, type, types } = await store.edges()
  const nodeOf = (doc: DocNo): number | undefined => {
    const node = rank(doc)
    return node < docs.length ? node : undefined
  }
  const [starts, ends] = [from.map(rank), to.map(rank)]
  // A batch may land between the two reads; a link to a document not in the order is left out.
  const known = starts.every((node, edge) => node < docs.length && ends[edge]! < docs.length)
  const kept = known
    ? { from: starts, to: ends, type }
    : keep(starts, ends, type, (node) => node < docs.length)
  return { graph: buildGraph({ nodeCount: docs.length, ...kept }), types, docs, nodeOf }
}

/** So many documents are asked for their links one by one; of more, all links are read anew. */
const MOST_FOLLOWED = 50

/** The same after some documents got other links. Undefined where more than that has happened. */
export async function followLinks(
  store: Pick<Store, 'changesSince' | 'linksFrom'>,
  before: LinkGraph,
  since: number,
): Promise<LinkGraph | undefined> {
  const { unnamed, listChanged, putDocs, relinkedDocs } = await store.changesSince(since)
  // Nodes are in the order of paths: who comes or goes moves all others.
  if (unnamed || listChanged || !relinkedDocs) return undefined
  const docs = new Set([...putDocs, ...relinkedDocs])
  if (docs.size > MOST_FOLLOWED) return undefined
  const rows = new Map<number, Outgoing>()
  for (const doc of docs) {
    const node = before.nodeOf(doc)
    const row = outgoing(before, await store.linksFrom(doc))
    if (node === undefined || !row) return undefined
    rows.set(node, row)
  }
  return { ...before, graph: patchGraph(before.graph, rows) }
}

/** Undefined for a link that the graph has no number for. */
function outgoing(
  { types, nodeOf }: LinkGraph,
  links: readonly LinkRecord[],
): Outgoing | undefined {
  const resolved = links.flatMap(({ kind, label = '', to }) => {
    const number = types.findIndex(
      (type) => type.kind === kind && (kind !== 'relation' || type.label === label),
    )
    return to === undefined ? [] : [{ node: nodeOf(to) ?? -1, number }]
  })
  if (resolved.some(({ node, number }) => node < 0 || number < 0)) return undefined
  return { to: resolved.map(({ node }) => node), type: resolved.map(({ number }) => number) }
}

function keep(
  from: Uint32Array,
  to: Uint32Array,
  type: Uint8Array,
  isNode: (node: number) => boolean,
): { from: Uint32Array; to: Uint32Array; type: Uint8Array } {
  const both = (edge: number): boolean => isNode(from[edge]!) && isNode(to[edge]!)
  return {
    from: from.filter((_, edge) => both(edge)),
    to: to.filter((_, edge) => both(edge)),
    type: type.filter((_, edge) => both(edge)),
  }
}

/** Where each document number stands in a list of them. */
function inverse(order: Uint32Array): Uint32Array {
  const size = order.reduce((largest, doc) => Math.max(largest, doc + 1), 0)
  const places = new Uint32Array(size)
  order.forEach((doc, place) => {
    places[doc] = place
  })
  return places
}
