/** What a query needs of the texts of notes: their tasks, and lines such as `key:: value`. */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import { findFrontMatter } from '../../parsing/markdown/front-matter.ts'
import { tasksIn } from '../reading/find-tasks.ts'
import { readDocuments } from '../reading/read-document.ts'
import type { View } from '../view/view.ts'
import { simpleName } from './evaluate.ts'
import { dateIn, linkIn } from './values.ts'
import type { Row, Value } from './values.ts'

export interface QueriedTask {
  readonly line: number
  /** What stands in its box. */
  readonly mark: string
  readonly done: boolean
  readonly text: string
  readonly tags: readonly string[]
  /** `due`, `completion`, `[key:: value]`, by their simple names. */
  readonly fields: ReadonlyMap<string, Value>
  /** The heading above; empty before the first. */
  readonly heading: string
  /** Line of the task that it is a part of. */
  readonly parent?: number
}

const READ_AT_ONCE = 100
const MOST_FIELDS = 200
const LONGEST_LINE = 4_000

/** The same rows, with what their texts say. */
export async function withTexts(kb: View, rows: readonly Row[]): Promise<readonly Row[]> {
  const found = new Map<DocNo, Pick<Row, 'tasks' | 'inline' | 'record'>>()
  const numbers = rows.flatMap(({ record }) => (record ? [record.no] : []))
  const slices = new Slices()
  for (let at = 0; at < numbers.length; at += READ_AT_ONCE) {
    for (const { record, text } of await readDocuments(kb, numbers.slice(at, at + READ_AT_ONCE))) {
      found.set(record.no, { record, ...readText(record, text) })
      if (slices.over) await slices.pause()
    }
  }
  return rows.map((row) => ({ ...row, ...(row.record && found.get(row.record.no)) }))
}

export function readText(
  { path }: Pick<DocumentRecord, 'path'>,
  text: string,
): Required<Pick<Row, 'tasks' | 'inline'>> {
  const lines = /\.(?:md|markdown|mdx)$/i.test(path) ? text.split('\n') : []
  return { tasks: queriedTasks(text, lines), inline: inlineFields(text, lines) }
}

const HEADING = /^#{1,6}\s+(.*)$/
const TAG = /(?<![\p{L}\p{N}_/#&])#([\p{L}\p{N}_/-]*\p{L}[\p{L}\p{N}_/-]*)/gu
const DAYS = [
  ['due', /(?:📅|🗓)\ufe0f?\s*(\d{4}-\d{2}-\d{2})/u],
  ['completion', /✅\ufe0f?\s*(\d{4}-\d{2}-\d{2})/u],
  ['created', /➕\ufe0f?\s*(\d{4}-\d{2}-\d{2})/u],
  ['start', /🛫\ufe0f?\s*(\d{4}-\d{2}-\d{2})/u],
  ['scheduled', /⏳\ufe0f?\s*(\d{4}-\d{2}-\d{2})/u],
] as const

function queriedTasks(text: string, lines: readonly string[]): readonly QueriedTask[] {
  const tasks = tasksIn('', text)
  if (tasks.length === 0) return []
  let at = 0
  let heading = ''
  /** Tasks that the next one may be a part of, from the outside in. */
  const open: { readonly line: number; readonly deep: number }[] = []
  return tasks.map(({ line, done, mark, text: said, due }) => {
    let least = Infinity
    for (; at < line && at < lines.length; at++) {
      if (lines[at]!.trim() !== '') least = Math.min(least, depthOf(lines[at]!))
      const found = HEADING.exec(lines[at]!.slice(0, 500))
      if (found) heading = found[1]!.trim()
    }
    while (open.length > 0 && open.at(-1)!.deep >= least) open.pop()
    const parent = open.at(-1)?.line
    open.push({ line, deep: depthOf(lines[line - 1] ?? '') })
    const some = said.slice(0, LONGEST_LINE)
    const fields = new Map<string, Value>()
    if (due !== undefined) fields.set('due', dateIn(due) ?? due)
    for (const [name, pattern] of DAYS) {
      const day = pattern.exec(some)?.[1]
      if (day !== undefined) fields.set(name, dateIn(day) ?? day)
    }
    for (const [key, value] of bracketed(some)) fields.set(key, value)
    return {
      line,
      mark: mark ?? (done ? 'x' : ' '),
      done,
      text: some,
      tags: [...some.matchAll(TAG)].map(([whole]) => whole),
      fields,
      heading,
      ...(parent !== undefined && { parent }),
    }
  })
}

/** How far in a line begins; a tab is as much as four blanks. */
function depthOf(line: string): number {
  const [before = ''] = /^(?:[ \t]|>)*/.exec(line.slice(0, 500)) ?? []
  return before.replaceAll('>', '').replaceAll('\t', '    ').length
}

const BRACKETED = /[[(]([^[\]()\n:]{1,60})::\s*((?:\[\[[^\]\n]{0,200}\]\]|[^\])\n]){0,500})[\])]/g

function* bracketed(line: string): Generator<readonly [string, Value]> {
  if (!line.includes('::')) return
  for (const [, key = '', value = ''] of line.matchAll(BRACKETED)) {
    const name = simpleName(key)
    if (name !== '') yield [name, inlineValue(value)]
  }
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/

const TASK = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[[^\]]\]\s/

function inlineFields(text: string, lines: readonly string[]): ReadonlyMap<string, Value> {
  const fields = new Map<string, Value>()
  if (!text.includes('::')) return fields
  const add = (name: string, value: Value): void => {
    const before = fields.get(name)
    if (before === undefined) {
      if (fields.size < MOST_FIELDS) fields.set(name, value)
    } else
      fields.set(
        name,
        [...(Array.isArray(before) ? (before as readonly Value[]) : [before]), value].slice(
          0,
          MOST_FIELDS,
        ),
      )
  }
  const front = findFrontMatter(text)
  let skipped =
    typeof front === 'string' ? 0 : text.slice(0, front.bodyStart).split('\n').length - 1
  let fence: string | undefined
  for (const whole of lines) {
    if (skipped-- > 0) continue
    const line = whole.slice(0, LONGEST_LINE)
    const ticks = FENCE.exec(line)?.[1]
    if (ticks !== undefined && (fence === undefined || ticks.startsWith(fence))) {
      fence = fence === undefined ? ticks : undefined
      continue
    }
    const at = line.indexOf('::')
    // What a task says is its own.
    if (at < 0 || fence !== undefined || TASK.test(line)) continue
    const before = line.slice(0, at)
    if (/[[(]/.test(before)) {
      for (const [key, value] of bracketed(line)) add(key, value)
      continue
    }
    const key = before.replace(/^\s*(?:[-*+>]\s+)*/, '').replaceAll(/[*_`~]{1,3}/g, '')
    const name = key.length <= 80 ? simpleName(key) : ''
    if (name !== '') add(name, inlineValue(line.slice(at + 2).replace(/^[*_]{1,3}/, '')))
  }
  return fields
}

const LINKS = /^\s*(?:\[\[[^[\]\n]+\]\]\s*,?\s*)+$/

function inlineValue(written: string): Value {
  const text = written.trim()
  if (text === '') return null
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  const one = linkIn(text) ?? dateIn(text)
  if (one) return one
  if (text.startsWith('[[') && LINKS.test(text)) {
    return (text.match(/\[\[[^[\]\n]+\]\]/g) ?? []).map((each) => linkIn(each) ?? each)
  }
  return text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text
}
