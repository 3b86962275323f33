/** Gives a document another path, and keeps every link that led to it. */
import { changeFiles } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import type { Knowledge } from './knowledge.ts'
import { locateFile, locateNew } from './locate-file.ts'

export interface MoveOptions extends WriteOptions {
  /** Rewrites links in other documents; true unless said otherwise. */
  readonly updateLinks?: boolean
}

/** `to` is a path like that of `createDocument`; one that ends in `/` keeps the file's name. */
export function moveDocument(
  kb: Knowledge,
  id: string,
  to: string,
  options: MoveOptions,
): Promise<WriteResult> {
  return changeFiles(kb, 'move', options, async () => {
    const { source, path, file } = await locateFile(kb, id)
    const target = locateNew(kb, to)
    return { edits: [{ source, path: target.path, from: path, before: file, after: file.bytes }] }
  })
}
