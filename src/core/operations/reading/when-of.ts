/**
 * When does what a document says hold? Valid time, as databases call it: what its author says of it
 * counts before the name of its file, and the disk's time does not count at all, because copying a
 * folder changes it.
 */
import type { DocumentRecord } from '../../domain/document.ts'
import type { PropertyValue } from '../../domain/text.ts'
import { parseDay } from './parse-day.ts'
import type { Day } from './parse-day.ts'

export interface When {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The numbers of the path: parts of one day are told apart by them. */
  readonly order: readonly number[]
}

/** The first that is a day decides. */
const BEGINS = ['valid_from', 'date', 'created', 'created_at', 'publishDate', 'timestamp']
const ENDS = ['valid_until', 'valid_to', 'expires', 'expiryDate']
const REVIEWS = ['review_by', 'review_date', 'review_on', 'next_review', 'review']
const OVER =
  /^(?:deprecated|superseded|obsolete|outdated|replaced|veraltet|obsolète|obsoleto|устарело)$/i

export function whenOf({ path, properties }: DocumentRecord): When | undefined {
  const at = dayIn(properties, BEGINS)?.from ?? dayInName(path)
  if (at === undefined) return undefined
  return { at, order: (path.match(/\d{1,15}/g) ?? []).map(Number) }
}

/** What its author says of its end: any of them is enough, a day when it is past. */
export interface Over {
  readonly by?: string
  readonly status?: string
  /** Milliseconds since the epoch: what holds until a day holds all of that day. */
  readonly until?: number
}

export function whyOver({ properties }: DocumentRecord): Over | undefined {
  const { status, superseded_by: written } = properties
  const [first] = Array.isArray(written) ? (written as readonly PropertyValue[]).flat(2) : [written]
  const by = typeof first === 'string' ? bare(first) : ''
  const isOver = typeof status === 'string' && OVER.test(status.trim())
  const until = dayIn(properties, ENDS)?.to
  if (by === '' && !isOver && until === undefined) return undefined
  return {
    ...(by !== '' && { by }),
    ...(isOver && { status: status.trim() }),
    ...(until !== undefined && { until }),
  }
}

/** Whether its author says that it holds no longer. */
export function isOver(record: DocumentRecord, now: number): boolean {
  const { status, superseded_by: by } = record.properties
  const until = dayIn(record.properties, ENDS)?.to
  // Search asks this of everything it shows, so what says nothing costs no more than a look.
  if (status === undefined && by === undefined) return until !== undefined && until <= now
  const over = whyOver(record)
  return over?.by !== undefined || over?.status !== undefined || (until ?? Infinity) <= now
}

/** When its author wants it looked at again, in milliseconds since the epoch. */
export function reviewOf({ properties }: DocumentRecord): number | undefined {
  return dayIn(properties, REVIEWS)?.from
}

/** `[[New plan|the new one]]` is the new plan. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^\[\[([^[\]|]{1,500})(?:\|[^[\]]{0,500})?\]\]$/, '$1')
    .trim()
}

/** Earlier ones first. */
export function compareWhen(a: When, b: When): number {
  if (a.at !== b.at) return a.at - b.at
  for (let i = 0; i < Math.min(a.order.length, b.order.length); i++) {
    if (a.order[i] !== b.order[i]) return a.order[i]! - b.order[i]!
  }
  return a.order.length - b.order.length
}

function dayIn(
  properties: Readonly<Record<string, PropertyValue>>,
  keys: readonly string[],
): Day | undefined {
  for (const key of keys) {
    const value = properties[key]
    const day = typeof value === 'string' ? parseDay(value) : undefined
    if (day) return day
  }
  return undefined
}

/** `2026-11-18.md`, `2026_11_18.md`, `20261118-standup.md`. */
function dayInName(path: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [, year, month, day] = /(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)/.exec(name) ?? []
  return year === undefined ? undefined : parseDay(`${year}-${month}-${day}`)?.from
}
