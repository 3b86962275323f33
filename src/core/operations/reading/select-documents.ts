/** Turns the filters a caller gives into a set of documents, checked and applied before any cut. */
import { CODE_LANGUAGES, codeLanguageOf, SYMBOL_KINDS } from '../../domain/code.ts'
import type { SymbolKind } from '../../domain/code.ts'
import { compareIds } from '../../domain/document.ts'
import { invalid, notFound, quoted } from '../../domain/error.ts'
import { inSlices, sortInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { DocSet } from '../../search/contract.ts'
import { docSet } from '../../search/doc-set.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { DOCUMENT_ORDERS } from '../../store/document-orders.ts'
import type { DocumentFilter, DocumentOrder } from '../../store/store.ts'
import { holding } from './hold-condition.ts'
import { compileGlob, literalFolderOf } from '../../kit/compile-glob.ts'
import type { View } from '../view/view.ts'

export interface Selection {
  readonly sources?: readonly string[]
  /** Folder or path prefix (`guides/`), or glob (`**\/*.md`); `<source>/` may stand in front. */
  readonly path?: string
  readonly tags?: readonly string[]
  readonly tagMode?: 'any' | 'all'
  readonly types?: readonly string[]
  /** Only source files in this language. */
  readonly language?: string
  /** Only source files that define a class, function or the like. */
  readonly defines?: string
  /** Only entities, or everything else. */
  readonly kind?: DocumentFilter['kind']
  /** ISO date or instant. */
  readonly updatedAfter?: string
  readonly updatedBefore?: string
  /** A condition over properties: `status = draft and due < 2026-12-01`. */
  readonly where?: string
}

/** The documents a selection means, or undefined when it leaves nothing out. */
export async function selectDocuments(kb: View, selection: Selection): Promise<DocSet | undefined> {
  const { filter, matches } = parseSelection(kb, selection)
  const kind = selection.defines === undefined ? undefined : parseSymbolKind(selection.defines)
  const { where } = selection
  if (Object.keys(filter).length === 0 && !matches && !kind && where === undefined) return undefined
  let nos = await (matches ? matching(kb, filter, matches) : kb.store.matching(filter))
  if (kind) {
    const records = await kb.store.documents([...nos])
    nos = nos.filter((_, at) => records[at]?.symbols?.some((symbol) => symbol.kind === kind))
  }
  if (where !== undefined) {
    const records = await kb.store.documents([...nos])
    const known = records.filter((record) => record !== undefined)
    nos = Uint32Array.from(await holding(kb, where, known), ({ no }) => no)
  }
  return docSet(nos)
}

/** The documents themselves, in an order: for whoever looks at what they say of themselves. */
export async function selectRecords(
  kb: View,
  { where, ...selection }: Selection,
  order: DocumentOrder = 'path',
): Promise<readonly DocumentRecord[]> {
  const { filter, matches } = parseSelection(kb, selection)
  const met = matches && (await matching(kb, filter, matches))
  // A few are asked for by number: else everything would be read for the sake of its path.
  const few = met !== undefined && met.length <= FEW
  const wanted = few ? { ...filter, among: met } : filter
  const { documents } = await kb.store.list(wanted, 'path', { offset: 0, limit: -1 })
  const among = met && !few ? docSet(met) : undefined
  const found = among ? documents.filter(({ no }) => among.has(no)) : documents
  const held = where === undefined ? found : await holding(kb, where, found)
  // A database would put all of them in order, and in one go.
  return order === 'path' ? held : stepsInSlices(sortInSteps(held, DOCUMENT_ORDERS[order]))
}

const FEW = 5_000

/** What meets a filter and has a path as wanted. */
async function matching(
  kb: View,
  filter: DocumentFilter,
  matches: (path: string) => boolean,
): Promise<Uint32Array> {
  const nos = await kb.store.matching(filter)
  const paths = await kb.store.paths([...nos])
  const kept = await inSlices(paths, ({ path }) => matches(path))
  return nos.filter((_, index) => kept[index])
}

export function parseSymbolKind(text: string): SymbolKind {
  const kind = SYMBOL_KINDS.find((each) => each === text.trim().toLowerCase())
  if (kind) return kind
  throw invalid(
    `There are no symbols of the kind ${quoted(text)}.`,
    `Kinds are ${SYMBOL_KINDS.join(', ')}.`,
  )
}

export interface ParsedSelection {
  readonly filter: DocumentFilter
  /** What the store cannot check: a glob on the path. */
  readonly matches: ((path: string) => boolean) | undefined
}

export function parseSelection(kb: View, selection: Selection): ParsedSelection {
  const parsed = parsePlaces(kb, selection)
  const language = selection.language?.trim().toLowerCase()
  if (!language) return parsed
  if (!CODE_LANGUAGES.some((each) => each === language)) {
    throw invalid(
      `There is no language ${quoted(language)}.`,
      `Languages are ${CODE_LANGUAGES.join(', ')}.`,
    )
  }
  const { matches } = parsed
  return {
    ...parsed,
    matches: (path) => codeLanguageOf(path) === language && (matches?.(path) ?? true),
  }
}

function parsePlaces(kb: View, selection: Selection): ParsedSelection {
  const filter: { -readonly [Key in keyof DocumentFilter]: DocumentFilter[Key] } = {}
  if (selection.sources?.length) filter.sources = selection.sources.map((name) => known(kb, name))
  if (selection.types?.length) filter.types = selection.types
  if (selection.kind) filter.kind = selection.kind
  if (selection.tags?.length) {
    filter.tags = selection.tags
    filter.tagMode = selection.tagMode ?? 'any'
  }
  if (selection.updatedAfter) filter.updatedAfter = instant('updated_after', selection.updatedAfter)
  if (selection.updatedBefore) {
    filter.updatedBefore = instant('updated_before', selection.updatedBefore)
  }
  const path = selection.path
    ?.trim()
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
  if (!path) return { filter, matches: undefined }
  const { source, rest } = splitSource(kb, path)
  if (source) filter.sources = narrowed(filter.sources, source)
  const literal = literalFolderOf(rest)
  if (literal === undefined) {
    if (rest !== '') filter.pathPrefix = rest
    return { filter, matches: undefined }
  }
  if (rest.length > GLOB_LIMIT) {
    throw invalid(`The path pattern is longer than ${GLOB_LIMIT} characters.`, 'Shorten it.')
  }
  // The literal beginning lets the store narrow the field before the pattern is tried.
  if (literal !== '') filter.pathPrefix = literal
  return { filter, matches: compileGlob(rest) }
}

const GLOB_LIMIT = 500

/** `handbook/guides` means the folder `guides` of the source `handbook`, when there is one. */
function splitSource(kb: View, path: string): { source: string | undefined; rest: string } {
  const [head = '', ...tail] = path.split('/')
  if (kb.sources.has(head)) return { source: head, rest: tail.join('/') }
  return { source: undefined, rest: path }
}

function narrowed(sources: readonly string[] | undefined, source: string): readonly string[] {
  return sources && !sources.includes(source) ? [] : [source]
}

function known(kb: View, name: string): string {
  if (kb.sources.has(name)) return name
  throw notFound(
    `There is no source ${quoted(name)}.`,
    `The sources are: ${[...kb.sources.keys()].toSorted(compareIds).join(', ')}.`,
  )
}

function instant(what: string, text: string): number {
  const time = Date.parse(text)
  if (Number.isFinite(time)) return time
  throw invalid(
    `${what} is not a date: ${quoted(text)}.`,
    'Write a date such as 2026-03-01 or an instant such as 2026-03-01T12:00:00Z.',
  )
}
