/** Makes, changes and removes notes, each known by the id its view gives it. */
import { documentId } from '../../../core/domain/document.ts'
import {
  KnowledgeError,
  alreadyThere,
  conflict,
  invalid,
  notFound,
  quoted,
} from '../../../core/domain/error.ts'
import type { Properties } from '../../../core/domain/text.ts'
import type { Author } from '../../../core/history/history.ts'
import { setFrontMatter } from '../../../core/editing/edit-front-matter.ts'
import { placeFrontMatter } from '../../../core/parsing/markdown/front-matter-places.ts'
import type { WriteResult } from '../../../core/operations/writing/change-files.ts'
import { createNamed } from '../../../core/operations/writing/create-document.ts'
import { deleteDocument } from '../../../core/operations/writing/delete-document.ts'
import { updateDocument } from '../../../core/operations/writing/edit-document.ts'
import { firstFolder } from '../../../core/operations/writing/locate-file.ts'
import { noteTitle } from '../../../core/operations/reading/note-fields.ts'
import { linkingNotes } from '../../../core/operations/reading/read-notes.ts'
import type { View } from '../../../core/operations/view/view.ts'

export type { Author } from '../../../core/history/history.ts'

export interface NewNote {
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
  /** Where below the root; the root itself when left out. */
  readonly directory?: string
}

export interface NoteUpdate {
  readonly title?: string
  /** The whole text behind the front matter. */
  readonly content?: string
  /** All tags. */
  readonly tags?: readonly string[]
  /** Gives a note others link to a new title, and puts it into links that said the old one. */
  readonly updateLinks?: boolean
}

export interface WrittenNote extends WriteResult {
  /** What the view calls the note. */
  readonly noteId: string
  readonly path: string
}

/** The title names the file and stays as given in the front matter. Throws `exists`. */
export async function createNote(
  kb: View,
  { title, content, tags, directory }: NewNote,
  by: Author,
): Promise<WrittenNote> {
  const path = [...foldersOf(directory), ...fileNames(title)].join('/') + '.md'
  const noteId = await kb.nameOf({ no: -1, source: firstFolder(kb), path })
  const text = content.endsWith('\n') ? content : `${content}\n`
  const set = { title: title.trim(), ...(tags.length > 0 && { tags }) }
  const whole = withFrontMatter(noteId, text, set)
  const note = { name: noteId, path, content: whole, taken: () => noteExists(noteId) }
  return { ...(await createNamed(kb, note, { by })), noteId, path }
}

/** Content that begins with a line between rules, and no front matter, is all content. */
function withFrontMatter(noteId: string, content: string, set: Properties): string {
  const isFrontMatter = typeof placeFrontMatter(content) !== 'string'
  return isFrontMatter
    ? setFrontMatter(noteId, content, { set, lists: 'block' })
    : setFrontMatter(noteId, '', { set, lists: 'block' }) + content
}

/** The id never changes, and neither does what is not named. Throws `not_found` and `conflict`. */
export async function updateNote(
  kb: View,
  noteId: string,
  { title, content, tags, updateLinks = false }: NoteUpdate,
  by: Author,
): Promise<WrittenNote> {
  const named = (await kb.names.now()).find(noteId)
  if (!named) throw noteNotFound(noteId)
  const { doc, path } = named
  const [record] = await kb.store.documents([doc])
  const oldTitle = noteTitle(record?.properties ?? {}, path)
  const renamed = title !== undefined && title.trim() !== oldTitle ? title.trim() : undefined
  const linking = (await linkingNotes(kb, doc)).filter((other) => other !== doc)
  if (renamed !== undefined && linking.length > 0 && !updateLinks) {
    throw conflict(
      `Cannot rename node with ${linking.length} incoming links`,
      'Pass update_links to rename it all the same, or leave the title as it is.',
    )
  }
  const change = {
    ...(content !== undefined && { body: content }),
    // As values like any other: a tag may have spaces here.
    set: { ...(renamed !== undefined && { title: renamed }), ...(tags && { tags }) },
  }
  const options = { by, updateLinks: renamed !== undefined && linking.length > 0 }
  const written = await updateDocument(kb.whole, documentId(named), change, options)
  return { ...written, noteId, path }
}

/** Undefined when there is no such note. */
export async function deleteNote(
  kb: View,
  noteId: string,
  by: Author,
): Promise<WriteResult | undefined> {
  const named = (await kb.names.now()).find(noteId)
  if (!named) return undefined
  try {
    return await deleteDocument(kb.whole, documentId(named), { by })
  } catch (error) {
    if (error instanceof KnowledgeError && error.code === 'not_found') return undefined
    throw error
  }
}

function foldersOf(directory: string | undefined): string[] {
  const path = directory?.trim().replaceAll('\\', '/') ?? ''
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..') || path.startsWith('/') || /^[a-z]:/i.test(path)) {
    throw invalid(
      `Path traversal detected: ${quoted(path)} is outside source directory`,
      'Name a folder below the root, such as "meetings".',
    )
  }
  return names
}

/** A slash in a title makes a folder; what is left of each part is its letters and digits. */
function fileNames(title: string): string[] {
  const names = title.split('/').map(fileName)
  const last = names.pop()
  return [...names.filter((name) => name !== ''), last || 'untitled']
}

/** File systems allow 255 bytes, and some characters take four. */
const LONGEST = 60

function fileName(part: string): string {
  const slug = part
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s-]+/gu, '')
    .replace(/[\s-]+/g, '-')
  return [...slug.replace(/^-/, '')].slice(0, LONGEST).join('').replace(/-$/, '')
}

function noteExists(id: string): KnowledgeError {
  return alreadyThere(`Node already exists: ${id}`, 'Update it, or choose a title.')
}

function noteNotFound(id: string): KnowledgeError {
  return notFound(`Node not found: ${id}`, 'Create it first.')
}
