import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fit, nearest, toMap, toScreen, zoomAt } from './camera.ts'
import { overlaps, placeLabels } from './labels.ts'
import { around, incomingOf, pathBetween } from './walk.ts'

const SIZE = { width: 800, height: 600 }
const camera = fc.record({
  x: fc.integer({ min: -30_000, max: 30_000 }),
  y: fc.integer({ min: -30_000, max: 30_000 }),
  scale: fc.double({ min: 0.004, max: 0.5, noNaN: true }),
})
const point = fc.record({ x: fc.nat(800), y: fc.nat(600) })
const places = fc
  .array(fc.integer({ min: -32_000, max: 32_000 }), { minLength: 2, maxLength: 60 })
  .map((all) => Int16Array.from(all.slice(0, all.length & ~1)))

describe('the camera', () => {
  it('finds the way back from the screen to the map', () => {
    fc.assert(
      fc.property(camera, point, (where, at) => {
        const back = toScreen(where, SIZE, toMap(where, SIZE, at))
        expect(back.x).toBeCloseTo(at.x, 4)
        expect(back.y).toBeCloseTo(at.y, 4)
      }),
    )
  })

  it('keeps what is under the pointer there while it zooms', () => {
    fc.assert(
      fc.property(camera, point, fc.double({ min: 0.3, max: 3, noNaN: true }), (where, at, by) => {
        const under = toMap(where, SIZE, at)
        const after = toScreen(zoomAt(where, SIZE, at, by), SIZE, under)
        expect(after.x).toBeCloseTo(at.x, 3)
        expect(after.y).toBeCloseTo(at.y, 3)
      }),
    )
  })

  it('shows everything when it fits', () => {
    fc.assert(
      fc.property(places, (all) => {
        const where = fit(all, SIZE)
        for (let node = 0; 2 * node < all.length; node++) {
          const { x, y } = toScreen(where, SIZE, { x: all[2 * node]!, y: all[2 * node + 1]! })
          expect(x).toBeGreaterThanOrEqual(-0.01)
          expect(x).toBeLessThanOrEqual(SIZE.width + 0.01)
          expect(y).toBeGreaterThanOrEqual(-0.01)
          expect(y).toBeLessThanOrEqual(SIZE.height + 0.01)
        }
      }),
    )
  })

  it('finds the node under the pointer, and none where there is none', () => {
    const all = Int16Array.of(0, 0, 1_000, 0)
    const where = { x: 0, y: 0, scale: 0.1 }
    expect(nearest(all, where, SIZE, { x: 402, y: 301 }, { within: 12 })).toBe(0)
    expect(nearest(all, where, SIZE, { x: 499, y: 300 }, { within: 12 })).toBe(1)
    expect(nearest(all, where, SIZE, { x: 450, y: 300 }, { within: 12 })).toBeUndefined()
    expect(
      nearest(all, where, SIZE, { x: 402, y: 301 }, { within: 12, hidden: Uint8Array.of(1, 0) }),
    ).toBeUndefined()
  })
})

describe('labels', () => {
  it('never cover each other, and stay on the screen', () => {
    fc.assert(
      fc.property(places, (all) => {
        const labels = placeLabels({
          camera: fit(all, SIZE),
          size: SIZE,
          places: all,
          order: Array.from({ length: all.length / 2 }, (_, node) => node),
          nameOf: (node) => 'name '.repeat(1 + (node % 5)),
          measure: (text) => 7 * text.length,
        })
        for (const [index, label] of labels.entries()) {
          expect(label.x).toBeGreaterThanOrEqual(0)
          expect(label.x + label.width).toBeLessThanOrEqual(SIZE.width)
          for (const other of labels.slice(index + 1)) expect(overlaps(label, other)).toBe(false)
        }
      }),
    )
  })
})

describe('walking', () => {
  // 0 → 1 → 2, 3 → 2, 4 alone
  const map = {
    nodeCount: 5,
    start: Uint32Array.of(0, 1, 2, 2, 3, 3),
    to: Uint32Array.of(1, 2, 2),
    type: Uint8Array.of(0, 1, 0),
    kind: new Uint8Array(5),
  }
  const graph = { map, incoming: incomingOf(map) }

  it('finds what is near, in both directions', () => {
    expect([...around(graph, 2, 1)].toSorted()).toEqual([1, 2, 3])
    expect([...around(graph, 2, 2)].toSorted()).toEqual([0, 1, 2, 3])
    expect([...around(graph, 4, 3)]).toEqual([4])
  })

  it('finds the shortest way', () => {
    expect(pathBetween(graph, 0, 3)).toEqual([0, 1, 2, 3])
    expect(pathBetween(graph, 0, 0)).toEqual([0])
    expect(pathBetween(graph, 0, 4)).toBeUndefined()
  })

  it('keeps to what is shown, and to links of one type', () => {
    expect([...around(graph, 2, 3, { hidden: Uint8Array.of(0, 1, 0, 0, 0) })]).toEqual([2, 3])
    expect([...around(graph, 2, 3, { type: 0 })]).toEqual([2, 3])
    expect(pathBetween(graph, 0, 2, { type: 0 })).toBeUndefined()
  })

  it('does not walk through what is not there', () => {
    const haunted = { ...graph, map: { ...map, kind: Uint8Array.of(0, 2, 0, 0, 0) } }
    expect([...around(haunted, 0, 3)]).toEqual([0, 1])
    expect(pathBetween(haunted, 0, 2)).toBeUndefined()
    expect([...around(haunted, 1, 1)].toSorted()).toEqual([0, 1, 2])
  })
})
