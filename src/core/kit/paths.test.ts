import { expect, it } from 'vitest'
import { joinPath, withoutEndSlashes } from './paths.ts'

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

it.each([
  ['', 'a.md', 'a.md'],
  ['a', 'b.md', 'a/b.md'],
  ['a/b', 'c/d.md', 'a/b/c/d.md'],
  ['a/b', '../c.md', 'a/c.md'],
  ['a', '../../c.md', undefined],
  ['a', './c.md', 'a/c.md'],
  ['a', 'b/./c.md', 'a/b/c.md'],
  ['a', 'b//c.md', 'a/b/c.md'],
  ['a', 'b/', 'a/b'],
  ['a', '/b', 'a/b'],
  ['a', 'b/..', 'a'],
  ['a', '', 'a'],
  ['a', '.', 'a'],
  ['a', '..', ''],
  ['', '..', undefined],
  ['a', '...', 'a/...'],
  ['a', '.b/..c/d..', 'a/.b/..c/d..'],
])('%j and from there %j is %j', (folder, target, expected) => {
  expect(joinPath(folder, target)).toBe(expected)
})
