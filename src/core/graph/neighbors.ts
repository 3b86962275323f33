import { checkNode, firstLink, type Graph, type Rows } from './graph.ts'
import { isExcluded, typeMask, type Scope, type TypeMask } from './scope.ts'
import { borrowScratch } from './scratch.ts'

export type Direction = 'in' | 'out' | 'both'

export interface NeighborsOptions extends Scope {
  /** `out` follows links, `in` follows them backwards. Default `both`. */
  readonly direction?: Direction
  /** How many links away; 1 when left out. */
  readonly depth?: number
  readonly limit?: number
}

export interface Neighbor {
  readonly node: number
  /** Links between the origin and this node, from 1 to `depth`. */
  readonly hops: number
  /** The node before this one on the way from the origin. */
  readonly via: number
  /** How `via` and this node are linked: `out` from `via` to here, `in` the other way. */
  readonly relation: Direction
}

/**
 * Everything around a node, nearest first, each node once and the origin never. Nodes equally far
 * come in the order of the nodes they were reached from, then linked-to before linking, then by
 * number. A node's `via` always stands before it, also when `limit` cuts the list.
 */
export function neighbors(
  graph: Graph,
  origin: number,
  options: NeighborsOptions = {},
): Neighbor[] {
  checkNode(origin, graph.nodeCount)
  const { direction = 'both', depth = 1, limit = Infinity, exclude } = options
  if (isExcluded(options, origin) || !(limit > 0)) return []
  const mask = typeMask(options.types)
  const sides: Rows[] = []
  if (direction !== 'in') sides.push(graph.out)
  if (direction !== 'out') sides.push(graph.in)

  const { mark, queue, firstMark } = borrowScratch(graph.nodeCount, 1)
  const found: Neighbor[] = []
  let end = 0
  mark[origin] = firstMark
  queue[end++] = origin
  for (let hops = 1, begin = 0; hops <= depth && begin < end; hops++) {
    const levelEnd = end
    for (; begin < levelEnd; begin++) {
      const from = queue[begin]!
      for (const rows of sides) {
        const rowEnd = rows.start[from + 1]!
        for (let k = rows.start[from]!; k < rowEnd; k++) {
          const node = rows.node[k]!
          if (mark[node] === firstMark) continue
          if (mask && mask[rows.type[k]!] === 0) continue
          if (exclude && exclude[node] !== 0) continue
          mark[node] = firstMark
          queue[end++] = node
          found.push({ node, hops, via: from, relation: relationOf(graph, from, node, mask) })
          if (found.length >= limit) return found
        }
      }
    }
  }
  return found
}

/** The way from the origin to each neighbour, both ends included, in the order of the list. */
export function neighborPaths(origin: number, found: readonly Neighbor[]): number[][] {
  const paths = new Map([[origin, [origin]]])
  return found.map(({ node, via }) => {
    const path = [...paths.get(via)!, node]
    paths.set(node, path)
    return path
  })
}

function relationOf(graph: Graph, via: number, node: number, mask: TypeMask): Direction {
  const out = isLinked(graph.out, via, node, mask)
  const back = isLinked(graph.in, via, node, mask)
  return out && back ? 'both' : out ? 'out' : 'in'
}

function isLinked(rows: Rows, node: number, neighbor: number, mask: TypeMask): boolean {
  const end = rows.start[node + 1]!
  for (let k = firstLink(rows, node, neighbor); k < end && rows.node[k] === neighbor; k++) {
    if (!mask || mask[rows.type[k]!] !== 0) return true
  }
  return false
}
