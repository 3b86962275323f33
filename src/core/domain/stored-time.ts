/** Which instant does a stored time mean, and how is one stored? */

const STORED =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Milliseconds since the epoch for an ISO date or time with any number of decimals, or undefined.
 * One without a zone is UTC: `Date.parse` would take the zone of whoever happens to read it.
 */
export function parseStoredTime(text: string): number | undefined {
  const match = STORED.exec(text.trim())
  if (!match) return undefined
  const [, date, minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = match
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const at = Date.parse(`${date}T${minutes}:${seconds}.${milliseconds}${offsetOf(zone)}`)
  return Number.isNaN(at) || !isRealDate(date!) ? undefined : at
}

/**
 * `2026-11-15T12:14:11.634000`: UTC without saying so, to the microsecond. One line with a zone
 * makes other readers of the same files compare what cannot be compared, and die of it.
 */
export function storedTime(at: Date): string {
  return `${at.toISOString().slice(0, -1)}000`
}

/** The same instant as it is stored; a time that has no zone, and what is no time, stays as it is. */
export function withoutZone(text: string): string {
  const at = parseStoredTime(text)
  const hasZone = /\d\s*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text.trim()) && text.includes(':')
  return at === undefined || !hasZone ? text : storedTime(new Date(at))
}

/** `Z`, or hours and minutes with a colon. */
function offsetOf(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z'
  const minutes = zone.slice(3).replace(':', '') || '00'
  return `${zone.slice(0, 3)}:${minutes}`
}

/** `2026-02-31` is no day, although JavaScript counts on into March. */
function isRealDate(date: string): boolean {
  // Every month has these days, and most dates are among them.
  if (Number(date.slice(8)) <= 28) return true
  const at = Date.parse(date)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}
