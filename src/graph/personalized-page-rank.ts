import { checkNode, rowLength, type Graph, type Rows } from './graph.ts'
import type { Direction } from './neighbors.ts'
import { isExcluded, typeMask, type Scope } from './scope.ts'
import { borrowScratch } from './scratch.ts'
import { topNodes, type RankedNode } from './hubs.ts'

export interface Seed {
  readonly node: number
  /** Its part of the whole; seeds without a positive weight are left out. */
  readonly weight: number
}

export interface SpreadOptions extends Scope {
  /** Along links, against them, or (default) both ways. */
  readonly direction?: Direction
  /** How likely the reader walks on rather than going back to a seed. */
  readonly damping?: number
  /** Parts of the whole smaller than this are not carried on. */
  readonly epsilon?: number
  /** At most about this many links are looked at. */
  readonly maxEdges?: number
  /** Only the best so many; all that were reached when left out. */
  readonly limit?: number
}

/**
 * How near nodes are to the seeds: how often a reader is found at each who starts at a seed, follows
 * links at random and goes back to a seed now and then. Only what is reached has a score, best
 * first. Exact for small `epsilon` and large `maxEdges`; else scores are a little too low.
 *
 * Works by pushing (Andersen, Chung and Lang, 2006): a node keeps part of the weight that waits at
 * it and hands the rest to its neighbours, for as long as enough weight waits anywhere. So the price
 * depends on the surroundings of the seeds and not on the size of the graph. A node with more links
 * than may still be looked at keeps its part and hands on nothing: its neighbours would hardly get
 * anything. Where no link leads on, the reader goes back to a seed. With both directions, two nodes
 * that link to each other are twice as strongly joined.
 */
export function personalizedPageRank(
  graph: Graph,
  seeds: readonly Seed[],
  options: SpreadOptions = {},
): RankedNode[] {
  const { direction = 'both', damping = 0.85, epsilon = 1e-4, maxEdges = 20_000 } = options
  const { exclude, selfLinks = true, limit = Infinity } = options
  const mask = typeMask(options.types)
  const sides: Rows[] = []
  if (direction !== 'in') sides.push(graph.out)
  if (direction !== 'out') sides.push(graph.in)

  const counted = seeds.filter(({ node, weight }) => {
    checkNode(node, graph.nodeCount)
    return weight > 0 && !isExcluded(options, node)
  })
  const total = counted.reduce((sum, { weight }) => sum + weight, 0)
  const spread = openSpread(graph.nodeCount, counted.length + maxEdges)
  const home = counted.map(({ node, weight }) => ({
    place: placeOf(spread, node),
    part: weight / total,
  }))
  const { nodes, waiting, kept, queue } = spread
  for (const { place, part } of home) wait(spread, place, part, epsilon)

  const reached: number[] = []
  let edges = 0
  for (let next = 0; next < queue.length; next++) {
    const place = queue[next]!
    spread.isQueued[place] = 0
    const node = nodes[place]!
    const links = sides.reduce((sum, rows) => sum + rowLength(rows, node), 0)
    if (edges + links > maxEdges) continue
    edges += Math.max(links, 1)

    reached.length = 0
    for (const rows of sides) {
      let previous = -1
      for (let k = rows.start[node]!; k < rows.start[node + 1]!; k++) {
        const neighbor = rows.node[k]!
        if (neighbor === previous || (mask && mask[rows.type[k]!] === 0)) continue
        if (exclude && exclude[neighbor] !== 0) continue
        if (!selfLinks && neighbor === node) continue
        previous = neighbor
        reached.push(neighbor)
      }
    }
    const weight = waiting[place]!
    waiting[place] = 0
    kept[place]! += (1 - damping) * weight
    const onward = damping * weight
    if (reached.length > 0) {
      const part = onward / reached.length
      for (const neighbor of reached) wait(spread, placeOf(spread, neighbor), part, epsilon)
    } else {
      for (const seed of home) wait(spread, seed.place, onward * seed.part, epsilon)
    }
  }

  for (let place = 0; place < spread.size; place++) kept[place]! += (1 - damping) * waiting[place]!
  const best = topNodes(kept.subarray(0, spread.size), { limit, order: nodes })
  return best.map(({ node: place, score }) => ({ node: nodes[place]!, score }))
}

/** Reached nodes get places 0, 1, 2, … so that the weights lie close together. */
interface Spread {
  readonly mark: Uint32Array
  readonly placeOfNode: Uint32Array
  readonly current: number
  readonly nodes: Uint32Array
  readonly waiting: Float64Array
  readonly kept: Float64Array
  readonly isQueued: Uint8Array
  /** Places with enough weight to hand on, first come, first served. */
  readonly queue: number[]
  size: number
}

function openSpread(nodeCount: number, mostReached: number): Spread {
  const { mark, value, firstMark } = borrowScratch(nodeCount, 1)
  const places = Math.min(nodeCount, mostReached)
  return {
    mark,
    placeOfNode: value,
    current: firstMark,
    nodes: new Uint32Array(places),
    waiting: new Float64Array(places),
    kept: new Float64Array(places),
    isQueued: new Uint8Array(places),
    queue: [],
    size: 0,
  }
}

function placeOf(spread: Spread, node: number): number {
  if (spread.mark[node] !== spread.current) {
    spread.mark[node] = spread.current
    spread.placeOfNode[node] = spread.size
    spread.nodes[spread.size++] = node
  }
  return spread.placeOfNode[node]!
}

function wait(spread: Spread, place: number, weight: number, epsilon: number): void {
  spread.waiting[place]! += weight
  if (spread.waiting[place]! < epsilon || spread.isQueued[place] !== 0) return
  spread.isQueued[place] = 1
  spread.queue.push(place)
}
