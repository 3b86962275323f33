/** Dates as people write them in front matter: the span of time that each stands for, in UTC. */
import { invalid, quoted } from '../../domain/error.ts'
import { monthOf } from './month-names.ts'

export interface Day {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const DAY_MS = 86_400_000

/**
 * `2026-12-01`, `2026/12/01`, `01.12.2026`, `1 December 2026`, `Dec 1, 2026`, `1. März 2026`,
 * `2026年3月1日`, with a time of day where one is given, and the spans `2026-12` and `2026`; with `now` also `today` and `7 days ago`.
 * With `strict`, a date that cannot be or can be read two ways is an error.
 */
export function parseDay(
  text: string,
  now?: number,
  { strict = false }: { readonly strict?: boolean } = {},
): Day | undefined {
  const plain = text.trim().toLowerCase()
  if (plain.length > 40) return undefined
  const relative = now === undefined ? undefined : relativeTo(plain, now)
  if (relative) return relative
  const iso =
    /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(z|[+-]\d{2}:?\d{2})?)?$/.exec(
      plain,
    )
  if (iso) {
    const [, year, , month, day, hour, minute, second, zone] = iso
    const found = dayOf(Number(year), Number(month), Number(day))
    if (!found) return impossible(text, strict)
    if (hour === undefined) return found
    const at =
      found.from + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1_000
    const from = at - offsetOf(zone)
    return { from, to: from + (second === undefined ? 60_000 : 1_000) }
  }
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(plain)
  if (dotted) {
    return (
      dayOf(Number(dotted[3]), Number(dotted[2]), Number(dotted[1])) ?? impossible(text, strict)
    )
  }
  const named =
    /^(\d{1,2})(?:st|nd|rd|th|er|\.)?[\s-]+(?:de |of )?(\p{L}{3,10})\.?,?[\s-]+(?:de |del )?(\d{4})$/u.exec(
      plain,
    ) ?? /^(\p{L}{3,10})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})$/u.exec(plain)
  if (named) {
    const [, a = '', b = '', year] = named
    const [word, day] = /^\d/.test(a) ? [b, a] : [a, b]
    const month = monthOf(word)
    return month > 0
      ? (dayOf(Number(year), month, Number(day)) ?? impossible(text, strict))
      : undefined
  }
  const han = /^(\d{4})\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?[日号])?$/u.exec(plain)
  if (han) {
    const [year, month] = [Number(han[1]), Number(han[2])]
    return han[3] === undefined ? spanOf(year, month) : dayOf(year, month, Number(han[3]))
  }
  const span = /^(\d{4})(?:-(\d{2}))?$/.exec(plain)
  if (span) return spanOf(Number(span[1]), span[2] === undefined ? undefined : Number(span[2]))
  if (strict && /^\d{1,2}\/\d{1,2}\/\d{2,4}$/.test(plain)) {
    throw invalid(
      `${quoted(text)} can be read as two dates.`,
      'Write the year first, such as 2026-12-01.',
    )
  }
  return undefined
}

function relativeTo(plain: string, now: number): Day | undefined {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const day = (days: number): Day => ({
    from: today + days * DAY_MS,
    to: today + (days + 1) * DAY_MS,
  })
  if (plain === 'today') return day(0)
  if (plain === 'yesterday') return day(-1)
  if (plain === 'tomorrow') return day(1)
  const far = /^(?:(\d{1,4}) (day|week)s? ago|in (\d{1,4}) (day|week)s?)$/.exec(plain)
  if (!far) return undefined
  const count = Number(far[1] ?? far[3]) * ((far[2] ?? far[4]) === 'week' ? 7 : 1)
  return day(far[1] === undefined ? count : -count)
}

export function dayOf(year: number, month: number, day: number): Day | undefined {
  const from = Date.UTC(year, month - 1, day)
  const date = new Date(from)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1_000
  return isReal ? { from, to: from + DAY_MS } : undefined
}

export function spanOf(year: number, month: number | undefined): Day | undefined {
  if (month === undefined) return { from: Date.UTC(year, 0, 1), to: Date.UTC(year + 1, 0, 1) }
  if (month < 1 || month > 12) return undefined
  return { from: Date.UTC(year, month - 1, 1), to: Date.UTC(year, month, 1) }
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'z') return 0
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function impossible(text: string, strict: boolean): undefined {
  if (!strict) return undefined
  throw invalid(`There is no day ${quoted(text)}.`, 'Write a day such as 2026-12-01.')
}
