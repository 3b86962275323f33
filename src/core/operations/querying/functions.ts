/**
 * What the functions of Dataview and of Bases do with values. Each is a row; what takes time or room
 * in proportion to its arguments is paid for from the budget of the query.
 */
import { formatMoment } from '../../kit/format-moment.ts'
import type { Context } from './evaluate.ts'
import type { Expression } from './expression.ts'
import { addSpan, dayOfMoment, namedDay, parseSpan } from './spans.ts'
import {
  asLink,
  compareValues,
  dateIn,
  isList,
  isSame,
  isTrue,
  kindOf,
  linkIn,
  linkTo,
  spanMs,
  textOf,
} from './values.ts'
import type { LinkValue, Moment, PageValue, Span, Value } from './values.ts'

interface Rule {
  run(args: readonly Value[], context: Context): Value
  /** So many of the first arguments may be lists, and then the result is one. */
  readonly each?: number
}

type Rules = Readonly<Record<string, Rule>>

const MOST_ITEMS = 20_000
const LONGEST_TEXT = 20_000
const MOST_NESTED = 20

function text(value: Value | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : textOf(value)
}

function number(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value)) return Number(value)
  return undefined
}

function list(value: Value | undefined): readonly Value[] {
  return value === undefined || value === null ? [] : isList(value) ? value : [value]
}

function bounded(value: string, context: Context): string {
  context.pay(value.length >> 4)
  return value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT) : value
}

function moment(value: Value | undefined): Moment | undefined {
  if (typeof value === 'string') return dateIn(value)
  if (value === null || value === undefined || typeof value !== 'object' || isList(value))
    return undefined
  if (value.kind === 'date') return value
  return value.kind === 'link' ? dayInName(value.target) : undefined
}

/** `2026-12-01.md` and `20261201` are notes of a day. */
export function dayInName(name: string): Moment | undefined {
  const match = /(?<!\d)(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(name.slice(-300))
  return match ? dateIn(`${match[1]}-${match[2]}-${match[3]}`) : undefined
}

function span(value: Value | undefined): Span | undefined {
  if (typeof value === 'string') return parseSpan(value)
  const isSpan =
    value !== null && typeof value === 'object' && !isList(value) && value.kind === 'duration'
  return isSpan ? value : undefined
}

/** Of one text or number, or of each in a list. */
function ofText(run: (value: string, args: readonly Value[], context: Context) => Value): Rule {
  return {
    each: 1,
    run: ([first, ...rest], context) =>
      first === null || first === undefined ? null : run(text(first), rest, context),
  }
}

function ofNumber(run: (value: number, args: readonly Value[]) => number): Rule {
  return {
    each: 1,
    run: ([first, ...rest]) => {
      const value = number(first)
      if (value === undefined) return null
      const result = run(value, rest)
      return Number.isFinite(result) ? result : null
    },
  }
}

function rounded(value: number, digits: number): number {
  const factor = 10 ** Math.min(15, Math.max(0, digits))
  return Math.round((value + Number.EPSILON * Math.sign(value)) * factor) / factor
}

function contains(folds: 'as it is' | 'in any case', parts: 'parts' | 'whole'): Rule {
  const fold = (value: string): string => (folds === 'in any case' ? value.toLowerCase() : value)
  const within = (one: Value, wanted: Value, depth: number, context: Context): boolean => {
    context.pay(1)
    if (one === null || depth > MOST_NESTED) return false
    if (isList(one)) {
      return one.some((each) =>
        parts === 'parts' ? within(each, wanted, depth + 1, context) : same(each, wanted, context),
      )
    }
    if (typeof one === 'object' && one.kind === 'object') return one.entries.has(text(wanted))
    if (typeof one === 'object' || typeof one === 'number' || typeof one === 'boolean')
      return same(one, wanted, context)
    context.pay(one.length >> 6)
    // In a list of texts, a part of one is enough; a link in a text is meant by its name.
    return fold(one).includes(fold(text(wanted)))
  }
  const same = (one: Value, wanted: Value, { pay }: Context): boolean =>
    typeof one === 'string' && typeof wanted === 'string'
      ? fold(one) === fold(wanted)
      : isSame(one, wanted, pay)
  return {
    run: ([of = null, wanted = null], context) =>
      isList(wanted)
        ? wanted.some((each) => within(of, each, 0, context))
        : within(of, wanted, 0, context),
  }
}

function holds(
  args: readonly Value[],
  context: Context,
  found: (each: boolean[]) => boolean,
): Value {
  const [first = null, test] = args
  const isTest =
    test !== undefined &&
    test !== null &&
    typeof test === 'object' &&
    !isList(test) &&
    test.kind === 'lambda'
  const values = isTest ? list(first) : args.length === 1 ? list(first) : args
  return found(values.map((each) => isTrue(isTest ? context.apply(test, [each]) : each)))
}

function best(way: 1 | -1): Rule {
  return {
    run: (args, { pay }) => {
      const values = (args.length === 1 ? list(args[0]) : args).filter((each) => each !== null)
      return values.reduce<Value>(
        (found, each) =>
          found === null || way * compareValues(each, found, pay) < 0 ? each : found,
        null,
      )
    },
  }
}

function bestBy(way: 1 | -1): Rule {
  return {
    run: ([of, by = null], context) => {
      let found: { each: Value; key: Value } | undefined
      for (const each of list(of)) {
        const key = context.apply(by, [each])
        if (key !== null && (!found || way * compareValues(key, found.key, context.pay) < 0))
          found = { each, key }
      }
      return found?.each ?? null
    },
  }
}

function reduced(
  values: readonly Value[],
  context: Context,
  operator: '+' | '-' | '*' | '/',
): Value {
  if (values.length === 0) return null
  return values.reduce((sum, each) => context.calculate(operator, sum, each))
}

function flat(values: readonly Value[], depth: number, context: Context): Value[] {
  const found: Value[] = []
  for (const each of values) {
    context.pay(1)
    if (isList(each) && depth > 0) found.push(...flat(each, depth - 1, context))
    else found.push(each)
    if (found.length > MOST_ITEMS) return found.slice(0, MOST_ITEMS)
  }
  return found
}

function sliced(
  values: readonly Value[],
  from: Value | undefined,
  to: Value | undefined,
): readonly Value[] {
  return values.slice(number(from) ?? 0, number(to) ?? undefined)
}

/** Luxon's tokens in those of moment.js. */
function luxonFormat(format: string): string {
  return format
    .slice(0, 200)
    .replaceAll(/'([^']*)'|y+|d+|E+|c+|a+|k+|q+/g, (token, literal?: string) => {
      if (literal !== undefined) return `[${literal}]`
      const first = token[0]!
      if (first === 'y') return token.length === 2 ? 'YY' : 'YYYY'
      if (first === 'd') return token.length > 1 ? 'DD' : 'D'
      if (first === 'E' || first === 'c') return token.length > 3 ? 'dddd' : 'ddd'
      if (first === 'k') return token.length === 2 ? 'GG' : 'GGGG'
      return first === 'q' ? 'Q' : 'A'
    })
}

function formatted({ at }: Moment, format: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  // Dates are kept in UTC, and written as they stand there.
  const local = new Date(
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  )
  return formatMoment(local, format)
}

const AGO = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function relative({ at }: Moment, now: number): string {
  const away = Math.abs(now - at)
  const [name, ms] = AGO.find(([, each]) => away >= each) ?? ['moment', away || 1]
  const count = Math.floor(away / ms)
  const told = name === 'moment' ? 'a moment' : `${count} ${name}${count === 1 ? '' : 's'}`
  return at > now ? `in ${told}` : `${told} ago`
}

function durationFormat(value: Span, format: string): string {
  const tokens = /'([^']*)'|([yMwdhms]|S)\2*/g
  const used = new Set(format.replaceAll(/'[^']*'/g, '').match(/[yMwdhmsS]/g) ?? [])
  let left = spanMs(value)
  const counts = new Map<string, number>()
  for (const [unit, ms] of DURATION_UNITS) {
    if (!used.has(unit)) continue
    counts.set(unit, Math.trunc(left / ms))
    left -= Math.trunc(left / ms) * ms
  }
  return format
    .slice(0, 200)
    .replaceAll(tokens, (token, literal?: string) =>
      literal !== undefined
        ? literal
        : String(counts.get(token[0]!) ?? 0).padStart(token.length, '0'),
    )
}

const DAY_MS = 86_400_000
const DURATION_UNITS: readonly (readonly [string, number])[] = [
  ['y', 365 * DAY_MS],
  ['M', 30 * DAY_MS],
  ['w', 7 * DAY_MS],
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['S', 1],
]

function replaced(
  [of, pattern = null, replacement = null]: readonly Value[],
  context: Context,
  kind: 'text' | 'pattern',
): Value {
  if (of === null || of === undefined) return null
  const whole = text(of)
  const by = text(replacement)
  const isPattern =
    pattern !== null &&
    typeof pattern === 'object' &&
    !isList(pattern) &&
    pattern.kind === 'pattern'
  if (kind === 'text' && !isPattern) {
    const wanted = text(pattern)
    if (wanted === '') return whole
    const pieces = whole.split(wanted)
    context.pay(pieces.length + ((pieces.length * by.length) >> 4))
    return bounded(pieces.slice(0, LONGEST_TEXT).join(by), context)
  }
  const spans = context.matches(pattern, whole)
  const some = isPattern && !pattern.all ? spans.slice(0, 1) : spans
  let result = ''
  let at = 0
  for (const [from, to] of some) {
    result += whole.slice(at, from) + by
    at = to
    if (result.length > LONGEST_TEXT) break
  }
  return bounded(result + whole.slice(at), context)
}

function splitText(
  [of, by = null, limit]: readonly Value[],
  context: Context,
  kind: 'text' | 'pattern',
): Value {
  if (of === null || of === undefined) return null
  const whole = text(of)
  context.pay(whole.length >> 3)
  const most = Math.min(number(limit) ?? MOST_ITEMS, MOST_ITEMS)
  if (kind === 'text' && typeof by === 'string') return whole.split(by).slice(0, most)
  const pieces: string[] = []
  let at = 0
  for (const [from, to] of context.matches(by, whole)) {
    pieces.push(whole.slice(at, from))
    at = to
  }
  return [...pieces, whole.slice(at)].slice(0, most)
}

function fileOf(value: Value | undefined, context: Context): PageValue | undefined {
  if (value === null || value === undefined || typeof value !== 'object' || isList(value)) {
    return typeof value === 'string'
      ? fileOf(linkIn(value) ?? { kind: 'link', target: value }, context)
      : undefined
  }
  if (value.kind === 'page' || value.kind === 'file') return { kind: 'file', row: value.row }
  const row = value.kind === 'link' ? context.pageOf(value) : undefined
  return row && { kind: 'file', row }
}

function linkOf(value: Value | undefined): LinkValue | undefined {
  if (typeof value === 'string') return linkIn(value) ?? { kind: 'link', target: value }
  return value === undefined ? undefined : asLink(value)
}

function toLink([of, display]: readonly Value[]): Value {
  const link = linkOf(of)
  if (!link) return null
  const outside = /^https?:\/\//i.test(link.target) && link.id === undefined
  const label = display === undefined || display === null ? undefined : text(display)
  return {
    ...link,
    ...(label !== undefined && { label }),
    ...(outside && { outside: true as const }),
  }
}

function hasTag(args: readonly Value[]): Value {
  const [of, ...wanted] = args
  const isNote =
    of !== null &&
    of !== undefined &&
    typeof of === 'object' &&
    !isList(of) &&
    (of.kind === 'file' || of.kind === 'page')
  const record = isNote ? of.row.record : undefined
  if (!record) return false
  const tags = [...record.tags, ...record.inlineTags].map((tag) => tag.toLowerCase())
  return wanted.flatMap(list).some((each) => {
    const tag = text(each).replace(/^#/, '').toLowerCase()
    return tags.some((own) => own === tag || own.startsWith(`${tag}/`))
  })
}

function inFolder(path: string, folder: string): boolean {
  const wanted = folder.replace(/^\/+|\/+$/g, '').toLowerCase()
  return wanted === '' || path.toLowerCase().startsWith(`${wanted}/`)
}

/** Methods are given expressions where they look at each item of a list. */
type Lazily = (
  args: readonly Expression[],
  context: Context,
  evaluate: (each: Expression, more?: ReadonlyMap<string, Value>) => Value,
) => Value

export const LAZY: Readonly<Record<string, Lazily>> = {
  if: ([test, yes, no], _context, evaluate) =>
    test && isTrue(evaluate(test)) ? (yes ? evaluate(yes) : null) : no ? evaluate(no) : null,
  choice: ([test, yes, no], _context, evaluate) =>
    test && isTrue(evaluate(test)) ? (yes ? evaluate(yes) : null) : no ? evaluate(no) : null,
}

/** Bases writes what is done with each item as an expression over `value` and `index`. */
export const LAZY_METHODS: Readonly<Record<string, Lazily>> = {
  filter: ([of, test], context, evaluate) =>
    each(of, context, evaluate).filter((value, index) =>
      test
        ? isTrue(
            evaluate(
              test,
              new Map<string, Value>([
                ['value', value],
                ['index', index],
              ]),
            ),
          )
        : true,
    ),
  map: ([of, made], context, evaluate) =>
    each(of, context, evaluate).map((value, index) =>
      made
        ? evaluate(
            made,
            new Map<string, Value>([
              ['value', value],
              ['index', index],
            ]),
          )
        : value,
    ),
  reduce: ([of, made, first], context, evaluate) =>
    each(of, context, evaluate).reduce<Value>(
      (acc, value, index) =>
        made
          ? evaluate(
              made,
              new Map<string, Value>([
                ['acc', acc],
                ['value', value],
                ['index', index],
              ]),
            )
          : acc,
      first ? evaluate(first) : null,
    ),
}

function each(
  of: Expression | undefined,
  context: Context,
  evaluate: (each: Expression) => Value,
): readonly Value[] {
  const values = of ? list(evaluate(of)) : []
  context.pay(values.length)
  return values
}

const CONTAINS = contains('as it is', 'parts')
const LOWER = ofText((value) => value.toLowerCase())
const STARTS: Rule = { each: 1, run: ([of, wanted]) => text(of).startsWith(text(wanted)) }
const ENDS: Rule = { each: 1, run: ([of, wanted]) => text(of).endsWith(text(wanted)) }
const ROUND = ofNumber((value, [digits]) => rounded(value, number(digits) ?? 0))
const CEIL = ofNumber(Math.ceil)
const FLOOR = ofNumber(Math.floor)
const JOIN: Rule = {
  run: ([of, by], context) => {
    const texts = list(of)
      .slice(0, MOST_ITEMS)
      .map((value) => text(value))
    const length = texts.reduce((sum, each) => sum + each.length, 0)
    context.pay(length >> 4)
    const separator = by === undefined ? ', ' : text(by)
    if (length + texts.length * separator.length > 50 * LONGEST_TEXT)
      return bounded(texts[0] ?? '', context)
    return bounded(texts.join(separator), context)
  },
}
const SORT: Rule = {
  run: ([of, by], context) => {
    const values = list(of)
    context.pay(values.length * 4)
    if (by === undefined) return values.toSorted((a, b) => compareValues(a, b, context.pay))
    const keyed = values.map((value) => ({ value, key: context.apply(by, [value]) }))
    return keyed
      .toSorted((a, b) => compareValues(a.key, b.key, context.pay))
      .map(({ value }) => value)
  },
}
const REVERSE: Rule = {
  run: ([of = null]) =>
    typeof of === 'string' ? Array.from(of).toReversed().join('') : list(of).toReversed(),
}
const UNIQUE: Rule = {
  run: ([of], context) => {
    const found: Value[] = []
    const values = list(of).slice(0, MOST_ITEMS)
    const seen = new Set<string>()
    for (const value of values) {
      context.pay(1)
      const key = `${kindOf(value)} ${textOf(asLink(value) ?? value)}`
      if (seen.has(key)) continue
      seen.add(key)
      found.push(value)
    }
    return found
  },
}
const FLAT: Rule = {
  run: ([of, depth], context) => flat(list(of), Math.min(number(depth) ?? 1, MOST_NESTED), context),
}
const TODAY: Rule = { run: (_args, { now }) => namedDay('today', now)! }
const NOW: Rule = { run: (_args, { now }) => namedDay('now', now)! }
const DATE: Rule = {
  each: 1,
  run: ([of, format], { now, note }) => {
    if (format !== undefined) {
      note('date() with a format is not read; write days as 2026-12-01.')
      return null
    }
    const named = typeof of === 'string' ? namedDay(of.toLowerCase(), now) : undefined
    return named ?? moment(of) ?? null
  },
}
const DURATION: Rule = { each: 1, run: ([of]) => span(of) ?? null }
const TO_NUMBER: Rule = {
  each: 1,
  run: ([of]) => {
    const isMoment =
      of !== null && of !== undefined && typeof of === 'object' && !isList(of) && of.kind === 'date'
    if (isMoment) return of.at
    const exact = number(of)
    if (exact !== undefined) return exact
    const found = typeof of === 'string' ? /-?\d+(?:\.\d+)?/.exec(of.slice(0, 1_000)) : null
    return found ? Number(found[0]) : null
  },
}
const LENGTH: Rule = {
  run: ([of = null]) => {
    if (of === null) return 0
    if (typeof of === 'string' || isList(of)) return of.length
    return typeof of === 'object' && of.kind === 'object' ? of.entries.size : 1
  },
}
const REPLACE: Rule = { each: 1, run: (args, context) => replaced(args, context, 'text') }
const SUM: Rule = {
  run: ([of], context) => {
    const values = list(of).filter((value) => value !== null)
    context.pay(values.length)
    return reduced(values, context, '+')
  },
}
const AVERAGE: Rule = {
  run: ([of], context) => {
    const values = list(of).filter((value) => value !== null)
    context.pay(values.length)
    const sum = reduced(values, context, '+')
    return sum === null ? null : context.calculate('/', sum, values.length)
  },
}
const LIST: Rule = { run: (args) => args }
const TRUNCATED = (value: string, [length, suffix]: readonly Value[]): string => {
  const most = number(length) ?? value.length
  const end = suffix === undefined ? '...' : text(suffix)
  return value.length <= most ? value : value.slice(0, Math.max(0, most - end.length)) + end
}
function padded(
  value: string,
  [length, by]: readonly Value[],
  side: 'padStart' | 'padEnd',
): string {
  return value[side](Math.min(number(length) ?? 0, 1_000), by === undefined ? ' ' : text(by) || ' ')
}

export const FUNCTIONS: Rules = {
  // Both
  date: DATE,
  dur: DURATION,
  duration: DURATION,
  today: TODAY,
  now: NOW,
  link: { run: (args) => toLink(args) },
  number: TO_NUMBER,
  min: best(1),
  max: best(-1),
  if: { run: () => null },
  choice: { run: () => null },
  list: {
    run: (args, { language }) => (language === 'base' && args.length === 1 ? list(args[0]) : args),
  },
  array: LIST,
  // Dataview
  object: {
    run: (args) => ({
      kind: 'object',
      entries: new Map(
        args.flatMap((key, at) =>
          at % 2 === 0 ? [[text(key), args[at + 1] ?? null] as const] : [],
        ),
      ),
    }),
  },
  string: { run: ([of]) => text(of) },
  embed: { run: ([of = null]) => of },
  elink: {
    run: ([of, display]) => ({
      kind: 'link',
      target: text(of),
      outside: true,
      ...(display !== undefined && display !== null && { label: text(display) }),
    }),
  },
  typeof: {
    run: ([of = null]) => {
      const kind = kindOf(of)
      return kind === 'list' ? 'array' : kind === 'page' || kind === 'file' ? 'object' : kind
    },
  },
  round: ROUND,
  trunc: ofNumber(Math.trunc),
  floor: FLOOR,
  ceil: CEIL,
  sum: SUM,
  product: {
    run: ([of], context) =>
      reduced(
        list(of).filter((value) => value !== null),
        context,
        '*',
      ),
  },
  average: AVERAGE,
  reduce: {
    run: ([of, by = null], context) => {
      const values = list(of)
      context.pay(values.length)
      if (by === '&') return values.every(isTrue)
      if (by === '|') return values.some(isTrue)
      if (by === '+' || by === '-' || by === '*' || by === '/') return reduced(values, context, by)
      return values.length === 0
        ? null
        : values.reduce((sum, value) => context.apply(by, [sum, value]))
    },
  },
  minby: bestBy(1),
  maxby: bestBy(-1),
  contains: CONTAINS,
  icontains: contains('in any case', 'parts'),
  econtains: contains('as it is', 'whole'),
  containsword: {
    each: 1,
    run: ([of, wanted], context) => {
      const word = text(wanted).toLowerCase()
      const whole = text(of).slice(0, LONGEST_TEXT)
      context.pay(whole.length >> 3)
      return whole
        .toLowerCase()
        .split(/[^\p{L}\p{N}_]+/u)
        .includes(word)
    },
  },
  extract: {
    run: ([of = null, ...keys], context) => ({
      kind: 'object',
      entries: new Map(keys.map((key) => [text(key), context.field(of, key)])),
    }),
  },
  sort: SORT,
  reverse: REVERSE,
  unique: UNIQUE,
  length: LENGTH,
  nonnull: { run: ([of]) => list(of).filter((value) => value !== null) },
  firstvalue: { run: ([of]) => list(of).find((value) => value !== null) ?? null },
  all: { run: (args, context) => holds(args, context, (found) => found.every(Boolean)) },
  any: { run: (args, context) => holds(args, context, (found) => found.some(Boolean)) },
  none: { run: (args, context) => holds(args, context, (found) => !found.some(Boolean)) },
  join: JOIN,
  filter: {
    run: ([of, test = null], context) =>
      list(of).filter((value) => isTrue(context.apply(test, [value]))),
  },
  map: {
    run: ([of, made = null], context) => list(of).map((value) => context.apply(made, [value])),
  },
  flat: FLAT,
  slice: { run: ([of, from, to]) => sliced(list(of), from, to) },
  regextest: {
    each: 2,
    run: ([pattern = null, of], context) =>
      of !== null && of !== undefined && context.test(text(pattern), text(of)),
  },
  regexmatch: {
    each: 2,
    run: ([pattern = null, of], context) =>
      of !== null && of !== undefined && context.test(`^(?:${text(pattern)})$`, text(of)),
  },
  regexreplace: { each: 1, run: (args, context) => replaced(args, context, 'pattern') },
  replace: REPLACE,
  lower: LOWER,
  upper: ofText((value) => value.toUpperCase()),
  split: { run: (args, context) => splitText(args, context, 'pattern') },
  startswith: STARTS,
  endswith: ENDS,
  padleft: ofText((value, rest) => padded(value, rest, 'padStart')),
  padright: ofText((value, rest) => padded(value, rest, 'padEnd')),
  substring: ofText((value, [from, to]) => value.slice(number(from) ?? 0, number(to) ?? undefined)),
  truncate: ofText(TRUNCATED),
  default: { each: 1, run: ([of = null, other = null]) => of ?? other },
  ldefault: { run: ([of = null, other = null]) => of ?? other },
  striptime: {
    each: 1,
    run: ([of]) => {
      const at = moment(of)
      return at ? dayOfMoment(at.at) : null
    },
  },
  dateformat: {
    each: 1,
    run: ([of, format]) => {
      const at = moment(of)
      return at ? formatted(at, luxonFormat(text(format))) : null
    },
  },
  durationformat: {
    each: 1,
    run: ([of, format]) => {
      const found = span(of)
      return found ? durationFormat(found, text(format)) : null
    },
  },
  localtime: { each: 1, run: ([of = null]) => of },
  meta: {
    run: ([of]) => {
      const link = linkOf(of)
      if (!link) return null
      const { fragment } = link
      const type = fragment === undefined ? 'file' : fragment.startsWith('^') ? 'block' : 'header'
      return {
        kind: 'object',
        entries: new Map<string, Value>([
          ['display', link.label ?? null],
          ['path', link.target],
          ['subpath', fragment?.replace(/^\^/, '') ?? null],
          ['type', type],
        ]),
      }
    },
  },
  // Bases
  file: { run: ([of], context) => fileOf(of, context) ?? null },
  escapehtml: { run: ([of]) => text(of) },
  html: { run: ([of]) => text(of) },
  image: { run: ([of = null]) => of },
  icon: { run: ([of]) => text(of) },
}

export const METHODS: Rules = {
  contains: contains('as it is', 'whole'),
  containsall: {
    run: ([of = null, ...wanted], context) =>
      wanted.every((each) => METHODS['contains']!.run([of, each], context) === true),
  },
  containsany: {
    run: ([of = null, ...wanted], context) =>
      wanted.some((each) => METHODS['contains']!.run([of, each], context) === true),
  },
  startswith: STARTS,
  endswith: ENDS,
  isempty: {
    run: ([of = null]) =>
      of === null || of === '' || (kindOf(of) !== 'number' && !isTrue(of) && of !== false),
  },
  istruthy: { run: ([of = null]) => isTrue(of) },
  istype: {
    run: ([of = null, wanted]) => {
      const kind = kindOf(of)
      return text(wanted) === (kind === 'page' ? 'file' : kind)
    },
  },
  tostring: { run: ([of]) => text(of) },
  lower: LOWER,
  upper: ofText((value) => value.toUpperCase()),
  title: ofText((value) =>
    value
      .slice(0, LONGEST_TEXT)
      .replaceAll(/\p{L}+/gu, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
  ),
  trim: ofText((value) => value.trim()),
  replace: { run: (args, context) => replaced(args, context, 'text') },
  repeat: ofText((value, [count], context) => {
    const most = Math.floor(LONGEST_TEXT / Math.max(1, value.length))
    return bounded(
      value.repeat(Math.max(0, Math.min(Math.floor(number(count) ?? 0), most))),
      context,
    )
  }),
  reverse: REVERSE,
  slice: {
    run: ([of = null, from, to]) =>
      typeof of === 'string'
        ? of.slice(number(from) ?? 0, number(to) ?? undefined)
        : sliced(list(of), from, to),
  },
  split: { run: (args, context) => splitText(args, context, 'text') },
  abs: ofNumber(Math.abs),
  ceil: CEIL,
  floor: FLOOR,
  round: ROUND,
  tofixed: {
    run: ([of, digits]) => {
      const value = number(of)
      return value === undefined
        ? null
        : value.toFixed(Math.min(20, Math.max(0, number(digits) ?? 0)))
    },
  },
  filter: { run: () => null },
  map: { run: () => null },
  reduce: { run: () => null },
  flat: FLAT,
  join: JOIN,
  sort: SORT,
  unique: UNIQUE,
  mean: AVERAGE,
  sum: SUM,
  min: { run: ([of], context) => FUNCTIONS['min']!.run([list(of)], context) },
  max: { run: ([of], context) => FUNCTIONS['max']!.run([list(of)], context) },
  keys: {
    run: ([of = null]) =>
      of !== null && typeof of === 'object' && !isList(of) && of.kind === 'object'
        ? [...of.entries.keys()]
        : [],
  },
  values: {
    run: ([of = null]) =>
      of !== null && typeof of === 'object' && !isList(of) && of.kind === 'object'
        ? [...of.entries.values()]
        : [],
  },
  // Dates
  date: {
    run: ([of]) => {
      const at = moment(of)
      return at ? dayOfMoment(at.at) : null
    },
  },
  format: {
    run: ([of, format]) => {
      const at = moment(of)
      return at ? formatted(at, text(format).slice(0, 200)) : null
    },
  },
  time: {
    run: ([of]) => {
      const at = moment(of)
      return at ? formatted(at, 'HH:mm:ss') : null
    },
  },
  relative: {
    run: ([of], { now }) => {
      const at = moment(of)
      return at ? relative(at, now) : null
    },
  },
  // Files and links
  aslink: {
    run: ([of, display]) => {
      const record =
        of !== null &&
        of !== undefined &&
        typeof of === 'object' &&
        !isList(of) &&
        (of.kind === 'file' || of.kind === 'page')
          ? of.row.record
          : undefined
      return record ? linkTo(record, display === undefined ? undefined : text(display)) : null
    },
  },
  asfile: { run: ([of], context) => fileOf(of, context) ?? null },
  haslink: {
    run: ([of, wanted], context) => {
      const [from, to] = [fileOf(of, context), linkOf(wanted)]
      return from !== undefined && to !== undefined && context.leadsTo(from.row, to)
    },
  },
  linksto: {
    run: ([of, wanted], context) => {
      const [from, to] = [fileOf(of, context), linkOf(wanted)]
      return from !== undefined && to !== undefined && context.leadsTo(from.row, to)
    },
  },
  hastag: { run: (args) => hasTag(args) },
  infolder: {
    run: ([of, folder], context) => {
      const record = fileOf(of, context)?.row.record
      return record !== undefined && isInFolder(record, text(folder))
    },
  },
  hasproperty: {
    run: ([of, name], context) => {
      const record = fileOf(of, context)?.row.record
      return (
        record !== undefined &&
        Object.keys(record.properties).some((key) => key.toLowerCase() === text(name).toLowerCase())
      )
    },
  },
  matches: {
    run: ([of, wanted], context) => {
      const isPattern =
        of !== null &&
        of !== undefined &&
        typeof of === 'object' &&
        !isList(of) &&
        of.kind === 'pattern'
      return isPattern && context.testPattern(of, text(wanted))
    },
  },
}

/** Below a folder of its source; `<source>/` may stand in front, as in ids. */
export function isInFolder(
  { source, path }: { readonly source: string; readonly path: string },
  folder: string,
): boolean {
  return inFolder(path, folder) || inFolder(`${source}/${path}`, folder)
}

/** `a + b`, `a - b` and the like; what cannot be put together is nothing. */
export function calculate(
  operator: '+' | '-' | '*' | '/' | '%',
  a: Value,
  b: Value,
  context: Context,
): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '%': a % b }[operator]
    return Number.isFinite(result) ? result : null
  }
  const sign = operator === '-' ? -1 : 1
  const [kind, other] = [kindOf(a), kindOf(b)]
  if (operator === '+' || operator === '-') {
    if (kind === 'date') {
      const by = span(b)
      if (by) return addSpan(a as Moment, by, sign)
      const to = other === 'date' || other === 'string' ? moment(b) : undefined
      if (to && operator === '-') return between(a as Moment, to, context)
    }
    if (other === 'date' && operator === '+') {
      const by = span(a)
      if (by) return addSpan(b as Moment, by, 1)
    }
    if (kind === 'duration') {
      const by = span(b)
      const one = a as Span
      if (by)
        return {
          kind: 'duration',
          months: one.months + sign * by.months,
          ms: one.ms + sign * by.ms,
        }
    }
    if (operator === '+' && (kind === 'list' || other === 'list')) {
      context.pay(list(a).length + list(b).length)
      return [...list(a), ...list(b)].slice(0, MOST_ITEMS)
    }
    if (operator === '+' && (kind === 'string' || other === 'string')) {
      return bounded(text(a) + text(b), context)
    }
  }
  if (kind === 'duration' && typeof b === 'number' && (operator === '*' || operator === '/')) {
    const factor = operator === '*' ? b : 1 / b
    const { months, ms } = a as Span
    return Number.isFinite(factor)
      ? { kind: 'duration', months: months * factor, ms: ms * factor }
      : null
  }
  if (operator === '/' && kind === 'duration' && other === 'duration') {
    const ratio = spanMs(a as Span) / spanMs(b as Span)
    return Number.isFinite(ratio) ? ratio : null
  }
  if (operator === '*' && typeof a === 'string' && typeof b === 'number') {
    return METHODS['repeat']!.run([a, b], context)
  }
  return null
}

/** Bases tells what lies between two dates as a number, Dataview as a length of time. */
function between(a: Moment, b: Moment, { language }: Context): Value {
  const ms = a.at - b.at
  return language === 'base' ? ms : { kind: 'duration', months: 0, ms }
}
