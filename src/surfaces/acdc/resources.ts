/** Curated files as MCP resources. */
import { readCurated } from '../../operations/reading/curated-files.ts'
import { makeCursor, parseCursor } from '../../operations/reading/cursor.ts'
import type { Resources } from '../surface.ts'
import type { AcdcView } from './view.ts'

export const PAGE = 500
const MARKDOWN = 'text/markdown'

export function acdcResources(view: AcdcView): Resources {
  return {
    templates: [],
    async list(cursor) {
      const offset = parseCursor('acdc-resources', cursor)
      const { resources } = await view.catalogue()
      const end = offset + PAGE
      return {
        items: resources.slice(offset, end).map(({ uri, name, description }) => ({
          uri,
          name,
          description,
          mimeType: MARKDOWN,
        })),
        nextCursor: end < resources.length ? makeCursor('acdc-resources', end) : undefined,
      }
    },
    async read(uri) {
      const resource = (await view.catalogue()).findResource(uri)
      const text = resource && (await readCurated(view.kb, resource))
      return text === undefined ? undefined : [{ uri, mimeType: MARKDOWN, text }]
    },
    complete: async () => ({ values: [], total: 0 }),
  }
}
