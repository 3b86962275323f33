/** What was changed, by whom and when: newest first, a page at a time. */
import { parsePlace } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { notFound, quoted } from '../../domain/error.ts'
import type { LoggedOperation } from '../../history/history.ts'
import type { Warning } from '../../domain/warning.ts'
import type { Commit } from '../../sources/work-tree.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import type { View } from '../view/view.ts'
import { writingOf } from './carry-out.ts'
import { eachSince } from './each-since.ts'
import { documentsMeant, operationsMeant } from './history-names.ts'
import type { HistoryFilter } from './history-names.ts'
import { parseMoment } from './parse-moment.ts'
import { Unread } from './unread-history.ts'

export type ListedOperation = LoggedOperation

export interface HistoryPage {
  readonly operations: readonly LoggedOperation[]
  /** What git has of the document, after all that Cairn did: who, when and why. */
  readonly commits: readonly Commit[]
  readonly nextCursor: string | undefined
  /** What could not be read among what was looked through. */
  readonly warnings: readonly Warning[]
}

/** A moment as the history dates it, which may go by another clock than this machine. */
export async function historyMoment(kb: View, text: string): Promise<number> {
  return parseMoment(text, await historyNow(kb))
}

export async function historyNow(kb: View): Promise<number> {
  return Date.now() + ((await writingOf(kb).history.aheadMs?.()) ?? 0)
}

export async function listHistory(
  kb: View,
  filter: HistoryFilter = {},
  page: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<HistoryPage> {
  // A moment such as "an hour ago" is a little later for the next page.
  const question = ['history', { id: filter.id, by: filter.by }]
  const offset = parseCursor(question, page.cursor)
  const limit = page.limit ?? 20
  const one = await operationOf(kb, filter.id)
  if (one) return { operations: [one], commits: [], nextCursor: undefined, warnings: [] }
  const isMeant = await operationsMeant(kb, filter)
  const found: LoggedOperation[] = []
  const unread = new Unread()
  let passed = 0
  await eachSince(
    writingOf(kb).history,
    filter.since,
    (operation) => {
      if (!isMeant(operation) || passed++ < offset) return true
      found.push(operation)
      return found.length <= limit
    },
    { now: await historyNow(kb), unread: unread.count },
  )
  if (filter.id !== undefined && passed === 0) await requireKnown(kb, filter.id)
  const room = limit - found.length
  const commits =
    room < 0 ? [] : await commitsAfter(kb, filter, { skip: Math.max(0, offset - passed), room })
  const more = found.length > limit || commits.length > room
  return {
    operations: found.slice(0, limit),
    commits: commits.slice(0, Math.max(0, room)),
    nextCursor: more ? makeCursor(question, offset + limit) : undefined,
    warnings: unread.warnings,
  }
}

/** One more than there is room for tells that there are more. Git knows people, not clients. */
async function commitsAfter(
  kb: View,
  { id, since, by }: HistoryFilter,
  { skip, room }: { readonly skip: number; readonly room: number },
): Promise<readonly Commit[]> {
  if (id === undefined || by !== undefined) return []
  const [only, ...others] = await documentsMeant(kb, id)
  if (only === undefined || others.length > 0) return []
  const place = parsePlace(only)
  if (isEntityPath(place.path)) return []
  const git = await kb.base.fileHistoryOf?.(place.source)
  const commits = (await git?.commits(place.path, { skip, limit: room + 1 })) ?? []
  return since === undefined ? commits : commits.filter(({ at }) => at >= since)
}

async function operationOf(kb: View, id: string | undefined): Promise<LoggedOperation | undefined> {
  return id !== undefined && isOperationId(id) ? writingOf(kb).history.find(id) : undefined
}

/** A document without changes has none; a name that nobody knows is a mistake. */
async function requireKnown(kb: View, id: string): Promise<void> {
  if ((await documentsMeant(kb, id)).length > 0) return
  throw notFound(
    `There is no document and no change ${quoted(id)}.`,
    'Find the document with search or list, and pass the id they return.',
  )
}

/** One operation by its id; the last one on a document by the document's; the last one of all. */
export async function getOperation(kb: View, id: string | undefined): Promise<ListedOperation> {
  const { history } = writingOf(kb)
  let found = await operationOf(kb, id)
  if (!found) {
    const isMeant = await operationsMeant(kb, { id })
    await history.each((operation) => {
      if (isMeant(operation)) found = operation
      return found === undefined
    })
  }
  if (found) return found
  throw notFound(
    id === undefined ? 'Nothing was changed yet.' : `No change of ${quoted(id)} is known.`,
    'Use history with action list to see what was changed.',
  )
}

/** `20260315T104233-9f2c41aa`: no document is called like that. */
export function isOperationId(text: string): boolean {
  return /^\d{8}T\d{6}-[0-9a-f]{8}$/.test(text)
}
