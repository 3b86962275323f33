/** Tasks as notes have them: `- [ ] call Ada 📅 2026-12-01`, with what is said of them. */
import type { DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import type { PropertyValue } from '../../domain/text.ts'
import { findFrontMatter } from '../../parsing/markdown/front-matter.ts'
import type { View } from '../view/view.ts'
import { checkKeys } from './hold-condition.ts'
import { fieldsOf, parseCondition } from './parse-condition.ts'
import { parseDay } from './parse-day.ts'
import { readDocuments } from './read-document.ts'

export interface Task {
  readonly id: string
  readonly line: number
  /** Finished or given up: nothing is left to do. */
  readonly done: boolean
  /** What stands in the box, where that is neither blank nor `x`: `/` is begun, `-` given up. */
  readonly mark?: string
  readonly text: string
  /** As it is written, such as `2026-12-01`. */
  readonly due?: string
}

const TASK = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[([^\]\n])\]\s+(\S.*)$/
/** Logseq writes the state as a word. */
const LOGSEQ = /^\s*-\s+(TODO|DOING|NOW|LATER|WAITING|DONE|CANCELED|CANCELLED)\s+(\S.*)$/
const FENCE = /^\s{0,3}(`{3,}|~{3,})/
/** `📅 2026-12-01`, `due:: 2026-12-01`, `due: 2026-12-01`, `@due(2026-12-01)`. */
const DUE = /(?:📅\ufe0f?\s*|\bdue:{0,2}\s*|@due\()(\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4})/iu

/** The box as it is written. */
export function taskBox({ done, mark }: Task): string {
  return `[${mark ?? (done ? 'x' : ' ')}]`
}

const BEGINS = /^(\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[)[^\]\n](?=\]\s+\S)/

/** The line of a task with another mark in its box; undefined where there is no such mark for it. */
export function withMark(line: string, mark: string): string | undefined {
  if (BEGINS.test(line)) return line.replace(BEGINS, (_, before: string) => before + mark)
  const state = LOGSEQ.exec(line)?.[1]
  const wanted = { ' ': 'TODO', '/': 'DOING', x: 'DONE', '-': 'CANCELED' }[mark]
  return state && wanted && line.replace(state, wanted)
}

/** Tasks of a text, in order; front matter has none, and what stands in a code block is an example. */
export function tasksIn(id: string, text: string): Task[] {
  const found: Task[] = []
  const frontMatter = findFrontMatter(text)
  const body = typeof frontMatter === 'string' ? 0 : frontMatter.end
  let fence: string | undefined
  let at = 0
  for (const [index, whole] of text.split('\n').entries()) {
    const start = at
    at += whole.length + 1
    if (start < body) continue
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    const ticks = FENCE.exec(line)?.[1]
    if (ticks !== undefined && (fence === undefined || ticks.startsWith(fence))) {
      fence = fence === undefined ? ticks : undefined
      continue
    }
    if (fence !== undefined) continue
    const box = TASK.exec(line)
    const word = LOGSEQ.exec(line)
    const done = box ? /^[xX-]$/.test(box[1]!) : /^(DONE|CANCELL?ED)$/.test(word?.[1] ?? '')
    const mark = box && !/^[ xX]$/.test(box[1]!) ? { mark: box[1]! } : {}
    const said = (box?.[2] ?? word?.[2])?.trimEnd()
    if (said === undefined) continue
    const due = DUE.exec(said)?.[1]
    found.push({
      id,
      line: index + 1,
      done,
      ...mark,
      text: said,
      ...(due !== undefined && { due }),
    })
  }
  return found
}

/** So many files are in memory at once. */
const READ_AT_ONCE = 100
/** What a task can be asked besides what its document says. */
export const TASK_KEYS = ['done', 'due', 'task'] as const

/** Open tasks unless the condition speaks of `done`; by due date, then in the order of the files. */
export async function findTasks(
  kb: View,
  records: readonly DocumentRecord[],
  where?: string,
): Promise<readonly Task[]> {
  const condition = where === undefined ? undefined : parseCondition(where)
  if (condition) await checkKeys(kb, condition.keys, records, TASK_KEYS)
  const asksForDone = condition?.keys.some((key) => key.toLowerCase() === 'done') ?? false
  const tasks: Task[] = []
  for (let at = 0; at < records.length; at += READ_AT_ONCE) {
    const some = records.slice(at, at + READ_AT_ONCE).map(({ no }) => no)
    for (const live of await readDocuments(kb, some)) {
      const fields = fieldsOf(live.record)
      tasks.push(
        ...tasksIn(documentId(live.record), live.text).filter((task) => {
          if (!asksForDone && task.done) return false
          return condition?.holds((key) => ownOf(task, key) ?? fields(key)) ?? true
        }),
      )
    }
  }
  const dueAt = ({ due }: Task): number => parseDay(due ?? '')?.from ?? Infinity
  return tasks.toSorted((a, b) => (dueAt(a) < dueAt(b) ? -1 : dueAt(a) > dueAt(b) ? 1 : 0))
}

function ownOf({ done, due, text }: Task, key: string): PropertyValue | undefined {
  const name = key.toLowerCase()
  if (name === 'done') return done
  if (name === 'task') return text
  return name === 'due' ? due : undefined
}
