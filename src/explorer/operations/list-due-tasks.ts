/** What is to be done by a day, and the note of that day: what one looks for in the morning. */
import type { DocNo, DocumentRecord } from '../../core/domain/document.ts'
import { documentId, parsePlace } from '../../core/domain/document.ts'
import { onePer } from '../../core/kit/one-per.ts'
import { findTasks, type Task } from '../../core/operations/reading/find-tasks.ts'
import { parseDay } from '../../core/operations/reading/parse-day.ts'
import { derived } from '../../core/operations/view/derived.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { Day } from '../wire/wire.ts'
import { editsOf } from './read-for-edit.ts'
import { shownLine } from '../rendering/readable-text.ts'
import { listForTyping } from './list-for-typing.ts'

/** Tasks are read from the texts: of so many notes, those that were changed last. */
const NOTES_READ = 1_000
/** A week ahead is soon. */
const SOON_MS = 7 * 86_400_000
const SHOWN = 8

type Dated = ReadonlyMap<DocNo, readonly Task[]>

/** Open tasks with a day, followed document by document. */
const datedTasks = onePer((kb: View) =>
  derived<Dated>(kb.base.store, {
    on: ['generation'],
    async load() {
      const page = { offset: 0, limit: NOTES_READ }
      const { documents } = await kb.store.list({ kind: 'document' }, 'updated', page)
      return new Map(await datedIn(kb, documents))
    },
    async follow(before, { generation }) {
      const changes = await kb.store.changesSince(generation)
      if (changes.unnamed) return undefined
      const tasks = new Map(before)
      for (const no of [...changes.goneDocs, ...changes.putDocs]) tasks.delete(no)
      const records = (await kb.store.documents(changes.putDocs)).filter(
        (each) => each !== undefined,
      )
      for (const [no, found] of await datedIn(kb, records)) tasks.set(no, found)
      return tasks
    },
  }),
)

async function datedIn(
  kb: View,
  records: readonly DocumentRecord[],
): Promise<readonly (readonly [DocNo, readonly Task[]])[]> {
  const byId = new Map<string, Task[]>()
  for (const task of await findTasks(kb, records)) {
    if (task.due === undefined) continue
    const own = byId.get(task.id)
    if (own) own.push(task)
    else byId.set(task.id, [task])
  }
  return records.flatMap((record) => {
    const own = byId.get(documentId(record))
    return own ? [[record.no, own] as const] : []
  })
}

/** `today` as it is where one sits, such as `2026-12-01`. */
export async function showDay(kb: View, today: string): Promise<Day> {
  const now = parseDay(today)?.from ?? Date.now()
  const soon: { readonly task: Task; readonly at: number }[] = []
  for (const tasks of (await datedTasks(kb).now()).values()) {
    for (const task of tasks) {
      const at = parseDay(task.due ?? '')?.from
      if (at !== undefined && at <= now + SOON_MS) soon.push({ task, at })
    }
  }
  soon.sort((a, b) => a.at - b.at || (a.task.id < b.task.id ? -1 : 1))
  return {
    daily: await dailyNote(kb, today),
    tasks: soon.slice(0, SHOWN).map(({ task: { id, line, text, due = '', mark }, at }) => {
      const shown = shownLine(text)
      return {
        id,
        line,
        text,
        ...(shown !== undefined && { shown }),
        due,
        when: at < now ? 'late' : at === now ? 'today' : 'soon',
        ...(mark !== undefined && { mark }),
        ...(editsOf(kb, parsePlace(id), '') && { edits: true }),
      }
    }),
    total: soon.length,
  }
}

/** A note that is named after the day, as Obsidian and Logseq name them. */
async function dailyNote(kb: View, today: string): Promise<Day['daily']> {
  const files = [`/${today}.md`, `/${today.replaceAll('-', '_')}.md`]
  for (const { names } of (await listForTyping(kb).now()).values()) {
    const [first] = names
    if (first && files.some((file) => first.id.endsWith(file))) {
      return { id: first.id, title: first.title }
    }
  }
  return undefined
}
