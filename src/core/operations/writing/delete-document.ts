/** Takes a document away. Its content stays in the history, from where it can be restored. */
import { documentId } from '../../domain/document.ts'
import type { Place } from '../../domain/document.ts'
import { pictureType } from '../../domain/picture.ts'
import { lastSegment } from '../../kit/paths.ts'
import { changeFiles } from './change-files.ts'
import type { BrokenLink, Plan, WriteOptions, WriteResult } from './change-files.ts'
import type { View } from '../view/view.ts'
import { locateFile } from './locate-file.ts'

const BROKEN_AT_MOST = 100

/** `brokenLinks` are those that led here. Throws `not_found` when there is no such document. */
export function deleteDocument(kb: View, id: string, options: WriteOptions): Promise<WriteResult> {
  return changeFiles(kb, 'delete', options, () => planDeletion(kb, id))
}

export async function planDeletion(kb: View, id: string): Promise<Plan> {
  const { source, path, file } = await locateFile(kb, id)
  return {
    edits: [{ source, path, before: file, after: undefined }],
    brokenLinks: await linksThatBreak(kb, source, path),
  }
}

/** Of a picture, which is no document, the notes that show it. */
async function showing(kb: View, place: Place): Promise<BrokenLink[]> {
  if (pictureType(place.path) === undefined) return []
  const { notesThatShow } = await import('../reading/describe-picture.ts')
  const notes = (await notesThatShow(kb, place)).slice(0, BROKEN_AT_MOST)
  return notes.map((note) => ({ id: documentId(note), target: lastSegment(place.path) }))
}

async function linksThatBreak(kb: View, source: string, path: string): Promise<BrokenLink[]> {
  const record = await kb.store.findByPath(source, path)
  if (!record) return showing(kb, { source, path })
  const links = (await kb.store.linksTo(record.no))
    .filter(({ from, kind }) => from !== record.no && kind !== 'typed')
    .slice(0, BROKEN_AT_MOST)
  const holders = await kb.store.documents([...new Set(links.map(({ from }) => from))])
  const ids = new Map(holders.flatMap((each) => (each ? [[each.no, documentId(each)]] : [])))
  return links.flatMap(({ from, target }) => {
    const id = ids.get(from)
    return id === undefined ? [] : [{ id, target }]
  })
}
