/** Days and months of a calendar, in the ISO form. */
const DAY_MS = 86_400_000
const MONTH = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/

/** Of an address: what is no month is this one. */
export function monthOf(text: string | undefined): string {
  return text !== undefined && MONTH.test(text) ? text : localDay().slice(0, 7)
}

/** As it is where one sits. */
export function localDay(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

export function moved(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + by)
  const next = date.toISOString().slice(0, 7)
  return MONTH.test(next) ? next : month
}

/** All days from the Monday before its first to the Sunday behind its last. */
export function weeksOf(month: string): readonly (readonly string[])[] {
  const first = new Date(`${month}-01T00:00Z`).getTime()
  const from = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS
  const weeks: string[][] = []
  for (let at = from; ; at += 7 * DAY_MS) {
    const days = Array.from({ length: 7 }, (_, day) => isoDay(at + day * DAY_MS))
    if (weeks.length > 0 && !days[0]!.startsWith(month)) return weeks
    weeks.push(days)
  }
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
