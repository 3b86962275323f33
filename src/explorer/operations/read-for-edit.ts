/** The text of a note, or of one section, as whoever wants to change it needs it: exactly as it is. */
import { documentId } from '../../core/domain/document.ts'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { unsupported } from '../../core/domain/error.ts'
import { parseInSlices } from '../../core/domain/format.ts'
import { isMasked } from '../../core/domain/secrets.ts'
import { decodeEditable } from '../../core/editing/text-file.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { refuseToWrite } from '../../core/operations/view/narrow-base.ts'
import type { View } from '../../core/operations/view/view.ts'
import { locateFile } from '../../core/operations/writing/locate-file.ts'
import { redact, unredacted } from '../../core/operations/writing/redact.ts'
import { requireWritable } from '../../core/operations/writing/require-edits.ts'
import type { EditedText, ShownNote } from '../wire/wire.ts'

/** `line` is the heading of the section that is wanted; the whole note unless there is one. */
export async function readForEdit(kb: View, id: string, line?: number): Promise<EditedText> {
  const { source, path } = await resolveDocument(kb, id)
  const name = documentId({ source, path })
  refuseToWrite(kb, { source, path })
  requireWritable(kb, { source, path })
  const { file } = await locateFile(kb, name)
  const { text: written } = decodeEditable(file.bytes, name)
  const text = kb.showsSecrets ? unredacted(written).text : redact(written).text
  const format = kb.formatOf(path)
  await format.prepare?.(path)
  const { headings } = (await parseInSlices(format, text, path)).document
  const lines = text.split('\n')
  const at = line === undefined ? -1 : headings.findLastIndex((each) => each.line <= line)
  const heading = headings[at]
  const next = heading && headings.slice(at + 1).find(({ level }) => level <= heading.level)
  const first = heading?.line ?? 1
  const last = next ? next.line - 1 : lines.length
  const part = heading ? lines.slice(first - 1, last).join('\n') : text
  if (isMasked(part)) throw masked(name, heading !== undefined)
  return {
    id: name,
    text: part,
    digest: file.digest,
    first,
    last,
    lines: lines.length,
    ...(heading && { heading: heading.text }),
  }
}

/** Written back, a mask would take the place of the secret. */
function masked(id: string, isPart: boolean) {
  return unsupported(
    `${isPart ? 'This part of ' : ''}${id} holds a secret that is masked here, so it is not edited as a text.`,
    isPart
      ? 'Edit another section, or the file itself.'
      : 'Edit a section that holds none, or the file itself.',
  )
}

/** Whether it may get another place, by whoever looks at it: files that nobody edits may, too. */
export function movesOf(
  kb: View,
  { source, path }: Pick<DocumentRecord, 'source' | 'path'>,
): boolean | undefined {
  if (!kb.writing || !kb.sources.get(source)?.writer || isEntityPath(path)) return undefined
  return (kb.writes?.({ source, path }) ?? true) || undefined
}

/** What of a note may be changed here, by whoever looks at it. */
export function editsOf(
  kb: View,
  { source, path }: Pick<DocumentRecord, 'source' | 'path'>,
  text: string,
): ShownNote['edits'] {
  const place = kb.sources.get(source)
  if (!kb.writing || !place?.writer || isEntityPath(path) || place.converts?.(path)) {
    return undefined
  }
  if (kb.writes?.({ source, path }) === false) return undefined
  return isMasked(text) ? 'sections' : 'whole'
}
