/** Obsidian's Bases (`.base` files and blocks) as queries of ours, one for each view. */
import type { Properties, PropertyValue } from '../../domain/text.ts'
import { readYaml, readSimpleYaml } from '../../parsing/markdown/front-matter.ts'
import { allOf, anyOf, conjunctsOf } from './expression.ts'
import type { Expression } from './expression.ts'
import { SUMMARIES } from './summaries.ts'
import { NotUnderstood, parseExpression, shown } from './parse-expression.ts'
import type { Column, ColumnSummary, From, Query, Shape, Sorting, Step } from './query.ts'

const LONGEST = 20_000
const MOST_VIEWS = 30
const MOST_COLUMNS = 50
const DEEPEST = 20
const MOST_FILTERS = 500

const SHAPE_OF: Readonly<Record<string, Shape>> = {
  table: 'table',
  list: 'list',
  cards: 'cards',
  board: 'board',
  kanban: 'board',
  calendar: 'calendar',
}

/** Throws `NotUnderstood`. */
export function parseBase(text: string, now: number): readonly Query[] {
  const base = yamlOf(text)
  const formulas = new Map<string, Expression>()
  const notes: string[] = []
  for (const [name, written] of Object.entries(mapping(base['formulas']) ?? {})) {
    try {
      formulas.set(name, parseExpression(String(written), 'base', now))
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error
      notes.push(`The formula ${shown(name)} is not understood: ${error.message}`)
    }
  }
  const counted = { filters: 0 }
  const all = filterOf(base['filters'], now, counted)
  const named = displayNames(base['properties'])
  const written = Array.isArray(base['views']) ? (base['views'] as readonly PropertyValue[]) : []
  const formulated = mapping(base['summaries']) ?? {}
  const views = written
    .slice(0, MOST_VIEWS)
    .map((view, at) => mapping(view) ?? { name: `View ${at + 1}` })
  if (written.length > MOST_VIEWS) notes.push(`Only the first ${MOST_VIEWS} views are shown.`)
  return (views.length > 0 ? views : [{ type: 'table' } as Properties]).map((view, at) => {
    const own = [...notes]
    const type = String(view['type'] ?? 'table').toLowerCase()
    const shape = SHAPE_OF[type]
    if (!shape) own.push(`A view of the type ${shown(type)} is shown as a table.`)
    const order = Array.isArray(view['order']) ? (view['order'] as readonly PropertyValue[]) : []
    const keys = order.slice(0, MOST_COLUMNS).map(String)
    const columns = (keys.length > 0 ? keys : ['file.name']).map((key) => columnOf(key, named, now))
    const groups = groupsOf(view['groupBy'], now)
    const summaries = summariesOf(mapping(view['summaries']) ?? {}, formulated, keys, now, own)
    const test = allOf([all, filterOf(view['filters'], now, counted)])
    const steps: Step[] = [{ kind: 'where', test }]
    const sorting = sortingOf(view['sort'], now)
    // In the order of their names, unless said.
    steps.push({
      kind: 'sort',
      by: sorting.length > 0 ? sorting : [{ by: expressionOf('file.name', now), down: false }],
    })
    const limit = Number(view['limit'])
    if (Number.isInteger(limit) && limit > 0) steps.push({ kind: 'limit', count: limit })
    return {
      language: 'base',
      rows: 'notes',
      from: fromOf(test),
      steps,
      columns,
      leads: false,
      shape: shape ?? 'table',
      ...(groups && { groups }),
      ...(summaries.length > 0 && { summaries }),
      formulas,
      name: String(view['name'] ?? `View ${at + 1}`).slice(0, 200),
      notes: own,
    }
  })
}

/** What every row of it is in, so that the index can tell: the tests are made all the same. */
function fromOf(test: Expression): From {
  const parts = conjunctsOf(test).flatMap((each): From[] => {
    if (each.kind !== 'call' || each.args.length !== 2) return []
    const [of, named] = each.args
    if (of?.kind !== 'name' || of.name !== 'file' || named?.kind !== 'value') return []
    const { value } = named
    if (typeof value !== 'string' || value === '') return []
    const name = each.name.toLowerCase()
    if (name === 'infolder') return [{ kind: 'folder', path: value }]
    return name === 'hastag' ? [{ kind: 'tag', tag: value.replace(/^#/, '') }] : []
  })
  return parts.length === 0 ? { kind: 'all' } : { kind: 'and', parts }
}

function yamlOf(text: string): Properties {
  if (text.length > LONGEST) throw new NotUnderstood(`It is longer than ${LONGEST} letters.`)
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const { properties, problems } = readSimpleYaml(source) ?? readYaml(source)
  if (properties) return properties
  const why = problems[0]?.message.replace(/^The front matter/, 'It') ?? 'It is no YAML'
  throw new NotUnderstood(`${why}.`)
}

function mapping(value: PropertyValue | undefined): Properties | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Properties)
    : undefined
}

function filterOf(
  filter: PropertyValue | undefined,
  now: number,
  counted: { filters: number },
  depth = 0,
): Expression {
  if (depth > DEEPEST) throw new NotUnderstood('Its filters are nested too deeply.')
  if (++counted.filters > MOST_FILTERS)
    throw new NotUnderstood(`It has more than ${MOST_FILTERS} filters.`)
  if (filter === undefined || filter === null) return allOf([])
  if (typeof filter === 'string') return parseExpression(filter, 'base', now)
  if (typeof filter === 'boolean') return { kind: 'value', value: filter }
  const parts = (value: PropertyValue | undefined): Expression[] =>
    (Array.isArray(value)
      ? (value as readonly PropertyValue[])
      : value === undefined
        ? []
        : [value]
    ).map((each) => filterOf(each, now, counted, depth + 1))
  if (Array.isArray(filter)) return allOf(parts(filter))
  const object = mapping(filter)
  if (!object) throw new NotUnderstood(`${shown(String(filter))} is no filter.`)
  const found = Object.keys(object).map((key): Expression => {
    if (key === 'and') return allOf(parts(object[key]))
    if (key === 'or') return anyOf(parts(object[key]))
    if (key === 'not') return { kind: 'not', of: anyOf(parts(object[key])) }
    throw new NotUnderstood(`${shown(key)} is no filter: write and, or or not.`)
  })
  return allOf(found)
}

/** `note.status`, `file.name`, `formula.total`; what has no dot in front is of the note. */
function expressionOf(written: string, now: number): Expression {
  const key = written.trim()
  const dot = key.indexOf('.')
  const space = dot < 0 ? '' : key.slice(0, dot)
  if (space === 'file' || space === 'formula' || space === 'note') {
    const of: Expression = { kind: 'name', name: space }
    return { kind: 'field', of, key: { kind: 'value', value: key.slice(dot + 1) } }
  }
  // What is no name by itself is written in brackets there, such as `note["due by"]`.
  if (/^(?:note|file)\[/.test(key)) return parseExpression(key, 'base', now)
  return { kind: 'field', of: { kind: 'name', name: 'note' }, key: { kind: 'value', value: key } }
}

function columnOf(key: string, named: ReadonlyMap<string, string>, now: number): Column {
  const plain = key.replace(/^note\./, '')
  const isName = key === 'file.name' || key === 'file.basename' || key === 'file.file'
  const name = named.get(key) ?? named.get(plain) ?? named.get(`note.${plain}`) ?? defaultName(key)
  // The name of a note is shown as what leads to it.
  const of = isName ? expressionOf('file.link', now) : expressionOf(key, now)
  const isOwn = !/^(?:file|formula)\./.test(key) && !key.includes('[')
  return { name, of, ...(isOwn && { key: plain }) }
}

function defaultName(key: string): string {
  return key.replace(/^(?:note|formula|file)\./, '')
}

function displayNames(properties: PropertyValue | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [key, value] of Object.entries(mapping(properties) ?? {})) {
    const name = mapping(value)?.['displayName']
    if (typeof name === 'string' && name !== '') names.set(key, name.slice(0, 200))
  }
  return names
}

function sortingOf(sort: PropertyValue | undefined, now: number): readonly Sorting[] {
  const written = Array.isArray(sort) ? (sort as readonly PropertyValue[]) : []
  return written.slice(0, 10).flatMap((each) => {
    if (typeof each === 'string') return [{ by: expressionOf(each, now), down: false }]
    const one = mapping(each)
    const property = one?.['property'] ?? one?.['column']
    return typeof property === 'string'
      ? [{ by: expressionOf(property, now), down: isDown(one?.['direction']) }]
      : []
  })
}

function isDown(direction: PropertyValue | undefined): boolean {
  return typeof direction === 'string' && direction.toLowerCase() === 'desc'
}

/** `price: Sum`, or the name of a formula over `values` that the base has itself. */
function summariesOf(
  written: Properties,
  formulas: Properties,
  keys: readonly string[],
  now: number,
  notes: string[],
): readonly ColumnSummary[] {
  const plain = (key: string): string => key.replace(/^note\./, '')
  return Object.entries(written).flatMap(([key, value]): ColumnSummary[] => {
    const column = keys.findIndex((each) => plain(each) === plain(key))
    const name = String(value)
    // Of a column that is not shown, nothing is.
    if (column < 0) return []
    const formula = Object.hasOwn(formulas, name) ? formulas[name] : undefined
    try {
      if (formula !== undefined) {
        return [{ column, name, of: parseExpression(String(formula), 'base', now) }]
      }
      if (Object.hasOwn(SUMMARIES, name.toLowerCase())) return [{ column, name }]
      notes.push(`There is no summary ${shown(name)}.`)
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error
      notes.push(`The summary ${shown(name)} is not understood: ${error.message}`)
    }
    return []
  })
}

function groupsOf(written: PropertyValue | undefined, now: number): Query['groups'] {
  const one = typeof written === 'string' ? { property: written } : mapping(written)
  const property = one?.['property']
  if (typeof property !== 'string') return undefined
  const direction = (one as Properties)['direction']
  return { by: expressionOf(property, now), down: isDown(direction), name: defaultName(property) }
}
