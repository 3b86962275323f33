import { expect, it } from 'vitest'
import { wasAtRest } from './file-version.ts'

const WRITTEN = 1_800_000_000_000

it.each([
  ['a clock that ticks in seconds, a second later', 0, 1_000, false],
  ['a clock that ticks in seconds, four seconds later', 0, 4_000, true],
  ['a clock that ticks in hundredths, a second later', 120, 1_000, false],
  ['a fine clock, at once', 123.456, 0, false],
  ['a fine clock, while clocks of two machines may differ', 123.456, 400, false],
  ['a fine clock, a second later', 123.456, 1_000, true],
])('knows when a file was at rest: %s', (_, part, later, isAtRest) => {
  const time = WRITTEN + part
  expect(wasAtRest({ mtimeMs: time, ctimeMs: time }, time + later)).toBe(isAtRest)
  // Whoever sets the time of a file back changes what the system knows of it.
  expect(wasAtRest({ mtimeMs: WRITTEN - 60_000, ctimeMs: time }, time + later)).toBe(isAtRest)
  expect(wasAtRest({ mtimeMs: time + 60_000, ctimeMs: time }, time + later)).toBe(false)
})
