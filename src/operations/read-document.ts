/** The text of a document as it is on disk now, parsed; the index may lag behind by a moment. */
import type { DocumentRecord } from '../domain/document.ts'
import { documentId } from '../domain/document.ts'
import { KnowledgeError } from '../domain/error.ts'
import type { ParsedDocument } from '../domain/text.ts'
import { describeDocument } from '../indexing/describe-document.ts'
import type { Knowledge } from './knowledge.ts'

export interface LiveDocument {
  /** What the file says of itself now: a title that was changed is never shown as it was. */
  readonly record: DocumentRecord
  readonly text: string
  readonly digest: string
  readonly modifiedAt: number
  /** The file is not the one that was indexed. */
  readonly changed: boolean
}

/** Undefined where the file has vanished, or is no longer text. */
export async function findLive(
  kb: Knowledge,
  record: DocumentRecord,
): Promise<LiveDocument | undefined> {
  const source = kb.sources.get(record.source)
  const [content] = (await source?.read([record.path])) ?? []
  if (content?.kind !== 'text') {
    kb.noticeChange(record.source, record.path)
    return undefined
  }
  const { text, digest, modifiedAt } = content
  if (digest === record.digest) return { record, text, digest, modifiedAt, changed: false }
  kb.noticeChange(record.source, record.path)
  const format = kb.formatOf(record.path)
  const parsed = format.parse(text, record.path)
  const current = describeDocument(record.no, record.source, content, format.name, parsed)
  return { record: current, text, digest, modifiedAt, changed: true }
}

export async function getLive(kb: Knowledge, record: DocumentRecord): Promise<LiveDocument> {
  const live = await findLive(kb, record)
  if (live) return live
  throw new KnowledgeError(
    'not_found',
    `The file of "${documentId(record)}" is gone or can no longer be read as text.`,
    'It was deleted, moved or replaced a moment ago. Search again for where it is now.',
  )
}

export function parseLive(kb: Knowledge, live: LiveDocument): ParsedDocument {
  return kb.formatOf(live.record.path).parse(live.text, live.record.path).document
}
