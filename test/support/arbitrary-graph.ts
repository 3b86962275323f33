/** Small random graphs, and the same graphs in the plainest form, for comparing the two. */
import fc from 'fast-check'
import { buildGraph, type Graph } from '../../src/core/graph/graph.ts'
import type { Scope } from '../../src/core/graph/scope.ts'

export interface PlainEdge {
  readonly from: number
  readonly to: number
  readonly type: number
}

export interface PlainGraph {
  readonly nodeCount: number
  readonly edges: readonly PlainEdge[]
}

/** Few nodes and few types, so that repeats, ties, loops and lonely nodes are common. */
export function arbitraryGraph(maxNodes = 9): fc.Arbitrary<PlainGraph> {
  return fc.integer({ min: 1, max: maxNodes }).chain((nodeCount) => {
    const node = fc.nat(nodeCount - 1)
    return fc.record({
      nodeCount: fc.constant(nodeCount),
      edges: fc.array(fc.record({ from: node, to: node, type: fc.nat(2) }), { maxLength: 24 }),
    })
  })
}

export function arbitraryScope(): fc.Arbitrary<Scope> {
  return fc.record(
    {
      types: fc.subarray([0, 1, 2]),
      exclude: fc.uint8Array({ minLength: 20, maxLength: 20, max: 1 }),
      selfLinks: fc.boolean(),
    },
    { requiredKeys: [] },
  )
}

export function graphFrom({ nodeCount, edges }: PlainGraph): Graph {
  return buildGraph({
    nodeCount,
    from: Uint32Array.from(edges, (edge) => edge.from),
    to: Uint32Array.from(edges, (edge) => edge.to),
    type: Uint8Array.from(edges, (edge) => edge.type),
  })
}

/** `['0>1', '1>2']`: a graph as one would sketch it. */
export function sketch(nodeCount: number, ...arrows: string[]): Graph {
  const edges = arrows.map((arrow) => {
    const [from, to, type = 0] = arrow.split(/[>:]/).map(Number)
    return { from: from!, to: to!, type }
  })
  return graphFrom({ nodeCount, edges })
}

/** The edges a scope lets through, each (from, to, type) once. */
export function edgesInScope({ edges }: PlainGraph, scope: Scope): PlainEdge[] {
  const { types, exclude, selfLinks = true } = scope
  const kept = edges.filter(
    ({ from, to, type }) =>
      (!types || types.includes(type)) &&
      (!exclude || (exclude[from] === 0 && exclude[to] === 0)) &&
      (selfLinks || from !== to),
  )
  return [...new Map(kept.map((edge) => [`${edge.from}>${edge.to}:${edge.type}`, edge])).values()]
}

export function includedNodes({ nodeCount }: PlainGraph, { exclude }: Scope): number[] {
  return Array.from({ length: nodeCount }, (_, n) => n).filter((n) => !exclude || exclude[n] === 0)
}

/** Whom each node links to, without repeats, sorted. */
export function targets(
  plain: PlainGraph,
  scope: Scope,
  direction: 'in' | 'out' | 'both' = 'out',
): number[][] {
  const found = Array.from({ length: plain.nodeCount }, () => new Set<number>())
  for (const { from, to } of edgesInScope(plain, scope)) {
    if (direction !== 'in') found[from]!.add(to)
    if (direction !== 'out') found[to]!.add(from)
  }
  return found.map((set) => [...set].toSorted((a, b) => a - b))
}
