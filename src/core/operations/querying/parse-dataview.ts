/** Dataview's query language (`LIST`, `TABLE`, `TASK`, `CALENDAR`) as a query of ours. */
import { linkIn } from './values.ts'
import type { Column, From, Query, Shape, Sorting, Step } from './query.ts'
import { ExpressionReader, NotUnderstood, shown, tokensOf } from './parse-expression.ts'
import type { Expression } from './expression.ts'

const COMMANDS = ['from', 'where', 'sort', 'group', 'flatten', 'limit'] as const
const MOST_STEPS = 50
const MOST_COLUMNS = 50

/** Throws `NotUnderstood`. */
export function parseDataview(text: string, now: number): Query {
  const uncommented = text
    .split('\n')
    .map((line) => (line.trimStart().startsWith('//') ? '' : line))
    .join('\n')
  const reader = new ExpressionReader(tokensOf(uncommented, 'dataview', now), 'dataview')
  const source = (from: number): string =>
    uncommented.slice(from, reader.next?.at ?? uncommented.length).trim()
  const first = reader.next
  const shape = shapeOf(first?.kind === 'name' ? first.text : '')
  if (!shape) {
    throw new NotUnderstood(
      first
        ? `A query begins with LIST, TABLE, TASK or CALENDAR, and not with ${shown(first.text)}.`
        : 'It is empty.',
    )
  }
  reader.at++
  let leads = true
  if (reader.isWord('without')) {
    reader.at++
    if (!reader.isWord('id')) throw reader.unexpected('ID is expected')
    reader.at++
    leads = false
  }
  const columns: Column[] = []
  if (shape === 'tasks') leads = false
  else {
    while (reader.next && !reader.isWord(...COMMANDS)) {
      const from = reader.next.at
      const of = reader.expression()
      const name = nameBehind(reader) ?? source(from)
      columns.push({ name, of, ...keyOf(of) })
      if (columns.length > MOST_COLUMNS)
        throw new NotUnderstood(`It has more than ${MOST_COLUMNS} columns.`)
      if (!reader.isSign(',')) break
      reader.at++
    }
  }
  const most = shape === 'table' ? MOST_COLUMNS : shape === 'tasks' ? 0 : 1
  if (columns.length > most) throw new NotUnderstood('A list has one expression at most.')
  if (shape === 'calendar' && columns.length === 0)
    throw new NotUnderstood('CALENDAR needs a date.')
  let from: From = { kind: 'all' }
  const steps: Step[] = []
  while (reader.next) {
    if (steps.length >= MOST_STEPS)
      throw new NotUnderstood(`It has more than ${MOST_STEPS} commands.`)
    if (!reader.isWord(...COMMANDS))
      throw new NotUnderstood(`${shown(reader.next.text)} is not expected there.`)
    const command = reader.next.text.toLowerCase() as (typeof COMMANDS)[number]
    reader.at++
    switch (command) {
      case 'from':
        from = sources(reader, 0)
        break
      case 'where':
        steps.push({ kind: 'where', test: reader.expression() })
        break
      case 'sort':
        steps.push({ kind: 'sort', by: sortings(reader) })
        break
      case 'group':
      case 'flatten': {
        if (command === 'group') {
          if (!reader.isWord('by')) throw reader.unexpected('BY is expected')
          reader.at++
        }
        const at = reader.next?.at ?? 0
        const of = reader.expression()
        const written = source(at)
        const name = nameBehind(reader) ?? written
        steps.push(
          command === 'group' ? { kind: 'group', by: of, name } : { kind: 'flatten', of, name },
        )
        break
      }
      case 'limit': {
        const count = reader.next
        if (count?.kind !== 'number') throw reader.unexpected('A number is expected')
        reader.at++
        steps.push({ kind: 'limit', count: Math.floor(Number(count.text)) })
        break
      }
      default:
        command satisfies never
    }
  }
  return {
    language: 'dataview',
    rows: shape === 'tasks' ? 'tasks' : 'notes',
    from,
    steps,
    columns,
    leads,
    shape,
    notes: [],
  }
}

/** One expression about the note that it stands in. Throws `NotUnderstood`. */
export function parseInline(text: string, now: number): Query {
  const reader = new ExpressionReader(tokensOf(text, 'dataview', now), 'dataview')
  const of = reader.expression()
  if (reader.next) throw new NotUnderstood(`${shown(reader.next.text)} is not expected there.`)
  return {
    language: 'dataview',
    rows: 'notes',
    from: { kind: 'here' },
    steps: [],
    columns: [{ name: text.trim(), of }],
    leads: false,
    shape: 'list',
    notes: [],
  }
}

function shapeOf(word: string): Shape | undefined {
  switch (word.toLowerCase()) {
    case 'list':
      return 'list'
    case 'table':
      return 'table'
    case 'task':
      return 'tasks'
    case 'calendar':
      return 'calendar'
    default:
      return undefined
  }
}

/** A property that could be given another value. */
function keyOf(of: Expression): { readonly key?: string } {
  return of.kind === 'name' &&
    !['file', 'rows', 'key', 'this', 'row'].includes(of.name.toLowerCase())
    ? { key: of.name }
    : {}
}

function nameBehind(reader: ExpressionReader): string | undefined {
  if (!reader.isWord('as')) return undefined
  reader.at++
  const name = reader.next
  if (name?.kind !== 'name' && name?.kind !== 'string')
    throw reader.unexpected('A name is expected')
  reader.at++
  return name.text
}

function sortings(reader: ExpressionReader): readonly Sorting[] {
  const found: Sorting[] = []
  for (;;) {
    const by = reader.expression()
    const down = reader.isWord('desc', 'descending')
    if (down || reader.isWord('asc', 'ascending')) reader.at++
    found.push({ by, down })
    if (!reader.isSign(',')) return found
    reader.at++
  }
}

const DEEPEST = 40

/** `#tag and -"folder"`, `[[note]] or outgoing([[note]])`; `or` binds as loosely as it is written. */
function sources(reader: ExpressionReader, depth: number): From {
  if (depth > DEEPEST) throw new NotUnderstood('It is nested too deeply.')
  const all: From[] = [conjunction(reader, depth)]
  while (reader.isWord('or') || reader.isSign('|', '||')) {
    reader.at++
    all.push(conjunction(reader, depth))
  }
  return all.length === 1 ? all[0]! : { kind: 'or', parts: all }
}

function conjunction(reader: ExpressionReader, depth: number): From {
  const all: From[] = [oneSource(reader, depth)]
  while (reader.isWord('and') || reader.isSign('&', '&&')) {
    reader.at++
    all.push(oneSource(reader, depth))
  }
  return all.length === 1 ? all[0]! : { kind: 'and', parts: all }
}

function oneSource(reader: ExpressionReader, depth: number): From {
  if (depth > DEEPEST) throw new NotUnderstood('It is nested too deeply.')
  if (reader.isSign('-', '!')) {
    reader.at++
    return { kind: 'not', of: oneSource(reader, depth + 1) }
  }
  if (reader.isSign('(')) {
    reader.at++
    const inside = sources(reader, depth + 1)
    reader.expect(')')
    return inside
  }
  const token = reader.next
  reader.at++
  if (token?.kind === 'tag') return { kind: 'tag', tag: token.text }
  if (token?.kind === 'string') return { kind: 'folder', path: token.text }
  if (token?.kind === 'link') {
    return { kind: 'links', way: 'to', note: linkIn(token.text)?.target ?? '' }
  }
  if (token?.kind === 'name' && token.text.toLowerCase() === 'outgoing') {
    reader.expect('(')
    const link = reader.next
    if (link?.kind !== 'link') throw reader.unexpected('A link is expected')
    reader.at++
    reader.expect(')')
    return { kind: 'links', way: 'from', note: linkIn(link.text)?.target ?? '' }
  }
  const what = token ? shown(token.text) : 'Nothing'
  throw new NotUnderstood(`${what} is no source: write #tag, "folder" or [[note]].`)
}
