/** The queries of a note with what they find, for the page that shows them in their places. */
import { isBaseFile } from '../../core/domain/base-file.ts'
import {
  answerQuery,
  findQueryBlocks,
  firstOf,
} from '../../core/operations/querying/answer-queries.ts'
import { getLive } from '../../core/operations/reading/read-document.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import { shownLine } from '../rendering/readable-text.ts'
import type { AnsweredQuery, ResultRow } from '../wire/wire.ts'

/** So many blocks, and so many values within lines; more are shown as they stand. */
const ANSWERED = 30

export interface QueriesRequest {
  /** Which of them, in the order of an answer; all unless said. */
  readonly at?: number
  /** Of a base: its place, or its name. */
  readonly view?: number | string
  readonly limit: number
}

export async function answerNote(
  kb: View,
  id: string,
  { at, view, limit }: QueriesRequest,
): Promise<readonly AnsweredQuery[]> {
  const { record, text } = await getLive(kb, await resolveDocument(kb, id))
  const whole = { language: 'base', line: 1, end: text.split('\n').length, text } as const
  const blocks = isBaseFile(record.path) ? [whole] : firstOf(findQueryBlocks(text), ANSWERED)
  const wanted = at === undefined ? blocks : blocks.slice(at, at + 1)
  const now = Date.now()
  const answers: AnsweredQuery[] = []
  for (const block of wanted) {
    const options = { here: record, now, limit, ...(view !== undefined && { view }) }
    answers.push(withShownTasks(await answerQuery(kb, block, options)))
  }
  return answers
}

function withShownTasks(answer: AnsweredQuery): AnsweredQuery {
  const { result } = answer
  if (result?.shape !== 'tasks') return answer
  const groups = result.groups.map((group) => ({ ...group, rows: group.rows.map(withShownTask) }))
  return { ...answer, result: { ...result, groups } }
}

function withShownTask(row: ResultRow): ResultRow {
  const shown = row.task && shownLine(row.task.text)
  return shown === undefined ? row : { ...row, task: { ...row.task!, shown } }
}
