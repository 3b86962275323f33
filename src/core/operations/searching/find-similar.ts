/** Notes that are like a note: by its words, what it means, and what both are linked with. */
import { documentId } from '../../domain/document.ts'
import { resolveDocument } from '../reading/resolve-document.ts'
import { findLive, parseLive } from '../reading/read-document.ts'
import type { View } from '../view/view.ts'

/** What a note is about stands in its names, its headings and its beginning. */
const HEADINGS = 12
const BEGINNING = 600

/**
 * The question that a note asks. The note itself answers it best, and what it is linked with comes
 * near for that: whoever asks leaves it out of the answer.
 */
export async function likenessOf(
  kb: View,
  named: string,
): Promise<{ readonly query: string; readonly id: string }> {
  const record = await resolveDocument(kb, named)
  const live = await findLive(kb, record)
  const parsed = live && (await parseLive(kb, live))
  const headings = parsed?.headings.slice(0, HEADINGS).map(({ text }) => text) ?? []
  const body =
    live?.text
      .slice(parsed?.bodyStart ?? 0)
      .trimStart()
      .slice(0, BEGINNING) ?? ''
  const query = [record.title, ...record.tags, ...headings, body]
    .join('\n')
    // Signs that mean something in a question mean nothing here.
    .replaceAll(/["+*:-]+/g, ' ')
  return { query, id: documentId(record) }
}
