/** A document as it stood: the text of a past version, described as if it were read today. */
import { documentId } from '../../domain/document.ts'
import { byteOrderMarkOf, parseInSlices } from '../../domain/format.ts'
import { unsupported } from '../../domain/error.ts'
import { describeDocument } from '../../indexing/describe-document.ts'
import { redactFile } from '../../indexing/redact-file.ts'
import { isPrivate } from '../../sources/private-notes.ts'
import type { PastVersion } from '../writing/past-versions.ts'
import { notThere, versionAt } from '../writing/past-versions.ts'
import { digestOf } from '../writing/written-files.ts'
import type { View } from '../view/view.ts'
import type { LiveDocument, ReadDocument } from './read-document.ts'
import { findDocument } from './resolve-document.ts'

export interface PastDocument {
  readonly live: ReadDocument
  readonly version: PastVersion
}

/** No document of the index has this number: it is of one that is gone. */
const GONE = -1

export async function readPast(kb: View, id: string, at: string): Promise<PastDocument> {
  const version = await versionAt(kb, id, at)
  // What was private then is not told of because it is no longer.
  if (isPrivate(Buffer.from(version.bytes).toString('utf8'))) throw notThere(version.place, at)
  const known = await findDocument(kb, documentId(version.place))
  const live = await describePast(kb, version, known?.no ?? GONE)
  const byteOrderMark = byteOrderMarkOf(live.text, version.bytes.length)
  return { live: { ...live, byteOrderMark }, version }
}

export async function describePast(
  kb: View,
  { place: { source, path }, bytes, operation, commit }: PastVersion,
  no: number,
): Promise<LiveDocument> {
  const format = kb.formatOf(path)
  const whole = format.decode(Buffer.from(bytes))
  if (whole === undefined) {
    throw unsupported(
      `What ${source}/${path} held then is no text.`,
      'Ask for another version, or restore the file with history and open it.',
    )
  }
  const modifiedAt = operation?.at ?? commit?.at ?? 0
  const file = { path, size: bytes.length, modifiedAt }
  const redacted = redactFile({ ...file, kind: 'text', text: whole, digest: digestOf(bytes) })
  await format.prepare?.(path)
  const parsed = await parseInSlices(format, redacted.text, path)
  const record = describeDocument(no, source, redacted, format.name, parsed)
  const { digest } = redacted
  const text = kb.showsSecrets ? whole : redacted.text
  return { record, text, digest, modifiedAt, changed: true, file }
}
