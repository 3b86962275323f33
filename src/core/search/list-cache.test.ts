import { expect, it } from 'vitest'
import { ListCache } from './list-cache.ts'
import { TermList } from './segment/term-list.ts'

const empty = (): TermList => new TermList(new Uint8Array(64))

it('counts what a list takes besides its bytes', () => {
  const cache = new ListCache(100_000)
  for (let term = 0; term < 1_000; term++) cache.put('1', `term${term}`, empty())
  const kept = Array.from({ length: 1_000 }, (_, term) => cache.get('1', `term${term}`))
  // As many as a hundred kilobytes of memory hold, not of postings.
  expect(kept.filter(Boolean).length).toBeLessThan(100)
  expect(cache.bytes).toBeLessThanOrEqual(100_000)
})

it('forgets the lists of segments that are gone, and no others', () => {
  const cache = new ListCache(100_000)
  for (const segment of ['1', '2', '12']) cache.put(segment, 'tea', empty())
  const before = cache.bytes
  cache.forget(new Set(['1', '3']))
  expect(cache.get('1', 'tea')).toBeUndefined()
  expect(cache.get('2', 'tea')).toBeDefined()
  expect(cache.get('12', 'tea')).toBeDefined()
  expect(cache.bytes).toBe((before / 3) * 2)
})
