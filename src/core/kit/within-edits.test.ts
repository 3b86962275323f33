import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withinEdits } from './within-edits.ts'

it.each([
  ['same', 'same', 0, true],
  ['same', 'sane', 0, false],
  ['same', 'sane', 1, true],
  ['serach', 'search', 1, true],
  ['retreival', 'retrieval', 1, true],
  ['ab', 'ba', 1, true],
  ['', 'ab', 2, true],
  ['', 'abc', 2, false],
  ['abcd', 'badc', 2, true],
  ['abcd', 'badc', 1, false],
])('%s and %s within %i: %s', (a, b, edits, expected) => {
  expect(withinEdits(a, b, edits)).toBe(expected)
})

it('agrees with the whole table', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.nat(2), (a, b, edits) => {
      expect(withinEdits(a, b, edits)).toBe(distance(a, b) <= edits)
    }),
    { numRuns: 2000 },
  )
})

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const same = a.at(-1) === b.at(-1)
  const rest = [a.slice(0, -1), b.slice(0, -1)] as const
  const swap =
    a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
      ? distance(a.slice(0, -2), b.slice(0, -2)) + 1
      : Infinity
  if (same) return Math.min(distance(...rest), swap)
  return Math.min(distance(...rest) + 1, distance(rest[0], b) + 1, distance(a, rest[1]) + 1, swap)
}
