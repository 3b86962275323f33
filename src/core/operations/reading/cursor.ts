/** Opaque page marks. A mark belongs to the question it was made for and says so when misused. */
import { createHash } from 'node:crypto'
import { invalid, quoted } from '../../domain/error.ts'

/** `question` is everything that decides which items there are and in what order. */
export function makeCursor(question: unknown, offset: number): string {
  return Buffer.from(`${fingerprint(question)}.${offset}`).toString('base64url')
}

export function parseCursor(question: unknown, cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [mark, offset] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const start = Number(offset)
  if (mark !== fingerprint(question) || !Number.isSafeInteger(start) || start < 0) {
    throw invalid(
      `The cursor ${quoted(cursor)} does not belong to this question.`,
      'Pass next_cursor exactly as the previous reply gave it, with the same other arguments, or leave it out to begin again.',
    )
  }
  return start
}

/** One page of a list that is at hand as a whole. */
export function pageOf<Item>(
  question: unknown,
  all: readonly Item[],
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): { readonly items: readonly Item[]; readonly nextCursor: string | undefined } {
  const offset = parseCursor(question, cursor)
  const end = offset + limit
  const nextCursor = end < all.length ? makeCursor(question, end) : undefined
  return { items: all.slice(offset, end), nextCursor }
}

function fingerprint(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 8)
}
