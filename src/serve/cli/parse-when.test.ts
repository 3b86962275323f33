import { expect, it } from 'vitest'
import { parseWhen, sayWhen } from './parse-when.ts'

/** A Wednesday, where the test runs. */
const NOW = new Date(2026, 10, 18, 15, 30)
const local = (day: number, hour = 0) => new Date(2026, 10, day, hour).toISOString()
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString()
const HOUR = 3_600_000

it.each([
  ['2026-01-31', '2026-01-31'],
  ['2026-01', '2026-01'],
  ['2026-01-31T10:00', '2026-01-31T10:00'],
  ['2026-01-31 10:00', '2026-01-31T10:00'],
  ['90m', ago(1.5 * HOUR)],
  ['1h', ago(HOUR)],
  ['2 hours ago', ago(2 * HOUR)],
  ['3d', ago(72 * HOUR)],
  ['2w', ago(14 * 24 * HOUR)],
  ['last week', ago(7 * 24 * HOUR)],
  ['last 3 days', ago(72 * HOUR)],
  ['past 2 weeks', ago(14 * 24 * HOUR)],
  ['last month', ago(30 * 24 * HOUR)],
  ['1y', ago(365 * 24 * HOUR)],
  ['today', local(18)],
  ['Yesterday', local(17)],
  ['monday', local(16)],
  ['last wednesday', local(11)],
  ['now', NOW.toISOString()],
])('understands %s', (said, expected) => {
  expect(parseWhen(said, NOW)).toBe(expected)
})

it.each(['', 'soon', '5', 'week', 'h', '3 parsecs', 'last'])('refuses %j with examples', (said) => {
  expect(() => parseWhen(said, NOW)).toThrow('is no moment')
})

it.each([
  [ago(10_000), 'just now'],
  [ago(60_000), '1 minute ago'],
  [ago(2 * HOUR), '2 hours ago'],
  [local(17, 1), 'yesterday'],
  [local(15, 1), '3 days ago'],
  ['2026-01-31T10:00:00Z', '2026-01-31'],
  [ago(-HOUR), ago(-HOUR).slice(0, 10)],
  ['never', ''],
])('says %s as %s', (iso, said) => {
  expect(sayWhen(iso, NOW)).toBe(said)
})
