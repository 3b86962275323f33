/** Who comes first? The orders of documents, as every database has them. */
import { comparePlaces, compareText } from '../domain/compare-places.ts'
import type { DocumentRecord } from '../domain/document.ts'
import type { DocumentOrder } from './document-store.ts'

export const DOCUMENT_ORDERS: Readonly<
  Record<DocumentOrder, (a: DocumentRecord, b: DocumentRecord) => number>
> = {
  updated: (a, b) => newestFirst(a.updatedAt, b.updatedAt) || comparePlaces(a, b),
  created: (a, b) => newestFirst(bornAt(a), bornAt(b)) || comparePlaces(a, b),
  stale: (a, b) => oldestFirst(a.updatedAt, b.updatedAt) || comparePlaces(a, b),
  title: (a, b) => compareText(plain(a.title), plain(b.title)) || comparePlaces(a, b),
  path: comparePlaces,
}

function bornAt({ createdAt, updatedAt }: DocumentRecord): number | undefined {
  return createdAt ?? updatedAt
}

/** What has no date is last in either order: it is neither the newest nor the oldest. */
function newestFirst(a: number | undefined, b: number | undefined): number {
  return oldestFirst(a === undefined ? a : -a, b === undefined ? b : -b)
}

function oldestFirst(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b
}

/** Databases without a language know the case of these letters only. */
function plain(title: string): string {
  return title.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
