/**
 * A tree-walking interpreter without a way out: it knows values, rows and the functions of one table,
 * and every step is paid for from a budget, so that no query takes longer than a bounded time.
 */
import type { DocNo } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { folderOf, lastSegment } from '../../kit/paths.ts'
import { linearPattern } from '../../search/linear-pattern.ts'
import type { LinearPattern } from '../../search/linear-pattern.ts'
import { fieldsOf, propertyOf } from '../reading/parse-condition.ts'
import type { Expression, Operator } from './expression.ts'
import { calculate, dayInName, FUNCTIONS, LAZY, LAZY_METHODS, METHODS } from './functions.ts'
import { NotUnderstood } from './parse-expression.ts'
import type { Language } from './parse-expression.ts'
import { dayOfMoment } from './spans.ts'
import {
  areComparable,
  compareValues,
  dateIn,
  isList,
  isSame,
  isTrue,
  linkTo,
  sameLink,
  spanMs,
  textOf,
  valueOf,
} from './values.ts'
import type { Lambda, LinkValue, PatternValue, Row, Value } from './values.ts'

/** Far more than any table takes; about a second of work. */
const MOST_STEPS = 4_000_000
const DEEPEST = 300
/** Of a text that a pattern is tried on. */
const LONGEST_MATCHED = 4_000
const NOTES_TOLD = 10

export interface Known {
  readonly language: Language
  readonly now: number
  /** The note that the query stands in. */
  readonly here?: Row | undefined
  readonly formulas?: ReadonlyMap<string, Expression>
  /** Notes that links lead to, by what is written; undefined for one that has not been asked for. */
  readonly pages: ReadonlyMap<string, Row | undefined>
  /** Names of documents that links of rows lead to. */
  readonly labels: ReadonlyMap<DocNo, LinkValue>
}

type Names = ReadonlyMap<string, Value>
const NO_NAMES: Names = new Map()

export class Context {
  readonly language: Language
  readonly now: number
  /** What was left out or could not be worked out, each once. */
  readonly notes = new Set<string>()
  /** Links that were asked what is behind them, and nobody knew. */
  readonly wanted = new Map<string, LinkValue>()
  readonly #known: Known
  readonly #patterns = new Map<string, LinearPattern>()
  #steps = 0
  #depth = 0
  #row: Row | undefined
  #formulas = new Map<string, Value>()
  readonly #underWay = new Set<string>()

  constructor(known: Known) {
    this.#known = known
    this.language = known.language
    this.now = known.now
  }

  readonly note = (text: string): void => {
    if (this.notes.size < NOTES_TOLD) this.notes.add(text)
  }

  readonly pay = (steps: number): void => {
    this.#steps += steps
    if (this.#steps > MOST_STEPS) {
      throw new NotUnderstood('It takes too long: narrow it to fewer notes, or make it simpler.')
    }
  }

  /** What an expression is of one row. */
  of(expression: Expression, row: Row): Value {
    if (row !== this.#row) {
      this.#row = row
      this.#formulas = new Map()
    }
    return this.#evaluate(expression, row, NO_NAMES)
  }

  #evaluate(expression: Expression, row: Row, names: Names): Value {
    this.pay(1)
    if (++this.#depth > DEEPEST) throw new NotUnderstood('It is nested too deeply.')
    try {
      switch (expression.kind) {
        case 'value':
          return expression.value
        case 'name':
          return this.#named(expression.name, row, names)
        case 'field': {
          if (expression.of.kind === 'name' && !names.has(expression.of.name)) {
            const space = this.#space(expression, row, names)
            if (space !== undefined) return space
          }
          const of = this.#evaluate(expression.of, row, names)
          return this.field(of, this.#evaluate(expression.key, row, names))
        }
        case 'call':
          return this.#call(expression, row, names)
        case 'not':
          return !isTrue(this.#evaluate(expression.of, row, names))
        case 'minus': {
          const of = this.#evaluate(expression.of, row, names)
          if (typeof of === 'number') return -of
          return this.calculate('*', of, -1)
        }
        case 'binary':
          return this.#binary(expression, row, names)
        case 'list':
          return expression.items.map((item) => this.#evaluate(item, row, names))
        case 'object':
          return {
            kind: 'object',
            entries: new Map(
              expression.entries.map(([key, value]) => [key, this.#evaluate(value, row, names)]),
            ),
          }
        case 'lambda':
          return { kind: 'lambda', names: expression.names, body: expression.body, names_: names }
        case 'condition': {
          const { record } = row
          return record !== undefined && expression.condition.holds(fieldsOf(record))
        }
      }
    } finally {
      this.#depth--
    }
  }

  #binary(
    { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
    row: Row,
    names: Names,
  ): Value {
    if (operator === 'and' || operator === 'or') {
      const first = this.#evaluate(left, row, names)
      if (isTrue(first) === (operator === 'or'))
        return this.language === 'base' ? first : operator === 'or'
      const second = this.#evaluate(right, row, names)
      return this.language === 'base' ? second : isTrue(second)
    }
    const a = this.#evaluate(left, row, names)
    const b = this.#evaluate(right, row, names)
    return isComparison(operator) ? this.#compares(operator, a, b) : this.calculate(operator, a, b)
  }

  #compares(operator: '=' | '!=' | '<' | '<=' | '>' | '>=', a: Value, b: Value): boolean {
    if (operator === '=') return isSame(a, b, this.pay)
    if (operator === '!=') return !isSame(a, b, this.pay)
    // Nothing comes before everything in Dataview; in Bases it is neither before nor behind.
    const isNothing = a === null || b === null
    if (isNothing ? this.language === 'base' : !areComparable(a, b)) return false
    const order = compareValues(a, b, this.pay)
    if (operator === '<') return order < 0
    if (operator === '<=') return order <= 0
    return operator === '>' ? order > 0 : order >= 0
  }

  readonly calculate = (operator: '+' | '-' | '*' | '/' | '%', a: Value, b: Value): Value => {
    this.pay(1)
    return calculate(operator, a, b, this)
  }

  #call(
    { name, args, method }: Extract<Expression, { kind: 'call' }>,
    row: Row,
    names: Names,
  ): Value {
    const key = name.toLowerCase()
    const lazily = method ? LAZY_METHODS : LAZY
    if (Object.hasOwn(lazily, key)) {
      return lazily[key]!(args, this, (each, more) =>
        this.#evaluate(each, row, more ? new Map([...names, ...more]) : names),
      )
    }
    const table = method ? METHODS : FUNCTIONS
    const rule = Object.hasOwn(table, key) ? table[key]! : undefined
    if (!rule) throw new NotUnderstood(`There is no function “${name.slice(0, 60)}”.`)
    return this.#apply(
      rule,
      args.map((each) => this.#evaluate(each, row, names)),
      0,
    )
  }

  /** Of a list, what it is of each; of several lists, of each with each in its place. */
  #apply(rule: (typeof FUNCTIONS)[string], args: readonly Value[], depth: number): Value {
    this.pay(1)
    for (const arg of args) {
      if (typeof arg === 'string' || isList(arg)) this.pay(arg.length >> 6)
    }
    const { each = 0 } = rule
    const at = depth > 4 ? -1 : args.findIndex((arg, index) => index < each && isList(arg))
    if (at < 0) return rule.run(args, this)
    return (args[at] as readonly Value[]).map((item) =>
      this.#apply(rule, args.with(at, item), depth + 1),
    )
  }

  readonly apply = (lambda: Value, args: readonly Value[]): Value => {
    this.pay(5)
    const is =
      lambda !== null && typeof lambda === 'object' && !isList(lambda) && lambda.kind === 'lambda'
    if (!is) return null
    const { names, body, names_ } = lambda as Lambda
    const inside = new Map(names_)
    for (const [at, name] of names.entries()) inside.set(name, args[at] ?? null)
    return this.#evaluate(body, this.#row ?? {}, inside)
  }

  #named(name: string, row: Row, names: Names): Value {
    const own = names.get(name) ?? row.named?.get(name)
    if (own !== undefined) return own
    const { here } = this.#known
    const word = this.language === 'dataview' ? name.toLowerCase() : name
    if (word === 'this') return here ? { kind: 'page', row: here } : null
    if (word === 'file') return { kind: 'file', row }
    if (this.language === 'dataview' && word === 'row') return { kind: 'page', row }
    if (this.language === 'base' && word === 'note') return { kind: 'page', row }
    return pageField(row, name)
  }

  /** `formula.total` and `note.status`. */
  #space(
    { of, key }: Extract<Expression, { kind: 'field' }>,
    row: Row,
    names: Names,
  ): Value | undefined {
    if (this.language !== 'base' || of.kind !== 'name') return undefined
    if (of.name === 'formula') return this.formula(textOf(this.#evaluate(key, row, names)), row)
    return undefined
  }

  formula(name: string, row: Row): Value {
    const formula = this.#known.formulas?.get(name)
    if (!formula) {
      this.note(`There is no formula “${name.slice(0, 60)}”.`)
      return null
    }
    const isOwn = row === this.#row
    const known = isOwn ? this.#formulas.get(name) : undefined
    if (known !== undefined) return known
    if (this.#underWay.has(name)) {
      this.note(`The formula “${name.slice(0, 60)}” goes round in a circle.`)
      return null
    }
    this.#underWay.add(name)
    try {
      const value = this.#evaluate(formula, row, NO_NAMES)
      if (isOwn) this.#formulas.set(name, value)
      return value
    } finally {
      this.#underWay.delete(name)
    }
  }

  readonly field = (of: Value, key: Value): Value => {
    this.pay(1)
    if (of === null || key === null) return null
    if (isList(of)) {
      if (typeof key === 'number') return of.at(key) ?? null
      if (key === 'length' && this.language === 'base') return of.length
      this.pay(of.length)
      return of.map((each) => this.field(each, key))
    }
    if (typeof of === 'string') {
      if (key === 'length') return of.length
      return typeof key === 'number' ? (of.at(key) ?? null) : this.#dateField(dateIn(of), key)
    }
    if (typeof of !== 'object') return null
    const name = textOf(key)
    switch (of.kind) {
      case 'page':
        return name.toLowerCase() === 'file'
          ? { kind: 'file', row: of.row }
          : (of.row.named?.get(name) ?? pageField(of.row, name))
      case 'file':
        return this.#fileField(of.row, name)
      case 'link': {
        const row = this.pageOf(of)
        return row ? this.field({ kind: 'page', row }, key) : null
      }
      case 'object':
        return of.entries.get(name) ?? entryOf(of.entries, name)
      case 'date':
        return this.#dateField(of, key)
      case 'duration': {
        const ms = SPAN_FIELDS.get(name.toLowerCase())
        return ms === undefined ? null : spanMs(of) / ms
      }
      default:
        return null
    }
  }

  #dateField(date: ReturnType<typeof dateIn>, key: Value): Value {
    if (!date || typeof key !== 'string') return null
    const at = new Date(date.at)
    if (Number.isNaN(at.getTime())) return null
    switch (key.toLowerCase()) {
      case 'year':
        return at.getUTCFullYear()
      case 'month':
        return at.getUTCMonth() + 1
      case 'day':
        return at.getUTCDate()
      case 'hour':
        return at.getUTCHours()
      case 'minute':
        return at.getUTCMinutes()
      case 'second':
        return at.getUTCSeconds()
      case 'millisecond':
        return at.getUTCMilliseconds()
      case 'weekday':
        return at.getUTCDay() || 7
      case 'week':
        return isoWeek(date.at)
      default:
        return null
    }
  }

  #fileField(row: Row, name: string): Value {
    const { record } = row
    if (!record) return null
    const file = lastSegment(record.path)
    const dot = file.lastIndexOf('.')
    const base = dot > 0 ? file.slice(0, dot) : file
    const created = record.createdAt ?? record.modifiedAt
    switch (name.toLowerCase()) {
      case 'name':
        return this.language === 'base' ? file : base
      case 'basename':
        return base
      case 'fullname':
        return file
      case 'path':
        return record.path
      case 'folder':
        return folderOf(record.path).replace(/\/$/, '')
      case 'ext':
        return dot > 0 ? file.slice(dot + 1) : ''
      case 'link':
        return linkTo(record)
      case 'file':
        return { kind: 'file', row }
      case 'size':
        return record.size
      case 'title':
        return record.title
      case 'ctime':
        return { kind: 'date', at: created, timed: true }
      case 'cday':
        return dayOfMoment(created)
      case 'mtime':
        return { kind: 'date', at: record.modifiedAt, timed: true }
      case 'mday':
        return dayOfMoment(record.modifiedAt)
      case 'day':
        return (
          dayInName(base) ?? dateIn(String(propertyOf(record.properties, 'date') ?? '')) ?? null
        )
      case 'tags':
        return tagsOf(row, this.language === 'dataview')
      case 'etags':
        return tagsOf(row, false)
      case 'aliases':
        return record.aliases
      case 'links':
      case 'outlinks':
      case 'embeds':
        return this.#linksOf(row.links?.out)
      case 'backlinks':
      case 'inlinks':
        return this.#linksOf(row.links?.in)
      case 'tasks':
      case 'lists':
        return (row.tasks ?? []).map((task) => ({ kind: 'page', row: { ...row, task } }))
      case 'properties':
      case 'frontmatter':
        return valueOf(record.properties)
      default:
        return null
    }
  }

  #linksOf(numbers: readonly DocNo[] | undefined): Value {
    const found = (numbers ?? []).flatMap((no) => this.#known.labels.get(no) ?? [])
    this.pay(found.length)
    return found
  }

  pageOf(link: LinkValue): Row | undefined {
    const key = link.id ?? link.target
    const { here } = this.#known
    if (here?.record && sameLink(link, linkTo(here.record)) && link.id !== undefined) return here
    if (!this.#known.pages.has(key)) this.wanted.set(key, link)
    return this.#known.pages.get(key)
  }

  /** By the links of the index where they were fetched, which know where each leads. */
  leadsTo({ record, links }: Row, to: LinkValue): boolean {
    const target = this.pageOf(to)?.record
    if (!target || !record) return false
    this.pay((links?.out.length ?? 0) >> 3)
    return links?.out.includes(target.no) ?? false
  }

  #pattern(source: string): LinearPattern | undefined {
    const known = this.#patterns.get(source)
    if (known) return known
    try {
      // Each kept one is paid for; a pattern made of every note's text is a query that takes too long.
      this.pay(200 + source.length * 4)
      const made = linearPattern(source)
      if (this.#patterns.size < 200) this.#patterns.set(source, made)
      return made
    } catch (error) {
      if (!(error instanceof KnowledgeError)) throw error
      this.note(error.message)
      return undefined
    }
  }

  test(source: string, text: string): boolean {
    const pattern = this.#pattern(source)
    return pattern !== undefined && this.#tests(pattern, source, text)
  }

  testPattern({ pattern, source }: PatternValue, text: string): boolean {
    return this.#tests(pattern, source, text)
  }

  #tests(pattern: LinearPattern, source: string, text: string): boolean {
    const some = text.slice(0, LONGEST_MATCHED)
    this.pay(some.length * (1 + (source.length >> 3)))
    return pattern.test(some)
  }

  matches(pattern: Value, text: string): readonly (readonly [number, number])[] {
    const isPattern =
      pattern !== null &&
      typeof pattern === 'object' &&
      !isList(pattern) &&
      pattern.kind === 'pattern'
    const source = isPattern ? (pattern as PatternValue).source : textOf(pattern)
    if (source === '') return []
    const found = isPattern ? (pattern as PatternValue).pattern : this.#pattern(source)
    const some = text.slice(0, LONGEST_MATCHED)
    // Each place is tried by itself.
    this.pay(some.length * (4 + (source.length >> 2)))
    return found?.spans(some) ?? []
  }
}

function isComparison(operator: Operator): operator is '=' | '!=' | '<' | '<=' | '>' | '>=' {
  return ['=', '!=', '<', '<=', '>', '>='].includes(operator)
}

const SPAN_FIELDS = new Map([
  ['years', 365.25 * 86_400_000],
  ['months', 30.4375 * 86_400_000],
  ['weeks', 7 * 86_400_000],
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
  ['milliseconds', 1],
])

function isoWeek(at: number): number {
  const day = new Date(at)
  const thursday = new Date(at + (4 - (day.getUTCDay() || 7)) * 86_400_000)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return Math.floor((thursday.getTime() - first) / (7 * 86_400_000)) + 1
}

function tagsOf({ record, task }: Row, levels: boolean): Value {
  if (task) return task.tags
  const own = [...(record?.tags ?? []), ...(record?.inlineTags ?? [])]
  const tags = new Set<string>()
  for (const tag of own) {
    const parts = tag.split('/')
    const from = levels ? 1 : parts.length
    for (let count = from; count <= parts.length; count++)
      tags.add(`#${parts.slice(0, count).join('/')}`)
  }
  return [...tags]
}

function entryOf(entries: ReadonlyMap<string, Value>, name: string): Value {
  const folded = name.toLowerCase()
  for (const [key, value] of entries) if (key.toLowerCase() === folded) return value
  return null
}

/** What a task or a note says of itself under a name. */
export function pageField(row: Row, name: string): Value {
  const own = row.task && taskField(row, name)
  if (own !== undefined) return own
  const { record } = row
  const property = record && propertyOf(record.properties, name)
  if (property !== undefined && property !== null) return valueOf(property)
  const simple = simpleName(name)
  const inline = row.inline?.get(simple)
  if (inline !== undefined) return inline
  if (!record) return null
  if (simple === 'tags' || simple === 'tag') return tagsOf({ record }, false)
  if (simple === 'aliases') return record.aliases
  // A key is also known by its simple name: `due-by` is `Due by`.
  const key = Object.keys(record.properties).find((each) => simpleName(each) === simple)
  return key === undefined ? null : valueOf(record.properties[key])
}

/** As Dataview writes it: `Due by!` is `due-by`. */
export function simpleName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}

function taskField(row: Row, name: string): Value | undefined {
  const { task, record } = row
  if (!task) return undefined
  switch (name.toLowerCase()) {
    case 'text':
      return task.text
    case 'visual':
      return task.text
    case 'completed':
      return task.mark === 'x' || task.mark === 'X'
    case 'checked':
      return task.mark !== ' '
    case 'done':
      return task.done
    case 'fullycompleted':
      return task.done
    case 'status':
      return task.mark
    case 'line':
      return task.line
    case 'path':
      return record ? record.path : null
    case 'tags':
      return task.tags
    case 'task':
      return true
    case 'link':
      return record ? { ...linkTo(record), fragment: task.heading } : null
    case 'section':
      return record
        ? { ...linkTo(record), ...(task.heading !== '' && { fragment: task.heading }) }
        : null
    default: {
      const value = task.fields.get(simpleName(name))
      return value
    }
  }
}

/** How rows are told apart where nothing else tells them. */
export function rowId({ record, task }: Row): string {
  return record ? `${documentId(record)}:${task?.line ?? 0}` : ''
}
