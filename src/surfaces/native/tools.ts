/** The native tools: one row each. Those that write stand in a file of their own. */
import { z } from 'zod'
import { invalid, KnowledgeError } from '../../domain/error.ts'
import { cutText } from '../../domain/cut-text.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { fetchDocument, backlinks, outgoingLinks } from '../../operations/reading/fetch-document.ts'
import type {
  DocumentLinks,
  FetchedDocument,
  FetchOptions,
} from '../../operations/reading/fetch-document.ts'
import type { LinkedDocument } from '../../operations/reading/label-documents.ts'
import { findPath } from '../../operations/walking/find-path.ts'
import { getNeighbors } from '../../operations/walking/get-neighbors.ts'
import type { View } from '../../operations/view/view.ts'
import { listDocuments } from '../../operations/reading/list-documents.ts'
import { listRelations } from '../../operations/reading/list-relations.ts'
import type { Relations } from '../../operations/reading/list-relations.ts'
import { explainMissing } from '../../operations/searching/explain-missing.ts'
import type { MissingExplanation } from '../../operations/searching/explain-missing.ts'
import { SEARCH_MODES } from '../../operations/searching/rank-documents.ts'
import { searchSymbols } from '../../operations/searching/search-symbols.ts'
import type { FoundSymbol } from '../../operations/searching/search-symbols.ts'
import { searchSubsystems } from '../../operations/repository/search-subsystems.ts'
import type { FoundSubsystem } from '../../operations/repository/search-subsystems.ts'
import { searchDocuments } from '../../operations/searching/search-documents.ts'
import type { SearchHit } from '../../operations/searching/search-documents.ts'
import { fitting } from '../../operations/reading/tokens.ts'
import { tool } from '../tool.ts'
import { askTool } from './ask.ts'
import {
  RARE_SELECTION,
  cursorField,
  idField,
  limitField,
  maxTokensField,
  rows,
  pathField,
  selectionFields,
  selectionOf,
} from './fields.ts'
import { insightsTool } from './insights.ts'
import {
  day,
  evidenceWithin,
  fetchText,
  lineOf,
  paragraphs,
  placesWithin,
  rowsText,
  searchText,
} from './lean-text.ts'
import { compact, instant } from './present.ts'
import { relateTool } from './relate-tool.ts'
import { deleteTool, historyTool, writeTool } from './write-tools.ts'

/** A page of results never takes more of a client's context than this. */
const SEARCH_TOKENS = 8_000

const SNIPPET = { concise: 200, detailed: 600 } as const

/** What to look for, in the words callers use. */
const KINDS = { documents: 'document', entities: 'entity', code: 'document' } as const

const searchTool = tool({
  name: 'search',
  title: 'Search',
  description: 'Find documents by words or a question; none of the words is required.',
  access: 'read',
  rare: [
    ...RARE_SELECTION,
    'language',
    'kind',
    'typing',
    'detail',
    'mode',
    'explain',
    'explain_missing',
  ],
  input: z.strictObject({
    query: z.string().describe('Words or a question; "a phrase", -excluded'),
    ...selectionFields,
    in: z
      .enum(['documents', 'entities', 'code', 'symbols', 'subsystems'])
      .optional()
      .describe('Kind'),
    language: z.string().optional().describe('Of code'),
    kind: z.string().optional().describe('Of symbol'),
    typing: z.boolean().optional().describe('Last word unfinished'),
    limit: limitField(10, 50),
    cursor: cursorField,
    max_tokens: maxTokensField,
    detail: z.enum(['concise', 'detailed']).optional().describe('Length'),
    mode: z.enum(SEARCH_MODES).optional().describe('Words or meaning'),
    explain: z.boolean().optional().describe('Parts of scores'),
    explain_missing: z.string().optional().describe('Id: why not found'),
  }),
  output: z.object({
    results: rows,
    relevant: z.boolean(),
  }),
  run: async (kb, input) => {
    const { query, limit, cursor, mode, typing, explain_missing: missing } = input
    if (input.in === 'symbols') {
      // The types of symbols are classes, functions and the like.
      const { types = [], ...chosen } = selectionOf(input)
      const kinds = [...types, ...(input.kind === undefined ? [] : [input.kind])]
      return { symbols: await searchSymbols(kb, query, { ...chosen, kinds, limit }) }
    }
    if (input.in === 'subsystems') {
      return { subsystems: await searchSubsystems(kb, query, { ...selectionOf(input), limit }) }
    }
    const kind = input.in && KINDS[input.in]
    const code = input.in === 'code' || input.language !== undefined || input.kind !== undefined
    const selection = {
      ...selectionOf(input),
      kind,
      ...(code && { types: ['code'], defines: input.kind }),
    }
    const answer = await searchDocuments(kb, query, {
      ...selection,
      mode,
      typing,
      cursor,
      limit,
      snippetLength: SNIPPET[input.detail ?? 'concise'],
      fit: (hits) =>
        Math.min(fitting(hits.map(hitPresenter(input)), SEARCH_TOKENS), placesWithin(hits, input)),
      evidence: (hits) => evidenceWithin(hits, input),
    })
    if (missing === undefined) return { answer }
    const options = { ...selection, mode, shown: limit ?? 10 }
    return { answer, missing: await explainMissing(kb, query, missing, options) }
  },
  present: ({ answer, missing, symbols, subsystems }, input) => {
    const named = symbols?.map(presentSymbol) ?? subsystems?.map(presentSubsystem)
    if (!answer) return { results: named ?? [], relevant: named !== undefined && named.length > 0 }
    return compact({
      results: answer.hits.map(hitPresenter(input)),
      relevant: answer.relevant,
      next_cursor: answer.nextCursor,
      mode: input.explain ? answer.mode : undefined,
      missing: missing && presentMissing(missing),
      note: answer.notes.join(' ') || undefined,
    })
  },
  text: ({ answer, missing, symbols, subsystems }, { explain }) => {
    if (symbols) return rowsText(symbols.map(presentSymbol)) || 'No symbol was found.'
    if (!answer) {
      return rowsText((subsystems ?? []).map(presentSubsystem)) || 'No subsystem was found.'
    }
    return paragraphs(
      searchText(answer),
      explain ? answer.hits.map(signalLine).join('\n') : undefined,
      missing && lineOf(presentMissing(missing)),
    )
  },
})

function signalLine({ id, signals }: SearchHit): string {
  return lineOf({ id, ...rounded(signals) })
}

function presentSymbol({ id, url, symbol, language, score }: FoundSymbol) {
  return compact({
    id,
    symbol: symbol.qualifiedName,
    kind: symbol.kind,
    language,
    url,
    lines: `${symbol.lineStart}-${symbol.lineEnd}`,
    score: Number(score.toPrecision(4)),
  })
}

function presentSubsystem(found: FoundSubsystem) {
  const { subsystem, description, sourceFiles, tests, documents, files, score } = found
  return compact({
    subsystem,
    description,
    source_files: sourceFiles,
    tests,
    documents,
    files: files.length > 0 ? files : undefined,
    score: Number(score.toPrecision(4)),
  })
}

function hitPresenter({
  detail = 'concise',
  explain = false,
}: {
  readonly detail?: keyof typeof SNIPPET
  readonly explain?: boolean
}) {
  return (hit: SearchHit) => presentHit(hit, detail, explain)
}

function presentHit(hit: SearchHit, detail: 'concise' | 'detailed', explain: boolean) {
  const { document } = hit
  return compact({
    id: hit.id,
    title: hit.title,
    url: hit.url,
    kind: isEntityPath(document.path) ? 'entity' : undefined,
    snippet: hit.snippet,
    heading: hit.headingPath.join(' > ') || undefined,
    lines: hit.lines?.join('-'),
    line: hit.line,
    matches: hit.marks.length > 0 ? hit.marks : undefined,
    score: Number(hit.score.toPrecision(4)),
    ...(detail === 'detailed' && {
      source: document.source,
      type: document.type,
      tags: tagsOf(document),
      ...(document.updatedAt !== undefined && { updated: instant(document.updatedAt) }),
    }),
    signals: explain ? compact(rounded(hit.signals)) : undefined,
  })
}

function rounded<Values extends object>(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(4)) : value,
    ]),
  ) as Values
}

function presentMissing({ words, ...explanation }: MissingExplanation) {
  return compact({
    ...rounded(explanation),
    words: words.map(({ word, inDocument }) => ({ word, in_document: inDocument })),
  })
}

/** Links beyond this many are counted, and `neighbors` lists them. */
const LINKS_SHOWN = 100

const INCLUDES = ['links', 'backlinks', 'relations'] as const

const fetchTool = tool({
  name: 'fetch',
  title: 'Read',
  description: 'Read documents whole, by section or lines; `next` names the call for the rest.',
  access: 'read',
  input: z.strictObject({
    id: idField.optional(),
    ids: z.array(z.string()).max(20).optional().describe('Instead of id'),
    section: z.string().optional().describe('Heading or "A > B"'),
    lines: z.string().optional().describe('"10-40" or "10-"'),
    include: z.array(z.enum(INCLUDES)).optional().describe('Also'),
    max_tokens: limitField(8_000, 20_000, { min: 50 }),
  }),
  output: z.object({
    text: z.string().optional(),
    next: z.string().optional(),
  }),
  run: async (kb, { id, ids, section, lines, include = [], max_tokens: maxTokens = 8_000 }) => {
    if ((id === undefined) === (ids === undefined)) {
      throw invalid(
        'fetch needs either id or ids.',
        'Pass one id, such as {"id": "notes/setup.md"}, or a list of up to 20.',
      )
    }
    const one = async (each: string, budget: number) =>
      fetchWith(kb, each, { section, lines, maxTokens: budget }, include)
    if (id !== undefined) return one(id, maxTokens)
    if (!ids?.length) throw invalid('ids is empty.', 'Pass at least one id.')
    const items: FetchedWith[] = []
    const missing: { id: string; reason: string }[] = []
    for (const each of ids) {
      try {
        items.push(await one(each, Math.floor(maxTokens / ids.length)))
      } catch (error) {
        if (!(error instanceof KnowledgeError)) throw error
        missing.push({ id: each.slice(0, 200), reason: `${error.message} ${error.hint}` })
      }
    }
    return { items, missing }
  },
  present: (result) =>
    'items' in result
      ? {
          items: result.items.map(presentFetched),
          ...(result.missing.length > 0 && { missing: result.missing }),
        }
      : presentFetched(result),
  text: (result) =>
    'items' in result
      ? paragraphs(...result.items.map(textFetched), rowsText(result.missing))
      : textFetched(result),
})

function textFetched({ fetched, outgoing, incoming, relations }: FetchedWith): string {
  const listed = (what: string, some: readonly LinkedDocument[] | undefined) =>
    some &&
    `${what}:\n${some
      .slice(0, LINKS_SHOWN)
      .map(({ id, title }) => `${id} ${title}`)
      .join('\n')}`
  const related = (some: Relations['outgoing']) =>
    some.slice(0, LINKS_SHOWN).map((each) => lineOf(compact(each)))
  return paragraphs(
    fetchText(fetched),
    listed('Links', outgoing?.links),
    outgoing && outgoing.unresolved.length > 0
      ? `Leads nowhere: ${outgoing.unresolved.slice(0, LINKS_SHOWN).join(', ')}`
      : undefined,
    listed('Linked from', incoming),
    relations && `Relations:\n${related(relations.outgoing).join('\n')}`,
    relations && `Related from:\n${related(relations.incoming).join('\n')}`,
  )
}

/** A document with what was asked for besides its text. */
interface FetchedWith {
  readonly fetched: FetchedDocument
  readonly outgoing: DocumentLinks | undefined
  readonly incoming: readonly LinkedDocument[] | undefined
  readonly relations: Relations | undefined
}

async function fetchWith(
  kb: View,
  id: string,
  options: FetchOptions,
  include: readonly (typeof INCLUDES)[number][],
): Promise<FetchedWith> {
  const fetched = await fetchDocument(kb, id, options)
  const { record } = fetched
  return {
    fetched,
    outgoing: include.includes('links') ? await outgoingLinks(kb, record) : undefined,
    incoming: include.includes('backlinks') ? await backlinks(kb, record) : undefined,
    relations: include.includes('relations') ? await listRelations(kb, record) : undefined,
  }
}

function presentFetched({ fetched, outgoing, incoming, relations }: FetchedWith) {
  const { record, next } = fetched
  return compact({
    id: fetched.id,
    title: fetched.title,
    text: fetched.text,
    url: fetched.url,
    metadata: metadataOf(record, fetched, incoming?.length),
    digest: fetched.digest,
    lines: `${fetched.lines.join('-')} of ${fetched.totalLines}`,
    links: outgoing?.links.slice(0, LINKS_SHOWN),
    unresolved_links: outgoing?.unresolved.slice(0, LINKS_SHOWN),
    backlinks: incoming?.slice(0, LINKS_SHOWN),
    relations: relations && {
      outgoing: relations.outgoing.slice(0, LINKS_SHOWN).map(compact),
      incoming: relations.incoming.slice(0, LINKS_SHOWN).map(compact),
    },
    next: next && `Cut to fit. Read on with fetch(id="${fetched.id}", lines="${next.lines}").`,
  })
}

/** A flat map of strings, as clients that cite documents expect it. */
function metadataOf(
  record: DocumentRecord,
  fetched: FetchedDocument,
  incoming: number | undefined,
): Record<string, string> {
  const own = Object.entries(record.properties)
    .filter(([key]) => !['title', 'tags', 'aliases', 'alias'].includes(key))
    .slice(0, 50)
    .map(([key, value]) => [
      shortened(key),
      shortened(typeof value === 'string' ? value : JSON.stringify(value)),
    ])
  return compact({
    ...(Object.fromEntries(own) as Record<string, string>),
    source: record.source,
    path: isEntityPath(record.path) ? undefined : record.path,
    type: record.type,
    tags: tagsOf(record).join(', ') || undefined,
    aliases: record.aliases.slice(0, NAMES_SHOWN).map(shortened).join(', ') || undefined,
    updated: instant(record.updatedAt),
    modified: record.updatedAt === undefined ? undefined : instant(fetched.modifiedAt),
    backlinks: incoming === undefined ? undefined : String(incoming),
  })
}

/** Metadata describes a document; whoever wants all of it reads the text. */
const NAMES_SHOWN = 50
const VALUE_LENGTH = 1_000

function tagsOf(document: DocumentRecord): string[] {
  return [...document.tags, ...document.inlineTags].slice(0, NAMES_SHOWN).map(shortened)
}

function shortened(value: string): string {
  return cutText(value, VALUE_LENGTH)
}

/** A page of a list never takes more of a client's context than this. */
const LIST_TOKENS = 6_000

const listTool = tool({
  name: 'list',
  title: 'List',
  description: 'Browse documents by folder, tag, type or date.',
  access: 'read',
  rare: RARE_SELECTION,
  input: z.strictObject({
    ...selectionFields,
    path: pathField,
    sort: z
      .enum(['path', 'title', 'updated', 'created'])
      .optional()
      .describe('Dates: newest first'),
    limit: limitField(50, 500),
    cursor: cursorField,
    max_tokens: maxTokensField,
  }),
  output: z.object({
    items: rows,
    total: z.int(),
  }),
  run: (kb, { sort, limit, cursor, max_tokens: maxTokens = LIST_TOKENS, ...selection }) =>
    listDocuments(kb, {
      ...selectionOf(selection),
      sort,
      cursor,
      limit,
      fit: (documents) => fitting(documents.map(presentListed), Math.min(maxTokens, LIST_TOKENS)),
    }),
  present: (page) =>
    compact({
      items: page.documents.map(presentListed),
      total: page.total,
      next_cursor: page.nextCursor,
    }),
  text: ({ documents, total, nextCursor }) =>
    rowsText(
      documents.map((each) => ({
        id: documentId(each),
        title: each.title,
        day: day(each.updatedAt),
      })),
      { total, cursor: nextCursor },
    ),
})

function presentListed(document: DocumentRecord) {
  return compact({
    id: documentId(document),
    title: document.title,
    updated: instant(document.updatedAt),
  })
}

const neighborsTool = tool({
  name: 'neighbors',
  title: 'Links',
  description: 'What links to a document and what it links to, up to 5 links away.',
  access: 'read',
  rare: ['as'],
  input: z.strictObject({
    id: idField,
    direction: z.enum(['both', 'in', 'out']).optional().describe('Of links'),
    types: z.array(z.string()).optional().describe('Like RELATES:uses'),
    depth: limitField(1, 5, { what: 'Links away, ' }),
    limit: limitField(20, 100),
    cursor: cursorField,
    as: z.enum(['list', 'graph']).optional().describe('graph: edges too'),
  }),
  output: z.object({
    neighbors: rows,
  }),
  run: (kb, { id, direction, types, depth, limit, cursor }) =>
    getNeighbors(kb, id, { direction, types, depth, limit, cursor }),
  present: (found, { direction, as }) => {
    const unresolved = direction === 'in' ? [] : found.unresolved.slice(0, LINKS_SHOWN)
    return compact({
      id: documentId(found.origin),
      title: found.origin.title,
      neighbors: found.neighbors.map(({ through, ...each }) =>
        compact({ ...each, through: through.length > 0 ? through : undefined }),
      ),
      total: found.total,
      edges: as === 'graph' ? found.edges.map(compact) : undefined,
      unresolved_links: unresolved.length > 0 ? unresolved : undefined,
      next_cursor: found.nextCursor,
    })
  },
  text: (found, { direction }) =>
    rowsText(
      found.neighbors.map(({ id, title, hops, direction: way, types, through }) => ({
        id,
        title,
        way,
        ...(hops > 1 && { hops, through }),
        types,
      })),
      {
        head: `${documentId(found.origin)} ${found.origin.title}`,
        total: found.total,
        cursor: found.nextCursor,
        ...(direction !== 'in' &&
          found.unresolved.length > 0 && {
            leads_nowhere: found.unresolved.slice(0, LINKS_SHOWN),
          }),
      },
    ),
})

const pathTool = tool({
  name: 'path',
  title: 'Path',
  description: 'The shortest chain of links between two.',
  access: 'read',
  rare: ['directed', 'max_hops'],
  input: z.strictObject({
    from: idField,
    to: idField,
    directed: z.boolean().optional().describe('Forwards only'),
    max_hops: limitField(10, 50),
  }),
  output: z.object({
    found: z.boolean(),
    path: rows,
  }),
  run: (kb, { from, to, directed, max_hops: maxHops }) =>
    findPath(kb, from, to, { directed, maxHops }),
  present: (path) =>
    compact({
      found: path !== undefined,
      path: (path ?? []).map(compact),
      length: path && path.length - 1,
    }),
  text: (path) =>
    path ? rowsText(path.map((step) => ({ ...step }))) : 'There is no way within these hops.',
})

export const nativeTools = [
  searchTool,
  fetchTool,
  listTool,
  neighborsTool,
  pathTool,
  insightsTool,
  askTool,
  writeTool,
  deleteTool,
  historyTool,
  relateTool,
] as const
