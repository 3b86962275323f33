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
} from '../../../test/support/arbitrary-graph.ts'
import { neighborPaths, neighbors, type Direction, type Neighbor } from './neighbors.ts'
import type { Scope } from './scope.ts'

const tea = sketch(6, '0>1', '0>2', '2>0', '3>0', '1>4', '5>3', '0>0')

describe('neighbors', () => {
  it('lists what a node links to, then what links to it, each once', () => {
    expect(neighbors(tea, 0)).toEqual([
      { node: 1, hops: 1, via: 0, relation: 'out' },
      { node: 2, hops: 1, via: 0, relation: 'both' },
      { node: 3, hops: 1, via: 0, relation: 'in' },
    ])
  })

  it('says how nodes are really linked when only one direction is followed', () => {
    expect(neighbors(tea, 0, { direction: 'in' })).toEqual([
      { node: 2, hops: 1, via: 0, relation: 'both' },
      { node: 3, hops: 1, via: 0, relation: 'in' },
    ])
  })

  it('goes several links far and tells the way', () => {
    const found = neighbors(tea, 0, { depth: 2 })
    expect(found.slice(3)).toEqual([
      { node: 4, hops: 2, via: 1, relation: 'out' },
      { node: 5, hops: 2, via: 3, relation: 'in' },
    ])
    expect(neighborPaths(0, found)).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 1, 4],
      [0, 3, 5],
    ])
  })

  it('has nothing around an excluded node and refuses one that does not exist', () => {
    expect(neighbors(tea, 0, { exclude: Uint8Array.of(1, 0, 0, 0, 0, 0) })).toEqual([])
    expect(() => neighbors(tea, 6)).toThrow(RangeError)
  })

  it('cuts the same list at the limit', () => {
    const all = neighbors(tea, 0, { depth: 3 })
    for (let limit = 0; limit <= all.length; limit++) {
      expect(neighbors(tea, 0, { depth: 3, limit })).toEqual(all.slice(0, limit))
    }
  })

  it('finds what a search with sets finds', () => {
    const question = fc.record({
      plain: arbitraryGraph(),
      scope: arbitraryScope(),
      direction: fc.constantFrom<Direction>('in', 'out', 'both'),
      depth: fc.nat(4),
    })
    fc.assert(
      fc.property(question, ({ plain, scope, direction, depth }) => {
        const found = neighbors(graphFrom(plain), 0, { ...scope, direction, depth })
        expect(found).toEqual(obviousNeighbors(plain, 0, scope, direction, depth))
      }),
      { numRuns: 300 },
    )
  })
})

function obviousNeighbors(
  plain: PlainGraph,
  origin: number,
  scope: Scope,
  direction: Direction,
  depth: number,
): Neighbor[] {
  if (!includedNodes(plain, scope).includes(origin)) return []
  const out = targets(plain, scope, 'out')
  const back = targets(plain, scope, 'in')
  const seen = new Set([origin])
  const found: Neighbor[] = []
  let level = [origin]
  for (let hops = 1; hops <= depth; hops++) {
    const next: number[] = []
    for (const via of level) {
      const around = [
        ...(direction === 'in' ? [] : out[via]!),
        ...(direction === 'out' ? [] : back[via]!),
      ]
      for (const node of around) {
        if (seen.has(node)) continue
        seen.add(node)
        next.push(node)
        const relation = !out[via]!.includes(node)
          ? 'in'
          : back[via]!.includes(node)
            ? 'both'
            : 'out'
        found.push({ node, hops, via, relation })
      }
    }
    level = next
  }
  return found
}
