/** The edit that gives a property another name, as `write` with `replace` takes it: one line and no other. */
import { documentId } from '../../core/domain/document.ts'
import { conflict, invalid, quoted } from '../../core/domain/error.ts'
import { decodeEditable } from '../../core/editing/text-file.ts'
import { yamlKey } from '../../core/editing/edit-front-matter.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import { refuseToWrite } from '../../core/operations/view/narrow-base.ts'
import type { View } from '../../core/operations/view/view.ts'
import { locateFile } from '../../core/operations/writing/locate-file.ts'
import { requireWritable } from '../../core/operations/writing/require-edits.ts'
import { placeFrontMatter } from '../../core/parsing/markdown/front-matter-places.ts'
import type { ChangedLine } from '../wire/wire.ts'

export async function renameProperty(
  kb: View,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ChangedLine> {
  const { source, path } = await resolveDocument(kb, id)
  const name = documentId({ source, path })
  refuseToWrite(kb, { source, path })
  requireWritable(kb, { source, path })
  const { file } = await locateFile(kb, name)
  const { text } = decodeEditable(file.bytes, name)
  const places = placeFrontMatter(text)
  const entries = typeof places === 'object' ? places.entries : []
  const entry = entries.find(({ key }) => key === from)
  if (!entry) {
    throw conflict(
      `${name} has no property ${quoted(from)} that could be renamed.`,
      typeof places === 'string'
        ? `Its front matter cannot be edited by key: ${places}.`
        : 'The note has changed since; look at it again.',
    )
  }
  if (entries.some(({ key }) => key === to)) {
    throw invalid(`${name} has a property ${quoted(to)} already.`, 'Choose another name.')
  }
  const end = text.indexOf('\n', entry.colon)
  const line = text.slice(entry.colon, end < 0 ? text.length : end).replace(/\r$/, '')
  return {
    digest: file.digest,
    lines: String(text.slice(0, entry.start).split('\n').length),
    content: `${yamlKey(to)}:${line}`,
  }
}
