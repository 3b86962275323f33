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
import { degrees, orphans } from './degrees.ts'

describe('degrees', () => {
  it('counts neighbours, not types, and a link to itself on both sides', () => {
    const found = degrees(sketch(3, '0>1', '0>1:1', '2>1', '1>1'))
    expect([...found.in]).toEqual([0, 3, 0])
    expect([...found.out]).toEqual([1, 1, 1])
    expect([...found.total]).toEqual([1, 4, 1])
  })

  it('counts what is in a set of neighbours', () => {
    fc.assert(
      fc.property(arbitraryGraph(), arbitraryScope(), (plain, scope) => {
        const found = degrees(graphFrom(plain), scope)
        expect([...found.in]).toEqual(targets(plain, scope, 'in').map((row) => row.length))
        expect([...found.out]).toEqual(targets(plain, scope, 'out').map((row) => row.length))
      }),
    )
  })
})

describe('orphans', () => {
  it('are alone even when they link to themselves', () => {
    expect(orphans(sketch(5, '0>1', '2>2', '3>4'))).toEqual([2])
  })

  it('are alone when they link only to what is excluded', () => {
    expect(orphans(sketch(4, '0>1', '2>3'), { exclude: Uint8Array.of(0, 1, 0, 0) })).toEqual([0])
  })

  it('are the included nodes without neighbours', () => {
    fc.assert(
      fc.property(arbitraryGraph(), arbitraryScope(), (plain, scope) => {
        const around = targets(plain, { ...scope, selfLinks: false }, 'both')
        const expected = includedNodes(plain, scope).filter((n) => around[n]!.length === 0)
        expect(orphans(graphFrom(plain), scope)).toEqual(expected)
      }),
    )
  })
})
