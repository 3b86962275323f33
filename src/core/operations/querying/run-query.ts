/**
 * One engine for every language of queries: fetch what its expressions need, then compute. Rows pass
 * its steps in the order written; where an expression looks behind a link nobody had asked for, that
 * note is fetched and the steps are taken again, a few times at most.
 */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { isFoundLink } from '../../domain/text.ts'
import { cutText } from '../../kit/cut-text.ts'
import { Slices, sortInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { View } from '../view/view.ts'
import { Context } from './evaluate.ts'
import type { Known } from './evaluate.ts'
import { allOf, conjunctsOf, walk } from './expression.ts'
import type { Expression } from './expression.ts'
import { findByLink, findRecords } from './find-rows.ts'
import { NotUnderstood } from './parse-expression.ts'
import type { Column, Query, Shape, Step } from './query.ts'
import { expressionsOf } from './query.ts'
import { withTexts } from './read-rows.ts'
import { SUMMARIES } from './summaries.ts'
import {
  asLink,
  compareValues,
  dateText,
  isList,
  isTrue,
  kindOf,
  linkText,
  textOf,
} from './values.ts'
import type { LinkValue, Pay, Row, Value } from './values.ts'

/** What is shown of a value: as little as a table needs, and safe to write down. */
export type Cell =
  | null
  | string
  | number
  | boolean
  | { readonly date: string }
  /** `id` where it leads to a note, `url` where it leads outside; neither where it leads nowhere. */
  | { readonly text: string; readonly id?: string; readonly at?: string; readonly url?: string }
  | readonly Cell[]

export interface ResultRow {
  /** The note that it is about. */
  readonly id?: string
  readonly cells: readonly Cell[]
  readonly task?: {
    readonly line: number
    readonly mark: string
    readonly text: string
    /** How many tasks above it are shown as the ones that it is a part of. */
    readonly depth?: number
  }
}

export interface QueryResult {
  readonly shape: Shape
  readonly columns: readonly { readonly name: string; readonly key?: string }[]
  readonly groups: readonly { readonly by?: Cell; readonly rows: readonly ResultRow[] }[]
  /** Rows that there are, and those shown. */
  readonly total: number
  readonly shown: number
  /** Below columns: one value for all rows, also those that are not shown. */
  readonly summaries?: readonly {
    readonly column: number
    readonly name: string
    readonly value: Cell
  }[]
  /** What was left out, in sentences. */
  readonly notes: readonly string[]
  readonly name?: string
}

export interface RunOptions {
  /** The note that it stands in: `this`. */
  readonly here?: DocumentRecord | undefined
  readonly now?: number
  readonly offset?: number
  readonly limit?: number
  /** Only these notes. */
  readonly among?: Uint32Array
}

const ROWS_SHOWN = 200
/** Texts are read for lines such as `key:: value` and for tasks: of so many notes. */
const MOST_READ = 3_000
const MOST_ROWS = 50_000
const MOST_PAGES = 200
const ROUNDS = 3
const MOST_GROUPS = 500

/** Throws `NotUnderstood` where it cannot be worked out within bounds. */
export async function runQuery(
  kb: View,
  query: Query,
  options: RunOptions = {},
): Promise<QueryResult> {
  const { here, now = Date.now(), offset = 0, limit = ROWS_SHOWN, among } = options
  const records = await findRecords(kb, {
    from: query.from,
    notesOnly: query.language === 'dataview',
    here,
    among,
  })
  const needs = needsOf(query)
  const notes = new Set(query.notes)
  const known: { -readonly [Key in keyof Known]: Known[Key] } = {
    language: query.language,
    now,
    ...(query.formulas && { formulas: query.formulas }),
    pages: new Map<string, Row | undefined>(),
    labels: new Map<DocNo, LinkValue>(),
  }
  let rows: readonly Row[] = records.map((record) => ({ record }))
  rows = await sieved(rows, query, needs, known)
  const own = here && needs.here ? await withTexts(kb, [{ record: here }]) : []
  rows = await withNeeds(kb, rows, needs, notes)
  const linked = await withLinks(kb, [...own, ...rows], needs)
  known.here = own.length > 0 ? linked.rows[0] : here && { record: here }
  known.labels = linked.labels
  rows = linked.rows.slice(own.length)
  if (query.rows === 'tasks')
    rows = rows.flatMap((row) => (row.tasks ?? []).map((task) => ({ ...row, task })))
  const pages = known.pages as Map<string, Row | undefined>
  for (let round = 1; ; round++) {
    const context = new Context(known)
    const found = await compute(context, rows, query, { offset, limit })
    const missing = [...context.wanted].slice(0, MOST_PAGES - pages.size)
    if (missing.length > 0 && round < ROUNDS) {
      for (const [key, row] of await pagesOf(kb, missing, needs)) pages.set(key, row)
      continue
    }
    const shown = await withIds(kb, found.groups)
    return {
      shape: query.shape,
      columns: columnsOf(query),
      groups: shown,
      total: found.total,
      shown: found.shown,
      ...(found.summaries && {
        summaries: found.summaries.map(({ value, ...each }) => ({
          ...each,
          value: cellOf(value, NO_IDS),
        })),
      }),
      notes: [...notes, ...context.notes].slice(0, 10),
      ...(query.name !== undefined && { name: query.name }),
    }
  }
}

/** Notes after some steps that ask nothing of texts and links. */
export async function stepsOver(
  records: readonly DocumentRecord[],
  steps: readonly Step[],
): Promise<readonly DocumentRecord[]> {
  const known = { language: 'base', now: Date.now(), pages: new Map(), labels: new Map() } as const
  const context = new Context(known)
  let rows: readonly Row[] = records.map((record) => ({ record }))
  for (const step of steps) rows = await taken(context, rows, step)
  return rows.flatMap(({ record }) => record ?? [])
}

/* ---- what is needed ---- */

interface Needs {
  /** Names that notes may have in their texts. */
  readonly names: ReadonlySet<string>
  /** Tasks are needed, whatever it costs. */
  readonly texts: boolean
  readonly links: boolean
  /** What the note of the query says. */
  readonly here: boolean
}

const IN_TEXTS = new Set(['tasks', 'lists'])
const IN_LINKS = new Set(['outlinks', 'inlinks', 'links', 'embeds', 'backlinks'])
const LINKING = new Set(['haslink', 'linksto'])
const NO_FIELDS = new Set(['file', 'this', 'row', 'rows', 'key'])

function needsOf(query: Query): Needs {
  return needsIn(expressionsOf(query), query)
}

function needsIn(expressions: readonly Expression[], { language, rows, steps }: Query): Needs {
  const own = new Set(
    steps.flatMap((step) => (step.kind === 'group' || step.kind === 'flatten' ? [step.name] : [])),
  )
  const names = new Set<string>()
  let [texts, links, here] = [rows === 'tasks', false, false]
  for (const expression of expressions) {
    for (const each of walk(expression)) {
      if (each.kind === 'name') {
        if (each.name.toLowerCase() === 'this') here = true
        else if (
          language === 'dataview' &&
          !own.has(each.name) &&
          !NO_FIELDS.has(each.name.toLowerCase())
        ) {
          names.add(each.name)
        }
      }
      if (each.kind === 'call' && LINKING.has(each.name.toLowerCase())) links = true
      if (
        each.kind === 'field' &&
        each.key.kind === 'value' &&
        typeof each.key.value === 'string'
      ) {
        const key = each.key.value.toLowerCase()
        texts ||= IN_TEXTS.has(key)
        links ||= IN_LINKS.has(key)
      }
      // `rows.rating` and `row["rating"]` are of notes, too.
      const isOfNotes =
        each.kind === 'field' && each.of.kind === 'name' && /^rows?$/i.test(each.of.name)
      if (
        language === 'dataview' &&
        isOfNotes &&
        each.key.kind === 'value' &&
        each.key.value !== 'file'
      ) {
        names.add(textOf(each.key.value))
      }
    }
  }
  return { names, texts, links, here }
}

/** What can be told by records alone is told before anything is read. */
async function sieved(
  rows: readonly Row[],
  query: Query,
  { here }: Needs,
  known: Known,
): Promise<readonly Row[]> {
  if (here) return rows
  const tests: Expression[] = []
  for (const step of query.steps) {
    if (step.kind !== 'where') break
    for (const test of conjunctsOf(step.test)) {
      const needs = needsIn([test, ...(query.formulas ? usedBy(test, query.formulas) : [])], {
        ...query,
        rows: 'notes',
      })
      if (query.rows === 'notes' && !needs.texts && !needs.links && needs.names.size === 0)
        tests.push(test)
    }
  }
  if (tests.length === 0) return rows
  const all = allOf(tests)
  const context = new Context(known)
  const kept: Row[] = []
  await eachInSlices(rows, (row) => {
    if (isTrue(context.of(all, row))) kept.push(row)
  })
  // Where it looked behind a link, it is not for records alone to say.
  return context.wanted.size > 0 ? rows : kept
}

function usedBy(
  test: Expression,
  formulas: ReadonlyMap<string, Expression>,
): readonly Expression[] {
  const uses = [...walk(test)].some(
    (each) => each.kind === 'name' && (each.name === 'formula' || each.name === 'formulas'),
  )
  return uses ? [...formulas.values()] : []
}

async function withNeeds(
  kb: View,
  rows: readonly Row[],
  { names, texts }: Needs,
  notes: Set<string>,
): Promise<readonly Row[]> {
  if (!texts && names.size === 0) return rows
  if (rows.length <= MOST_READ) return withTexts(kb, rows)
  if (texts) {
    notes.add(
      `Tasks are read of the first ${MOST_READ} of ${rows.length} notes. Narrow it with a folder or a tag.`,
    )
    return [...(await withTexts(kb, rows.slice(0, MOST_READ))), ...rows.slice(MOST_READ)]
  }
  notes.add(
    `Of ${rows.length} notes, only front matter is read, and no lines such as key:: value. Narrow it with FROM.`,
  )
  return rows
}

async function withLinks(kb: View, rows: readonly Row[], { links: wanted }: Needs) {
  const labels = new Map<DocNo, LinkValue>()
  if (!wanted) return { rows, labels }
  const { graph, types, docs, nodeOf, within } = await kb.links()
  const counts = types.map(
    ({ kind }, type) => !isFoundLink(kind) && (within.types?.includes(type) ?? true),
  )
  const neighbours = (node: number, { start, node: nodes, type }: typeof graph.out): DocNo[] => {
    const found = new Set<number>()
    for (let at = start[node]!; at < start[node + 1]!; at++) {
      const other = nodes[at]!
      if (counts[type[at]!] && !within.exclude?.[other]) found.add(docs[other]!)
    }
    return [...found]
  }
  const linked: Row[] = []
  const numbers = new Set<DocNo>()
  await eachInSlices(rows, (row) => {
    const node = row.record && nodeOf(row.record.no)
    if (node === undefined) return void linked.push(row)
    const links = { out: neighbours(node, graph.out), in: neighbours(node, graph.in) }
    for (const no of links.out) numbers.add(no)
    for (const no of links.in) numbers.add(no)
    linked.push({ ...row, links })
  })
  const all = [...numbers]
  for (const [at, place] of (await kb.store.paths(all)).entries()) {
    if (place) labels.set(all[at]!, { kind: 'link', target: place.path, id: documentId(place) })
  }
  return { rows: linked as readonly Row[], labels }
}

async function pagesOf(
  kb: View,
  wanted: readonly (readonly [string, LinkValue])[],
  needs: Needs,
): Promise<ReadonlyMap<string, Row | undefined>> {
  const pages = new Map<string, Row | undefined>()
  for (const [key, link] of wanted) {
    const record = await findByLink(kb, link.id ?? link.target)
    const [row] =
      record && needs.names.size > 0 ? await withTexts(kb, [{ record }]) : [record && { record }]
    pages.set(key, row)
  }
  return pages
}

/* ---- the steps ---- */

interface Computed {
  readonly groups: readonly { readonly by?: Value; readonly rows: readonly ComputedRow[] }[]
  readonly total: number
  readonly shown: number
  readonly summaries?: readonly {
    readonly column: number
    readonly name: string
    readonly value: Value
  }[]
}

interface ComputedRow {
  readonly row: Row
  readonly values: readonly Value[]
  readonly depth?: number
}

async function compute(
  context: Context,
  all: readonly Row[],
  query: Query,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Computed> {
  let rows = all
  for (const step of query.steps) rows = await taken(context, rows, step)
  const rest = rows.slice(offset, offset + limit)
  const values = (row: Row): ComputedRow => ({
    row,
    values: [
      ...(query.leads ? [leadOf(row, query)] : []),
      ...query.columns.map(({ of }) => context.of(of, row)),
    ],
  })
  if (query.rows === 'tasks') return groupedTasks(context, rows, { offset, limit }, values)
  const summaries = query.summaries && (await summarized(context, rows, query))
  if (!query.groups) {
    const shown: ComputedRow[] = []
    await eachInSlices(rest, (row) => shown.push(values(row)))
    return {
      groups: [{ rows: shown }],
      total: rows.length,
      shown: rest.length,
      ...(summaries && { summaries }),
    }
  }
  const { by, down } = query.groups
  const groups = await grouped(context, rest, by)
  const sorted = groups.toSorted(
    (a, b) => (down ? -1 : 1) * nothingLast(a.key, b.key, down, context.pay),
  )
  return {
    groups: sorted.map(({ key, rows: own }) => ({ by: key, rows: own.map(values) })),
    total: rows.length,
    shown: rest.length,
    ...(summaries && { summaries }),
  }
}

/** Of all rows, whether they are shown or not. */
async function summarized(context: Context, rows: readonly Row[], query: Query) {
  const { summaries = [], columns } = query
  const lists = summaries.map((): Value[] => [])
  await eachInSlices(rows, (row) => {
    for (const [at, { column }] of summaries.entries()) {
      context.pay(1)
      lists[at]!.push(context.of(columns[column]!.of, row))
    }
  })
  return summaries.map(({ column, name, of }, at) => {
    const values = lists[at]!
    const value = of
      ? context.of(of, { named: new Map([['values', values]]) })
      : SUMMARIES[name.toLowerCase()]!(values, context.pay)
    return { column, name, value }
  })
}

function nothingLast(a: Value, b: Value, down: boolean, pay: Pay): number {
  if ((a === null) !== (b === null)) return (a === null ? 1 : -1) * (down ? -1 : 1)
  return compareValues(a, b, pay)
}

async function groupedTasks(
  context: Context,
  rows: readonly Row[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  values: (row: Row) => ComputedRow,
): Promise<Computed> {
  const trees: TaskTrees = new Map()
  const worked = async (placed: readonly PlacedTask[]): Promise<readonly ComputedRow[]> => {
    const shown: ComputedRow[] = []
    await eachInSlices(placed, ({ row, depth }) => shown.push({ ...values(row), depth }))
    return shown
  }
  const isGrouped = rows.some(({ named, task }) => !task && named?.has('rows'))
  if (!isGrouped) {
    const all = await withParts(context, rows, trees)
    const some = await worked(all.slice(offset, offset + limit))
    return { groups: [{ rows: some }], total: all.length, shown: some.length }
  }
  const groups: { readonly by: Value; readonly rows: readonly ComputedRow[] }[] = []
  for (const row of rows.slice(offset, offset + limit)) {
    const inside = context.field({ kind: 'page', row }, 'rows')
    const own = (isList(inside) ? inside : []).flatMap((each) => {
      const is = each !== null && typeof each === 'object' && !isList(each) && each.kind === 'page'
      return is ? [each.row] : []
    })
    const placed = await withParts(context, own, trees)
    groups.push({ by: row.named?.get('key') ?? null, rows: await worked(placed) })
  }
  const count = groups.reduce((sum, group) => sum + group.rows.length, 0)
  return { groups, total: count, shown: count }
}

type QueriedTask = NonNullable<Row['task']>

interface TaskTree {
  readonly at: ReadonlyMap<number, QueriedTask>
  readonly parts: ReadonlyMap<number | undefined, readonly QueriedTask[]>
}

/** By the list of a note, which all of its rows share. */
type TaskTrees = Map<readonly QueriedTask[], TaskTree>

interface PlacedTask {
  readonly row: Row
  readonly depth: number
}

/**
 * A task that is found stands with all that is a part of it, found or not, as its note has them; a part
 * that is found by itself stands alone.
 */
async function withParts(
  context: Context,
  rows: readonly Row[],
  trees: TaskTrees,
): Promise<readonly PlacedTask[]> {
  const treeOf = ({ tasks = [] }: Row): TaskTree => {
    let tree = trees.get(tasks)
    if (!tree) {
      context.pay(tasks.length)
      const at = new Map(tasks.map((task) => [task.line, task]))
      trees.set(tasks, (tree = { at, parts: Map.groupBy(tasks, ({ parent }) => parent) }))
    }
    return tree
  }
  const found = new Set(rows.map(({ task }) => task))
  const known = new Map<QueriedTask, boolean>()
  const isPart = (row: Row): boolean => {
    const { at } = treeOf(row)
    const passed: QueriedTask[] = []
    let is = false
    for (let each = row.task; each && !is;) {
      const before = known.get(each)
      if (before !== undefined) {
        is = before
        break
      }
      context.pay(1)
      passed.push(each)
      each = each.parent === undefined ? undefined : at.get(each.parent)
      is = each !== undefined && found.has(each)
    }
    for (const each of passed) known.set(each, is)
    return is
  }
  const placed: PlacedTask[] = []
  const slices = new Slices()
  for (const row of rows) {
    if (slices.over) await slices.pause()
    if (isPart(row)) continue
    const open: PlacedTask[] = [{ row, depth: 0 }]
    for (let next = open.pop(); next; next = open.pop()) {
      if (slices.over) await slices.pause()
      context.pay(1)
      placed.push(next)
      const own = next.row.task ? treeOf(row).parts.get(next.row.task.line) : undefined
      // However deep it is, it was found: only so far is it moved to the right.
      const depth = Math.min(next.depth + 1, DEEPEST_TASK)
      for (const task of own?.toReversed() ?? []) open.push({ row: { ...row, task }, depth })
    }
  }
  return placed
}

const DEEPEST_TASK = 20

function leadOf(row: Row, query: Query): Value {
  const key = groupName(query)
  if (key !== undefined) return row.named?.get('key') ?? null
  return row.record ? asLink({ kind: 'page', row })! : null
}

function groupName({ steps }: Query): string | undefined {
  const last = steps.findLast((step) => step.kind === 'group')
  return last?.kind === 'group' ? last.name : undefined
}

async function taken(context: Context, rows: readonly Row[], step: Step): Promise<readonly Row[]> {
  switch (step.kind) {
    case 'where': {
      const kept: Row[] = []
      await eachInSlices(rows, (row) => {
        if (isTrue(context.of(step.test, row))) kept.push(row)
      })
      return kept
    }
    case 'sort': {
      const keyed: { readonly row: Row; readonly keys: readonly Value[] }[] = []
      await eachInSlices(rows, (row) => {
        keyed.push({ row, keys: step.by.map(({ by }) => context.of(by, row)) })
      })
      const sorting = sortInSteps(keyed, (a, b) => {
        for (const [at, { down }] of step.by.entries()) {
          const [one, other] = [a.keys[at]!, b.keys[at]!]
          const isBase = context.language === 'base'
          const order = isBase
            ? nothingLast(one, other, down, context.pay)
            : compareValues(one, other, context.pay)
          if (order !== 0) return down ? -order : order
        }
        return 0
      })
      return (await stepsInSlices(sorting)).map(({ row }) => row)
    }
    case 'group': {
      const groups = await grouped(context, rows, step.by)
      const sorted = groups.toSorted((a, b) => compareValues(a.key, b.key, context.pay))
      return sorted.map(({ key, rows: own }) => ({
        named: new Map<string, Value>([
          ['key', key],
          [step.name, key],
          ['rows', own.map((row) => ({ kind: 'page', row }) as const)],
        ]),
      }))
    }
    case 'flatten': {
      const flat: Row[] = []
      await eachInSlices(rows, (row) => {
        const value = context.of(step.of, row)
        for (const each of isList(value) ? value : [value]) {
          context.pay(1)
          const named = new Map([...(row.named ?? []), [step.name, each]])
          flat.push({ ...row, named })
        }
        if (flat.length > MOST_ROWS) {
          throw new NotUnderstood(`It has more than ${MOST_ROWS} rows: narrow it to fewer notes.`)
        }
      })
      return flat
    }
    case 'limit':
      return rows.slice(0, step.count)
  }
}

async function grouped(context: Context, rows: readonly Row[], by: Expression) {
  const groups = new Map<string, { readonly key: Value; readonly rows: Row[] }>()
  await eachInSlices(rows, (row) => {
    const key = context.of(by, row)
    const link = asLink(key)
    const told = `${link ? 'link' : kindOf(key)} ${link ? (link.id ?? link.target).toLowerCase() : textOf(key)}`
    const group = groups.get(told)
    if (group) group.rows.push(row)
    else groups.set(told, { key, rows: [row] })
  })
  return [...groups.values()]
}

async function eachInSlices<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
): Promise<void> {
  const slices = new Slices()
  for (const item of items) {
    if (slices.over) await slices.pause()
    work(item)
  }
}

/* ---- what is shown ---- */

function columnsOf(query: Query): QueryResult['columns'] {
  const lead: readonly Column[] = query.leads
    ? [{ name: groupName(query) ?? 'File', of: { kind: 'value', value: null } }]
    : []
  return [...lead, ...query.columns].map(({ name, key }) => ({
    name: cutText(name, 100),
    ...(key !== undefined && { key }),
  }))
}

const LONGEST_CELL = 500
const ITEMS_SHOWN = 50
const DEEPEST_CELL = 3

/** Links that properties write lead where those of their note lead. */
async function withIds(kb: View, groups: Computed['groups']): Promise<QueryResult['groups']> {
  const shown: { by?: Cell; rows: ResultRow[] }[] = []
  const known = new Map<DocNo, ReadonlyMap<string, string>>()
  const idsOf = async (
    { record }: Row,
    values: readonly Value[],
  ): Promise<ReadonlyMap<string, string>> => {
    if (!record || !values.some((value) => hasOpenLink(value))) return NO_IDS
    const before = known.get(record.no)
    if (before) return before
    const links = (await kb.store.linksFrom(record.no))
      .slice(0, 2_000)
      .filter(({ to }) => to !== undefined)
    const paths = await kb.store.paths(links.map(({ to }) => to!))
    const ids = new Map(
      links.flatMap(({ target }, at) =>
        paths[at] ? [[target, documentId(paths[at])] as const] : [],
      ),
    )
    known.set(record.no, ids)
    return ids
  }
  for (const { by, rows } of groups.slice(0, MOST_GROUPS)) {
    const own: ResultRow[] = []
    for (const { row, values, depth = 0 } of rows) {
      const ids = await idsOf(row, values)
      const { record, task } = row
      own.push({
        ...(record && { id: documentId(record) }),
        cells: values.map((value) => cellOf(value, ids)),
        ...(task && {
          task: {
            line: task.line,
            mark: task.mark,
            text: cutText(task.text, LONGEST_CELL),
            ...(depth > 0 && { depth }),
          },
        }),
      })
    }
    const [first] = rows
    const ids = by !== undefined && first ? await idsOf(first.row, [by]) : NO_IDS
    shown.push({ ...(by !== undefined && { by: cellOf(by, ids) }), rows: own })
  }
  return shown
}

const NO_IDS: ReadonlyMap<string, string> = new Map()

function hasOpenLink(value: Value, depth = 0): boolean {
  if (isList(value))
    return (
      depth < DEEPEST_CELL &&
      value.slice(0, ITEMS_SHOWN).some((each) => hasOpenLink(each, depth + 1))
    )
  return (
    value !== null && typeof value === 'object' && value.kind === 'link' && value.id === undefined
  )
}

function cellOf(value: Value, ids: ReadonlyMap<string, string>, depth = 0): Cell {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string') return cutText(value, LONGEST_CELL)
  if (isList(value)) {
    if (depth >= DEEPEST_CELL) return '…'
    const items = value.slice(0, ITEMS_SHOWN).map((each) => cellOf(each, ids, depth + 1))
    return value.length > ITEMS_SHOWN ? [...items, `… ${value.length - ITEMS_SHOWN} more`] : items
  }
  if (value.kind === 'date') return { date: dateText(value) }
  const link = asLink(value)
  if (value.kind === 'page' && value.row.task) return cutText(value.row.task.text, LONGEST_CELL)
  if (!link) return cutText(textOf(value), LONGEST_CELL)
  const text = cutText(linkText(link), LONGEST_CELL)
  if (link.outside) {
    return /^(?:https?|mailto):/i.test(link.target)
      ? { text, url: link.target.slice(0, 2_000) }
      : text
  }
  const id = link.id ?? ids.get(link.target)
  return { text, ...(id !== undefined && { id }), ...(link.fragment && { at: link.fragment }) }
}
