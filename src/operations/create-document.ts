/** Makes a document that does not exist yet. */
import { changeFiles } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import type { Knowledge } from './knowledge.ts'
import { locateNew } from './locate-file.ts'

/**
 * `path` is `<source>/<path>`, or a path alone when there is one source; `.md` may be left off.
 * Throws `exists` when something is there, in any spelling of upper and lower case.
 */
export function createDocument(
  kb: Knowledge,
  path: string,
  content: string,
  options: WriteOptions,
): Promise<WriteResult> {
  return changeFiles(kb, 'create', options, async () => ({
    edits: [{ ...locateNew(kb, path), before: undefined, after: Buffer.from(content, 'utf8') }],
  }))
}
