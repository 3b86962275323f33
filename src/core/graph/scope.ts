/** Which nodes and links count. Every question about a graph can be asked of a part of it. */
import type { Graph, Rows } from './graph.ts'

export interface Scope {
  /** Only links of these types; all when left out, none when empty. */
  readonly types?: readonly number[]
  /** One byte per node: what is not 0 does not count, nor do its links. Ghosts, for instance. */
  readonly exclude?: Uint8Array
  /** False leaves out links from a node to itself. Default true. */
  readonly selfLinks?: boolean
}

/** A rank for every node, smaller first, used wherever a tie must be broken. */
export type NodeOrder = Uint32Array

/** One byte per type, or undefined when every type passes: the form inner loops want. */
export type TypeMask = Uint8Array | undefined

export function typeMask(types: readonly number[] | undefined): TypeMask {
  if (!types) return undefined
  const mask = new Uint8Array(256)
  for (const type of types) mask[type] = 1
  return mask
}

export function isExcluded(scope: Scope, node: number): boolean {
  return scope.exclude !== undefined && scope.exclude[node] !== 0
}

/** Who is joined to whom, in one direction: no types, nobody twice in a row. */
export type Pairs = Pick<Rows, 'start' | 'node'>

/**
 * The part of `rows` (one of `graph.out` and `graph.in`) that is in scope, two nodes joined by
 * several types counting as one pair. Algorithms that look at the whole graph copy it once, so
 * that their inner loops need no questions; the plain case is the graph itself.
 */
export function pairsInScope(graph: Graph, rows: Rows, scope: Scope): Pairs {
  const { exclude, selfLinks = true } = scope
  if (graph.distinctPairs && !scope.types && !exclude && selfLinks) return rows
  const mask = typeMask(scope.types)
  const start = new Uint32Array(graph.nodeCount + 1)
  const node = new Uint32Array(rows.node.length)
  let write = 0
  for (let n = 0; n < graph.nodeCount; n++) {
    start[n] = write
    if (exclude && exclude[n] !== 0) continue
    const first = write
    for (let k = rows.start[n]!; k < rows.start[n + 1]!; k++) {
      const neighbor = rows.node[k]!
      if (mask && mask[rows.type[k]!] === 0) continue
      if (exclude && exclude[neighbor] !== 0) continue
      if (!selfLinks && neighbor === n) continue
      if (write > first && node[write - 1] === neighbor) continue
      node[write++] = neighbor
    }
  }
  start[graph.nodeCount] = write
  return { start, node: node.subarray(0, write) }
}
