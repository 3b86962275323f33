/** Gives a document a new text as a whole, front matter included. */
import { documentId } from '../../domain/document.ts'
import { decodeEditable, encodeEditable, newlineOf, withNewlines } from '../../editing/text-file.ts'
import { changeFiles } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import type { View } from '../view/view.ts'
import { locateFile } from './locate-file.ts'

/** The byte order mark and the line endings of the file stay as they were. */
export function replaceDocument(
  kb: View,
  id: string,
  content: string,
  options: WriteOptions,
): Promise<WriteResult> {
  return changeFiles(kb, 'replace', options, async () => {
    const { source, path, file } = await locateFile(kb, id)
    const old = decodeEditable(file.bytes, documentId({ source, path }))
    const text = newlineOf(old.text) === '\r\n' ? withNewlines(content, '\r\n') : content
    return { edits: [{ source, path, before: file, after: encodeEditable(text, old) }] }
  })
}
