/** Lengths of time as people write them: `3 days, 4 hours`, `1M`, `2h`. */
import type { Moment, Span } from './values.ts'

const DAY_MS = 86_400_000

const UNITS: Readonly<Record<string, Span>> = units([
  ['ms|millisecond|milliseconds', 0, 1],
  ['s|sec|secs|second|seconds', 0, 1_000],
  ['m|min|mins|minute|minutes', 0, 60_000],
  ['h|hr|hrs|hour|hours', 0, 3_600_000],
  ['d|day|days', 0, DAY_MS],
  ['w|wk|wks|week|weeks', 0, 7 * DAY_MS],
  ['M|mo|mos|month|months', 1, 0],
  ['y|yr|yrs|year|years', 12, 0],
])

function units(rows: readonly (readonly [string, number, number])[]) {
  const entries = rows.flatMap(([names, months, ms]) =>
    names.split('|').map((name) => [name, { kind: 'duration', months, ms }] as const),
  )
  return Object.fromEntries(entries)
}

/** Undefined where a text is anything else. */
export function parseSpan(text: string): Span | undefined {
  if (text.length > 200) return undefined
  const pattern = /[\s,]*([+-]?\d{1,9}(?:\.\d{1,6})?)\s*([a-zA-Z]{1,12})/y
  const end = text.trimEnd().length
  let months = 0
  let ms = 0
  let at = 0
  while (at < end) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    const name = match?.[2] ?? ''
    const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : UNITS[name.toLowerCase()]
    if (!match || !unit) return undefined
    months += Number(match[1]) * unit.months
    ms += Number(match[1]) * unit.ms
    at = pattern.lastIndex
  }
  return at === 0 ? undefined : { kind: 'duration', months, ms }
}

/** The last day of a month stays one: a month after January 31 is the end of February. */
export function addSpan({ at, timed }: Moment, { months, ms }: Span, sign: 1 | -1): Moment {
  const date = new Date(at)
  if (months !== 0) {
    const day = date.getUTCDate()
    const whole = Math.trunc(months)
    date.setUTCDate(1)
    date.setUTCMonth(date.getUTCMonth() + sign * whole)
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    date.setUTCDate(Math.min(day, last))
  }
  const moved = date.getTime() + sign * ms
  return { kind: 'date', at: moved, timed: timed || ms % DAY_MS !== 0 }
}

/** `today`, `som` and the like; `now` is the only one with a time. */
export function namedDay(name: string, now: number): Moment | undefined {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const date = new Date(today)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const monday = today - ((date.getUTCDay() + 6) % 7) * DAY_MS
  const day = (at: number): Moment => ({ kind: 'date', at, timed: false })
  switch (name) {
    case 'now':
      return { kind: 'date', at: now, timed: true }
    case 'today':
      return day(today)
    case 'tomorrow':
      return day(today + DAY_MS)
    case 'yesterday':
      return day(today - DAY_MS)
    case 'sow':
      return day(monday)
    case 'eow':
      return day(monday + 6 * DAY_MS)
    case 'som':
      return day(Date.UTC(year, month, 1))
    case 'eom':
      return day(Date.UTC(year, month + 1, 0))
    case 'soy':
      return day(Date.UTC(year, 0, 1))
    case 'eoy':
      return day(Date.UTC(year, 11, 31))
    default:
      return undefined
  }
}

export function dayOfMoment(at: number): Moment {
  return { kind: 'date', at: Math.floor(at / DAY_MS) * DAY_MS, timed: false }
}
