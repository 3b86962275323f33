/** Grammars may be installed, removed or renewed after a base was indexed. */
import { expect, it } from 'vitest'
import { formatOf } from '../../src/serve/parts/formats.ts'
import type { Format } from '../../src/core/domain/format.ts'
import { sync } from '../../src/core/indexing/indexer.ts'
import { readBy, withReader } from '../../src/core/indexing/read-by.ts'
import { openMemoryStore } from '../support/memory-store/open-memory-store.ts'
import { openSmallBase } from '../support/open-small-base.ts'

const FILES = {
  'a.md': '# A\n\nA note.\n',
  'b.py': 'def b(): pass\n',
  'c.py': 'def c(): pass\n',
  'binary.py': 'a\0b',
}

it('reads code again when something else would read it, and no note', async () => {
  const { base } = await openSmallBase(FILES)
  const store = openMemoryStore()
  const lease = (await store.acquireLease('me', 60_000))!
  const read: string[] = []
  const run = async (reader: string) => {
    read.length = 0
    const watched = (path: string): Format => {
      const format = formatOf(path)
      return {
        ...format,
        ...(format.reader && { reader: () => reader }),
        parse(text, place) {
          read.push(place)
          return format.parse(text, place)
        },
      }
    }
    await sync({ store, sources: [...base.sources.values()], formatOf: watched, lease })
    return read.toSorted()
  }
  expect(await run('lines')).toEqual(['a.md', 'b.py', 'c.py'])
  expect(await run('lines')).toEqual([])
  expect(await run('grammars 1')).toEqual(['b.py', 'c.py'])
  expect(await run('grammars 1')).toEqual([])
  expect(await run('lines')).toEqual(['b.py', 'c.py'])
})

it('tells who read a file, where that may change', () => {
  const code = withReader({ path: 'b.py', stamp: '1 2' }, formatOf)
  expect(code.stamp).toMatch(/^1 2 read by \d/)
  expect(readBy(code.stamp)).toBe(formatOf('b.py').reader!('b.py'))
  expect(withReader({ path: 'a.md', stamp: '1 2' }, formatOf).stamp).toBe('1 2')
  expect(readBy('1 2')).toBeUndefined()
  expect(formatOf('x.proto').reader!('x.proto')).toBe('lines')
})
