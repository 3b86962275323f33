/** Which file does a caller mean, that exists or is to be made? */
import { documentId } from '../../domain/document.ts'
import { ENTITY_SCHEME, isEntityPath } from '../../domain/entity-document.ts'
import { KnowledgeError, forbidden, invalid, notFound, quoted } from '../../domain/error.ts'
import { pictureType } from '../../domain/picture.ts'
import type { FileBytes } from '../../domain/source.ts'
import { writerOf } from './carry-out.ts'
import { loadExpected, loadRested } from './load-rested.ts'
import type { View } from '../view/view.ts'
import { findDocument, parseId, resolveDocument } from '../reading/resolve-document.ts'

export interface LocatedFile {
  readonly source: string
  readonly path: string
  readonly file: FileBytes
}

/** The file of a document as it is on disk now. Throws `not_found` like `resolveDocument`. */
export async function locateFile(kb: View, id: string): Promise<LocatedFile> {
  const named = await namedFile(kb, id)
  if (named) return named
  // Neither a file nor a name, unless another program is just replacing the file.
  const record = (await findDocument(kb, id)) ?? (await lateFile(kb, id))
  const { source, path } = record ?? (await resolveDocument(kb, id))
  if (isEntityPath(path)) throw entitiesOnlyGrow(documentId({ source, path }))
  const file = await loadExpected(kb, source, path)
  if (file) return { source, path, file }
  kb.noticeChange(source, path)
  throw notFound(
    `The file of ${quoted(documentId({ source, path }))} is gone.`,
    'It was deleted or moved a moment ago. Search again for where it is now.',
  )
}

function entitiesOnlyGrow(id: string): KnowledgeError {
  return forbidden(
    `${quoted(id)} is an entity, and entities are never changed or deleted.`,
    'Add a new entity or relation with relate, or write a note with the same name: it describes the entity.',
  )
}

/** A file that is named by its path is found even before it is indexed. */
async function namedFile(kb: View, id: string): Promise<LocatedFile | undefined> {
  const { source, path } = splitId(kb, parseId(id))
  if (source === undefined || path === '') return undefined
  for (const each of [path, `${path}.md`]) {
    const file = await orUndefined(loadRested(kb, source, each))
    if (file && (await isOffered(kb, source, file))) return { source, path: each, file }
  }
  return undefined
}

/** Where a named file is that was not there a moment ago. */
async function lateFile(kb: View, id: string) {
  const { source, path } = splitId(kb, parseId(id))
  if (source === undefined || path === '') return undefined
  const place = hasExtension(path) ? path : `${path}.md`
  const file = await orUndefined(loadExpected(kb, source, place))
  return file && (await isOffered(kb, source, file)) ? { source, path: place } : undefined
}

/** What cannot be read here, such as an ignored file or `.env`, is not to be changed either. */
async function isOffered(kb: View, source: string, { path, digest }: FileBytes): Promise<boolean> {
  // What is in the index is offered, as long as it is that.
  if ((await kb.store.findByPath(source, path))?.digest === digest) return true
  const scan = await kb.sources.get(source)?.rescan([path])
  const isPicture = scan?.leftOut?.pictures?.includes(path) === true
  return isPicture || (scan?.files.some((file) => file.path === path) ?? false)
}

async function orUndefined(loading: Promise<FileBytes | undefined>) {
  try {
    return await loading
  } catch (error) {
    // Not a path of a document; it may still be a title.
    if (error instanceof KnowledgeError && error.code === 'invalid') return undefined
    throw error
  }
}

/**
 * Where a new document goes. `<source>/` in front is needed only when there are several sources;
 * without an extension it is a Markdown document.
 */
export async function locateNew(
  kb: View,
  id: string,
  except?: string,
): Promise<{ readonly source: string; readonly path: string }> {
  if (id.trim().startsWith(ENTITY_SCHEME)) throw entitiesOnlyGrow(id.trim())
  const { source, path } = splitId(kb, id.startsWith('kb://') ? parseId(id) : id.trim())
  if (/%(?:00|2e|2f|5c)/i.test(path)) {
    throw invalid(
      `The path ${quoted(id)} is percent-encoded.`,
      'Write dots and slashes as they are, such as "guides/setup.md".',
    )
  }
  if (source === undefined) {
    throw invalid(
      `${quoted(id)} does not say in which source the document should be.`,
      `Begin the path with one of: ${writable(kb)
        .map((name) => `${name}/`)
        .join(', ')}.`,
    )
  }
  const extended = hasExtension(path) ? path : `${path}.md`
  // Nothing becomes a picture by its name: one is moved, and never written.
  const attachment = except !== undefined && pictureType(except) !== undefined
  return { source, path: await writerOf(kb, source).place(extended, { except, attachment }) }
}

/** The number in `Release 1.2` is no extension. */
export function hasExtension(path: string): boolean {
  return /\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,8}$/i.test(path)
}

/** With a single source its name may be left off; a folder of the same name is then meant first. */
function splitId(
  kb: View,
  id: string,
): { readonly source: string | undefined; readonly path: string } {
  const slash = id.indexOf('/')
  const head = slash > 0 ? id.slice(0, slash) : undefined
  if (head !== undefined && kb.sources.has(head)) {
    return { source: head, path: id.slice(slash + 1) }
  }
  const [only, ...others] = writable(kb)
  return { source: others.length === 0 ? only : undefined, path: id }
}

/** Where documents go when nobody says: the first source that has files. */
export function firstFolder(kb: Pick<View, 'sources'>): string {
  return writable(kb)[0] ?? ''
}

/** A graph has no files that could be meant. */
function writable({ sources }: Pick<View, 'sources'>): string[] {
  return [...sources.values()].filter(({ writer }) => writer).map(({ name }) => name)
}
