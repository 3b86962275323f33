/**
 * Post-filtering by time: passages that speak of some days, whatever the file's own time is.
 * Documents that may do so are known before they are ranked (what their front matter and names say,
 * and the years that stand in them as words); of the best of those, passages are read and chosen.
 * Loaded by who asks for it. docs/decisions/0108-days-that-passages-speak-of.md has the reasons.
 */
import { headingsAt } from '../../domain/document.ts'
import type { DocNo } from '../../domain/document.ts'
import type { Chunk } from '../../domain/text.ts'
import { invalid } from '../../domain/error.ts'
import { Slices } from '../../kit/slices.ts'
import type { DocSet } from '../../search/contract.ts'
import { docSet } from '../../search/doc-set.ts'
import { findMatches } from '../../search/find-matches.ts'
import { isRelevant } from '../../search/relevance.ts'
import { parseDay } from '../reading/parse-day.ts'
import type { Day } from '../reading/parse-day.ts'
import { chunksOf, readDocuments } from '../reading/read-document.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import { spanInHeadings, spansIn } from '../reading/said-when.ts'
import { selectDocuments } from '../reading/select-documents.ts'
import { spanOfDocument } from '../reading/when-of.ts'
import type { View } from '../view/view.ts'
import { parseMoment } from '../writing/parse-moment.ts'
import type { FoundPassage, FoundPassages, PassageRequest } from './find-passages.ts'
import { rankDocuments } from './rank-documents.ts'
import type { RankedDocument, Ranking } from './rank-documents.ts'

/** What is asked about; either end may be open. */
export interface Days {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** So many of the best are read. */
const MOST_READ = 300
const AT_ONCE = 20

export async function findPassagesOfDays(
  kb: View,
  query: string,
  request: PassageRequest,
  days: Days,
): Promise<FoundPassages> {
  const { selection, mode, links, offset = 0, limit, signal } = request
  const span = spanOfDays(days)
  const chosen = request.among ?? (await selectDocuments(kb, selection))
  const filter = await maySpeakOf(kb, span, chosen, signal)
  const ranking = await rankDocuments(kb, query, { limit: MOST_READ + 1, filter, mode, links })
  const hits = ranking.hits.slice(0, MOST_READ)
  const found: FoundPassage[] = []
  const slices = new Slices()
  for (let at = 0; at < hits.length; at += AT_ONCE) {
    signal?.throwIfAborted()
    const some = new Map(hits.slice(at, at + AT_ONCE).map((hit) => [hit.doc, hit]))
    const lives = await readDocuments(kb, [...some.keys()])
    const chunks = await chunksOf(kb, lives)
    for (const live of lives) {
      if (slices.over) await slices.pause()
      const hit = some.get(live.record.no)!
      const passage = inSpan(live, { hit, chunks: chunks.get(live) ?? [], span, ranking })
      if (passage) found.push(passage)
    }
  }
  const inOrder = found.toSorted((a, b) => b.hit.score - a.hit.score)
  const passages = inOrder.slice(offset, offset + limit)
  return {
    passages,
    relevant: inOrder.slice(0, 10).some(({ hit }) => isRelevant(hit.signals, ranking)),
    notes: [
      'Dates in the text, its headings, front matter and names count, not those of files.',
      ...(ranking.hits.length > MOST_READ
        ? [`Only the best ${MOST_READ} documents were looked at; more words narrow them.`]
        : []),
    ],
    turnsAt: Infinity,
    ranking: { ...ranking, hits: inOrder.map(({ hit }) => hit) },
  }
}

/** From the beginning of the one to the end of the other. */
function spanOfDays({ since, until }: Days, now = Date.now()): Day {
  const span = {
    from: since === undefined ? -Infinity : spanNamed(since, now, 'since').from,
    to: until === undefined ? Infinity : spanNamed(until, now, 'until').to,
  }
  if (span.from < span.to) return span
  throw invalid('since is later than until.', 'Change them over: since is where the time begins.')
}

function spanNamed(text: string, now: number, name: string): Day {
  const day = parseDay(text, now)
  if (day) return day
  const at = parseMoment(text, now, name)
  return { from: at, to: at + 1 }
}

function meets(span: Day, { from, to }: Day): boolean {
  return from < span.to && to > span.from
}

const RECORDS_AT_ONCE = 2_000
/** Of more years than these, nearly every document has one. */
const MOST_YEARS = 30
/** What is still to come is written about for so long ahead. */
const YEARS_TO_COME = 10
/** So many documents are listed by their years; where there are more, all are looked at. */
const MOST_WITH_YEARS = 20_000

/** Who may speak of these days; undefined where that leaves nobody out. */
async function maySpeakOf(
  kb: View,
  span: Day,
  chosen: DocSet | undefined,
  signal: AbortSignal | undefined,
): Promise<DocSet | undefined> {
  const withYears = await sayingYears(kb, span, chosen)
  if (!withYears) return chosen
  const docs = new Set(withYears)
  const order = await kb.store.pathOrder()
  const slices = new Slices()
  for (let at = 0; at < order.length; at += RECORDS_AT_ONCE) {
    signal?.throwIfAborted()
    const some = [...order.subarray(at, at + RECORDS_AT_ONCE)]
    const open = some.filter((doc) => !docs.has(doc) && (chosen?.has(doc) ?? true))
    for (const record of await kb.store.documents(open)) {
      if (slices.over) await slices.pause()
      const day = record && spanOfDocument(record)
      if (day && meets(span, day)) docs.add(record.no)
    }
  }
  return docSet(Uint32Array.from(docs))
}

/** Documents with one of the years as a word; undefined where these are too many to say anything. */
async function sayingYears(
  kb: View,
  { from, to }: Day,
  chosen: DocSet | undefined,
): Promise<readonly DocNo[] | undefined> {
  if (!Number.isFinite(from)) return undefined
  const first = new Date(from).getUTCFullYear()
  const last = Number.isFinite(to)
    ? new Date(to - 1).getUTCFullYear()
    : Math.max(first, new Date().getUTCFullYear() + YEARS_TO_COME)
  if (last - first >= MOST_YEARS) return undefined
  const years = Array.from({ length: last - first + 1 }, (_, at) => `${first + at}`)
  const filter = chosen ?? (await kb.documents())
  const lexical = await (await kb.index.look()).lexical()
  const { hits } = await lexical.search(years.join(' '), { limit: MOST_WITH_YEARS, filter })
  return hits.length < MOST_WITH_YEARS ? hits.map(({ doc }) => doc) : undefined
}

/** Its best passage of those that speak of the days, in proportion to the best of all. */
function inSpan(
  live: LiveDocument,
  {
    hit,
    chunks,
    span,
    ranking,
  }: {
    readonly hit: RankedDocument
    readonly chunks: readonly Chunk[]
    readonly span: Day
    readonly ranking: Ranking
  },
): FoundPassage | undefined {
  const all = chunks.flatMap((chunk) => sectionsOf(chunk, live.text))
  const speaking = all.filter((each) => speaksOf(live, each, span))
  if (speaking.length === 0) return undefined
  const share = shareIn(ranking, live)
  const best = bestOf(speaking, share)
  const top = chunks[Math.min(hit.chunk ?? 0, chunks.length - 1)]
  const whole = top ? share(top) : 0
  const has = share(best)
  // Where only the title has the words, every passage is as good as any other.
  const score = whole > 0 ? hit.score * Math.min(1, has / whole) : hit.score
  if (score === 0) return undefined
  const signals = { ...hit.signals, total: score }
  const chunk = speaking.indexOf(best)
  return { hit: { ...hit, score, chunk, signals }, live, chunks: speaking, chunk: best }
}

function bestOf(chunks: readonly Chunk[], share: (chunk: Chunk) => number): Chunk {
  let [best, most] = [chunks[0]!, -1]
  for (const chunk of chunks) {
    const has = share(chunk)
    if (has > most) [best, most] = [chunk, has]
  }
  return best
}

/** Short sections share a passage, and may be of several days. */
function sectionsOf(chunk: Chunk, text: string): readonly Chunk[] {
  const { trails = [], ...whole } = chunk
  if (trails.length === 0) return [chunk]
  const starts = [chunk.start, ...trails.map(({ at }) => at).filter((at) => at > chunk.start)]
  let line = chunk.lineStart
  return starts.map((start, place): Chunk => {
    const end = starts[place + 1] ?? chunk.end
    const lines = text.slice(start, end).replace(/\n+$/u, '').split('\n').length
    const section = {
      ...whole,
      start,
      end,
      lineStart: line,
      lineEnd: line + lines - 1,
      headingPath: headingsAt(chunk, start),
    }
    line += text.slice(start, end).split('\n').length - 1
    return section
  })
}

/** What stands in it comes first, and what it stands under counts as well. */
function speaksOf({ text, record }: LiveDocument, chunk: Chunk, span: Day): boolean {
  const under = spanInHeadings(chunk.headingPath) ?? spanOfDocument(record)
  if (under && meets(span, under)) return true
  return spansIn(text.slice(chunk.start, chunk.end)).some((day) => meets(span, day))
}

function shareIn({ words, languages }: Ranking, { text }: LiveDocument): (chunk: Chunk) => number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  return ({ start, end }) => {
    const has = new Set(
      findMatches(text.slice(start, end), words, languages).map(({ word }) => word),
    )
    return [...has].reduce((sum, word) => sum + words[word]!.weight, 0) / total
  }
}
