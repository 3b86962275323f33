import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  arbitraryGraph,
  arbitraryScope,
  graphFrom,
  includedNodes,
  sketch,
  targets,
  type PlainGraph,
} from '../../test/support/arbitrary-graph.ts'
import type { Direction } from './neighbors.ts'
import { personalizedPageRank, type Seed } from './personalized-page-rank.ts'
import type { Scope } from './scope.ts'

const EXACT = { epsilon: 1e-9, maxEdges: Infinity }

describe('personalizedPageRank', () => {
  it('ranks what is linked above what is far, and leaves out what is not reached', () => {
    const chain = sketch(5, '0>1', '1>2', '2>3')
    const found = personalizedPageRank(chain, [{ node: 0, weight: 2 }])
    expect(found.map(({ node }) => node)).toEqual([1, 0, 2, 3])
  })

  it('reaches a page that two seeds share before a page that one seed links to', () => {
    const graph = sketch(5, '0>2', '1>2', '0>3', '1>4')
    const seeds = [0, 1].map((node) => ({ node, weight: 1 }))
    const found = personalizedPageRank(graph, seeds, { direction: 'out' })
    expect(found.filter(({ node }) => node > 1).map(({ node }) => node)).toEqual([2, 3, 4])
  })

  it('has no answer without seeds that count', () => {
    const graph = sketch(2, '0>1')
    expect(personalizedPageRank(graph, [])).toEqual([])
    expect(personalizedPageRank(graph, [{ node: 0, weight: 0 }])).toEqual([])
    const exclude = Uint8Array.of(1, 0)
    expect(personalizedPageRank(graph, [{ node: 0, weight: 1 }], { exclude })).toEqual([])
  })

  it('looks at no more links than allowed', () => {
    const star = sketch(50, ...Array.from({ length: 49 }, (_, i) => `0>${i + 1}`))
    const found = personalizedPageRank(star, [{ node: 0, weight: 1 }], { maxEdges: 20 })
    expect(found.map(({ node }) => node)).toEqual([0])
  })

  const question = fc.record({
    plain: arbitraryGraph(),
    scope: arbitraryScope(),
    direction: fc.constantFrom<Direction>('in', 'out', 'both'),
    weights: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
  })

  it('agrees with multiplying the whole matrix', () => {
    fc.assert(
      fc.property(question, ({ plain, scope, direction, weights }) => {
        const seeds = weights.map((weight, i) => ({ node: i % plain.nodeCount, weight }))
        const found = personalizedPageRank(graphFrom(plain), seeds, {
          ...scope,
          direction,
          ...EXACT,
        })
        const expected = densePersonalized(plain, seeds, scope, direction)
        const scores = new Map(found.map(({ node, score }) => [node, score]))
        expected.forEach((score, n) => expect(scores.get(n) ?? 0).toBeCloseTo(score, 6))
      }),
    )
  })

  it('never gives more than the exact score, however early it stops', () => {
    fc.assert(
      fc.property(question, fc.nat(30), ({ plain, scope, direction, weights }, maxEdges) => {
        const seeds = weights.map((weight, i) => ({ node: i % plain.nodeCount, weight }))
        const options = { ...scope, direction, maxEdges, epsilon: 1e-3 }
        const expected = densePersonalized(plain, seeds, scope, direction)
        for (const { node, score } of personalizedPageRank(graphFrom(plain), seeds, options)) {
          expect(score).toBeLessThanOrEqual(expected[node]! + 1e-9)
        }
      }),
    )
  })
})

function densePersonalized(
  plain: PlainGraph,
  seeds: readonly Seed[],
  scope: Scope,
  direction: Direction,
): number[] {
  const nodes = includedNodes(plain, scope)
  const home = Array.from({ length: plain.nodeCount }, () => 0)
  for (const { node, weight } of seeds) if (nodes.includes(node)) home[node]! += weight
  const total = home.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return home
  const out = direction === 'in' ? home.map(() => []) : targets(plain, scope, 'out')
  const back = direction === 'out' ? home.map(() => []) : targets(plain, scope, 'in')
  let scores = home.map((weight) => weight / total)
  for (let round = 0; round < 300; round++) {
    const after = home.map((weight) => (0.15 * weight) / total)
    for (const from of nodes) {
      const next = [...out[from]!, ...back[from]!]
      for (const to of next) after[to]! += (0.85 * scores[from]!) / next.length
      if (next.length > 0) continue
      home.forEach((weight, n) => (after[n]! += (0.85 * scores[from]! * weight) / total))
    }
    scores = after
  }
  return scores
}
