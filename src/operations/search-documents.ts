/** Which documents answer this question, and which passage of each? */
import type { DocumentRecord } from '../domain/document.ts'
import { documentId } from '../domain/document.ts'
import { invalid } from '../domain/error.ts'
import type { Chunk } from '../domain/text.ts'
import { headingLabel } from '../parsing/chunk.ts'
import { snippet } from '../search/snippet.ts'
import type { Signals } from '../search/combine.ts'
import { makeCursor, parseCursor } from './cursor.ts'
import { documentUrl } from './document-url.ts'
import type { Knowledge } from './knowledge.ts'
import { rankDocuments } from './rank-documents.ts'
import type { RankedDocument, Ranking, SearchMode } from './rank-documents.ts'
import { findAllLive, parseLive } from './read-document.ts'
import type { LiveDocument } from './read-document.ts'
import { selectDocuments } from './select-documents.ts'
import type { Selection } from './select-documents.ts'

export interface SearchOptions extends Selection {
  readonly mode?: SearchMode
  /** Whether links count; on unless turned off. */
  readonly links?: boolean
  readonly limit?: number
  readonly cursor?: string
  /** Characters of a snippet, about. */
  readonly snippetLength?: number
}

export interface SearchHit {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly document: DocumentRecord
  /** From 0 to 1: how much of the question the best result covers, and this one in proportion. */
  readonly score: number
  readonly signals: Signals
  readonly snippet: string
  readonly headingPath: readonly string[]
  /** First and last line of the passage; undefined when only title, tags or path matched. */
  readonly lines: readonly [number, number] | undefined
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** False: nothing in the base is about this; the hits are the nearest there is. */
  readonly relevant: boolean
  readonly mode: Ranking['mode']
  readonly nextCursor: string | undefined
  /** Remarks on how the question was understood. */
  readonly notes: readonly string[]
}

/** Pages end here: nobody reads on, and every page costs what all before it cost. */
const DEEPEST = 500
const DEFAULT_LIMIT = 10
const DEFAULT_SNIPPET = 240

/**
 * A passage that has less of the question than this, by weight of its words, answers another
 * question. Measured on seven test sets with `bench/relevance.ts`: 0.4 % of the questions a base can
 * answer fall below, and 64 % of the questions of another base (docs/decisions/0012-fusion.md).
 */
const COVERS_ENOUGH = 0.35
/** Or it means nearly the same in other words. */
const MEANS_ENOUGH = 0.8

export async function searchDocuments(
  kb: Knowledge,
  query: string,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  if (query.trim() === '') {
    throw invalid('The query is empty.', 'Say in a few words or a question what you look for.')
  }
  const { cursor, limit = DEFAULT_LIMIT, snippetLength = DEFAULT_SNIPPET, ...rest } = options
  const { mode, links, ...selection } = rest
  const question = ['search', query, mode, links, selection]
  const offset = parseCursor(question, cursor)
  const filter = await selectDocuments(kb, selection)
  const wanted = Math.min(offset + limit, DEEPEST)
  const ranking = await rankDocuments(kb, query, {
    limit: wanted + 1,
    filter,
    mode,
    links,
  })
  const { hits } = ranking
  const page = hits.slice(offset, wanted)
  const records = await kb.store.documents(page.map(({ doc }) => doc))
  const best = confidence(hits[0])
  const lives = await findAllLive(
    kb,
    records.filter((record) => record !== undefined),
  )
  const liveByNo = new Map(lives.map((live) => [live?.record.no, live]))
  const found: SearchHit[] = []
  for (const hit of page) {
    // A document may have gone since the index was read; its hit goes with it.
    const live = liveByNo.get(hit.doc)
    if (live) found.push(await present(kb, ranking, live, hit, best, snippetLength))
  }
  const more = hits.length > wanted && wanted < DEEPEST
  return {
    hits: found,
    relevant:
      found.length > 0 && hits.slice(0, DEFAULT_LIMIT).some(({ signals }) => isRelevant(signals)),
    mode: ranking.mode,
    nextCursor: more ? makeCursor(question, wanted) : undefined,
    notes: notesOn(ranking, page.length - found.length),
  }
}

function notesOn(
  { truncated, relaxed, withoutMeaning }: Pick<Ranking, 'truncated' | 'relaxed' | 'withoutMeaning'>,
  unreadable: number,
): string[] {
  const notes: string[] = []
  if (truncated) notes.push('The query is very long; only its first words were searched.')
  if (relaxed) notes.push('No document has the phrase; its words were searched one by one.')
  if (withoutMeaning !== undefined) notes.push(`Only words were searched. ${withoutMeaning}`)
  if (unreadable > 0) {
    const what = unreadable === 1 ? '1 result was' : `${unreadable} results were`
    notes.push(`${what} left out: the file is gone or cannot be read now.`)
  }
  return notes
}

/** What snippets need to know of the search. */
type Searched = Pick<Ranking, 'words' | 'languages'>

export function isRelevant(signals: Signals): boolean {
  return signals.together >= COVERS_ENOUGH || (signals.similarity ?? 0) >= MEANS_ENOUGH
}

/** What a score of the best hit is worth, so that scores of different questions can be compared. */
function confidence(top: RankedDocument | undefined): number {
  if (!top || top.score <= 0) return 0
  const { coverage, similarity = 0 } = top.signals
  return Math.min(1, Math.max(coverage, similarity)) / top.score
}

async function present(
  kb: Knowledge,
  ranking: Searched,
  live: LiveDocument,
  hit: RankedDocument,
  best: number,
  length: number,
): Promise<SearchHit> {
  const { record } = live
  const chunk = await passageOf(kb, live, hit)
  const passage = chunk ? live.text.slice(chunk.start, chunk.end) : ''
  const cut = chunk && cutOut(passage, ranking, length)
  return {
    id: documentId(record),
    title: record.title,
    url: documentUrl(kb, record),
    document: record,
    score: best * hit.score,
    signals: hit.signals,
    snippet: cut?.text ?? '',
    headingPath: chunk && cut ? headingsAt(kb, record, chunk, passage, cut.start) : [],
    lines: chunk && hit.chunk !== undefined ? [chunk.lineStart, chunk.lineEnd] : undefined,
  }
}

/** The best part of a passage on one line, with marks where it was cut. */
function cutOut(
  passage: string,
  { words, languages }: Searched,
  length: number,
): { text: string; start: number } {
  const { start, end, matches } = snippet(passage, words, { length, languages })
  const text = passage.slice(start, end).replaceAll(/\s+/g, ' ').trim()
  const shown = `${start > 0 ? '… ' : ''}${text}${end < passage.trimEnd().length ? ' …' : ''}`
  return { text: shown, start: matches[0]?.start ?? start }
}

/** Short sections share a passage; the heading that matters is the last one before the match. */
function headingsAt(
  kb: Knowledge,
  { path }: DocumentRecord,
  chunk: Chunk,
  passage: string,
  at: number,
): readonly string[] {
  if (!mayHaveOtherHeading(passage, at, chunk.headingPath.at(-1))) return chunk.headingPath
  const { headings } = kb.formatOf(path).parse(passage, path).document
  const heading = headings.findLast(({ start }) => start <= at)
  const nearest = heading && headingLabel(heading)
  const known = nearest === undefined || chunk.headingPath.includes(nearest)
  return known ? chunk.headingPath : [...chunk.headingPath, nearest]
}

/** A line that may be a heading or underline one. In code it is neither; parsing tells. */
const LIKE_HEADING = /^ {0,3}(?:#|={1,}\s*$|-{1,}\s*$)/gm

/** Spares parsing: most passages begin with the heading of their section, and have no other. */
function mayHaveOtherHeading(passage: string, at: number, own: string | undefined): boolean {
  // The line under the match may underline it.
  const underlined = passage.indexOf('\n', passage.indexOf('\n', at) + 1)
  const before = passage.slice(0, underlined < at ? undefined : underlined)
  const [first, second] = before.matchAll(LIKE_HEADING)
  if (!first) return false
  const line = before.split('\n', 1)[0]!
  return second !== undefined || first.index > 0 || line.replace(/^#+ /, '') !== own
}

/** The passage of the hit; in a file that changed since it was indexed, the same place in it. */
async function passageOf(
  kb: Knowledge,
  live: LiveDocument,
  hit: RankedDocument,
): Promise<Chunk | undefined> {
  const chunks = live.changed ? parseLive(kb, live).chunks : await kb.store.chunks(live.record.no)
  return chunks[Math.min(hit.chunk ?? 0, chunks.length - 1)]
}
