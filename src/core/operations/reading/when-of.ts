/**
 * When does what a document says hold? Valid time, as databases call it. Whoever says more about less
 * goes first: a sentence ("as of March 2026"), the heading that it stands under, the front matter,
 * the name of the file; last a sentence that says since when. What ends is ended by any of them, and
 * first of all by the earliest. The disk's time does not count at all, because copying a folder
 * changes it. docs/decisions/0078-what-held-then.md has the order.
 */
import type { DocumentRecord } from '../../domain/document.ts'
import type { PropertyValue } from '../../domain/text.ts'
import { findDates } from './find-dates.ts'
import { parseDay } from './parse-day.ts'
import type { Day } from './parse-day.ts'
import { dayInHeadings, saidWhen } from './said-when.ts'
import type { SaidWhen } from './said-when.ts'

export interface When {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The numbers of the path: parts of one day are told apart by them. */
  readonly order: readonly number[]
}

/** The first that is a day decides. */
const BEGINS = [
  'valid_from',
  'date',
  'created',
  'created_at',
  'date created',
  'publishDate',
  'timestamp',
]
const ENDS = ['valid_until', 'valid_to', 'expires', 'expiryDate']
const REVIEWS = ['review_by', 'review_date', 'review_on', 'next_review', 'review']
const OVER =
  /^(?:deprecated|superseded|obsolete|outdated|replaced|veraltet|obsolète|obsoleto|устарело)$/i

export function whenOf(record: DocumentRecord): When | undefined {
  const at = spanOfDocument(record)?.from
  return at === undefined ? undefined : { at, order: orderOf(record.path) }
}

/** The day, month or year that a document is of, by its front matter or its name. */
export function spanOfDocument({
  path,
  properties,
}: Pick<DocumentRecord, 'path' | 'properties'>): Day | undefined {
  return dayIn(properties, BEGINS) ?? spanInName(path)
}

function orderOf(path: string): readonly number[] {
  return (path.match(/\d{1,15}/g) ?? []).map(Number)
}

/** Of one statement in a document: what it says itself, and the headings that it stands under. */
export interface StatementWhen {
  readonly when: When | undefined
  readonly said: SaidWhen
}

export function whenOfStatement(
  record: DocumentRecord,
  statement: string,
  headings: readonly string[],
): StatementWhen {
  const said = saidWhen(statement)
  const at = said.asOf ?? dayInHeadings(headings)
  const when =
    at === undefined
      ? (whenOf(record) ?? (said.from === undefined ? undefined : dated(record, said.from)))
      : dated(record, at)
  return { when, said }
}

function dated({ path }: DocumentRecord, at: number): When {
  return { at, order: orderOf(path) }
}

/** A time at which something is asked, and the next one at which the answer may be another. */
export interface Moment {
  readonly at: number
  turnsAt: number
}

export function momentAt(at: number): Moment {
  return { at, turnsAt: Infinity }
}

function isReached(time: number, moment: Moment): boolean {
  if (time <= moment.at) return true
  moment.turnsAt = Math.min(moment.turnsAt, time)
  return false
}

/** Whether it held then, by what is said of it; what says nothing of time may always have held. */
export function holdsAt({ until = Infinity, from = -Infinity }: SaidWhen, moment: Moment): boolean {
  return !isReached(until, moment) && isReached(from, moment)
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
export function isOver(record: DocumentRecord, moment: Moment): boolean {
  const { status, superseded_by: by } = record.properties
  const until = dayIn(record.properties, ENDS)?.to
  // Search asks this of everything it shows, so what says nothing costs no more than a look.
  const isPast = until !== undefined && isReached(until, moment)
  if (status === undefined && by === undefined) return isPast
  const over = whyOver(record)
  return over?.by !== undefined || over?.status !== undefined || isPast
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
    const day =
      typeof value === 'string' || typeof value === 'number' ? dayOfValue(`${value}`) : undefined
    if (day) return day
  }
  return undefined
}

/** `2026-03-05`, `20260305`, `[[2026-03-05]]`, `Thursday, March 5th 2026, 10:00:00 am`. */
function dayOfValue(value: string): Day | undefined {
  const plain = bare(value).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return parseDay(plain) ?? findDates(plain.slice(0, LONGEST), 0, LONGEST, 1)[0]
}

const LONGEST = 200

/**
 * `2026-11-18.md`, `2026_11_18.md`, `20261118-standup.md`, `March 5th, 2026.md`, `2026/11/18.md`, and
 * of notes for a month or a week `2026-11.md` and `2026-W47.md`.
 */
function spanInName(path: string): Day | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = name.replace(/\.\w+$/, '')
  const [, year, month, day] =
    /(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)/.exec(name) ??
    /(?<!\d)(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)[^/]*$/.exec(path) ??
    []
  if (year !== undefined) {
    const found = parseDay(`${year}-${month}-${day}`)
    if (found) return found
  }
  if (!/\d{4}/.test(stem)) return undefined
  const [, weekYear, week] = /^(\d{4})-?W(\d{2})$/i.exec(stem) ?? []
  if (weekYear !== undefined) return weekOf(Number(weekYear), Number(week))
  return findDates(stem, 0, LONGEST, 1)[0]
}

const DAY_MS = 86_400_000

/** Of a week as ISO 8601 counts them: the first has the year's first Thursday, and begins on a Monday. */
function weekOf(year: number, week: number): Day | undefined {
  if (year < 1_000 || week < 1 || week > 53) return undefined
  const fourth = Date.UTC(year, 0, 4)
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS
  const from = monday + (week - 1) * 7 * DAY_MS
  return { from, to: from + 7 * DAY_MS }
}
