/** The two tools: `search` and `read`. */
import { z } from 'zod'
import { invalid } from '../../core/domain/error.ts'
import { compareIds } from '../../core/domain/document.ts'
import { curatedSectionAt } from './operations/curated-files.ts'
import { searchCurated } from './operations/search-curated.ts'
import type { ToolResult } from '../../serve/door/surface.ts'
import { rowsOf } from '../../serve/door/tool.ts'
import type { ToolRow } from '../../serve/door/tool.ts'
import { presentSearch, searchOutput } from './present.ts'
import type { SearchSettings } from './search-settings.ts'
import { readAddressed } from './view.ts'
import type { AcdcView } from './view.ts'

/** What the tools work on. */
export interface AcdcSubject {
  readonly view: AcdcView
  readonly search: SearchSettings
}

export type AcdcRow = ToolRow<z.ZodObject, AcdcSubject, any, ToolResult>
const tool = rowsOf<AcdcSubject, ToolResult>()

const search = tool({
  name: 'search',
  title: 'Search',
  description:
    'Full-text search over the curated resources of this server. Use it before you write or review something, to learn which guidelines, conventions and background apply. Words match in any form and with a typing mistake. Every result has the name of a resource, its URI and a snippet; read the resource with "read" before you rely on it.',
  access: 'read',
  input: z.strictObject({
    query: z.string().describe('Words to look for; "*" alone lists everything'),
    source: z.string().optional().describe('Look in this source only'),
  }),
  output: searchOutput,
  async run({ view, search: settings }, { query, source: given }) {
    const { uriOf, single } = view.names
    // Models fill in what they leave open, and what there is only one of.
    const source = given === '' || single ? undefined : given
    if (query.trim() === '') throw invalid('query must not be empty', '')
    const among = (await view.catalogue()).among(source)
    const hits = await searchCurated(view.kb, query, {
      among,
      boosts: settings.boosts,
      limit: settings.maxResults,
      compare: (a, b) => compareIds(uriOf(a), uriOf(b)),
    })
    const results = await Promise.all(
      hits.map(async (hit) => {
        const section = single ? await curatedSectionAt(view.kb, hit.file, hit.at) : undefined
        return { ...hit, uri: uriOf(hit.file), section }
      }),
    )
    const sources = [...view.kb.sources.keys()]
    return { query, source, results, sources, withText: settings.resultMode === 'content' }
  },
  present: presentSearch,
})

const read = tool({
  name: 'read',
  title: 'Read a resource',
  description:
    'Returns one resource in full, as Markdown and without its front matter; with "#" and a heading behind the URI, that section. Give the URI exactly as "search" or the resource list shows it.',
  access: 'read',
  input: z.strictObject({
    uri: z.string().describe('URI of the resource, such as acdc://docs/guides/getting-started'),
  }),
  // The text is the whole answer.
  output: z.strictObject({}),
  async run({ view }, { uri }) {
    const text = await readAddressed(view, uri)
    if (text === undefined) throw invalid(`unknown resource: ${uri}`, '')
    return text
  },
  present: (text) => ({ texts: [text] }),
})

export const acdcTools: readonly AcdcRow[] = [search, read]
