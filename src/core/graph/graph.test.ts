import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  arbitraryGraph,
  edgesInScope,
  graphFrom,
  sketch,
} from '../../../test/support/arbitrary-graph.ts'
import { buildGraph, edgeTypes, patchGraph, type Graph, type Rows } from './graph.ts'

function list(rows: Rows): string[] {
  const found: string[] = []
  for (let n = 0; n < rows.start.length - 1; n++) {
    for (let k = rows.start[n]!; k < rows.start[n + 1]!; k++) {
      found.push(`${n} ${rows.node[k]} ${rows.type[k]}`)
    }
  }
  return found
}

describe('buildGraph', () => {
  it('keeps rows sorted, repeats once, and links from a node to itself', () => {
    const graph = sketch(4, '2>3', '2>0:1', '2>0', '1>1', '2>3', '2>0:1')
    expect(list(graph.out)).toEqual(['1 1 0', '2 0 0', '2 0 1', '2 3 0'])
    expect(list(graph.in)).toEqual(['0 2 0', '0 2 1', '1 1 0', '3 2 0'])
    expect(graph.edgeCount).toBe(4)
    expect(graph.distinctPairs).toBe(false)
  })

  it('takes a graph without nodes, and one without links', () => {
    expect(sketch(0).edgeCount).toBe(0)
    expect(sketch(3).distinctPairs).toBe(true)
  })

  it('sorts the types of many parallel links', () => {
    const type = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256)
    const from = new Uint32Array(300)
    const graph = buildGraph({ nodeCount: 1, from, to: from, type })
    expect(graph.out.type).toEqual(Uint8Array.from({ length: 256 }, (_, i) => i))
  })

  it('refuses nodes that do not exist and lists of different lengths', () => {
    expect(() => sketch(2, '0>2')).toThrow(RangeError)
    expect(() => sketch(2, '2>0')).toThrow(RangeError)
    const [one, two] = [new Uint32Array(1), new Uint32Array(2)]
    expect(() => buildGraph({ nodeCount: 3, from: one, to: two })).toThrow(RangeError)
  })

  it('holds the same links as a set of strings', () => {
    fc.assert(
      fc.property(arbitraryGraph(), (plain) => {
        const graph = graphFrom(plain)
        const edges = edgesInScope(plain, {})
        const out = edges.map(({ from, to, type }) => `${from} ${to} ${type}`)
        const back = edges.map(({ from, to, type }) => `${to} ${from} ${type}`)
        // Single digits, so the order of strings is the order of numbers.
        expect(list(graph.out)).toEqual(out.toSorted())
        expect(list(graph.in)).toEqual(back.toSorted())
        const pairs = new Set(edges.map(({ from, to }) => `${from} ${to}`))
        expect(graph.distinctPairs).toBe(pairs.size === edges.length)
      }),
    )
  })
})

describe('patchGraph', () => {
  it('equals building the edited graph, also when nodes were added', () => {
    const edit = fc.record({
      before: arbitraryGraph(6),
      after: arbitraryGraph(9),
      touched: fc.uniqueArray(fc.nat(8)),
    })
    fc.assert(
      fc.property(edit, ({ before, after, touched }) => {
        const nodeCount = Math.max(before.nodeCount, after.nodeCount)
        const changed = touched.filter((node) => node < nodeCount)
        const fresh = after.edges.filter(({ from }) => changed.includes(from))
        const changes = new Map(
          changed.map((node) => {
            const row = fresh.filter(({ from }) => from === node)
            return [node, { to: row.map(({ to }) => to), type: row.map(({ type }) => type) }]
          }),
        )
        const original = graphFrom(before)
        const copy = structuredClone(original)
        const kept = before.edges.filter(({ from }) => !changed.includes(from))
        const patched = patchGraph(original, changes, nodeCount)
        expect(patched).toEqual(graphFrom({ nodeCount, edges: [...kept, ...fresh] }))
        expect(original).toEqual<Graph>(copy)
      }),
    )
  })

  it('gives links without a type the type 0', () => {
    const graph = patchGraph(sketch(2), new Map([[0, { to: [1, 1] }]]))
    expect(list(graph.out)).toEqual(['0 1 0'])
  })

  it('refuses nodes that do not exist, and to lose some', () => {
    const graph = sketch(2)
    expect(() => patchGraph(graph, new Map([[0, { to: [2] }]]))).toThrow(RangeError)
    expect(() => patchGraph(graph, new Map([[2, { to: [0] }]]))).toThrow(RangeError)
    expect(() => patchGraph(graph, new Map(), 1)).toThrow(RangeError)
  })
})

describe('edgeTypes', () => {
  it('lists the types between two nodes in one direction', () => {
    const graph = sketch(3, '0>1:5', '0>1:2', '1>0:9', '0>2:1')
    expect(edgeTypes(graph, 0, 1)).toEqual([2, 5])
    expect(edgeTypes(graph, 1, 0)).toEqual([9])
    expect(edgeTypes(graph, 2, 0)).toEqual([])
  })
})
