/** Puts whole files into a source: a copy of one from elsewhere, or a text with its front matter. */
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import type { Properties } from '../../domain/text.ts'
import { setFrontMatter } from '../../editing/edit-front-matter.ts'
import { encodeEditable } from '../../editing/text-file.ts'
import { placeFrontMatter } from '../../parsing/markdown/front-matter-places.ts'
import type { View } from '../view/view.ts'
import { writerOf } from './carry-out.ts'
import { changeFiles } from './change-files.ts'
import type { WriteOptions } from './change-files.ts'

export interface StoreOptions extends Pick<WriteOptions, 'by'> {
  /** Whether a file that is there already is replaced; else `exists`. */
  readonly overwrite: boolean
}

export interface StoredFile {
  /** As it is spelled on disk. */
  readonly path: string
  readonly overwritten: boolean
}

/** Every byte as it was given. */
export async function storeFile(
  kb: View,
  place: { readonly source: string; readonly path: string },
  bytes: Uint8Array,
  { overwrite, by }: StoreOptions,
): Promise<StoredFile> {
  const { source } = place
  let stored: StoredFile = { path: place.path, overwritten: false }
  await changeFiles(kb.whole, overwrite ? 'replace' : 'create', { by }, async () => {
    const writer = writerOf(kb, source)
    const { path, before } = await destinationOf(async () => {
      const found = overwrite ? await writer.load(place.path) : undefined
      const path = await writer.place(place.path, found && { except: place.path })
      return { path, before: found }
    })
    stored = { path, overwritten: before !== undefined }
    return { edits: [{ source, path, before, after: bytes }] }
  })
  return stored
}

/** A path that leads out of the source is a mistake in the request, not a right that is missing. */
async function destinationOf<Found>(look: () => Promise<Found>): Promise<Found> {
  try {
    return await look()
  } catch (error) {
    const refused = error instanceof KnowledgeError && error.code === 'forbidden'
    throw refused ? invalid(error.message, error.hint) : error
  }
}

export interface StoredText {
  readonly body: string
  /** Goes into the front matter, in this order; none without any. */
  readonly properties: Properties
}

/** The body ends with one line end at least, and begins behind a blank line. */
export function storeText(
  kb: View,
  place: { readonly source: string; readonly path: string },
  { body, properties }: StoredText,
  options: StoreOptions,
): Promise<StoredFile> {
  const ended = body.endsWith('\n') ? body : `${body}\n`
  const text = withFrontMatter(kb, place.path, ended, properties)
  return storeFile(kb, place, encodeEditable(text, { marked: false }), options)
}

function withFrontMatter(kb: View, path: string, body: string, set: Properties): string {
  if (Object.keys(set).length === 0) return body
  if (!kb.formatOf(path).edits.metadata) {
    throw invalid(
      `${quoted(path)} cannot have a front matter.`,
      'Store it as .md, or leave out title, subsystem, tags and metadata.',
    )
  }
  const own = placeFrontMatter(body)
  // A body with a front matter of its own keeps it, and gets what it lacks.
  if (typeof own === 'object') return setFrontMatter(path, body, { set })
  return `${setFrontMatter(path, '', { set })}\n${body}`
}
