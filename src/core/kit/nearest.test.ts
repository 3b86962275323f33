import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

it.each([
  ['serach', 'search'],
  ['SEARCH', 'search'],
  ['neighbours', 'neighbors'],
  ['read_only', 'read-only'],
  ['stat', 'status'],
  ['x', undefined],
  ['completely different', undefined],
])('%s means %s', (word, expected) => {
  expect(nearest(word, ['search', 'neighbors', 'status', 'read-only'])).toBe(expected)
})
