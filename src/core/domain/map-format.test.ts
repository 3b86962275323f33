import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeMap, encodeMap, type DrawnMap } from './map-format.ts'

const arbitraryMap: fc.Arbitrary<DrawnMap> = fc
  .record({ nodeCount: fc.nat(12), groupings: fc.nat(4) })
  .chain(({ nodeCount, groupings }) => {
    const bytes = fc.uint8Array({ minLength: nodeCount, maxLength: nodeCount })
    const links = nodeCount === 0 ? 0 : 20
    const to = fc.array(fc.nat(Math.max(0, nodeCount - 1)), { maxLength: links })
    return fc
      .record({
        places: fc.int16Array({ minLength: 2 * nodeCount, maxLength: 2 * nodeCount }),
        seconds: fc.uint32Array({ minLength: nodeCount, maxLength: nodeCount }),
        degree: fc.uint16Array({ minLength: nodeCount, maxLength: nodeCount }),
        kind: bytes,
        groups: fc.array(bytes, { minLength: groupings, maxLength: groupings }),
        links: fc.tuple(
          to,
          fc.array(fc.nat(Math.max(0, nodeCount - 1)), { minLength: 20, maxLength: 20 }),
        ),
        types: fc.uint8Array({ minLength: 20, maxLength: 20 }),
      })
      .map(({ links: [to, from], types, ...rest }) => {
        const sorted = to.map((end, index) => ({ end, from: from[index]! }))
        sorted.sort((a, b) => a.from - b.from)
        const start = new Uint32Array(nodeCount + 1)
        for (const { from } of sorted) start[from + 1]!++
        for (let n = 0; n < nodeCount; n++) start[n + 1]! += start[n]!
        return {
          nodeCount,
          ...rest,
          start,
          to: Uint32Array.from(sorted, ({ end }) => end),
          type: types.slice(0, to.length),
        }
      })
  })

function plain(map: DrawnMap | undefined): unknown {
  return JSON.parse(JSON.stringify(map ?? null))
}

it('reads back what it wrote', () => {
  fc.assert(
    fc.property(arbitraryMap, (map) => {
      expect(plain(decodeMap(encodeMap(map)))).toEqual(plain(map))
    }),
  )
})

it('reads a map at any place in memory', () => {
  const map = fc.sample(arbitraryMap, 1)[0]!
  const bytes = encodeMap(map)
  const shifted = new Uint8Array(bytes.length + 3)
  shifted.set(bytes, 3)
  expect(plain(decodeMap(shifted.subarray(3)))).toEqual(plain(map))
})

it('takes nothing else for a map', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(decodeMap(bytes)).toBeUndefined()
    }),
  )
})

it('notices that a map was cut off', () => {
  fc.assert(
    fc.property(arbitraryMap, fc.nat(), (map, at) => {
      const bytes = encodeMap(map)
      expect(decodeMap(bytes.slice(0, at % bytes.length))).toBeUndefined()
    }),
  )
})

it('reads links of more nodes than 16 bits can number', () => {
  const nodeCount = 70_000
  const start = new Uint32Array(nodeCount + 1).fill(1)
  start[0] = 0
  const map: DrawnMap = {
    nodeCount,
    places: new Int16Array(2 * nodeCount),
    seconds: new Uint32Array(nodeCount),
    degree: new Uint16Array(nodeCount),
    kind: new Uint8Array(nodeCount),
    groups: [],
    start,
    to: Uint32Array.of(69_999),
    type: Uint8Array.of(3),
  }
  expect(decodeMap(encodeMap(map))?.to[0]).toBe(69_999)
})
