import fc from 'fast-check'
import { DirectedGraph } from 'graphology'
import graphologyPageRank from 'graphology-metrics/centrality/pagerank.js'
import { describe, expect, it } from 'vitest'
import {
  arbitraryGraph,
  arbitraryScope,
  graphFrom,
  includedNodes,
  sketch,
  targets,
  type PlainGraph,
} from '../../../test/support/arbitrary-graph.ts'
import { pageRank } from './page-rank.ts'
import type { Scope } from './scope.ts'

// A CommonJS function whose types describe an ES module.
const theirPageRank = graphologyPageRank as unknown as typeof graphologyPageRank.default

describe('pageRank', () => {
  it('is even on a ring', () => {
    const { scores, converged } = pageRank(sketch(4, '0>1', '1>2', '2>3', '3>0'))
    expect([...scores]).toEqual([0.25, 0.25, 0.25, 0.25])
    expect(converged).toBe(true)
  })

  it('gives nothing to what is excluded and ignores its links', () => {
    const graph = sketch(3, '0>2', '1>2', '2>0', '0>1', '1>0')
    const { scores } = pageRank(graph, { exclude: Uint8Array.of(0, 0, 1) })
    expect([...scores]).toEqual([0.5, 0.5, 0])
  })

  it('has an answer for a graph without nodes', () => {
    expect(pageRank(sketch(0))).toEqual({ scores: new Float64Array(0), rounds: 0, converged: true })
  })

  it('says when the rounds did not suffice', () => {
    const { rounds, converged } = pageRank(sketch(3, '0>1', '1>2'), { maxRounds: 2 })
    expect([rounds, converged]).toEqual([2, false])
  })

  it('agrees with multiplying the whole matrix', () => {
    fc.assert(
      fc.property(arbitraryGraph(), arbitraryScope(), (plain, scope) => {
        const { scores } = pageRank(graphFrom(plain), {
          ...scope,
          tolerance: 1e-12,
          maxRounds: 300,
        })
        const expected = densePageRank(plain, scope)
        for (let n = 0; n < plain.nodeCount; n++) expect(scores[n]).toBeCloseTo(expected[n]!, 9)
        const sum = scores.reduce((total, score) => total + score, 0)
        expect(sum).toBeCloseTo(includedNodes(plain, scope).length > 0 ? 1 : 0, 12)
      }),
      { numRuns: 300 },
    )
  })

  it('agrees with graphology', () => {
    fc.assert(
      fc.property(arbitraryGraph(40), (plain) => {
        const other = new DirectedGraph()
        for (let n = 0; n < plain.nodeCount; n++) other.addNode(n)
        for (const { from, to } of plain.edges) other.mergeEdge(from, to)
        const options = { alpha: 0.85, tolerance: 1e-12, maxIterations: 500, getEdgeWeight: null }
        const theirs = theirPageRank(other, options)
        const { scores } = pageRank(graphFrom(plain), { tolerance: 1e-11, maxRounds: 500 })
        for (let n = 0; n < plain.nodeCount; n++) expect(scores[n]).toBeCloseTo(theirs[n]!, 8)
      }),
    )
  })
})

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}

/** 400 rounds of a full matrix, row for row as the definition says. */
function densePageRank(plain: PlainGraph, scope: Scope): number[] {
  const nodes = includedNodes(plain, scope)
  const next = targets(plain, scope)
  let scores = zeros(plain.nodeCount)
  for (const n of nodes) scores[n] = 1 / nodes.length
  for (let round = 0; round < 400; round++) {
    const after = zeros(plain.nodeCount)
    for (const from of nodes) {
      for (const to of nodes) {
        const linked = next[from]!.includes(to) ? 1 / next[from]!.length : 0
        const follow = next[from]!.length > 0 ? linked : 1 / nodes.length
        after[to]! += scores[from]! * (0.85 * follow + 0.15 / nodes.length)
      }
    }
    scores = after
  }
  return scores
}
