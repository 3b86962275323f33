import fc from 'fast-check'
import { UndirectedGraph, DirectedGraph } from 'graphology'
import { bidirectional } from 'graphology-shortest-path/unweighted.js'
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
import type { Scope } from './scope.ts'
import { ageScratch } from './scratch.ts'
import { shortestPath } from './shortest-path.ts'

describe('shortestPath', () => {
  const diamond = sketch(6, '0>2', '0>1', '2>4', '1>4', '1>3', '3>5', '4>5')

  it.each([
    ['from a node to itself', 3, 3, {}, [3]],
    ['by the first of several ways', 0, 5, {}, [0, 1, 3, 5]],
    [
      'by the first way in another order',
      0,
      5,
      { order: Uint32Array.of(5, 4, 3, 2, 1, 0) },
      [0, 2, 4, 5],
    ],
    ['against the links unless told otherwise', 5, 0, {}, [5, 3, 1, 0]],
    ['only along links when directed', 5, 0, { directed: true }, undefined],
    ['within the hops allowed', 0, 5, { maxHops: 3 }, [0, 1, 3, 5]],
    ['not beyond them', 0, 5, { maxHops: 2 }, undefined],
    ['around what is excluded', 0, 5, { exclude: Uint8Array.of(0, 1, 0, 0, 0, 0) }, [0, 2, 4, 5]],
    ['not to what is excluded', 0, 5, { exclude: Uint8Array.of(0, 0, 0, 0, 0, 1) }, undefined],
    ['not over types left out', 0, 5, { types: [1] }, undefined],
  ])('leads %s', (_, from, to, options, path) => {
    expect(shortestPath(diamond, from, to, options)).toEqual(path)
  })

  it('refuses nodes that do not exist', () => {
    expect(() => shortestPath(diamond, 0, 6)).toThrow(RangeError)
    expect(() => shortestPath(diamond, 6, 0)).toThrow(RangeError)
  })

  it('is the first of all shortest paths', () => {
    const question = fc.record({
      plain: arbitraryGraph(12),
      scope: arbitraryScope(),
      directed: fc.boolean(),
      maxHops: fc.option(fc.nat(6), { nil: undefined }),
      order: fc.option(fc.shuffledSubarray([...Array(12).keys()], { minLength: 12 }), {
        nil: undefined,
      }),
    })
    fc.assert(
      fc.property(question, ({ plain, scope, directed, maxHops, order }) => {
        const graph = graphFrom(plain)
        const rank = order && Uint32Array.from(order)
        for (const to of [0, plain.nodeCount >> 1, plain.nodeCount - 1]) {
          const options = { ...scope, directed, maxHops, order: rank }
          const found = shortestPath(graph, 0, to, options)
          expect(found).toEqual(obviousPath(plain, 0, to, scope, directed, maxHops, rank))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('is the first of all shortest paths where they are long and many', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (seed, directed) => {
        const plain = randomGraph(seed, 60, directed ? 150 : 75)
        const graph = graphFrom(plain)
        for (let to = 1; to < 60; to += 4) {
          const found = shortestPath(graph, 0, to, { directed })
          expect(found).toEqual(obviousPath(plain, 0, to, {}, directed))
        }
      }),
    )
  })

  it('survives the end of its marks', () => {
    const expected = shortestPath(diamond, 0, 5)
    ageScratch(25)
    for (let i = 0; i < 5; i++) expect(shortestPath(diamond, 0, 5)).toEqual(expected)
  })

  it('is as short as graphology finds it, on graphs of a few thousand links', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (seed, directed) => {
        const plain = randomGraph(seed, 800, 2400)
        const graph = graphFrom(plain)
        const other = directed ? new DirectedGraph() : new UndirectedGraph()
        for (let n = 0; n < plain.nodeCount; n++) other.addNode(n)
        for (const { from, to } of plain.edges) other.mergeEdge(from, to)
        for (let from = 0; from < 40; from++) {
          const to = (from * 37 + 11) % plain.nodeCount
          const theirs = bidirectional(other, from, to)
          expect(shortestPath(graph, from, to, { directed })?.length).toBe(theirs?.length)
        }
      }),
      { numRuns: 10 },
    )
  })
})

/** A linear congruential generator is random enough to draw links. */
function randomGraph(seed: number, nodeCount: number, links: number): PlainGraph {
  let state = seed >>> 0
  const draw = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * nodeCount)
  }
  const edges = Array.from({ length: links }, () => ({ from: draw(), to: draw(), type: 0 }))
  return { nodeCount, edges }
}

/** Level by level, all paths at once in their order; the first to arrive is the answer. */
function obviousPath(
  plain: PlainGraph,
  from: number,
  to: number,
  scope: Scope,
  directed: boolean,
  maxHops = Infinity,
  order?: Uint32Array,
): number[] | undefined {
  const nodes = includedNodes(plain, scope)
  if (!nodes.includes(from) || !nodes.includes(to)) return undefined
  const next = targets(plain, scope, directed ? 'out' : 'both').map((row) =>
    order ? row.toSorted((a, b) => order[a]! - order[b]!) : row,
  )
  let paths = [[from]]
  const seen = new Set([from])
  for (let hops = 0; paths.length > 0; hops++) {
    const arrived = paths.find((path) => path.at(-1) === to)
    if (arrived) return arrived
    if (hops >= maxHops) return undefined
    // Of the paths to one node only the first can become the answer.
    const longer: number[][] = []
    for (const path of paths) {
      for (const node of next[path.at(-1)!]!) {
        if (seen.has(node)) continue
        seen.add(node)
        longer.push([...path, node])
      }
    }
    paths = longer
  }
  return undefined
}
