/** Moments as people say them: `2026-01-31`, `1h`, `yesterday`, `last week`. */
import { invalid, quoted } from '../../core/domain/error.ts'

const UNITS = {
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 7 * 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  y: 365 * 86_400_000,
  year: 365 * 86_400_000,
} as const

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** An ISO instant or date. Days begin at midnight where the person is. */
export function parseWhen(text: string, now: Date): string {
  const said = text.trim().toLowerCase()
  if (/^\d{4}-\d\d(-\d\d)?([t ].*)?$/.test(said)) return text.trim().replace(' ', 'T')
  const span = /^(?:last |past )?(\d{1,6})?\s*([a-z]+?)s?(?: ago)?$/.exec(said)
  const unit = UNITS[span?.[2] as keyof typeof UNITS]
  if (span && unit !== undefined && (span[1] !== undefined || said.startsWith('last '))) {
    return new Date(now.getTime() - Number(span[1] ?? 1) * unit).toISOString()
  }
  if (said === 'now') return now.toISOString()
  if (said === 'today') return daysBefore(now, 0)
  if (said === 'yesterday') return daysBefore(now, 1)
  const weekday = WEEKDAYS.indexOf(said.replace(/^last /, ''))
  if (weekday >= 0) return daysBefore(now, (now.getDay() - weekday + 7) % 7 || 7)
  throw invalid(
    `${quoted(text)} is no moment.`,
    'Write 2026-01-31, 90m, 1h, 3d, 2w, today, yesterday, monday or "last week".',
  )
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString()
}

/** `3 minutes ago`, `yesterday`, or the date once it is long ago. */
export function sayWhen(iso: string, now: Date): string {
  const at = new Date(iso)
  const ago = now.getTime() - at.getTime()
  if (Number.isNaN(ago)) return ''
  const days = Math.round((midnight(now) - midnight(at)) / UNITS.day)
  if (ago < 0 || days > 6) return iso.slice(0, 10)
  if (days === 1 && ago > 12 * UNITS.h) return 'yesterday'
  if (ago >= UNITS.d) return `${days} days ago`
  if (ago >= UNITS.h) return plural(Math.floor(ago / UNITS.h), 'hour')
  return ago < UNITS.m ? 'just now' : plural(Math.floor(ago / UNITS.m), 'minute')
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
