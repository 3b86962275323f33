/** The tools of this surface, one row each. Every one takes one text at most. */
import { z } from 'zod'
import { inSlices } from '../../core/kit/slices.ts'
import { newestFirst } from './operations/pages.ts'
import { findPages } from './operations/find-pages.ts'
import { readPages } from './operations/read-pages.ts'
import type { CallContext } from '../../serve/door/surface.ts'
import type { ToolDescription } from '../../serve/door/tool.ts'
import { askPages } from './ask.ts'
import type { WriteAnswer } from './ask.ts'
import { aiNotAvailable, pageNotFound } from './errors.ts'
import { presentConnections, presentHit, presentListed, presentPage } from './present.ts'
import { getPage } from './view.ts'
import type { NexusView } from './view.ts'

export interface NexusSubject {
  readonly view: NexusView
  /** Undefined where nobody writes answers. */
  readonly answer: WriteAnswer | undefined
}

export interface NexusRow<Result = any> extends ToolDescription {
  readonly parameter?: { readonly name: string; readonly description: string }
  /** Where the answer is a list: the key that wraps it where an object is needed. */
  readonly wrapper?: string
  readonly run: (subject: NexusSubject, text: string, call: CallContext) => Promise<Result>
  readonly present: (result: Result) => unknown
}

/** What each row says of itself; all of them only read, and read their text themselves. */
function row<Result>(own: Omit<NexusRow<Result>, 'access' | 'input'>): NexusRow {
  return { ...own, access: 'read', input: z.object({}) }
}

const listed = z.object({ slug: z.string(), title: z.string() })
const slugs = z.array(z.string())
const slug = {
  name: 'slug',
  description: 'Slug of the page, such as "getting-started"; its title is understood too',
}

export const MOST_RESULTS = 20

export const nexusTools: readonly NexusRow[] = [
  row({
    name: 'list_pages',
    title: 'List pages',
    description: 'All pages of the knowledge base with slug and title, newest first.',
    wrapper: 'pages',
    output: z.object({ pages: z.array(listed) }),
    run: async ({ view }) =>
      inSlices(await newestFirst(await view.wiki.names.now()), presentListed),
    present: (pages) => pages,
  }),
  row({
    name: 'get_page',
    title: 'Read a page',
    description:
      'A page by its slug: title, the whole Markdown content, the slugs it links to and the slugs of pages that link to it.',
    parameter: slug,
    output: z.object({ ...listed.shape, content: z.string(), outlinks: slugs, backlinks: slugs }),
    run: async ({ view }, text) => {
      const links = await view.links.now()
      const [read] = await readPages(view.wiki, [getPage(links.pages, text)])
      if (!read) throw pageNotFound(text)
      return { links, read }
    },
    present: ({ links, read }) => presentPage(links, read),
  }),
  row({
    name: 'search',
    title: 'Search pages',
    description:
      'Pages whose title or content has the query, with the text around it; at most 20. When no page has the whole query, its words are searched.',
    parameter: { name: 'query', description: 'Text to look for, in any case' },
    wrapper: 'results',
    output: z.object({ results: z.array(listed.extend({ excerpt: z.string() })) }),
    run: ({ view }, text) => findPages(view.wiki, view.texts, text, MOST_RESULTS),
    present: (found) => found.map(presentHit),
  }),
  row({
    name: 'ask',
    title: 'Ask the knowledge base',
    description:
      'An answer to a question from what the pages say, with the pages it was written from. Needs AI search to be configured.',
    parameter: { name: 'question', description: 'A question in plain words' },
    output: z.object({ answer: z.string(), sources: z.array(listed) }),
    run: async ({ view, answer }, text, { signal }) => {
      if (!answer) throw aiNotAvailable()
      return askPages(view, text, answer, signal)
    },
    present: (answer) => answer,
  }),
  row({
    name: 'get_connections',
    title: 'Connections of a page',
    description:
      'What a page links to, what links to it, and the graph of the pages one link away.',
    parameter: slug,
    output: z.object({
      slug: z.string(),
      outlinks: slugs,
      backlinks: slugs,
      localGraph: z.object({
        nodes: z.array(z.object({ id: z.string(), title: z.string(), connections: z.int() })),
        edges: z.array(z.object({ source: z.string(), target: z.string() })),
      }),
    }),
    run: async ({ view }, text) => {
      const links = await view.links.now()
      return { links, page: getPage(links.pages, text) }
    },
    present: ({ links, page }) => presentConnections(links, page),
  }),
]
