/** What the queries of a note find, as `fetch` shows it: within what its text leaves of the budget. */
import { answerQuery, firstOf, queriesIn } from '../../core/operations/querying/answer-queries.ts'
import type { AnsweredQuery } from '../../core/operations/querying/answer-queries.ts'
import { cellText, rowText, textOfResult } from '../../core/operations/querying/result-text.ts'
import type { QueryResult } from '../../core/operations/querying/run-query.ts'
import type { FetchedDocument } from '../../core/operations/reading/fetch-document.ts'
import { getLive } from '../../core/operations/reading/read-document.ts'
import { estimateTokens } from '../../core/operations/reading/tokens.ts'
import type { View } from '../../core/operations/view/view.ts'

export interface ShownResult {
  readonly shown: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Of blocks, and of values within lines: these are told when all blocks are. */
const QUERIES_SHOWN = 20
const ROWS_SHOWN = 200
/** However little is left: the first rows say what there is. */
const LEAST_TOKENS = 300

/** Of the lines that were fetched; of a `.base` file all views. */
export async function showResults(
  kb: View,
  { record, text, lines: [first, last] }: FetchedDocument,
  { maxTokens, signal }: { readonly maxTokens: number; readonly signal: AbortSignal },
): Promise<readonly ShownResult[]> {
  const now = Date.now()
  const whole = (await getLive(kb, record)).text
  const all = queriesIn(record, whole, now).filter(({ line, end }) => line <= last && end >= first)
  let left = Math.max(LEAST_TOKENS, maxTokens - estimateTokens(text))
  const results: ShownResult[] = []
  for (const block of firstOf(all, QUERIES_SHOWN)) {
    // Each may read thousands of notes, and nobody waits for them any longer.
    signal.throwIfAborted()
    const { of } = block
    const options = { here: record, now, limit: ROWS_SHOWN, ...(of !== undefined && { view: of }) }
    const answered = await answerQuery(kb, block, options)
    const shown = presented(answered, left)
    left = Math.max(0, left - estimateTokens(shown.text))
    results.push(shown)
  }
  return results
}

function presented(
  { line, language, views, view, result, problem }: AnsweredQuery,
  budget: number,
): ShownResult {
  const name = views[view]
  const place = { line, language, view: name }
  const head = `Line ${line}, ${language}${name ? ` ${name}` : ''}`
  if (!result) {
    return {
      shown: { ...place, not_understood: problem },
      text: `${head}: not understood. ${problem}`,
    }
  }
  const fits = within(result, budget)
  const { columns, total, shown, notes, groups } = fits
  return {
    shown: {
      ...place,
      columns: columns.map((column) => column.name),
      rows: groups.flatMap(({ by, rows }) =>
        rows.map(({ id, cells, task }) => ({
          ...(id !== undefined && { id }),
          ...(by !== undefined && { group: cellText(by) }),
          ...(task ? { ...task } : { cells: cells.map(cellText) }),
        })),
      ),
      total,
      more: shown < total ? total - shown : undefined,
      notes: notes.length > 0 ? notes : undefined,
    },
    text: `${head}:\n${textOfResult(fits)}`,
  }
}

/** As many rows as there is room for; one at least. */
function within(result: QueryResult, budget: number): QueryResult {
  let tokens = 0
  let shown = 0
  const groups: QueryResult['groups'][number][] = []
  for (const group of result.groups) {
    const rows = []
    for (const row of group.rows) {
      tokens += estimateTokens(rowText(row)) + 1
      if (tokens > budget && shown > 0) break
      shown++
      rows.push(row)
    }
    if (rows.length > 0 || group.rows.length === 0) groups.push({ ...group, rows })
    if (tokens > budget) break
  }
  return { ...result, groups, shown }
}
