import { expect, it } from 'vitest'
import { moved, weeksOf } from './weeks.ts'

it.each([
  ['2026-12', '2026-11-30', '2027-01-03', 5],
  ['2027-02', '2027-02-01', '2027-02-28', 4],
  ['2026-08', '2026-07-27', '2026-09-06', 6],
])('has the weeks of %s from Monday to Sunday', (month, first, last, count) => {
  const weeks = weeksOf(month)
  expect([weeks[0]?.[0], weeks.at(-1)?.at(-1), weeks.length]).toEqual([first, last, count])
  expect(weeks.every((days) => days.length === 7)).toBe(true)
})

it.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['9999-12', 1, '9999-12'],
])('moves from %s by %i', (month, by, other) => expect(moved(month, by)).toBe(other))
