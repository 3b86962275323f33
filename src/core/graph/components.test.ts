import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  arbitraryGraph,
  arbitraryScope,
  graphFrom,
  includedNodes,
  sketch,
  targets,
} from '../../../test/support/arbitrary-graph.ts'
import { components, NO_COMPONENT } from './components.ts'

describe('components', () => {
  it('hang together in either direction, largest first', () => {
    const { of, sizes } = components(sketch(6, '0>1', '3>2', '4>2'))
    expect([...of]).toEqual([1, 1, 0, 0, 0, 2])
    expect([...sizes]).toEqual([3, 2, 1])
  })

  it('are the groups that passing labels around finds', () => {
    fc.assert(
      fc.property(arbitraryGraph(12), arbitraryScope(), (plain, scope) => {
        const nodes = includedNodes(plain, scope)
        const around = targets(plain, scope, 'both')
        const label = Array.from({ length: plain.nodeCount }, (_, n) => n)
        for (let round = 0; round < plain.nodeCount; round++) {
          for (const n of nodes)
            for (const m of around[n]!) label[n] = Math.min(label[n]!, label[m]!)
        }
        const groups = Map.groupBy(nodes, (n) => label[n])
        const sorted = [...groups.values()].toSorted((a, b) => b.length - a.length || a[0]! - b[0]!)
        const expected = Array.from({ length: plain.nodeCount }, () => NO_COMPONENT)
        for (const [number, group] of sorted.entries()) for (const n of group) expected[n] = number

        const { of, sizes } = components(graphFrom(plain), scope)
        expect([...of]).toEqual(expected)
        expect([...sizes]).toEqual(sorted.map((group) => group.length))
      }),
      { numRuns: 300 },
    )
  })
})
