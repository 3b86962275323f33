/** Makes a document that does not exist yet. */
import { encodeEditable } from '../../editing/text-file.ts'
import { documentId } from '../../domain/document.ts'
import { changeFiles } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import { withMetadata } from './edit-document.ts'
import type { MetadataChange } from './edit-document.ts'
import type { View } from '../view/view.ts'
import { locateNew } from './locate-file.ts'

export interface CreateOptions extends WriteOptions {
  /** Goes into the front matter, in addition to what `content` brings. */
  readonly metadata?: Pick<MetadataChange, 'set' | 'tags'>
}

/**
 * `path` is `<source>/<path>`, or a path alone when there is one source; `.md` may be left off.
 * Throws `exists` when something is there, in any spelling of upper and lower case.
 */
export function createDocument(
  kb: View,
  path: string,
  content: string,
  options: CreateOptions,
): Promise<WriteResult> {
  return changeFiles(kb, 'create', options, async () => {
    const place = locateNew(kb, path)
    const format = kb.formatOf(place.path)
    const text = withMetadata(documentId(place), content, format, options.metadata ?? {})
    return {
      edits: [{ ...place, before: undefined, after: encodeEditable(text, { marked: false }) }],
    }
  })
}
