/**
 * How are things connected? A graph is two tables of rows, one per direction, in flat typed arrays
 * (compressed sparse rows): the links of node `n` are `row.node[row.start[n] … row.start[n + 1])`.
 * A million links take about 11 MB and no objects. Nodes are the numbers 0 … nodeCount - 1; which
 * number stands for which document is the caller's business.
 */
import { atOnce } from '../kit/slices.ts'
import type { Steps } from '../kit/slices.ts'

/** The links of every node in one direction, each row sorted by neighbour, then by type. */
export interface Rows {
  /** One more entry than there are nodes, so that every row has an end. */
  readonly start: Uint32Array
  readonly node: Uint32Array
  readonly type: Uint8Array
}

/** Never changes once built: an edit makes a new graph with `patchGraph`. */
export interface Graph {
  readonly nodeCount: number
  /** Distinct (from, to, type); a node may link to itself. */
  readonly edgeCount: number
  readonly out: Rows
  readonly in: Rows
  /** True when no two nodes are joined by more than one type, so that rows hold nobody twice. */
  readonly distinctPairs: boolean
}

/** As much of a graph as it is built from. */
export type OutgoingLinks = Pick<Graph, 'nodeCount' | 'edgeCount' | 'out'>

export interface EdgeList {
  readonly nodeCount: number
  readonly from: Uint32Array
  readonly to: Uint32Array
  /** A number from 0 to 255 per link; all 0 when left out. */
  readonly type?: Uint8Array
}

/** The links that start at one node. */
export interface Outgoing {
  readonly to: ArrayLike<number>
  readonly type?: ArrayLike<number>
}

/** Edges in any order, repeats allowed. Linear in nodes plus edges. */
export function buildGraph(edges: EdgeList): Graph {
  return atOnce(graphSteps(edges))
}

/**
 * The same in steps, each of which goes through all links once, for whoever has others to answer.
 */
export function* graphSteps({ nodeCount, from, to, type }: EdgeList): Steps<Graph> {
  if (from.length !== to.length || (type && type.length !== from.length)) {
    throw new RangeError('from, to and type must have the same length')
  }
  // Gathering by target and then by source leaves every outgoing row sorted by target: two
  // counting sorts, where sorting each row by itself would cost several times as much.
  const gathered = gather(nodeCount, to, from, type ?? new Uint8Array(from.length))
  yield
  const transposed = transpose(gathered)
  yield
  const rows = collapse(transposed)
  yield
  return yield* graphOf(rows)
}

/**
 * The graph after some nodes got new outgoing links, and perhaps after nodes were added at the end
 * (`nodeCount` may grow). Outgoing rows are copied in blocks and the incoming ones derived anew,
 * which costs a small fraction of reading every link again and keeps this short.
 */
export function patchGraph(
  graph: OutgoingLinks,
  changes: ReadonlyMap<number, Outgoing>,
  nodeCount = graph.nodeCount,
): Graph {
  return atOnce(patchSteps(graph, changes, nodeCount))
}

export function* patchSteps(
  graph: OutgoingLinks,
  changes: ReadonlyMap<number, Outgoing>,
  nodeCount = graph.nodeCount,
): Steps<Graph> {
  if (nodeCount < graph.nodeCount) throw new RangeError('a patched graph cannot lose nodes')
  const changed = [...changes.keys()].toSorted((a, b) => a - b)
  const rows = changed.map((node) => packRow(changes.get(node)!, nodeCount))
  for (const node of changed) checkNode(node, nodeCount)

  let edges = graph.edgeCount
  for (const [i, node] of changed.entries()) {
    edges += rows[i]!.length - (node < graph.nodeCount ? rowLength(graph.out, node) : 0)
  }
  const start = new Uint32Array(nodeCount + 1)
  const node = new Uint32Array(edges)
  const type = new Uint8Array(edges)
  let done = 0
  let write = 0

  const keepUntil = (end: number): void => {
    const last = Math.min(end, graph.nodeCount)
    if (done < last) {
      const first = graph.out.start[done]!
      const shift = write - first
      node.set(graph.out.node.subarray(first, graph.out.start[last]), write)
      type.set(graph.out.type.subarray(first, graph.out.start[last]), write)
      for (; done < last; done++) start[done] = graph.out.start[done]! + shift
      write = graph.out.start[last]! + shift
    }
    for (; done < end; done++) start[done] = write
  }

  for (const [i, replaced] of changed.entries()) {
    keepUntil(replaced)
    start[done++] = write
    for (const key of rows[i]!) {
      node[write] = Math.floor(key / 256)
      type[write++] = key % 256
    }
  }
  keepUntil(nodeCount)
  start[nodeCount] = write
  yield
  return yield* graphOf({ start, node, type })
}

/** Stands for the new number of a node that goes. */
export const NO_NODE = 0xffffffff

/**
 * The same links after nodes came or went: `places[n]` is the number that node `n` has now. Those
 * that stay keep their order, so every row stays sorted; links to a node that goes are left out.
 */
export function moveNodes(
  { nodeCount: before, edgeCount, out }: OutgoingLinks,
  places: Uint32Array,
  nodeCount: number,
): OutgoingLinks {
  const start = new Uint32Array(nodeCount + 1)
  const node = new Uint32Array(edgeCount)
  const type = new Uint8Array(edgeCount)
  let write = 0
  let next = 0
  for (let n = 0; n < before; n++) {
    const place = places[n]!
    if (place === NO_NODE) continue
    if (place < next) throw new RangeError('nodes that stay must keep their order')
    checkNode(place, nodeCount)
    while (next <= place) start[next++] = write
    const end = out.start[n + 1]!
    for (let k = out.start[n]!; k < end; k++) {
      const target = places[out.node[k]!]!
      if (target === NO_NODE) continue
      node[write] = target
      type[write++] = out.type[k]!
    }
  }
  while (next <= nodeCount) start[next++] = write
  const rows = { start, node: node.subarray(0, write), type: type.subarray(0, write) }
  return { nodeCount, edgeCount: write, out: rows }
}

/** The types of the links from one node to another, in order; empty when there is none. */
export function edgeTypes(graph: Graph, from: number, to: number): number[] {
  const { start, node, type } = graph.out
  const end = start[from + 1]!
  const types: number[] = []
  for (let k = firstLink(graph.out, from, to); k < end && node[k] === to; k++) types.push(type[k]!)
  return types
}

/** Where in `rows` the links between `node` and `neighbor` begin, or would begin. */
export function firstLink(rows: Rows, node: number, neighbor: number): number {
  let low = rows.start[node]!
  let high = rows.start[node + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows.node[middle]! < neighbor) low = middle + 1
    else high = middle
  }
  return low
}

/** A node number that does not exist is a mistake in the calling code, not of its user. */
export function checkNode(node: number, nodeCount: number): void {
  if (!(node >= 0 && node < nodeCount)) {
    throw new RangeError(`node ${node} is not below ${nodeCount}`)
  }
}

export function rowLength(rows: Rows, node: number): number {
  return rows.start[node + 1]! - rows.start[node]!
}

/** A graph whose outgoing links were kept as they lay in another one. */
export function openGraph(out: Rows): Graph {
  return atOnce(graphOf(out))
}

function* graphOf(out: Rows): Steps<Graph> {
  const incoming = transpose(out)
  yield
  return {
    nodeCount: out.start.length - 1,
    edgeCount: out.node.length,
    out,
    in: incoming,
    distinctPairs: hasDistinctPairs(out),
  }
}

/** Counting sort of (key, value, type) by key; equal keys keep their order. */
function gather(nodeCount: number, key: Uint32Array, value: Uint32Array, type: Uint8Array): Rows {
  const start = new Uint32Array(nodeCount + 1)
  for (let i = 0; i < key.length; i++) {
    if (key[i]! >= nodeCount || value[i]! >= nodeCount) {
      throw new RangeError(`link ${i} names a node that is not below ${nodeCount}`)
    }
    start[key[i]! + 1]!++
  }
  for (let n = 0; n < nodeCount; n++) start[n + 1]! += start[n]!
  const next = start.slice(0, nodeCount)
  const node = new Uint32Array(key.length)
  const sortedType = new Uint8Array(key.length)
  for (let i = 0; i < key.length; i++) {
    const at = next[key[i]!]!++
    node[at] = value[i]!
    sortedType[at] = type[i]!
  }
  return { start, node, type: sortedType }
}

/** The same links seen from the other end. Walking in order makes every new row sorted. */
function transpose(rows: Rows): Rows {
  const nodeCount = rows.start.length - 1
  const edges = rows.node.length
  const start = new Uint32Array(nodeCount + 1)
  for (let k = 0; k < edges; k++) start[rows.node[k]! + 1]!++
  for (let n = 0; n < nodeCount; n++) start[n + 1]! += start[n]!
  const next = start.slice(0, nodeCount)
  const node = new Uint32Array(edges)
  const type = new Uint8Array(edges)
  for (let n = 0; n < nodeCount; n++) {
    const end = rows.start[n + 1]!
    for (let k = rows.start[n]!; k < end; k++) {
      const at = next[rows.node[k]!]!++
      node[at] = n
      type[at] = rows.type[k]!
    }
  }
  return { start, node, type }
}

/**
 * Leaves each (neighbour, type) of a row once. Rows must be sorted by neighbour; types need not.
 */
function collapse(rows: Rows): Rows {
  const nodeCount = rows.start.length - 1
  const { node, type } = rows
  const start = new Uint32Array(nodeCount + 1)
  let write = 0
  for (let n = 0; n < nodeCount; n++) {
    start[n] = write
    const end = rows.start[n + 1]!
    for (let k = rows.start[n]!; k < end;) {
      const neighbor = node[k]!
      let stop = k + 1
      while (stop < end && node[stop] === neighbor) stop++
      if (stop - k > 1) sortTypes(type, k, stop)
      for (let previous = -1; k < stop; k++) {
        if (type[k] === previous) continue
        previous = type[k]!
        node[write] = neighbor
        type[write++] = previous
      }
    }
  }
  start[nodeCount] = write
  // A copy gives back the memory of what was dropped; without repeats the arrays fit already.
  return write === node.length
    ? { start, node, type }
    : { start, node: node.slice(0, write), type: type.slice(0, write) }
}

/** Most runs hold two or three links, for which a library call would cost more than the sorting. */
function sortTypes(type: Uint8Array, first: number, end: number): void {
  if (end - first > 16) {
    type.subarray(first, end).sort()
    return
  }
  for (let i = first + 1; i < end; i++) {
    const value = type[i]!
    let k = i
    for (; k > first && type[k - 1]! > value; k--) type[k] = type[k - 1]!
    type[k] = value
  }
}

function hasDistinctPairs({ start, node }: Rows): boolean {
  for (let n = 0; n < start.length - 1; n++) {
    for (let k = start[n]! + 1; k < start[n + 1]!; k++) if (node[k] === node[k - 1]) return false
  }
  return true
}

/** A row as sorted, distinct numbers `to * 256 + type`, exact in a double for any node number. */
function packRow({ to, type }: Outgoing, nodeCount: number): Float64Array {
  const keys = Float64Array.from(to, (node, i) => {
    checkNode(node, nodeCount)
    return node * 256 + (type ? type[i]! : 0)
  }).toSorted()
  return keys.filter((key, i) => i === 0 || key !== keys[i - 1])
}
