/** `fetch`: documents, with what was asked for besides their text. */
import { z } from 'zod'
import { invalid, KnowledgeError } from '../../core/domain/error.ts'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { pictureType } from '../../core/domain/picture.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import {
  fetchDocument,
  backlinks,
  outgoingLinks,
} from '../../core/operations/reading/fetch-document.ts'
import type {
  DocumentLinks,
  FetchedDocument,
  FetchOptions,
} from '../../core/operations/reading/fetch-document.ts'
import type { LinkedDocument } from '../../core/operations/reading/label-documents.ts'
import type { PastVersion } from '../../core/operations/writing/past-versions.ts'
import type { View } from '../../core/operations/view/view.ts'
import { listRelations } from '../../core/operations/reading/list-relations.ts'
import type { Relations } from '../../core/operations/reading/list-relations.ts'
import type { Observation } from '../../core/parsing/markdown/observations.ts'
import type { ShownPicture } from '../door/surface.ts'
import type { ShownResult } from './query-results.ts'
import { tool } from '../door/tool.ts'
import { idField, limitField, mayReadPast } from './fields.ts'
import { fetchText, lineOf, paragraphs, rowsText } from './lean-text.ts'
import {
  compact,
  instant,
  LINKS_SHOWN,
  NAMES_SHOWN,
  VALUE_LENGTH,
  shortened,
  tagsOf,
} from './present.ts'

type Include = (typeof INCLUDES)[number]
const INCLUDES = ['links', 'backlinks', 'relations', 'results', 'picture'] as const

export const fetchTool = tool({
  name: 'fetch',
  title: 'Fetch',
  description: 'Read documents whole, by section or lines; `next` names the call for the rest.',
  access: 'read',
  rare: ['max_tokens', 'as_of'],
  input: z.strictObject({
    id: idField.optional(),
    ids: z.array(z.string()).max(20).optional().describe('Several'),
    section: z.string().optional().describe('Heading or "A > B"'),
    lines: z.string().optional().describe('"10-40" or "10-"'),
    at: z.string().optional().describe('As of a day or commit'),
    as_of: z.string().optional().describe('The same as at'),
    include: z.array(z.enum(INCLUDES)).optional().describe('Add'),
    max_tokens: limitField(8_000, 20_000, { min: 50 }),
  }),
  output: z.object({
    text: z.string().optional(),
    next: z.string().optional(),
  }),
  run: async (
    kb,
    { id, ids, section, lines, include = [], max_tokens: maxTokens = 8_000, ...when },
    { seen, signal, caller },
  ) => {
    const at = momentIn(when)
    if (at !== undefined) mayReadPast(caller)
    if (at !== undefined && include.length > 0) {
      throw invalid('at and include do not go together.', 'Links and relations are those of now.')
    }
    if ((id === undefined) === (ids === undefined)) {
      throw invalid(
        'fetch needs either id or ids.',
        'Pass one id, such as {"id": "notes/setup.md"}, or a list of up to 20.',
      )
    }
    const one = async (each: string, budget: number) => {
      const options = { section, lines, at, maxTokens: budget, signal }
      const found = await fetchWith(kb, each, options, include)
      const isRead = !signal.aborted && at === undefined && 'fetched' in found
      if (isRead) seen?.read(found.fetched.id, found.fetched.text)
      return found
    }
    if (id !== undefined) return one(id, maxTokens)
    if (!ids?.length) throw invalid('ids is empty.', 'Pass at least one id.')
    const items: Fetched[] = []
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
  present: (result, when) =>
    'items' in result
      ? {
          items: result.items.map((item) => presentFetched(item, momentIn(when))),
          ...(result.missing.length > 0 && { missing: result.missing }),
        }
      : presentFetched(result, momentIn(when)),
  pictures: (result) => {
    const pictures: ShownPicture[] = []
    for (const each of 'items' in result ? result.items : [result]) {
      if ('picture' in each && each.seen) pictures.push(each.seen)
    }
    return pictures.length > 0 ? pictures.slice(0, PICTURES_SHOWN) : undefined
  },
  text: (result, when) =>
    'items' in result
      ? paragraphs(
          ...result.items.map((item) => textFetched(item, momentIn(when))),
          rowsText(result.missing),
        )
      : textFetched(result, momentIn(when)),
})

/** `as_of` is what the other tools call it. */
function momentIn({
  at,
  as_of: asOf,
}: {
  readonly at?: string | undefined
  readonly as_of?: string | undefined
}): string | undefined {
  if (at === undefined || asOf === undefined) return at ?? asOf
  throw invalid('at and as_of are the same.', 'Leave one of them out.')
}

/** More at once are more than a model is to be given. */
const PICTURES_SHOWN = 4

function readOn({ id }: FetchedDocument, lines: string, at: string | undefined): string {
  const then = at === undefined ? '' : `, at=${JSON.stringify(at)}`
  return `fetch(id="${id}", lines="${lines}"${then})`
}

/** Which change made it so; nothing where the file stands as it stood. */
function presentVersion({ operation, commit }: PastVersion) {
  if (operation) {
    const { id, at, kind, by } = operation
    return { at: instant(at), operation: id, action: kind, client: by.client }
  }
  if (!commit) return { now: true }
  const { id, at, author, message } = commit
  return { at: instant(at), commit: id.slice(0, 10), author, message }
}

function textFetched(found: Fetched, at: string | undefined): string {
  if ('picture' in found) return found.text
  const { fetched, outgoing, incoming, relations, observations, results } = found
  const listed = (what: string, some: readonly LinkedDocument[] | undefined) =>
    some &&
    `${what}:\n${some
      .slice(0, LINKS_SHOWN)
      .map(({ id, title }) => `${id} ${title}`)
      .join('\n')}`
  const related = (some: Relations['outgoing']) =>
    some.slice(0, LINKS_SHOWN).map((each) => lineOf(compact(each)))
  return paragraphs(
    fetched.version && lineOf(compact(presentVersion(fetched.version))),
    fetchText(fetched, at),
    listed('Links', outgoing?.links),
    outgoing && outgoing.unresolved.length > 0
      ? `Leads nowhere: ${outgoing.unresolved.slice(0, LINKS_SHOWN).join(', ')}`
      : undefined,
    listed('Linked from', incoming),
    relations && `Relations:\n${related(relations.outgoing).join('\n')}`,
    relations && `Related from:\n${related(relations.incoming).join('\n')}`,
    observations &&
      `Observations:\n${observations.slice(0, LINKS_SHOWN).map(lineObserved).join('\n')}`,
    ...(results?.map(({ text }) => text) ?? []),
  )
}

/** `12 [decision] Use X #storage (because Y)` */
function lineObserved({ line, category, text, context }: Observation): string {
  const parts = [line, category && `[${category}]`, text, context && `(${context})`]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** A document with what was asked for besides its text. */
interface FetchedWith {
  readonly fetched: FetchedDocument
  readonly outgoing: DocumentLinks | undefined
  readonly incoming: readonly LinkedDocument[] | undefined
  readonly relations: Relations | undefined
  /** Undefined where there are none. */
  readonly observations: readonly Observation[] | undefined
  readonly results: readonly ShownResult[] | undefined
}

/** A picture is no document, and what it is may be asked all the same. */
interface FetchedPicture {
  readonly picture: Readonly<Record<string, unknown>>
  readonly text: string
  readonly seen: ShownPicture | undefined
}

type Fetched = FetchedWith | FetchedPicture

async function fetchWith(
  kb: View,
  id: string,
  options: FetchOptions & { readonly signal: AbortSignal },
  include: readonly Include[],
): Promise<Fetched> {
  try {
    const fetched = await fetchDocument(kb, id, options)
    const { record } = fetched
    return {
      fetched,
      outgoing: include.includes('links') ? await outgoingLinks(kb, record) : undefined,
      incoming: include.includes('backlinks') ? await backlinks(kb, record) : undefined,
      relations: include.includes('relations') ? await listRelations(kb, record) : undefined,
      observations: include.includes('relations') ? await observedIn(kb, record) : undefined,
      results: include.includes('results') ? await resultsIn(kb, fetched, options) : undefined,
    }
  } catch (error) {
    const isMissing = error instanceof KnowledgeError && error.code === 'not_found'
    // What a picture was once is not kept in words.
    const isNow = options.at === undefined
    const picture = isMissing && isNow ? await fetchPicture(kb, id, include) : undefined
    if (picture) return picture
    throw error
  }
}

/** What reads them is loaded with the first that are asked for. */
async function observedIn(
  kb: View,
  record: DocumentRecord,
): Promise<readonly Observation[] | undefined> {
  const { listObservations } = await import('../../core/operations/reading/list-observations.ts')
  return some(await listObservations(kb, record))
}

/** The engine of queries is loaded with the first that is asked for. */
async function resultsIn(
  kb: View,
  fetched: FetchedDocument,
  { maxTokens = 0, signal }: FetchOptions & { readonly signal: AbortSignal },
): Promise<readonly ShownResult[]> {
  const { showResults } = await import('./query-results.ts')
  return showResults(kb, fetched, { maxTokens, signal })
}

/** What it takes is loaded with the first one. */
async function fetchPicture(
  kb: View,
  id: string,
  include: readonly Include[],
): Promise<FetchedPicture | undefined> {
  if (pictureType(id) === undefined) return undefined
  const { describePicture } = await import('../../core/operations/reading/describe-picture.ts')
  const { pictureText, presentPicture, seenPicture } = await import('./picture-text.ts')
  const found = await describePicture(kb, id)
  if (!found) return undefined
  const isWanted = include.includes('picture')
  return {
    picture: presentPicture(found, isWanted),
    text: pictureText(found, isWanted),
    seen: isWanted ? seenPicture(found) : undefined,
  }
}

function presentFetched(found: Fetched, at: string | undefined) {
  if ('picture' in found) return found.picture
  const { fetched, outgoing, incoming, relations, observations, results } = found
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
    observations,
    results: results?.map(({ shown }) => compact(shown)),
    next: next && `Cut to fit. Read on with ${readOn(fetched, next.lines, at)}.`,
    version: fetched.version && compact(presentVersion(fetched.version)),
  })
}

/** A flat map: numbers, dates and lists as they are written in the front matter. */
function metadataOf(
  record: DocumentRecord,
  fetched: FetchedDocument,
  incoming: number | undefined,
): Record<string, unknown> {
  const own = Object.entries(record.properties)
    .filter(([key]) => !['title', 'tags', 'aliases', 'alias'].includes(key))
    .slice(0, 50)
    .map(([key, value]) => [shortened(key), shownValue(value)])
  return compact({
    ...(Object.fromEntries(own) as Record<string, unknown>),
    source: record.source,
    path: isEntityPath(record.path) ? undefined : record.path,
    type: record.type,
    tags: some(tagsOf(record)),
    aliases: some(record.aliases.slice(0, NAMES_SHOWN).map(shortened)),
    updated: instant(record.updatedAt),
    modified: record.updatedAt === undefined ? undefined : instant(fetched.modifiedAt),
    backlinks: incoming,
    // The text is without it, and an edit keeps it; whoever compares bytes wants to know.
    byte_order_mark: fetched.byteOrderMark,
  })
}

/** What is small enough stays what it is; the rest is told as text. */
function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value)
  const text = JSON.stringify(value)
  return text.length > VALUE_LENGTH ? shortened(text) : value
}

function some<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined
}
