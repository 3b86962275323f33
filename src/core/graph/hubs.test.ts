import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sketch } from '../../../test/support/arbitrary-graph.ts'
import { hubs, topNodes } from './hubs.ts'

describe('hubs', () => {
  const graph = sketch(5, '0>2', '1>2', '3>2', '2>4', '0>4', '0>0')

  it('are those with most neighbours, equals by number', () => {
    expect(hubs(graph, { metric: 'in', limit: 3 })).toEqual([
      { node: 2, score: 3 },
      { node: 4, score: 2 },
      { node: 0, score: 1 },
    ])
    expect(hubs(graph, { metric: 'out', limit: 2, selfLinks: false })).toEqual([
      { node: 0, score: 2 },
      { node: 1, score: 1 },
    ])
  })

  it('break ties in the order asked for', () => {
    const order = Uint32Array.of(4, 3, 2, 1, 0)
    const found = hubs(graph, { metric: 'out', limit: 3, order })
    expect(found.map(({ node }) => node)).toEqual([0, 3, 2])
  })

  it('are those a random reader visits most', () => {
    const [first, second] = hubs(graph, { metric: 'pagerank', limit: 2 })
    expect([first!.node, second!.node]).toEqual([4, 2])
  })

  it('are never excluded', () => {
    const exclude = Uint8Array.of(0, 0, 1, 0, 0)
    expect(hubs(graph, { metric: 'in', limit: 1, exclude })).toEqual([{ node: 0, score: 1 }])
  })
})

describe('topNodes', () => {
  it('is the beginning of the sorted list', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 40 }), fc.nat(12), (scores, limit) => {
        const sorted = scores
          .map((score, node) => ({ node, score }))
          .toSorted((a, b) => b.score - a.score || a.node - b.node)
        expect(topNodes(Uint32Array.from(scores), { limit })).toEqual(sorted.slice(0, limit))
      }),
    )
  })
})
