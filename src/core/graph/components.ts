import { atOnce } from '../kit/slices.ts'
import type { Steps } from '../kit/slices.ts'
import type { Graph } from './graph.ts'
import { pairsInScope, type Scope } from './scope.ts'

/** The component number of a node that is excluded. */
export const NO_COMPONENT = 0xffff_ffff

export interface Components {
  /** Per node the number of its component, or NO_COMPONENT. */
  readonly of: Uint32Array
  /** Nodes per component, largest first; equals in the order of their smallest nodes. */
  readonly sizes: Uint32Array
}

/** The parts that hang together when links are walked in either direction. */
export function components(graph: Graph, scope: Scope = {}): Components {
  return atOnce(componentSteps(graph, scope))
}

export function* componentSteps(graph: Graph, scope: Scope = {}): Steps<Components> {
  const { nodeCount } = graph
  const { exclude } = scope
  const { start, node } = pairsInScope(graph, graph.out, scope)

  yield
  // Union-find. The smaller root wins, so that every root is the smallest node of its part; paths
  // are halved on the way, which alone keeps them short.
  const parent = new Uint32Array(nodeCount)
  for (let n = 0; n < nodeCount; n++) parent[n] = n
  for (let n = 0; n < nodeCount; n++) {
    const end = start[n + 1]!
    for (let k = start[n]!; k < end; k++) {
      const a = rootOf(parent, n)
      const b = rootOf(parent, node[k]!)
      if (a < b) parent[b] = a
      else parent[a] = b
    }
  }

  yield
  const size = new Uint32Array(nodeCount)
  const roots: number[] = []
  for (let n = 0; n < nodeCount; n++) {
    if (exclude && exclude[n] !== 0) continue
    const root = rootOf(parent, n)
    if (size[root]!++ === 0) roots.push(root)
  }
  // Sorting is stable: among equals the smallest root stays first.
  roots.sort((a, b) => size[b]! - size[a]!)
  const numberOf = new Uint32Array(nodeCount)
  for (const [number, root] of roots.entries()) numberOf[root] = number
  const of = new Uint32Array(nodeCount).fill(NO_COMPONENT)
  for (let n = 0; n < nodeCount; n++) {
    if (!exclude || exclude[n] === 0) of[n] = numberOf[rootOf(parent, n)]!
  }
  return { of, sizes: Uint32Array.from(roots, (root) => size[root]!) }
}

function rootOf(parent: Uint32Array, node: number): number {
  while (parent[node] !== node) {
    parent[node] = parent[parent[node]!]!
    node = parent[node]!
  }
  return node
}
