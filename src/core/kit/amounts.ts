/** How long, and how much: amounts as people write them. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** By the letters a unit begins with; months and years are as long as most of them. */
const TIMES: readonly (readonly [RegExp, number])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, SECOND],
  [/^m(?:in(?:ute)?s?)?$/, MINUTE],
  [/^h(?:(?:ou)?rs?)?$/, HOUR],
  [/^d(?:ays?)?$/, DAY],
  [/^w(?:eeks?)?$/, 7 * DAY],
  [/^mo(?:nths?)?$/, 30 * DAY],
  [/^y(?:ears?)?$/, 365 * DAY],
]

const SIZES: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }

/** `90d`, `2 hours`, `an hour`, in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [count, unit] = amountOf(text.replace(/^\s*(?:an?|one)\b/i, '1'))
  const row = TIMES.find(([pattern]) => pattern.test(unit))
  return row && count * row[1]
}

/** `500MB`, `1 GB`, in bytes; undefined for anything else. */
export function parseBytes(text: string): number | undefined {
  const [count, unit] = amountOf(text)
  const size = SIZES[unit]
  return size === undefined ? undefined : count * size
}

function amountOf(text: string): readonly [number, string] {
  const match = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)\s*$/i.exec(text)
  return [Number(match?.[1]), match?.[2]?.toLowerCase() ?? '']
}
