/** How much of the graph a map shows: which share of a node's neighbours are its nearest points? */
import type { Graph } from '../../src/core/graph/graph.ts'
import { plainLevel } from '../../src/explorer/layout/levels.ts'

/**
 * The mean over some nodes that have links: of the `d` points nearest to a node with `d` neighbours,
 * how many are neighbours. 1 is a perfect map; a random one is near 0.
 */
export function neighborhoodPreservation(
  graph: Graph,
  places: ArrayLike<number>,
  { every = 1 }: { readonly every?: number } = {},
): number {
  const { nodeCount, start, node } = plainLevel(graph)
  let sum = 0
  let count = 0
  for (let n = 0; n < nodeCount; n += every) {
    const degree = start[n + 1]! - start[n]!
    if (degree === 0) continue
    const distances = new Float64Array(nodeCount)
    for (let other = 0; other < nodeCount; other++) {
      const x = places[2 * other]! - places[2 * n]!
      const y = places[2 * other + 1]! - places[2 * n + 1]!
      distances[other] = other === n ? Infinity : x * x + y * y
    }
    const limit = distances.toSorted()[degree - 1]!
    let near = 0
    for (let k = start[n]!; k < start[n + 1]!; k++) if (distances[node[k]!]! <= limit) near++
    sum += near / degree
    count++
  }
  return count === 0 ? 1 : sum / count
}
