import { expect, it } from 'vitest'
import { decodeMap, encodeMap, type DrawnMap } from '../../../core/domain/map-format.ts'
import { GHOST, withGhosts } from './ghosts.ts'

const map: DrawnMap = {
  nodeCount: 2,
  places: Int16Array.of(0, 0, 100, 40),
  seconds: Uint32Array.of(5, 6),
  degree: Uint16Array.of(1, 1),
  kind: Uint8Array.of(0, 1),
  groups: [Uint8Array.of(1, 0), Uint8Array.of(1, 2)],
  start: Uint32Array.of(0, 1, 1),
  to: Uint32Array.of(1),
  type: Uint8Array.of(0),
}
const labels = {
  version: 'v',
  ids: ['a.md', 'entity:b'],
  titles: ['A', 'B'],
  groupings: [
    { name: 'folder', values: ['x'] },
    { name: 'kind', values: ['note', 'entity'] },
  ],
  types: ['wiki'],
}

it('puts what is missing beside those that name it, and moves nobody', () => {
  const ghosts = [
    { target: 'c', type: 'wiki', from: ['a.md', 'entity:b'] },
    { target: 'd', type: 'uses', from: ['entity:b'] },
    { target: 'nobody', type: 'wiki', from: ['gone.md'] },
  ]
  const haunted = withGhosts(map, labels, ghosts)
  expect(haunted.map.nodeCount).toBe(4)
  expect(Array.from(haunted.map.places).slice(0, 4)).toEqual([...map.places])
  expect([...haunted.map.kind]).toEqual([0, 1, GHOST, GHOST])
  expect([...haunted.map.start]).toEqual([0, 2, 4, 4, 4])
  expect([...haunted.map.to]).toEqual([1, 2, 2, 3])
  expect(haunted.labels.types).toEqual(['wiki', 'uses'])
  expect([...haunted.map.type]).toEqual([0, 0, 0, 1])
  expect([...haunted.map.degree]).toEqual([1, 1, 2, 1])
  expect(haunted.labels.titles).toEqual(['A', 'B', 'c', 'd'])
  expect(haunted.labels.groupings[1]!.values).toEqual(['note', 'entity', 'missing'])
  expect([...haunted.map.groups[1]!]).toEqual([1, 2, 3, 3])
  expect([...haunted.map.groups[0]!]).toEqual([1, 0, 0, 0])
  // It is a map like any other.
  expect(decodeMap(encodeMap(haunted.map))).toEqual(haunted.map)
})

it('leaves a map alone where nothing is missing', () => {
  expect(withGhosts(map, labels, []).map).toBe(map)
})
