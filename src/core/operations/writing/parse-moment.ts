/** An instant from the outside: a date, or how long ago. */
import { DAY, parseDuration } from '../../kit/amounts.ts'
import { invalid, quoted } from '../../domain/error.ts'

/** Milliseconds since the epoch. `name` is how the caller knows the argument. */
export function parseMoment(text: string, now = Date.now(), name = 'since'): number {
  const said = text.length > LONGEST ? '' : text
  const wanted = said.trim().toLowerCase()
  if (wanted === 'now') return now
  if (wanted === 'today') return startOfDay(now)
  if (wanted === 'yesterday') return startOfDay(now - DAY)
  const ago = parseDuration(wanted.replace(/\s+ago$/, ''))
  if (ago !== undefined) return now - ago
  // Without a year, the parser of dates takes almost anything for one.
  const time = /\d{4}/.test(said) ? Date.parse(said) : NaN
  if (Number.isFinite(time)) return time
  throw invalid(
    `${name} is not a moment: ${quoted(text)}.`,
    'Write an instant such as 2026-03-01T12:00:00Z, a date, or how long ago: "1 hour ago", "30m".',
  )
}

/** No moment takes more words than this. */
const LONGEST = 200

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
