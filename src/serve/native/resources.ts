/** Documents as MCP resources: `kb://<source>/<path>`, listed, completed and read. */
import { documentId } from '../../core/domain/document.ts'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { entityIdOf, entityPath, isEntityPath } from '../../core/domain/entity-document.ts'
import { pictureType } from '../../core/domain/picture.ts'
import { isNotePath } from '../../core/kit/paths.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { makeCursor, parseCursor } from '../../core/operations/reading/cursor.ts'
import { documentUri } from '../../core/operations/reading/document-url.ts'
import { fetchDocument } from '../../core/operations/reading/fetch-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import { listDocuments } from '../../core/operations/reading/list-documents.ts'
import type { ResourceContents, ResourceEntry, Resources, Who } from '../door/surface.ts'
import { instant } from './present.ts'

const PAGE = 200
/** Clients follow every page by themselves; beyond this, completion and search find the rest. */
const LISTED_AT_MOST = 2_000
const COMPLETIONS = 100
/** A resource is read whole where it is no longer than what fetch gives at once. */
const READ_TOKENS = 20_000

/** What stands for a source in the URI of an entity. */
const ENTITIES = 'entities'

export const TEMPLATE = 'kb://{source}/{+path}'

export function nativeResources(see: (who: Who) => View): Resources {
  return {
    templates: [
      {
        uriTemplate: TEMPLATE,
        name: 'document',
        title: 'Document',
        description: 'One document. "?lines=10-40" or "?section=Heading" reads a part of it.',
        mimeType: 'text/markdown',
      },
    ],
    async list(cursor, caller) {
      const offset = parseCursor('resources', cursor)
      const { documents, total } = await listDocuments(see({ caller }), {
        sort: 'path',
        limit: PAGE,
        offset,
      })
      const end = offset + documents.length
      return {
        items: documents.map(entryOf),
        nextCursor:
          end < Math.min(total, LISTED_AT_MOST) ? makeCursor('resources', end) : undefined,
      }
    },
    async read(uri, call) {
      const url = URL.parse(uri)
      if (url?.protocol !== 'kb:') return undefined
      const section = url.searchParams.get('section') ?? undefined
      const lines = url.searchParams.get('lines') ?? undefined
      try {
        const fetched = await fetchDocument(see(call), uri, {
          section,
          lines,
          maxTokens: READ_TOKENS,
        })
        const rest = fetched.next
          ? `\n\n[Cut to fit. Read on with ${documentUri(fetched.record)}?lines=${fetched.next.lines}]\n`
          : ''
        return [{ uri, mimeType: mimeTypeOf(fetched.record.path), text: fetched.text + rest }]
      } catch (error) {
        if (error instanceof KnowledgeError && error.code === 'not_found') {
          return pictureContents(see(call), uri)
        }
        throw error
      }
    },
    async complete(_template, variable, value, others, caller) {
      const kb = see({ caller })
      if (variable === 'source') {
        const graph = [...kb.sources.values()].some((source) => source.graph)
        const all = [...kb.sources.keys(), ...(graph ? [ENTITIES] : [])]
        const names = all.filter((name) => name.startsWith(value))
        return { values: names.slice(0, COMPLETIONS), total: names.length }
      }
      const source = others['source']
      const page = { offset: 0, limit: COMPLETIONS }
      if (source === ENTITIES) {
        const pathPrefix = entityPath(value)
        const { documents, total } = await kb.store.list({ pathPrefix }, 'path', page)
        return { values: documents.map(({ path }) => encodeURIComponent(entityIdOf(path))), total }
      }
      const sources = source && kb.sources.has(source) ? [source] : undefined
      const { documents, total } = await kb.store.list(
        {
          kind: 'document',
          ...(sources && { sources }),
          ...(value !== '' && { pathPrefix: value }),
        },
        'path',
        page,
      )
      return { values: documents.map(({ path }) => path), total }
    },
  }
}

/** A picture, as its bytes; what only has the name of one is not given. */
async function pictureContents(
  kb: View,
  uri: string,
): Promise<readonly ResourceContents[] | undefined> {
  if (pictureType(uri) === undefined) return undefined
  const { findPicture } = await import('../../core/operations/reading/find-picture.ts')
  const { loadPicture } = await import('../../core/operations/reading/describe-picture.ts')
  const { measurePicture } = await import('../../core/parsing/measure-picture.ts')
  const place = await findPicture(kb, uri)
  const file = place && (await loadPicture(kb, place))
  const type = file && file.size <= MOST_PICTURE_BYTES && measurePicture(file.bytes)?.type
  // A drawing is text, in which nobody has looked for secrets.
  if (!type || type === 'image/svg+xml') return undefined
  return [{ uri, mimeType: type, blob: Buffer.from(file.bytes).toString('base64') }]
}

const MOST_PICTURE_BYTES = 5 * 1024 * 1024

function entryOf(document: DocumentRecord): ResourceEntry {
  const lastModified = document.updatedAt === undefined ? '' : instant(document.modifiedAt)
  return {
    uri: documentUri(document),
    name: documentId(document),
    title: document.title,
    ...(document.description && { description: document.description.slice(0, 300) }),
    mimeType: mimeTypeOf(document.path),
    size: document.size,
    // Some file systems keep times that no calendar has.
    ...(lastModified && { lastModified }),
  }
}

function mimeTypeOf(path: string): string {
  const markdown = isEntityPath(path) || isNotePath(path)
  return markdown ? 'text/markdown' : 'text/plain'
}
