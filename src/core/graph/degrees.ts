import type { Graph } from './graph.ts'
import { pairsInScope, type Scope } from './scope.ts'

/** Per node, how many nodes link to it, how many it links to, and the sum of both. */
export interface Degrees {
  readonly in: Uint32Array
  readonly out: Uint32Array
  readonly total: Uint32Array
}

/** Several links between two nodes in one direction count once. Excluded nodes have 0. */
export function degrees(graph: Graph, scope: Scope = {}): Degrees {
  const incoming = lengths(pairsInScope(graph, graph.in, scope).start)
  const outgoing = lengths(pairsInScope(graph, graph.out, scope).start)
  return { in: incoming, out: outgoing, total: incoming.map((count, n) => count + outgoing[n]!) }
}

/** The nodes that no other node links to and that link to no other, in order. */
export function orphans(graph: Graph, scope: Scope = {}): number[] {
  const { total } = degrees(graph, { ...scope, selfLinks: false })
  const found: number[] = []
  for (let n = 0; n < total.length; n++) {
    if (total[n] === 0 && !(scope.exclude && scope.exclude[n] !== 0)) found.push(n)
  }
  return found
}

function lengths(start: Uint32Array): Uint32Array {
  const found = new Uint32Array(start.length - 1)
  for (let n = 0; n < found.length; n++) found[n] = start[n + 1]! - start[n]!
  return found
}
