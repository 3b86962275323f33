/**
 * Values of a query: what notes say, made comparable. A value never leads outside of itself: links
 * are names, and notes are rows that were fetched before anything is worked out.
 */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import type { PropertyValue } from '../../domain/text.ts'
import type { LinearPattern } from '../../search/linear-pattern.ts'
import type { QueriedTask } from './read-rows.ts'
import type { Expression } from './expression.ts'
import { parseSpan } from './spans.ts'

/** A day, or a moment of it. */
export interface Moment {
  readonly kind: 'date'
  /** Milliseconds since the epoch, in UTC. */
  readonly at: number
  readonly timed: boolean
}

export interface Span {
  readonly kind: 'duration'
  readonly months: number
  readonly ms: number
}

export interface LinkValue {
  readonly kind: 'link'
  /** As it is written, or the path of a note. */
  readonly target: string
  readonly label?: string
  readonly fragment?: string
  /** Of a note that is known: `<source>/<path>`. */
  readonly id?: string
  /** An address of the web. */
  readonly outside?: true
}

/** A note, a task of one, or what was put together of several. */
export interface Row {
  readonly record?: DocumentRecord
  readonly task?: QueriedTask
  /** What the text says in lines such as `key:: value`, where texts were read. */
  readonly inline?: ReadonlyMap<string, Value>
  readonly tasks?: readonly QueriedTask[]
  readonly links?: { readonly out: readonly DocNo[]; readonly in: readonly DocNo[] }
  /** What FLATTEN and GROUP BY gave a name. */
  readonly named?: ReadonlyMap<string, Value>
}

export interface PageValue {
  readonly kind: 'page' | 'file'
  readonly row: Row
}

export interface ObjectValue {
  readonly kind: 'object'
  readonly entries: ReadonlyMap<string, Value>
}

export interface PatternValue {
  readonly kind: 'pattern'
  readonly pattern: LinearPattern
  readonly source: string
  readonly all: boolean
}

export interface Lambda {
  readonly kind: 'lambda'
  readonly names: readonly string[]
  readonly body: Expression
  /** What has a name where it is written. */
  readonly names_: ReadonlyMap<string, Value>
}

export type Value =
  | null
  | boolean
  | number
  | string
  | Moment
  | Span
  | LinkValue
  | PageValue
  | ObjectValue
  | PatternValue
  | Lambda
  | readonly Value[]

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

export function kindOf(value: Value): string {
  if (value === null) return 'null'
  if (isList(value)) return 'list'
  return typeof value === 'object' ? value.kind : typeof value
}

export function isTrue(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return false
  if (isList(value)) return value.length > 0
  if (typeof value !== 'object') return true
  if (value.kind === 'object') return value.entries.size > 0
  return value.kind !== 'duration' || value.months !== 0 || value.ms !== 0
}

const DATE =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** `2026-12-01`, with a time where one is given. */
export function dateIn(text: string): Moment | undefined {
  const plain = text.trim()
  if (plain.length > 40 || !DATE.test(plain)) return undefined
  const timed = plain.length > 10
  const zoned = timed && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(plain.slice(10)) ? 'Z' : ''
  const at = Date.parse(plain.replace(' ', 'T') + zoned)
  return Number.isNaN(at) ? undefined : { kind: 'date', at, timed }
}

const LINK = /^!?\[\[([^[\]\n|#]*)(?:#([^[\]\n|]*))?(?:\|([^[\]\n]*))?\]\]$/

/** `[[target#part|label]]`, and nothing else. */
export function linkIn(text: string): LinkValue | undefined {
  const match = LINK.exec(text.trim())
  if (!match) return undefined
  const [, target = '', fragment, label] = match
  return {
    kind: 'link',
    target: target.trim(),
    ...(fragment !== undefined && { fragment }),
    ...(label !== undefined && { label }),
  }
}

/** What a note says of itself, as a value. */
export function valueOf(property: PropertyValue | undefined): Value {
  if (property === undefined || property === null) return null
  if (typeof property === 'string') return linkIn(property) ?? dateIn(property) ?? property
  if (typeof property !== 'object') return property
  if (Array.isArray(property)) return property.map((each: PropertyValue) => valueOf(each))
  const entries = Object.entries(property as Record<string, PropertyValue>)
  return {
    kind: 'object',
    entries: new Map(entries.map(([key, value]) => [key, valueOf(value)])),
  }
}

export function linkTo(record: DocumentRecord, label?: string): LinkValue {
  return {
    kind: 'link',
    target: record.path,
    id: documentId(record),
    ...(label !== undefined && { label }),
  }
}

/** What a name is compared by: `Folder/Note.md` and `note` may be the same. */
function linkKey({ id, target }: LinkValue): string {
  return (id ?? target).toLowerCase().normalize('NFC').replace(/\.md$/, '')
}

export function sameLink(a: LinkValue, b: LinkValue): boolean {
  if (a.id !== undefined && b.id !== undefined) return a.id === b.id
  const [one, other] = [linkKey(a), linkKey(b)]
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)
}

/** A note and a link to it are the same. */
export function asLink(value: Value): LinkValue | undefined {
  if (value === null || typeof value !== 'object' || isList(value)) return undefined
  if (value.kind === 'link') return value
  const record = value.kind === 'page' || value.kind === 'file' ? value.row.record : undefined
  return record && linkTo(record)
}

const MONTH_MS = 30.4375 * 86_400_000

export function spanMs({ months, ms }: Span): number {
  return months * MONTH_MS + ms
}

const RANK = [
  'null',
  'boolean',
  'number',
  'date',
  'duration',
  'string',
  'link',
  'page',
  'file',
  'list',
  'object',
  'pattern',
  'lambda',
]

/** `10` comes behind `9`. */
const NAMES = new Intl.Collator('en', { numeric: true })

/** Takes steps from the budget of a query. */
export type Pay = (steps: number) => void

const DEEPEST = 100

/**
 * An order of everything: what is of another kind has its own place. A list may hold another one many
 * times, and that one a third: what is looked at is paid for.
 */
export function compareValues(a: Value, b: Value, pay: Pay, depth = 0): number {
  const [one, other] = alike(a, b)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') {
    pay(Math.min(one.length, other.length) >> 6)
    return NAMES.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
  }
  const [kind, otherKind] = [kindOf(one), kindOf(other)]
  if (kind !== otherKind) return RANK.indexOf(kind) - RANK.indexOf(otherKind)
  if (typeof one === 'boolean') return Number(one) - Number(other)
  if (isList(one) && isList(other)) {
    if (depth > DEEPEST) return 0
    for (const [at, each] of one.entries()) {
      if (at >= other.length) return 1
      pay(1)
      const order = compareValues(each, other[at]!, pay, depth + 1)
      if (order !== 0) return order
    }
    return one.length - other.length
  }
  if (kind === 'date') return (one as Moment).at - (other as Moment).at
  if (kind === 'duration') return spanMs(one as Span) - spanMs(other as Span)
  const [link, otherLink] = [asLink(one), asLink(other)]
  if (link && otherLink && sameLink(link, otherLink)) return 0
  return one === null ? 0 : NAMES.compare(textOf(one), textOf(other))
}

/** A date and a text that says one, a note and a link to it. */
function alike(a: Value, b: Value): readonly [Value, Value] {
  if (kindOf(a) === kindOf(b)) return [a, b]
  if (typeof a === 'string') return [readAs(a, b), linked(b)]
  if (typeof b === 'string') return [linked(a), readAs(b, a)]
  return [linked(a), linked(b)]
}

function linked(value: Value): Value {
  return kindOf(value) === 'page' || kindOf(value) === 'file' ? (asLink(value) ?? value) : value
}

function readAs(text: string, other: Value): Value {
  const kind = kindOf(other)
  if (kind === 'date') return dateIn(text) ?? text
  if (kind === 'duration') return parseSpan(text) ?? text
  if (kind === 'link' || kind === 'page' || kind === 'file') {
    return text === '' ? text : (linkIn(text) ?? { kind: 'link', target: text })
  }
  return text
}

export function isSame(a: Value, b: Value, pay: Pay): boolean {
  return compareValues(a, b, pay) === 0
}

/** Whether one is before the other, where that means anything. */
export function areComparable(a: Value, b: Value): boolean {
  const [one, other] = alike(a, b)
  return kindOf(one) === kindOf(other)
}

const LONGEST_TEXT = 20_000
/** Of a value as a whole: a list may hold another one many times. */
const ITEMS_READ = 1_000

/** As a person reads it, and as texts are put together. */
export function textOf(value: Value, depth = 0, left = { items: ITEMS_READ }): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean') return String(value)
  if (depth > 4) return '…'
  if (isList(value)) {
    return joined(value, left, (each) => textOf(each, depth + 1, left))
  }
  switch (value.kind) {
    case 'date':
      return dateText(value)
    case 'duration':
      return spanText(value)
    case 'link':
      return linkText(value)
    case 'page':
    case 'file':
      return value.row.task?.text ?? value.row.record?.title ?? ''
    case 'object':
      return joined(
        value.entries,
        left,
        ([key, each]) => `${key}: ${textOf(each, depth + 1, left)}`,
      )
    case 'pattern':
      return `/${value.source}/`
    case 'lambda':
      return ''
  }
}

function joined<Item>(
  items: Iterable<Item>,
  left: { items: number },
  read: (item: Item) => string,
): string {
  const texts: string[] = []
  for (const item of items) {
    if (left.items-- <= 0) break
    texts.push(read(item))
  }
  return texts.join(', ').slice(0, LONGEST_TEXT)
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)))
}

export function dateText({ at, timed }: Moment): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  return timed ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}` : iso.slice(0, 10)
}

export function linkText({ label, target, fragment }: LinkValue): string {
  if (label !== undefined && label !== '') return label
  const name = target.slice(target.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return fragment ? `${name} > ${fragment}` : name
}

const UNITS = [
  ['year', 12, 0],
  ['month', 1, 0],
  ['week', 0, 604_800_000],
  ['day', 0, 86_400_000],
  ['hour', 0, 3_600_000],
  ['minute', 0, 60_000],
  ['second', 0, 1_000],
] as const

function spanText(span: Span): string {
  let { months, ms } = span
  const parts: string[] = []
  for (const [name, ofMonths, ofMs] of UNITS) {
    const count = Math.trunc(ofMonths > 0 ? months / ofMonths : ms / ofMs)
    if (count === 0) continue
    if (ofMonths > 0) months -= count * ofMonths
    else ms -= count * ofMs
    parts.push(`${count} ${name}${Math.abs(count) === 1 ? '' : 's'}`)
  }
  return parts.join(', ') || '0 seconds'
}
