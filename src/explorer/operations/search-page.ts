/** What a page shows while one types: hits with readable snippets, and what could narrow them. */
import { documentId, headingsAt } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import type { Chunk } from '../../core/domain/text.ts'
import { lineStartsOf } from '../../core/parsing/lines.ts'
import { readableText, type Range } from '../rendering/readable-text.ts'
import { snippet } from '../../core/search/snippet.ts'
import type { LiveDocument } from '../../core/operations/reading/read-document.ts'
import type { Selection } from '../../core/operations/reading/select-documents.ts'
import {
  belowHeading,
  findPassages,
  type FoundPassage,
} from '../../core/operations/searching/find-passages.ts'
import type { Ranking, SearchMode } from '../../core/operations/searching/rank-documents.ts'
import { asBeginning } from '../../core/operations/searching/search-documents.ts'
import type { View } from '../../core/operations/view/view.ts'
import { listForTyping, type Listed } from './list-for-typing.ts'
import { propertyFacets } from './property-facets.ts'
import type { Facet, PageHit, SearchPage } from '../wire/wire.ts'

export interface SearchPageOptions {
  readonly selection: Selection
  /** The last word is still being typed: it counts as the beginning of a word. */
  readonly typing: boolean
  readonly limit: number
  readonly mode?: SearchMode
  readonly links?: boolean
}

const FACETS_OVER = 100
const FACETS_SHOWN = 12
const PROPERTIES_FROM = 20
const SNIPPET = 220

export async function searchPage(
  kb: View,
  query: string,
  { selection, typing, limit, mode, links }: SearchPageOptions,
): Promise<SearchPage> {
  const asked = typing ? asBeginning(query) : query
  const request = { selection, mode, links, limit, ranked: FACETS_OVER }
  const { passages, ranking, relevant, notes } = await findPassages(kb, asked, request)
  const list = await listForTyping(kb).now()
  const best = ranking.hits.flatMap(({ doc }) => list.get(doc) ?? [])
  return {
    hits: passages.map((passage) => present(ranking, passage)),
    relevant,
    mode: ranking.mode,
    notes,
    facets: facetsOf(best),
    // Reading what a hundred notes say of themselves would cost more than the search at every key:
    // whoever stops typing asks for more of them.
    properties:
      passages.length === limit && limit < PROPERTIES_FROM
        ? []
        : propertyFacets(await kb.store.documents(ranking.hits.map(({ doc }) => doc))),
    total: best.length,
  }
}

function present(ranking: Ranking, { live, hit, chunk }: FoundPassage): PageHit {
  const { record } = live
  const cut = chunk && cutOut(live, chunk, ranking)
  return {
    id: documentId(record),
    title: record.title,
    kind: isEntityPath(record.path) ? 'entity' : 'note',
    heading: chunk && cut ? headingsAt(chunk, cut.at).join(' › ') : '',
    text: cut?.text ?? '',
    marks: cut?.marks ?? [],
    lines:
      chunk && cut && hit.chunk !== undefined
        ? [lineOf(live, chunk, cut.at), chunk.lineEnd]
        : undefined,
    updatedAt: record.updatedAt,
    score: hit.score,
    signals: hit.signals,
  }
}

function cutOut(
  live: LiveDocument,
  chunk: Chunk,
  { words, languages }: Ranking,
): { readonly text: string; readonly marks: readonly Range[]; readonly at: number } {
  const from = belowHeading(live, chunk)
  const body = live.text.slice(from, chunk.end)
  const best = snippet(body, words, { length: SNIPPET, languages })
  const readable = readableText(body.slice(best.start, best.end), shifted(best.matches, best.start))
  const before = best.start > 0 ? '… ' : ''
  const after = best.end < body.trimEnd().length ? ' …' : ''
  return {
    text: `${before}${readable.text}${after}`,
    marks: shifted(readable.marks, -before.length),
    at: from + (best.matches[0]?.start ?? best.start),
  }
}

function lineOf({ text }: LiveDocument, { start, lineStart }: Chunk, at: number): number {
  return lineStart + lineStartsOf(text.slice(start, at)).length - 1
}

function shifted(ranges: readonly Range[], by: number): Range[] {
  return ranges.map(({ start, end }) => ({ start: start - by, end: end - by }))
}

function facetsOf(best: readonly Listed[]): SearchPage['facets'] {
  return {
    source: counted(best.flatMap(({ source }) => source)),
    folder: counted(best.flatMap(({ folder }) => folder)),
    tag: counted(best.flatMap(({ tag }) => tag)),
    type: counted(best.flatMap(({ type }) => type)),
  }
}

function counted(values: readonly string[]): Facet[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACETS_SHOWN)
}
