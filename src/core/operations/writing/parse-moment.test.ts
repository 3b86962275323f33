import { expect, it } from 'vitest'
import { parseMoment } from './parse-moment.ts'

const NOW = Date.parse('2026-03-15T12:00:00Z')

it.each([
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['1 hour ago', '2026-03-15T11:00:00.000Z'],
  ['an hour ago', '2026-03-15T11:00:00.000Z'],
  ['30m', '2026-03-15T11:30:00.000Z'],
  ['10 minutes ago', '2026-03-15T11:50:00.000Z'],
  ['2 days ago', '2026-03-13T12:00:00.000Z'],
  ['1.5 hours ago', '2026-03-15T10:30:00.000Z'],
  [' 2 Weeks Ago ', '2026-03-01T12:00:00.000Z'],
  ['now', '2026-03-15T12:00:00.000Z'],
])('takes %j', (text, expected) => {
  expect(new Date(parseMoment(text, NOW)).toISOString()).toBe(expected)
})

it.each(['', 'soon', 'ago', '5', '5 moons ago', '-1 hour ago', '1e9 days'])(
  'refuses %j',
  (text) => {
    expect(() => parseMoment(text, NOW)).toThrow('not a moment')
  },
)
