/** All links of the base as one typed graph, loaded once for every state of the index. */
import type { DocNo } from '../../domain/document.ts'
import { piecesInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { graphSteps, moveNodes, NO_NODE, patchSteps } from '../../graph/graph.ts'
import type { Graph } from '../../graph/graph.ts'
import type { Edges, EdgeType } from '../../store/link-store.ts'
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
  /** Who mentions whom, where links are few; kept beside the index (`kept-links.ts`). */
  readonly mentions?: Mentions
}

export interface Mentions {
  /** All pairs, one behind the other. */
  readonly ends: readonly DocNo[]
  /** Whom a document mentions (`forward`) and who mentions it, each once. */
  of(doc: DocNo): readonly { readonly doc: DocNo; readonly forward: boolean }[]
}

export async function loadPathOrder(store: Pick<Store, 'pathOrder'>): Promise<PathOrder> {
  return pathOrderOf(await store.pathOrder())
}

export function pathOrderOf(docs: Uint32Array): PathOrder {
  const ranks = inverse(docs)
  return {
    docs,
    rank: (doc) => (docs[ranks[doc] ?? 0] === doc ? (ranks[doc] ?? docs.length) : docs.length),
  }
}

export async function loadLinkGraph(
  store: Pick<Store, 'edges'>,
  order: PathOrder,
): Promise<LinkGraph> {
  const edges = await store.edges()
  const graph = await stepsInSlices(linkSteps(edges, order))
  return { ...linkGraphOf(graph, order), types: edges.types }
}

/** So many links are looked up between two stops. */
const LINKS_AT_ONCE = 20_000

function* linkSteps(
  { from, to, type }: Pick<Edges, 'from' | 'to' | 'type'>,
  { docs, rank }: PathOrder,
): Steps<Graph> {
  const [starts, ends] = [new Uint32Array(from.length), new Uint32Array(from.length)]
  let known = true
  yield* piecesInSteps(from.length, LINKS_AT_ONCE, (first, end) => {
    for (let edge = first; edge < end; edge++) {
      starts[edge] = rank(from[edge]!)
      ends[edge] = rank(to[edge]!)
      known &&= starts[edge]! < docs.length && ends[edge]! < docs.length
    }
  })
  // A batch may land between the two reads; a link to a document not in the order is left out.
  const kept = known
    ? { from: starts, to: ends, type }
    : keep(starts, ends, type, (node) => node < docs.length)
  yield
  return yield* graphSteps({ nodeCount: docs.length, ...kept })
}

/** So many documents are asked for their links; of more, all links are read anew. */
const MOST_FOLLOWED = 500

/**
 * The same after documents came, went or got other links. `order` is of the same moment or newer.
 * Undefined where more than that has happened.
 */
export async function followLinks(
  store: Pick<Store, 'changesSince' | 'edges'>,
  before: LinkGraph,
  since: number,
  order: PathOrder,
): Promise<LinkGraph | undefined> {
  const { unnamed, putDocs, relinkedDocs } = await store.changesSince(since)
  if (unnamed || !relinkedDocs) return undefined
  const docs = new Set([...putDocs, ...relinkedDocs])
  if (docs.size > MOST_FOLLOWED) return undefined
  const edges = await store.edges(Uint32Array.from(docs))
  const same = order.docs === before.docs
  const places = same ? undefined : placesIn(order, before.docs)
  const numbers = edges.types.map((type) => numberOf(before.types, type))
  if (!same && !places) return undefined
  const rows = new Map<number, { to: number[]; type: number[] }>()
  for (const doc of docs) {
    const node = order.rank(doc)
    // It came or went while this was read.
    if (node === order.docs.length) return undefined
    rows.set(node, { to: [], type: [] })
  }
  for (const [edge, from] of edges.from.entries()) {
    const row = docs.has(from) ? rows.get(order.rank(from)) : undefined
    if (!row) continue
    const [node, number] = [order.rank(edges.to[edge]!), numbers[edges.type[edge]!]!]
    if (node === order.docs.length || number < 0) return undefined
    row.to.push(node)
    row.type.push(number)
  }
  const patching = function* (): Steps<Graph> {
    const moved = places ? moveNodes(before.graph, places, order.docs.length) : before.graph
    yield
    return yield* patchSteps(moved, rows)
  }
  const graph = await stepsInSlices(patching())
  return { ...linkGraphOf(graph, order), types: before.types }
}

export function linkGraphOf(graph: Graph, { docs, rank }: PathOrder): Omit<LinkGraph, 'types'> {
  const nodeOf = (doc: DocNo): number | undefined => {
    const node = rank(doc)
    return node < docs.length ? node : undefined
  }
  return { graph, docs, nodeOf }
}

/** Where the documents of another order stand in this one; undefined where they changed places. */
function placesIn({ docs, rank }: PathOrder, others: Uint32Array): Uint32Array | undefined {
  const places = new Uint32Array(others.length)
  let last = -1
  for (let at = 0; at < others.length; at++) {
    const place = rank(others[at]!)
    const isGone = place === docs.length
    if (!isGone && place <= last) return undefined
    if (!isGone) last = place
    places[at] = isGone ? NO_NODE : place
  }
  return places
}

/** A relation that came too late for a number of its own has the one they share, if there is one. */
export function numberOf(types: readonly EdgeType[], { kind, label }: EdgeType): number {
  const own = types.findIndex((type) => type.kind === kind && type.label === label)
  if (own >= 0 || kind !== 'relation') return own
  return types.findIndex((type) => type.kind === kind && type.label === undefined)
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

/**
 * Where each document number stands in a list of them. Made anew after every change of the list, so
 * it is two plain loops: with a function for each number it takes many times as long.
 */
function inverse(order: Uint32Array): Uint32Array {
  let size = 0
  for (let place = 0; place < order.length; place++) size = Math.max(size, order[place]! + 1)
  const places = new Uint32Array(size)
  for (let place = 0; place < order.length; place++) places[order[place]!] = place
  return places
}
