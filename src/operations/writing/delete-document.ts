/** Takes a document away. Its content stays in the history, from where it can be restored. */
import { documentId } from '../../domain/document.ts'
import { changeFiles } from './change-files.ts'
import type { BrokenLink, WriteOptions, WriteResult } from './change-files.ts'
import type { View } from '../view/view.ts'
import { locateFile } from './locate-file.ts'

const BROKEN_AT_MOST = 100

/** `brokenLinks` are those that led here. Throws `not_found` when there is no such document. */
export function deleteDocument(kb: View, id: string, options: WriteOptions): Promise<WriteResult> {
  return changeFiles(kb, 'delete', options, async () => {
    const { source, path, file } = await locateFile(kb, id)
    return {
      edits: [{ source, path, before: file, after: undefined }],
      brokenLinks: await linksThatBreak(kb, source, path),
    }
  })
}

async function linksThatBreak(kb: View, source: string, path: string): Promise<BrokenLink[]> {
  const record = await kb.store.findByPath(source, path)
  if (!record) return []
  const links = (await kb.store.linksTo(record.no)).filter(({ from }) => from !== record.no)
  const documents = await kb.store.documents(links.map(({ from }) => from))
  return links
    .map(({ target }, index) => ({ id: documents[index] && documentId(documents[index]), target }))
    .filter((each): each is BrokenLink => each.id !== undefined)
    .slice(0, BROKEN_AT_MOST)
}
