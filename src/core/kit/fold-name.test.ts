import { expect, it } from 'vitest'
import { foldName, foldTag } from './fold-name.ts'

it.each([
  ['Café.md', 'Cafe\u0301.MD', true],
  ['straße', 'STRASSE', false],
  ['tea', 'teas', false],
])('%s and %s are one name: %s', (a, b, expected) => {
  expect(foldName(a) === foldName(b)).toBe(expected)
})

it.each([
  ['#Tea', 'tea'],
  ['##a/B', 'a/b'],
  ['c#', 'c#'],
])('the tag %s is %s', (tag, expected) => {
  expect(foldTag(tag)).toBe(expected)
})
