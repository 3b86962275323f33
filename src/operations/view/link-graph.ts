/** All links of the base as one typed graph, loaded once for every state of the index. */
import type { DocNo } from '../../domain/document.ts'
import { buildGraph } from '../../graph/graph.ts'
import type { Graph } from '../../graph/graph.ts'
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
