/** A picture that a note shows: only pictures, only from inside of a source. */
import { KnowledgeError, notFound, quoted } from '../../core/domain/error.ts'
import { pictureType } from '../../core/domain/picture.ts'
import { folderOf, joinPath, lastSegment } from '../../core/kit/paths.ts'
import { noteSettings } from '../../core/operations/writing/note-settings.ts'
import type { View } from '../../core/operations/view/view.ts'

export interface Picture {
  readonly bytes: Uint8Array
  readonly type: string
  readonly digest: string
}

/** Whether what is at a path is shown as a picture. */
export function isPicture(path: string): boolean {
  return pictureType(path) !== undefined
}

/** Folders in which people keep pictures apart from notes. */
const ATTACHMENTS = ['attachments', 'assets', 'images', 'img', 'files']

/** `from` is the note that shows it: a bare name may mean a file beside it or among attachments. */
export async function readPicture(
  kb: View,
  source: string,
  path: string,
  from: string,
): Promise<Picture> {
  const type = pictureType(path)
  const writer = kb.sources.get(source)?.writer
  if (type !== undefined && writer) {
    for (const place of placesBeside(kb, source, path, from)) {
      try {
        const found = await writer.load(place)
        if (found && kb.sees({ source, path: place }))
          return { bytes: found.bytes, type, digest: found.digest }
      } catch (error) {
        // A place that may not be touched is as good as empty.
        if (!(error instanceof KnowledgeError)) throw error
      }
    }
  }
  throw notFound(
    `There is no picture ${quoted(path)}.`,
    'Pictures are shown from inside of a source only; look at the link in the note.',
  )
}

/** Where what a note shows by this path may be, the likeliest first. */
export function placesBeside(
  kb: View,
  source: string,
  path: string,
  from: string,
): readonly string[] {
  return placesOf(path, from, namedFolder(kb, source, from))
}

/** Where the editor of these notes puts pictures. */
function namedFolder(kb: View, source: string, from: string): readonly string[] {
  const { attachments } = noteSettings(kb.sources.get(source) ?? {})
  if (attachments === undefined) return []
  const folder = joinPath(attachments.startsWith('.') ? folderOf(from) : '', attachments)
  return folder === undefined ? [] : [folder]
}

function placesOf(path: string, from: string, own: readonly string[]): readonly string[] {
  const name = lastSegment(path)
  const folder = folderOf(from)
  const others = [
    '',
    folder,
    ...own,
    ...ATTACHMENTS,
    ...ATTACHMENTS.map((each) => joinPath(folder, each)),
  ]
  return [
    ...new Set([
      path,
      ...others.flatMap((each) => (each === undefined ? [] : [joinPath(each, name)])),
    ]),
  ].filter((place) => place !== undefined)
}
