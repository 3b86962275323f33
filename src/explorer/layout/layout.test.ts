import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryGraph, graphFrom, sketch } from '../../../test/support/arbitrary-graph.ts'
import { buildGraph, type Graph } from '../../core/graph/graph.ts'
import { fitLayout } from './fit.ts'
import { joinSteps } from './join.ts'
import { EXTENT, FARTHEST, layoutSteps, type Places } from './layout.ts'
import { joinLayout, layoutGraph } from '../../../test/support/at-once.ts'
import { neighborhoodPreservation } from '../../../test/support/neighborhood.ts'

const NONE = buildGraph({ nodeCount: 0, from: new Uint32Array(), to: new Uint32Array() })

function grid(side: number): Graph {
  const from: number[] = []
  const to: number[] = []
  const link = (a: number, b: number): void => {
    from.push(a)
    to.push(b)
  }
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const node = row * side + column
      if (column + 1 < side) link(node, node + 1)
      if (row + 1 < side) link(node, node + side)
    }
  }
  return buildGraph({
    nodeCount: side * side,
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
  })
}

function star(leaves: number): Graph {
  return buildGraph({
    nodeCount: leaves + 1,
    from: new Uint32Array(leaves),
    to: Uint32Array.from({ length: leaves }, (_, leaf) => leaf + 1),
  })
}

function distinct(places: Places): number {
  const seen = new Set<string>()
  for (let at = 0; at < places.length; at += 2) seen.add(`${places[at]},${places[at + 1]}`)
  return seen.size
}

function radiusOf(places: Places, node: number): number {
  return Math.hypot(places[2 * node]!, places[2 * node + 1]!)
}

describe('a map', () => {
  it('has a place for every node, within its bounds, each its own', () => {
    fc.assert(
      fc.property(arbitraryGraph(), (plain) => {
        const places = layoutGraph(graphFrom(plain))
        expect(places.length).toBe(2 * plain.nodeCount)
        for (let node = 0; node < plain.nodeCount; node++) {
          expect(radiusOf(places, node)).toBeLessThanOrEqual(EXTENT + 1)
        }
        expect(distinct(places)).toBe(plain.nodeCount)
      }),
    )
  })

  it('is the same for the same graph', () => {
    fc.assert(
      fc.property(arbitraryGraph(30), (plain) => {
        expect(layoutGraph(graphFrom(plain))).toEqual(layoutGraph(graphFrom(plain)))
      }),
    )
  })

  it('is empty for nothing, and one point in the middle for one node', () => {
    expect([...layoutGraph(NONE)]).toEqual([])
    expect([...layoutGraph(sketch(1))]).toEqual([0, 0])
  })

  it('keeps the neighbours of a grid near each other', () => {
    expect(neighborhoodPreservation(grid(24), layoutGraph(grid(24)))).toBeGreaterThan(0.6)
  })

  it('lays out a star of many leaves', () => {
    const places = layoutGraph(star(50_000))
    expect(distinct(places)).toBeGreaterThan(49_000)
  })

  it('puts what has no link outside of what has', () => {
    const places = layoutGraph(sketch(8, '0>1', '1>2', '2>0', '3>4', '5>5'))
    const linked = Math.max(...[0, 1, 2].map((node) => radiusOf(places, node)))
    for (const lone of [5, 6, 7]) expect(radiusOf(places, lone)).toBeGreaterThan(linked)
  })

  it('lets no two parts overlap', () => {
    const triangles = ['0>1', '1>2', '2>0', '3>4', '4>5', '5>3', '6>7', '7>8', '8>6']
    const places = layoutGraph(sketch(9, ...triangles))
    const middles = [0, 3, 6].map((first) => middleOf(places, [first, first + 1, first + 2]))
    for (const [index, middle] of middles.entries()) {
      for (const other of middles.slice(index + 1)) {
        const apart = Math.hypot(middle.x - other.x, middle.y - other.y)
        expect(apart).toBeGreaterThan(middle.radius + other.radius)
      }
    }
  })
})

describe('a map that is known', () => {
  /** A graph, and how many of its first nodes are new. */
  const grown = fc.tuple(arbitraryGraph(20), fc.nat(20))

  it('moves nobody when nodes join', () => {
    fc.assert(
      fc.property(grown, ([plain, fresh]) => {
        const graph = graphFrom(plain)
        const places = layoutGraph(graph)
        const known = Uint8Array.from({ length: plain.nodeCount }, (_, n) => (n < fresh ? 0 : 1))
        const old = places.map((value, at) => (known[at >> 1] === 0 ? 0 : value))
        const joined = joinLayout(graph, { places: old, known })
        for (let node = 0; node < plain.nodeCount; node++) {
          for (const at of [2 * node, 2 * node + 1]) {
            expect(Math.abs(joined[at]!)).toBeLessThanOrEqual(FARTHEST)
            if (known[node] !== 0) expect(joined[at]!).toBe(places[at]!)
          }
        }
        expect(distinct(joined)).toBe(plain.nodeCount)
      }),
    )
  })

  it('puts who joins near its neighbours', () => {
    const graph = grid(20)
    const places = layoutGraph(graph)
    const known = new Uint8Array(400).fill(1)
    // In the middle of the grid.
    known[210] = 0
    const joined = joinLayout(graph, { places, known })
    const apart = Math.hypot(joined[420]! - places[420]!, joined[421]! - places[421]!)
    expect(apart).toBeLessThan(EXTENT / 8)
  })

  it('turns a fresh map onto the old one', () => {
    const old = layoutGraph(grid(12))
    const known = new Uint8Array(144).fill(1)
    // A quarter turn and mirrored.
    const turned = old.map((_, at) => (at % 2 === 0 ? old[at + 1]! : old[at - 1]!))
    const fitted = fitLayout(turned, { places: old, known })
    for (const [at, value] of fitted.entries()) expect(Math.abs(value - old[at]!)).toBeLessThan(3)
  })
})

function middleOf(places: Places, nodes: readonly number[]) {
  const x = nodes.reduce((sum, node) => sum + places[2 * node]!, 0) / nodes.length
  const y = nodes.reduce((sum, node) => sum + places[2 * node + 1]!, 0) / nodes.length
  const distances = nodes.map((node) =>
    Math.hypot(places[2 * node]! - x, places[2 * node + 1]! - y),
  )
  return { x, y, radius: Math.max(...distances) }
}

it('lets a chain of new nodes grow along itself, however long', () => {
  const length = 1_000
  const graph = buildGraph({
    nodeCount: length,
    from: Uint32Array.from({ length: length - 1 }, (_, node) => node),
    to: Uint32Array.from({ length: length - 1 }, (_, node) => node + 1),
  })
  const known = new Uint8Array(length)
  known[0] = 1
  const steps = joinSteps(graph, { places: new Int16Array(2 * length), known })
  let count = 0
  while (!steps.next().done) count++
  // One look around for each of them, and nothing to look for afterwards.
  expect(count).toBeGreaterThanOrEqual(length)
  const places = joinLayout(graph, { places: new Int16Array(2 * length), known })
  expect(distinct(places)).toBe(length)
})

describe('others who want an answer meanwhile', () => {
  /** How often the work could be interrupted. */
  function stops(steps: Iterator<undefined>): number {
    let count = 0
    while (!steps.next().done) count++
    return count
  }

  it('get their turn many times in every round of a large map', () => {
    const rounds = 20
    const pieces = 6_000 / 2_000
    expect(stops(layoutSteps(star(6_000)))).toBeGreaterThan(rounds * pieces * 2)
  })

  it('get their turn between very many small parts', () => {
    const pairs = 100
    const graph = buildGraph({
      nodeCount: 2 * pairs,
      from: Uint32Array.from({ length: pairs }, (_, pair) => 2 * pair),
      to: Uint32Array.from({ length: pairs }, (_, pair) => 2 * pair + 1),
    })
    expect(stops(layoutSteps(graph))).toBeGreaterThan(pairs)
  })

  it('get their turn while new nodes join', () => {
    const graph = star(12_000)
    const known = new Uint8Array(graph.nodeCount).fill(1)
    known.fill(0, 0, 1_500)
    const places = new Int16Array(2 * graph.nodeCount)
    expect(stops(joinSteps(graph, { places, known }))).toBeGreaterThan(5)
  })
})
