import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  arbitraryGraph,
  arbitraryScope,
  edgesInScope,
  graphFrom,
  includedNodes,
  sketch,
} from '../../../test/support/arbitrary-graph.ts'
import { subgraph } from './subgraph.ts'

describe('subgraph', () => {
  it('keeps the order of its nodes and every link among them', () => {
    const graph = sketch(4, '0>1', '1>0:2', '2>0', '2>3', '2>2')
    expect(subgraph(graph, [2, 0, 2, 1])).toEqual({
      nodes: [2, 0, 1],
      edges: [
        { from: 2, to: 0, type: 0 },
        { from: 2, to: 2, type: 0 },
        { from: 0, to: 1, type: 0 },
        { from: 1, to: 0, type: 2 },
      ],
    })
  })

  it('refuses nodes that do not exist', () => {
    expect(() => subgraph(sketch(1), [1])).toThrow(RangeError)
  })

  it('is what filtering all links gives', () => {
    fc.assert(
      fc.property(
        arbitraryGraph(),
        arbitraryScope(),
        fc.array(fc.nat(8)),
        (plain, scope, picked) => {
          const nodes = picked.filter((node) => node < plain.nodeCount)
          const kept = includedNodes(plain, scope).filter((node) => nodes.includes(node))
          const edges = edgesInScope(plain, scope).filter(
            ({ from, to }) => kept.includes(from) && kept.includes(to),
          )
          const found = subgraph(graphFrom(plain), nodes, scope)
          expect(new Set(found.nodes)).toEqual(new Set(kept))
          expect(found.edges.length).toBe(edges.length)
          expect(new Set(found.edges.map((edge) => JSON.stringify(edge)))).toEqual(
            new Set(edges.map(({ from, to, type }) => JSON.stringify({ from, to, type }))),
          )
        },
      ),
    )
  })
})
