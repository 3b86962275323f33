/** Documents by metadata, a page at a time. */
import type { DocumentRecord } from '../../domain/document.ts'
import type { DocumentOrder } from '../../store/store.ts'
import { makeCursor, parseCursor } from './cursor.ts'
import type { View } from '../view/view.ts'
import { parseSelection, selectRecords } from './select-documents.ts'
import type { Selection } from './select-documents.ts'

export interface ListOptions extends Selection {
  readonly sort?: DocumentOrder
  readonly limit?: number
  readonly cursor?: string
  /** Where to begin, for callers that keep count themselves. */
  readonly offset?: number
  /** How many of the documents there is room for; all unless said. The rest is the next page. */
  readonly fit?: (documents: readonly DocumentRecord[]) => number
}

export interface DocumentPage {
  readonly documents: readonly DocumentRecord[]
  readonly total: number
  readonly nextCursor: string | undefined
}

const DEFAULT_LIMIT = 50

export async function listDocuments(kb: View, options: ListOptions = {}): Promise<DocumentPage> {
  const { cursor, limit = DEFAULT_LIMIT, sort = 'path', offset: given, fit, ...selection } = options
  const question = ['list', sort, selection]
  const offset = given ?? parseCursor(question, cursor)
  const { filter, matches } = parseSelection(kb, selection)
  const { documents: page, total } =
    matches || selection.where !== undefined
      ? await listSelected(kb, selection, sort, offset, limit)
      : await kb.store.list(filter, sort, { offset, limit })
  const documents = fit ? page.slice(0, fit(page)) : page
  const end = offset + documents.length
  return {
    documents,
    total,
    nextCursor: end < total && documents.length > 0 ? makeCursor(question, end) : undefined,
  }
}

/** Globs and conditions are not the store's business: what they might mean is listed, then sifted. */
async function listSelected(
  kb: View,
  selection: Selection,
  sort: DocumentOrder,
  offset: number,
  limit: number,
): Promise<{ documents: readonly DocumentRecord[]; total: number }> {
  const found = await selectRecords(kb, selection, sort)
  return { documents: found.slice(offset, offset + limit), total: found.length }
}
