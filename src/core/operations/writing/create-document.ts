/** Makes a document that does not exist yet. */
import { encodeEditable } from '../../editing/text-file.ts'
import { documentId, parsePlace } from '../../domain/document.ts'
import { nameKey } from '../../indexing/link-names.ts'
import { changeFiles } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import { withMetadata } from './edit-document.ts'
import type { MetadataChange } from './edit-document.ts'
import { requireWritable } from './require-edits.ts'
import type { View } from '../view/view.ts'
import { firstFolder, locateNew } from './locate-file.ts'
import { KnowledgeError } from '../../domain/error.ts'

export interface CreateOptions extends WriteOptions {
  /** Goes into the front matter, in addition to what `content` brings. */
  readonly metadata?: Pick<MetadataChange, 'set' | 'tags'>
}

/**
 * `path` is `<source>/<path>`, or a path alone when there is one source; `.md` may be left off.
 * Throws `exists` when something is there, in any spelling of upper and lower case.
 */
export async function createDocument(
  kb: View,
  path: string,
  content: string,
  options: CreateOptions,
): Promise<WriteResult> {
  const made = await changeFiles(kb, 'create', options, async () => {
    const place = await locateNew(kb, path)
    if (!place.path.endsWith('.md')) requireWritable(kb, place)
    const format = kb.formatOf(place.path)
    const text = withMetadata(documentId(place), content, format, options.metadata ?? {})
    return {
      edits: [{ ...place, before: undefined, after: encodeEditable(text, { marked: false }) }],
    }
  })
  const copies = await copiesOf(kb, made)
  if (copies.length < MANY_COPIES) return made
  const message = `The same text is in ${copies.join(' and ')} already.`
  return { ...made, warnings: [...made.warnings, { kind: 'copy', message, ref: made.id }] }
}

/** Two may be meant; whoever makes a third has lost sight of the others. */
const MANY_COPIES = 2

/** Other documents with the same bytes; as these have the same title, few are looked at. */
async function copiesOf({ store }: View, { id, digest }: WriteResult): Promise<readonly string[]> {
  const { source, path } = parsePlace(id)
  const made = await store.findByPath(source, path)
  if (!made) return []
  const alike = (await store.named([nameKey(made.title)])).filter(({ no }) => no !== made.no)
  const others = await store.documents(alike.slice(0, MOST_ALIKE).map(({ no }) => no))
  return others.flatMap((other) => (other && other.digest === digest ? [documentId(other)] : []))
}

const MOST_ALIKE = 50

export interface NewNamed {
  /** What the view would call it. */
  readonly name: string
  readonly path: string
  readonly content: string
  /** Says in the words of a surface that the name or the file is there already. */
  readonly taken: () => KnowledgeError
}

/** The same in the first folder, for whoever knows documents by the names of a view. */
export async function createNamed(
  kb: View,
  { name, path, content, taken }: NewNamed,
  options: CreateOptions,
): Promise<WriteResult> {
  if ((await kb.names.now()).find(name)) throw taken()
  const id = documentId({ source: firstFolder(kb), path })
  try {
    return await createDocument(kb.whole, id, content, options)
  } catch (error) {
    throw error instanceof KnowledgeError && error.code === 'exists' ? taken() : error
  }
}
