/** What happened since a moment goes by the order of the log, whatever the clock did meanwhile. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eachSince } from '../../src/core/operations/writing/each-since.ts'
import { appendToDocument } from '../support/edit-documents.ts'
import { historyMoment, listHistory } from '../../src/core/operations/writing/list-history.ts'
import { undoChanges } from '../../src/core/operations/writing/undo-changes.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import type { SmallBase } from '../support/open-small-base.ts'

const ada = { by: { client: 'ada/1' } }
const at = (time: string): number => Date.parse(`2026-03-15T${time}:00Z`)
const NO_CLOCK = Date.parse('2000-01-01T00:00:00Z')

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: at('08:00') }))
afterEach(() => void vi.useRealTimers())

/** Lines that were added at these times, one after the other; the clock stays at the last. */
async function written(...times: readonly number[]): Promise<SmallBase> {
  const base = await openSmallBase({ 'tea.md': 'first\n' })
  for (const [index, time] of times.entries()) {
    vi.setSystemTime(time)
    await appendToDocument(base.kb, 'tea', `line ${index}`, ada)
  }
  return base
}

/** Which of the lines were added since; newest first. */
async function linesSince({ kb }: SmallBase, moment: string): Promise<number[]> {
  const since = await historyMoment(kb, moment)
  const { operations } = await listHistory(kb, { since })
  return operations.map(({ changes }) => Number(/\+line (\d)/.exec(changes[0]!.diff)![1]))
}

it('finds what came before and after the clock was not set', async () => {
  const base = await written(at('09:00'), at('09:10'), NO_CLOCK, NO_CLOCK, at('09:20'))
  vi.setSystemTime(at('09:30'))
  expect(await linesSince(base, '25 minutes ago')).toEqual([4, 3, 2, 1])
  expect(await linesSince(base, '2026-03-15T09:15Z')).toEqual([4])
  expect(await linesSince(base, '5 minutes ago')).toEqual([])
  expect(await linesSince(base, '1999-01-01')).toEqual([4, 3, 2, 1, 0])
})

it('finds what came before and after the clock was set back', async () => {
  const base = await written(at('10:00'), at('12:00'), at('11:05'), at('11:06'))
  expect(await linesSince(base, '10 minutes ago')).toEqual([3, 2, 1])
  // As the list shows it: dated later than now, and everything behind it.
  expect(await linesSince(base, '2026-03-15T11:30Z')).toEqual([3, 2, 1])
  expect(await linesSince(base, '2026-03-15T12:30Z')).toEqual([])
})

it('takes a date that lies ahead for no date', async () => {
  const base = await written(at('09:00'), Date.parse('2031-01-01'), at('09:10'), at('10:00'))
  expect(await linesSince(base, '15 minutes ago')).toEqual([3])
  expect(await linesSince(base, '2026-03-15T09:05Z')).toEqual([3, 2, 1])
  expect(await linesSince(base, '2030-01-01')).toEqual([3, 2, 1])
})

it('gives pages of it', async () => {
  const { kb } = await written(at('09:00'), at('09:10'), NO_CLOCK, at('09:20'))
  const since = at('09:05')
  const first = await listHistory(kb, { since }, { limit: 2 })
  const second = await listHistory(kb, { since }, { limit: 2, cursor: first.nextCursor })
  expect([first.operations.length, second.operations.length]).toEqual([2, 1])
  expect(second.operations[0]!.at).toBe(at('09:10'))
  expect(second.nextCursor).toBeUndefined()
})

it('undoes all that came since, and nothing before', async () => {
  const base = await written(at('09:00'), at('09:10'), NO_CLOCK, at('09:20'))
  const { undone, conflicts } = await undoChanges(base.kb, { since: at('09:05') }, ada)
  expect([undone.length, conflicts]).toEqual([3, []])
  expect(readFileSync(join(base.folder, 'tea.md'), 'utf8')).toBe('first\n\nline 0\n')
})

it('does not look through all of a long history for it', async () => {
  const visited: number[] = []
  const operation = (day: number) => ({
    id: `${day}`,
    at: day,
    changes: [],
    state: 'done' as const,
  })
  const history = {
    each: async (visit: (each: any) => boolean) => {
      for (let day = 5_000; day > 0; day--) {
        visited.push(day)
        if (!visit(operation(day))) return
      }
    },
  }
  const seen: number[] = []
  await eachSince(history as any, 4_990, ({ at: day }) => seen.push(day) > 0, { now: 6_000 })
  expect(seen).toHaveLength(11)
  expect(visited).toHaveLength(1_011)
})
