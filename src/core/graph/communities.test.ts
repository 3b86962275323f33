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
import { communities, NO_COMMUNITY } from './communities.ts'

describe('communities', () => {
  it('are what hangs together more than with the rest', () => {
    const triangles = ['0>1', '1>2', '2>0', '4>5', '5>6', '6>4', '2>4']
    const { of, sizes } = communities(sketch(8, ...triangles))
    expect([...of]).toEqual([0, 0, 0, NO_COMMUNITY, 1, 1, 1, NO_COMMUNITY])
    expect([...sizes]).toEqual([3, 3])
  })

  it('are found among very many nodes as among few', () => {
    // A hundred rings of thirty notes, each joined with the next by one link.
    const links: string[] = []
    for (let ring = 0; ring < 100; ring++) {
      for (let n = 0; n < 30; n++) {
        const at = (k: number): number => 30 * ring + ((n + k) % 30)
        for (const step of [1, 2, 3, 5, 7, 11]) links.push(`${at(0)}>${at(step)}`)
      }
      links.push(`${30 * ring}>${(30 * ring + 30) % 3_000}`)
    }
    const { of, sizes } = communities(sketch(3_000, ...links))
    expect(sizes.length).toBeGreaterThan(20)
    for (let node = 0; node < 3_000; node++) expect(of[node]).toBe(of[30 * Math.floor(node / 30)])
  })

  it('are no worse than leaving everybody alone, or all together, and the same each time', () => {
    fc.assert(
      fc.property(arbitraryGraph(12), arbitraryScope(), (plain, scope) => {
        const nodes = includedNodes(plain, scope)
        const around = targets(plain, { ...scope, selfLinks: false }, 'out')
        const links = nodes.flatMap((from) => [...new Set(around[from])].map((to) => [from, to]))
        const degree = new Map<number, number>()
        for (const node of links.flat()) degree.set(node, (degree.get(node) ?? 0) + 1)
        const modularity = (of: (node: number) => number): number => {
          const totals = new Map<number, number>()
          for (const [node, count] of degree) {
            totals.set(of(node), (totals.get(of(node)) ?? 0) + count)
          }
          const within = links.filter(([a, b]) => of(a!) === of(b!)).length / links.length
          const chance = [...totals.values()].map((total) => (total / (2 * links.length)) ** 2)
          return within - chance.reduce((sum, each) => sum + each, 0)
        }

        const { of, sizes } = communities(graphFrom(plain), scope)
        const counts = new Map<number, number>()
        for (const [node, community] of of.entries()) {
          expect(community === NO_COMMUNITY).toBe(!degree.has(node))
          counts.set(community, (counts.get(community) ?? 0) + 1)
        }
        expect([...sizes]).toEqual([...sizes.keys()].map((number) => counts.get(number)))
        expect([...sizes]).toEqual([...sizes].toSorted((a, b) => b - a))
        expect(communities(graphFrom(plain), scope)).toEqual({ of, sizes })
        if (links.length === 0) return
        const found = modularity((node) => of[node]!)
        expect(found).toBeGreaterThanOrEqual(modularity((node) => node) - 1e-9)
        expect(found).toBeGreaterThanOrEqual(-1e-9)
      }),
      { numRuns: 300 },
    )
  })
})
