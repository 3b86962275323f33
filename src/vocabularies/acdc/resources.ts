/** Curated files as MCP resources. */
import { pageOf } from '../../core/operations/reading/cursor.ts'
import type { Resources } from '../../serve/door/surface.ts'
import { readAddressed, shownTo } from './view.ts'
import type { AcdcView } from './view.ts'

export const PAGE = 500
const MARKDOWN = 'text/markdown'

export function acdcResources(view: AcdcView): Resources {
  return {
    templates: [],
    async list(cursor) {
      const { resources } = await view.catalogue()
      const page = pageOf('acdc-resources', resources, { cursor, limit: PAGE })
      const items = page.items.map((file) => ({
        uri: view.names.uriOf(file),
        name: file.name,
        description: file.description,
        mimeType: MARKDOWN,
      }))
      return { ...page, items }
    },
    async read(uri, call) {
      const text = await readAddressed(shownTo(view, call), uri)
      return text === undefined ? undefined : [{ uri, mimeType: MARKDOWN, text }]
    },
    complete: async () => ({ values: [], total: 0 }),
  }
}
