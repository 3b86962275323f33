/** Which documents answer this question, and which passage of each? */
import type { DocumentRecord } from '../../domain/document.ts'
import { documentId, headingsAt } from '../../domain/document.ts'
import { invalid } from '../../domain/error.ts'
import { inSlices } from '../../kit/slices.ts'
import type { Chunk } from '../../domain/text.ts'
import { withoutMarkup } from '../../parsing/unseen-markup.ts'
import type { Match } from '../../search/find-matches.ts'
import { snippet } from '../../search/snippet.ts'
import type { Signals } from '../../search/combine.ts'
import type { DocSet } from '../../search/contract.ts'
import { beginBasis } from './answer-basis.ts'
import type { AnswerBasis } from './answer-basis.ts'
import { makeCursor, parseCursor } from '../reading/cursor.ts'
import { documentUrl } from '../reading/document-url.ts'
import { belowHeading, findPassages, matchesFrom, matchesOf } from './find-passages.ts'
import type { FoundPassage, MatchesIn } from './find-passages.ts'
import type { Days } from './passages-of-days.ts'
import { packEvidence } from './pack-evidence.ts'
import type { Evidence, PackOptions } from './pack-evidence.ts'
import type { View } from '../view/view.ts'
import type { RankedDocument, Ranking, SearchMode } from './rank-documents.ts'
import type { Selection } from '../reading/select-documents.ts'

export interface SearchOptions extends Selection {
  readonly mode?: SearchMode
  /** Whether links count; on unless turned off. */
  readonly links?: boolean
  readonly limit?: number
  readonly cursor?: string
  /** Characters of a snippet, about. */
  readonly snippetLength?: number
  /** The last word is still being typed: it counts as the beginning of a word. */
  readonly typing?: boolean
  /** These documents, in place of a selection: whoever names them sees them. */
  readonly among?: DocSet | undefined
  /** The id of a document that is left out: it asks. */
  readonly without?: string | undefined
  /** How many of the hits there is room for; all unless said. The rest is the next page. */
  readonly fit?: (hits: readonly SearchHit[]) => number
  /** The answer is kept: what it rests on is noted. */
  readonly keeps?: boolean | undefined
  /** As the notes stood then: a moment, or the end of a day, a month or a year. */
  readonly asOf?: string | undefined
  /** Who asks may read the past. */
  readonly readsPast?: boolean | undefined
  /** Only passages that speak of these days. */
  readonly days?: Days | undefined
  readonly signal?: AbortSignal | undefined
  /** How much may be shown of what was found; nothing unless said. */
  readonly evidence?: (hits: readonly SearchHit[]) => PackOptions
}

export interface SearchHit {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly document: DocumentRecord
  /** From 0 to 1: how much of the question the best result covers, and this one in proportion. */
  readonly score: number
  readonly signals: Signals
  /** Lines and code as they are written; `…` where something was cut off. */
  readonly snippet: string
  /** What matched in the snippet: first and last place, the last exclusive. */
  readonly marks: readonly (readonly [number, number])[]
  /** Where the first match stands in the file. */
  readonly line: number | undefined
  readonly headingPath: readonly string[]
  /** As far as one reads from there to understand it: the end of the passage where that is near. */
  readonly lastLine: number | undefined
  /** First and last line of the passage; undefined when only title, tags or path matched. */
  readonly lines: readonly [number, number] | undefined
  /** Another hit says it later: the day from which this held, or `earlier` where none is known. */
  readonly earlier?: string
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** The best of what the hits say, as far as there is room; `at` is the place of the hit. */
  readonly evidence: readonly Evidence[]
  /** False: no document has these words together or means the same; the hits are the nearest. */
  readonly relevant: boolean
  readonly mode: Ranking['mode']
  readonly nextCursor: string | undefined
  /** Remarks on how the question was understood. */
  readonly notes: readonly string[]
  /** Undefined where that cannot be told, or nobody wants to know. */
  readonly basis?: AnswerBasis | undefined
}

/** Pages end here: nobody reads on, and every page costs what all before it cost. */
const DEEPEST = 500
const DEFAULT_LIMIT = 10
const DEFAULT_SNIPPET = 240

export async function searchDocuments(
  kb: View,
  query: string,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  if (query.trim() === '') {
    throw invalid('The query is empty.', 'Say in a few words or a question what you look for.')
  }
  const { cursor, limit = DEFAULT_LIMIT, snippetLength = DEFAULT_SNIPPET, ...rest } = options
  const {
    mode,
    links,
    fit,
    evidence,
    keeps,
    among,
    without,
    asOf,
    readsPast,
    days,
    signal,
    typing = false,
    ...selection
  } = rest
  const question = ['search', query, mode, links, typing, selection, asOf, days]
  const offset = parseCursor(question, cursor)
  const wanted = Math.min(offset + limit, DEEPEST)
  const basisOf = keeps ? await beginBasis(kb) : undefined
  const found = await findPassages(kb, typing ? asBeginning(query) : query, {
    mode,
    links,
    selection,
    among,
    asOf,
    readsPast,
    days,
    signal,
    offset,
    limit: wanted - offset + (without === undefined ? 0 : 1),
  })
  const others = found.passages.filter(({ live }) => documentId(live.record) !== without)
  const passages = others.slice(0, wanted - offset)
  const best = confidence(found.ranking.hits[0])
  const matchesIn = matchesOf(found.ranking)
  const all = await inSlices(passages, (passage) =>
    present(kb, { ...found.ranking, matchesIn }, passage, best, snippetLength),
  )
  const hits = fit ? all.slice(0, fit(all)) : all
  const past = others.length < found.passages.length ? 1 : 0
  const end = (hits.length < all.length ? offset + hits.length : wanted) + past
  const more = found.ranking.hits.length > end && end < DEEPEST
  return {
    hits,
    evidence: evidence
      ? packEvidence(passages.slice(0, hits.length), found.ranking, matchesIn, evidence(hits))
      : [],
    relevant: found.relevant,
    mode: found.ranking.mode,
    nextCursor: more ? makeCursor(question, end) : undefined,
    notes: without === undefined ? found.notes : [],
    // What a note tells of may pass without a trace.
    ...(basisOf &&
      found.notes.length === 0 && {
        basis: basisOf(
          found.passages.map(({ live }) => live),
          found.turnsAt,
        ),
      }),
  }
}

/** `serv work` → `serv work*`: whoever types has not finished the last word. */
export function asBeginning(query: string): string {
  return /[\p{L}\p{N}]{2,}$/u.test(query) && !/["*]\S*$/.test(query) ? `${query}*` : query
}

/** What snippets need to know of the search. */
type Searched = Pick<Ranking, 'words' | 'languages'>

/** What a score of the best hit is worth, so that scores of different questions can be compared. */
function confidence(top: RankedDocument | undefined): number {
  if (!top || top.score <= 0) return 0
  const { coverage, similarity = 0, name } = top.signals
  if (name > 0) return 1 / top.score
  return Math.min(1, Math.max(coverage, similarity)) / top.score
}

function present(
  kb: View,
  ranking: Searched & { readonly matchesIn: MatchesIn },
  passage: FoundPassage,
  best: number,
  length: number,
): SearchHit {
  const { live, hit, chunk } = passage
  const { record } = live
  const from = chunk ? belowHeading(live, chunk) : 0
  const cut =
    chunk &&
    cutOut(
      live.text.slice(from, chunk.end),
      ranking,
      length,
      matchesFrom(ranking.matchesIn(passage, chunk), chunk, from),
    )
  const first = chunk && cut && hit.chunk !== undefined ? from + cut.first : undefined
  return {
    id: documentId(record),
    title: record.title,
    url: documentUrl(kb, record),
    document: record,
    score: best * hit.score,
    signals: hit.signals,
    snippet: cut?.text ?? '',
    marks: cut?.marks ?? [],
    line: chunk && first !== undefined ? lineAt(live.text, chunk, first) : undefined,
    lastLine: chunk && first !== undefined ? lastLine(live.text, chunk, first) : undefined,
    headingPath: chunk && cut ? headingsAt(chunk, from + cut.first) : [],
    lines: chunk && hit.chunk !== undefined ? [chunk.lineStart, chunk.lineEnd] : undefined,
    ...(passage.earlier !== undefined && { earlier: dayOf(passage.earlier) }),
  }
}

function dayOf(at: number | null): string {
  return at === null ? 'earlier' : new Date(at).toISOString().slice(0, 10)
}

function lineAt(text: string, chunk: Chunk, at: number): number {
  return chunk.lineStart + lineBreaks(text.slice(chunk.start, at))
}

/** Letters that an address takes in, about; a passage that is little longer is one to its end. */
const READ_ON = 600

function lastLine(text: string, chunk: Chunk, from: number): number {
  if (chunk.end - from <= READ_ON * 1.25) return chunk.lineEnd
  return Math.min(lineAt(text, chunk, from + READ_ON), chunk.lineEnd)
}

interface Cut {
  readonly text: string
  readonly marks: SearchHit['marks']
  /** Where in the passage the first match stands. */
  readonly first: number
}

/** The best part of a passage, as it is written, without what nobody sees of it. */
function cutOut(
  passage: string,
  { words, languages }: Searched,
  length: number,
  known: readonly Match[],
): Cut {
  const seen = withoutMarkup(passage)
  const inSeen =
    seen.text.length === passage.length
      ? known
      : known
          .map(({ start, end, word }) => ({ start: seen.to(start), end: seen.to(end), word }))
          .filter(({ start, end }) => start < end)
  const { start, end, matches } = snippet(seen.text, words, { length, languages, matches: inSeen })
  const before = start > 0 ? '… ' : ''
  const raw = seen.text.slice(start, end)
  const lead = raw.length - raw.trimStart().length
  const shift = before.length - start - lead
  const text = `${before}${readable(raw)}${end < seen.text.trimEnd().length ? ' …' : ''}`
  return {
    text,
    marks: matches.map((match) => [match.start + shift, match.end + shift] as const),
    first: seen.from(matches[0]?.start ?? start),
  }
}

/** Without blank space around. Inside, every letter stays in its place: marks count them. */
function readable(text: string): string {
  return text.trim()
}

function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
