import { expect, it } from 'vitest'
import { withoutEndSlashes } from './paths.ts'

it.each([
  ['a/b//', 'a/b'],
  ['///', ''],
  ['', ''],
  ['a', 'a'],
])('%j without the slashes at its end is %j', (path, expected) => {
  expect(withoutEndSlashes(path)).toBe(expected)
})

it('takes a run of slashes that is not at the end for what it is', () => {
  // With a pattern that begins again at every slash, this would take hours.
  const path = `${'/'.repeat(3_000_000)}x`
  expect(withoutEndSlashes(path)).toBe(path)
})
