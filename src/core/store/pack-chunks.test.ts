import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packChunks, unpackChunks } from './pack-chunks.ts'

const place = { start: 10, end: 40, lineStart: 2, lineEnd: 4 }

it('brings passages back as they were, in a text that says nothing twice', () => {
  const chunks = [
    { ...place, headingPath: ['Tea'], trails: [{ at: 20, path: ['Tea', 'Green'] }] },
    { ...place, start: 42, end: 50, headingPath: ['Tea', 'Green', 'Japan'] },
    { ...place, start: 52, end: 60, headingPath: [] },
  ]
  const packed = packChunks(chunks)
  expect(packed).toBe('[[10,30,2,2,0,"Tea",[[10,1,"Green"]]],[2,8,-2,2,2,"Japan"],[2,8,-2,2,0]]')
  expect(unpackChunks(7, packed)).toEqual(
    chunks.map((chunk, ordinal) => ({ doc: 7, ordinal, ...chunk })),
  )
})

it('does so with any places and headings', () => {
  const path = fc.array(fc.constantFrom('', 'Tea', 'Green', '[1]', '"'), { maxLength: 3 })
  const number = fc.nat(1_000)
  const trail = fc.record({ at: number, path })
  const chunk = fc.record(
    {
      start: number,
      end: number,
      lineStart: number,
      lineEnd: number,
      headingPath: path,
      trails: fc.array(trail, { maxLength: 3 }),
    },
    { requiredKeys: ['start', 'end', 'lineStart', 'lineEnd', 'headingPath'] },
  )
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 5 }), (chunks) => {
      const expected = chunks.map((each, ordinal) => ({ doc: 1, ordinal, ...each }))
      expect(unpackChunks(1, packChunks(chunks))).toEqual(expected)
    }),
    { seed: 29 },
  )
})
