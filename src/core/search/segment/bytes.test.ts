import fc from 'fast-check'
import { expect, it } from 'vitest'
import { offsetsOf, sizesOf } from './bytes.ts'

it('keeps where things begin as their sizes', () => {
  expect([...sizesOf(Uint32Array.of(0, 3, 3, 303))]).toEqual([3, 0, 0b1010_1100, 2])
  fc.assert(
    fc.property(fc.array(fc.nat(1 << 21), { maxLength: 40 }), (sizes) => {
      const offsets = Uint32Array.of(0, ...sizes)
      for (let i = 1; i < offsets.length; i++) offsets[i]! += offsets[i - 1]!
      expect(offsetsOf(sizesOf(offsets))).toEqual(offsets)
    }),
    { seed: 29 },
  )
})
