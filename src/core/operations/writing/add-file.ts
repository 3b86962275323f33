/** Takes a file from elsewhere into the base: a copy in the inbox, with its origin where there is room. */
import { documentId } from '../../domain/document.ts'
import { KnowledgeError, unsupported } from '../../domain/error.ts'
import type { Warning } from '../../domain/warning.ts'
import { setFrontMatter } from '../../editing/edit-front-matter.ts'
import { decodeEditable, encodeEditable } from '../../editing/text-file.ts'
import { parseFrontMatter } from '../../parsing/markdown/front-matter.ts'
import { pictureType } from '../../domain/picture.ts'
import { measurePicture } from '../../parsing/measure-picture.ts'
import type { View } from '../view/view.ts'
import { writerOf } from './carry-out.ts'
import { changeFiles } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import { firstFolder } from './locate-file.ts'

export interface FileToAdd {
  /** Its name in the inbox, perhaps below a folder of it. */
  readonly name: string
  /** A folder of the first source. */
  readonly inbox: string
  readonly bytes: Uint8Array
  /** Where it is from, for people: a path, an address, `stdin`. */
  readonly origin: string
  readonly addedAt: Date
}

/**
 * Never over another file (`exists`), and nowhere that the source does not offer. A Markdown note is
 * told its origin and day in its front matter, where it does not say them itself; every other file
 * is copied byte for byte.
 */
export async function addFile(
  kb: View,
  file: FileToAdd,
  options: WriteOptions,
): Promise<WriteResult> {
  const source = firstFolder(kb)
  if (source === '') throw nowhere()
  const folders = file.inbox.split('/').filter((each) => each !== '' && each !== '.')
  const wanted = [...folders, file.name].join('/')
  return changeFiles(kb, 'create', options, async () => {
    // A path that leads out is refused there, and so is one that is taken.
    const path = await writerOf(kb, source).place(wanted, {
      attachment: pictureType(file.name) !== undefined && measurePicture(file.bytes) !== undefined,
    })
    const { bytes, warnings } = withOrigin(kb, documentId({ source, path }), path, file)
    return { edits: [{ source, path, before: undefined, after: bytes }], warnings }
  })
}

function withOrigin(
  kb: View,
  id: string,
  path: string,
  { bytes, origin, addedAt }: FileToAdd,
): { readonly bytes: Uint8Array; readonly warnings: readonly Warning[] } {
  if (!kb.formatOf(path).edits.metadata) return { bytes, warnings: [] }
  const editable = decodeEditable(bytes, id)
  try {
    const { properties } = parseFrontMatter(editable.text, '')
    const said = { origin, added: addedAt.toISOString().slice(0, 10) }
    const set = Object.fromEntries(Object.entries(said).filter(([key]) => !(key in properties)))
    return {
      bytes: encodeEditable(setFrontMatter(id, editable.text, { set }), editable),
      warnings: [],
    }
  } catch (error) {
    // A front matter that nobody can edit is no reason to lose what it stands above.
    if (!(error instanceof KnowledgeError)) throw error
    const message = `Its origin was not noted: ${error.message}`
    return { bytes, warnings: [{ kind: 'index', message, ref: id }] }
  }
}

function nowhere(): KnowledgeError {
  return unsupported(
    'This base has no folder that a file could be put into.',
    'Add a folder of notes as a source.',
  )
}
