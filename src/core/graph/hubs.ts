import { degrees } from './degrees.ts'
import type { Graph } from './graph.ts'
import { pageRank } from './page-rank.ts'
import type { NodeOrder, Scope } from './scope.ts'

export type HubMetric = 'in' | 'out' | 'total' | 'pagerank'

export interface HubOptions extends Scope {
  readonly metric: HubMetric
  readonly limit: number
  /** Who comes first among equals; by number when left out. */
  readonly order?: NodeOrder
}

export interface RankedNode {
  readonly node: number
  readonly score: number
}

/** The nodes that stand out most by one measure, best first. */
export function hubs(graph: Graph, options: HubOptions): RankedNode[] {
  const { metric } = options
  const scores =
    metric === 'pagerank' ? pageRank(graph, options).scores : degrees(graph, options)[metric]
  return topNodes(scores, options)
}

export interface TopOptions {
  readonly limit: number
  readonly order?: NodeOrder
  readonly exclude?: Uint8Array
}

/** The `limit` nodes with the highest scores, best first. */
export function topNodes(scores: Float64Array | Uint32Array, options: TopOptions): RankedNode[] {
  const { limit, order, exclude } = options
  const isWorse = (a: number, b: number): boolean =>
    scores[a] !== scores[b] ? scores[a]! < scores[b]! : order ? order[a]! > order[b]! : a > b

  // A heap with the worst of the best on top: most nodes are turned away by one comparison.
  const heap: number[] = []
  for (let node = 0; node < scores.length; node++) {
    if (exclude && exclude[node] !== 0) continue
    if (heap.length < limit) {
      heap.push(node)
      siftUp(heap, isWorse)
    } else if (limit > 0 && isWorse(heap[0]!, node)) {
      heap[0] = node
      siftDown(heap, isWorse)
    }
  }
  return heap
    .toSorted((a, b) => (isWorse(a, b) ? 1 : -1))
    .map((node) => ({ node, score: scores[node]! }))
}

type IsWorse = (a: number, b: number) => boolean

function siftUp(heap: number[], isWorse: IsWorse): void {
  let at = heap.length - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(heap[at]!, heap[parent]!)) return
    swap(heap, at, parent)
    at = parent
  }
}

function siftDown(heap: number[], isWorse: IsWorse): void {
  for (let at = 0; ;) {
    let worst = at
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isWorse(heap[child]!, heap[worst]!)) worst = child
    }
    if (worst === at) return
    swap(heap, at, worst)
    at = worst
  }
}

function swap(heap: number[], a: number, b: number): void {
  const node = heap[a]!
  heap[a] = heap[b]!
  heap[b] = node
}
