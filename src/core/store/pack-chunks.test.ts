import { expect, it } from 'vitest'
import { packChunks, unpackChunks } from './pack-chunks.ts'

const place = { start: 3, end: 40, lineStart: 1, lineEnd: 4 }

it('gives back passages with their headings, also those inside of them', () => {
  const chunks = [
    { ...place, headingPath: ['Tea'], trails: [{ at: 20, path: ['Tea', 'Green'] }] },
    { ...place, headingPath: [] },
  ]
  const known = { doc: 7 }
  expect(unpackChunks(7, packChunks(chunks))).toEqual([
    { ...known, ...chunks[0], ordinal: 0 },
    { ...known, ...chunks[1], ordinal: 1 },
  ])
})

it('reads what a server of an earlier version writes', () => {
  const earlier = JSON.stringify([
    [3, 40, 1, 4, 'Tea', 'Green'],
    [3, 40, 1, 4],
  ])
  expect(unpackChunks(7, earlier).map(({ headingPath, trails }) => [headingPath, trails])).toEqual([
    [['Tea', 'Green'], undefined],
    [[], undefined],
  ])
})
