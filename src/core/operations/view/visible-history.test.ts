import { expect, it } from 'vitest'
import type { History, LoggedOperation } from '../../history/history.ts'
import { withoutPrivate } from './visible-history.ts'

const COUNT = 5_000

/** One operation on each of very many notes. */
function longHistory(): History {
  const names = Array.from({ length: COUNT }, (_, n) => `notes/${n}.md`)
  const operations = names.map((name, at) => ({
    id: String(at),
    at,
    kind: 'append',
    by: {},
    state: 'done',
    undoneBy: undefined,
    changes: [{ source: 'notes', path: name.slice('notes/'.length), before: 'a', after: 'b' }],
  })) as unknown as LoggedOperation[]
  return {
    names: async () => ({ documents: new Set(names), authors: new Set() }),
    each: async (visit: (operation: LoggedOperation) => boolean) =>
      void operations.toReversed().every(visit),
  } as unknown as History
}

it('asks once for all notes of a source that are in no index, and tells nothing of private ones', async () => {
  const asked: number[] = []
  const history = withoutPrivate(longHistory(), {
    indexed: async () => new Set(['notes/0.md', 'notes/1.md']),
    privateAmong: async (source, paths) => {
      expect(source).toBe('notes')
      asked.push(paths.length)
      return ['7.md', '9.md']
    },
  })
  const told: string[] = []
  await history.each(({ id }) => told.push(id) > 0)
  expect(told).toHaveLength(COUNT - 2)
  expect(told).not.toContain('7')
  expect(asked).toEqual([COUNT - 2])
})
