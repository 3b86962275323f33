import { checkNode, type Graph } from './graph.ts'
import { isExcluded, typeMask, type Scope } from './scope.ts'
import { borrowScratch } from './scratch.ts'

export interface Edge {
  readonly from: number
  readonly to: number
  readonly type: number
}

export interface Subgraph {
  /** Each once, in the order given. */
  readonly nodes: readonly number[]
  /** Every link between two of the nodes: by the order of `nodes`, then by target and type. */
  readonly edges: readonly Edge[]
}

/** Some nodes and all links among them, for drawing. Numbers are those of the whole graph. */
export function subgraph(graph: Graph, nodes: Iterable<number>, scope: Scope = {}): Subgraph {
  const kept = [...new Set(nodes)].filter((node) => {
    checkNode(node, graph.nodeCount)
    return !isExcluded(scope, node)
  })
  const { selfLinks = true } = scope
  const mask = typeMask(scope.types)
  const { mark, firstMark } = borrowScratch(graph.nodeCount, 1)
  for (const node of kept) mark[node] = firstMark

  const edges: Edge[] = []
  const { start, node: targets, type: types } = graph.out
  for (const from of kept) {
    for (let k = start[from]!; k < start[from + 1]!; k++) {
      const to = targets[k]!
      if (mark[to] !== firstMark || (mask && mask[types[k]!] === 0)) continue
      if (selfLinks || to !== from) edges.push({ from, to, type: types[k]! })
    }
  }
  return { nodes: kept, edges }
}
