import type { Graph } from './graph.ts'
import { pairsInScope, type Scope } from './scope.ts'

export interface PageRankOptions extends Scope {
  /** How likely the reader follows a link rather than opening a page at random. */
  readonly damping?: number
  /** Stops when a round moves less than this much of the whole (sum of absolute changes). */
  readonly tolerance?: number
  readonly maxRounds?: number
}

export interface PageRank {
  /** One score per node; they sum to 1. Excluded nodes have 0. */
  readonly scores: Float64Array
  readonly rounds: number
  readonly converged: boolean
}

/**
 * How often a reader who follows links at random is found at each node (Page and Brin, 1998). From
 * a node without links the reader goes anywhere with equal chance. Several links from one node to
 * another count once.
 *
 * All nodes move at the same time, from the scores of the round before. Using new scores at once
 * would need half the rounds, but nodes in the same position would then differ in the last digits
 * and no longer tie.
 */
export function pageRank(graph: Graph, options: PageRankOptions = {}): PageRank {
  const { damping = 0.85, tolerance = 1e-8, maxRounds = 100, exclude } = options
  const { nodeCount } = graph
  const out = pairsInScope(graph, graph.out, options).start
  const incoming = pairsInScope(graph, graph.in, options)
  const included = countIncluded(nodeCount, exclude)

  let scores = new Float64Array(nodeCount)
  if (included === 0) return { scores, rounds: 0, converged: true }
  for (let n = 0; n < nodeCount; n++) if (!exclude || exclude[n] === 0) scores[n] = 1 / included

  // What a node passes along each of its links. Kept apart from the scores so that the inner loop
  // reads one number per link from memory, which is what the whole computation waits for.
  const share = new Float64Array(nodeCount)
  let rounds = 0
  let change = Infinity
  let previous = new Float64Array(nodeCount)
  while (rounds < maxRounds && change >= tolerance) {
    ;[scores, previous] = [previous, scores]
    const stranded = shareOut(previous, out, exclude, share)
    const base = (1 - damping + damping * stranded) / included
    change = collect(incoming.start, incoming.node, share, damping, base, exclude, previous, scores)
    rounds++
  }
  normalize(scores)
  return { scores, rounds, converged: change < tolerance }
}

/** Fills `share` and returns the sum of the scores that no link carries on. */
function shareOut(
  scores: Float64Array,
  start: Uint32Array,
  exclude: Uint8Array | undefined,
  share: Float64Array,
): number {
  let stranded = 0
  for (let n = 0; n < scores.length; n++) {
    const links = start[n + 1]! - start[n]!
    if (links > 0) share[n] = scores[n]! / links
    else if (!exclude || exclude[n] === 0) stranded += scores[n]!
  }
  return stranded
}

/** One round; returns how much changed. */
function collect(
  start: Uint32Array,
  node: Uint32Array,
  share: Float64Array,
  damping: number,
  base: number,
  exclude: Uint8Array | undefined,
  previous: Float64Array,
  scores: Float64Array,
): number {
  let change = 0
  for (let n = 0; n < scores.length; n++) {
    if (exclude && exclude[n] !== 0) continue
    let sum = 0
    const end = start[n + 1]!
    for (let k = start[n]!; k < end; k++) sum += share[node[k]!]!
    const score = base + damping * sum
    change += Math.abs(score - previous[n]!)
    scores[n] = score
  }
  return change
}

/** Rounding lets the sum drift by a few units in the last place. */
function normalize(scores: Float64Array): void {
  let sum = 0
  for (let n = 0; n < scores.length; n++) sum += scores[n]!
  for (let n = 0; n < scores.length; n++) scores[n]! /= sum
}

function countIncluded(nodeCount: number, exclude: Uint8Array | undefined): number {
  if (!exclude) return nodeCount
  let count = 0
  for (let n = 0; n < nodeCount; n++) if (exclude[n] === 0) count++
  return count
}
