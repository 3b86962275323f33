/** What was changed, by whom and when: newest first, a page at a time. */
import { documentId } from '../../domain/document.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import type { LoggedOperation } from '../../history/history.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import type { View } from '../view/view.ts'
import { writingOf } from './carry-out.ts'

export interface HistoryFilter {
  /** Only operations on this document, by id. Documents that are gone can be named too. */
  readonly id?: string
  /** Only operations at or after this instant, milliseconds since the epoch. */
  readonly since?: number
  /** Only operations of clients or principals whose name begins like this. */
  readonly by?: string
}

export type ListedOperation = LoggedOperation

export interface HistoryPage {
  readonly operations: readonly LoggedOperation[]
  readonly nextCursor: string | undefined
}

export async function listHistory(
  kb: View,
  filter: HistoryFilter = {},
  page: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<HistoryPage> {
  const question = ['history', filter]
  const offset = parseCursor(question, page.cursor)
  const limit = page.limit ?? 20
  const found: LoggedOperation[] = []
  let passed = 0
  await writingOf(kb).history.each((operation) => {
    if (filter.since !== undefined && operation.at < filter.since) return false
    if (!matches(operation, filter) || passed++ < offset) return true
    found.push(operation)
    return found.length <= limit
  })
  const more = found.length > limit
  return {
    operations: found.slice(0, limit),
    nextCursor: more ? makeCursor(question, offset + limit) : undefined,
  }
}

/** One operation by its id; the last one on a document by the document's; the last one of all. */
export async function getOperation(kb: View, id: string | undefined): Promise<ListedOperation> {
  let found: LoggedOperation | undefined
  await writingOf(kb).history.each((operation) => {
    if (id === undefined || operation.id === id || matches(operation, { id })) found = operation
    return found === undefined
  })
  if (found) return found
  throw new KnowledgeError(
    'not_found',
    id === undefined ? 'Nothing was changed yet.' : `No change of ${quoted(id)} is known.`,
    'Use history with action list to see what was changed.',
  )
}

/** An instant from the outside, as milliseconds since the epoch. */
export function parseMoment(text: string): number {
  const time = Date.parse(text)
  if (Number.isFinite(time)) return time
  throw invalid(
    `since is not a date: ${quoted(text)}.`,
    'Write an instant such as 2026-03-01T12:00:00Z, or a date.',
  )
}

export function matches(operation: LoggedOperation, { id, by }: HistoryFilter): boolean {
  if (id !== undefined && !operation.changes.some((change) => touches(change, id))) return false
  if (by === undefined) return true
  const { client, principal } = operation.by
  const wanted = by.toLowerCase()
  return [client, principal].some((name) => name?.toLowerCase().startsWith(wanted))
}

function touches({ source, path, from }: LoggedOperation['changes'][number], id: string): boolean {
  const wanted = id.toLowerCase()
  return [path, from].some((each) => {
    if (each === undefined) return false
    const full = documentId({ source, path: each }).toLowerCase()
    return [full, each.toLowerCase()].some((name) => name === wanted || name === `${wanted}.md`)
  })
}
