/** Which passages are worth reading for this question? What search shows and `ask` answers from. */
import type { Chunk } from '../../domain/text.ts'
import { findMatches } from '../../search/find-matches.ts'
import type { DocSet } from '../../search/contract.ts'
import type { Match } from '../../search/find-matches.ts'
import { isNearMiss, isRelevant } from '../../search/relevance.ts'
import type { View } from '../view/view.ts'
import type { Days } from './passages-of-days.ts'
import { FIRST, asksForNow } from './time-words.ts'
import { rankDocuments } from './rank-documents.ts'
import type { RankedDocument, Ranking, SearchMode } from './rank-documents.ts'
import { momentAt } from '../reading/when-of.ts'
import type { Moment } from '../reading/when-of.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import { readFound } from './read-found.ts'
import type { ReadFound } from './read-found.ts'
import { selectDocuments } from '../reading/select-documents.ts'
import type { Selection } from '../reading/select-documents.ts'

export interface PassageRequest {
  readonly selection: Selection
  /** These documents, in place of a selection. */
  readonly among?: DocSet | undefined
  readonly mode?: SearchMode
  readonly links?: boolean
  readonly offset?: number
  readonly limit: number
  /** For who looks further down the ranking than passages are wanted. */
  readonly ranked?: number
  /** As the notes stood then: a moment, or the end of a day, a month or a year. */
  readonly asOf?: string | undefined
  /** Who asks may read the past: history may say which of two sentences came later. */
  readonly readsPast?: boolean | undefined
  /** Only passages that speak of these days; the time of their file does not count. */
  readonly days?: Days | undefined
  /** Ends the reading of the past, which takes long, when nobody waits for it. */
  readonly signal?: AbortSignal | undefined
}

/** One document of the ranking as its file is now, and the passage that was found in it. */
export interface FoundPassage {
  readonly hit: RankedDocument
  readonly live: LiveDocument
  /** All passages of the document. */
  readonly chunks: readonly Chunk[]
  /** Undefined for a document without text. */
  readonly chunk: Chunk | undefined
  /** Others say it later: since when this was said, or `null` where nobody knows. */
  readonly earlier?: number | null
  /** It says later what others said earlier: where, and whether a person told an assistant. */
  readonly latest?: { readonly byPerson: boolean; readonly start: number; readonly end: number }
}

export interface FoundPassages {
  readonly passages: readonly FoundPassage[]
  /** False: no document has these words together or means the same; the passages are the nearest. */
  readonly relevant: boolean
  /** Remarks on how the question was understood. */
  readonly notes: readonly string[]
  /** When what holds now may be another, though no file has changed. */
  readonly turnsAt: number
  /** The ranking itself, one document beyond what was asked for, so that one sees whether it goes on. */
  readonly ranking: Ranking
}

/** One of so many must be relevant. */
const LOOKED_AT = 10

export async function findPassages(
  kb: View,
  query: string,
  request: PassageRequest,
): Promise<FoundPassages> {
  const { selection, among, mode, links, offset = 0, limit, ranked = LOOKED_AT } = request
  const { asOf, readsPast } = request
  if (request.days) {
    const { findPassagesOfDays } = await import('./passages-of-days.ts')
    return findPassagesOfDays(kb, query, request, request.days)
  }
  if (asOf !== undefined) {
    const { findPassagesThen } = await import('./passages-then.ts')
    return findPassagesThen(kb, query, request, asOf)
  }
  const end = offset + limit
  // The first few change places among themselves, whatever page is asked for.
  const now = offset < FIRST && asksForNow(query) ? momentAt(Date.now()) : undefined
  const ranking = await rankDocuments(kb, query, {
    limit: Math.max(end + 1, ranked),
    filter: among ?? (isEverything(selection) ? undefined : await selectDocuments(kb, selection)),
    mode,
    links,
  })
  const page = now ? ranking.hits.slice(0, Math.max(end, FIRST)) : ranking.hits.slice(offset, end)
  const read = await readFound(
    kb,
    page.map(({ doc }) => doc),
  )
  const found: FoundPassage[] = []
  // In the order of the page; a document may have gone since the index was read, with its hit.
  let next = 0
  for (const hit of page) {
    const each = read[next]
    if (each?.live.record.no !== hit.doc) continue
    found.push(passageOf(each, hit))
    next++
  }
  const inLine = now && (await laterOf(kb, found, { query, ranking, now, readsPast }))
  const passages = inLine?.slice(offset, end) ?? found
  const best = ranking.hits.slice(0, LOOKED_AT).map(({ signals }) => signals)
  return {
    passages,
    relevant:
      passages.length > 0 &&
      best.some((signals) => isRelevant(signals, ranking)) &&
      !isNearMiss(query, ranking.words, best, ranking),
    notes: notesOn(ranking, page.length - found.length),
    turnsAt: now?.turnsAt ?? Infinity,
    ranking,
  }
}

interface AskedNow {
  readonly query: string
  readonly ranking: Ranking
  readonly now: Moment
  readonly readsPast: boolean | undefined
}

async function laterOf(
  kb: View,
  found: readonly FoundPassage[],
  { query, ranking, now, readsPast }: AskedNow,
): Promise<readonly FoundPassage[]> {
  // Loaded by the first who asks for what holds now.
  const { laterFirst, undatedRivals } = await import('./later-first.ts')
  const asked = { ...ranking, question: query }
  const rivals = readsPast ? undatedRivals(found, asked, now) : []
  if (rivals.length < 2) return laterFirst(found, asked, now)
  const { historiesOf } = await import('./histories-of.ts')
  // What history says is told to some, and given to nobody a second time.
  now.turnsAt = now.at
  return laterFirst(found, asked, now, await historiesOf(kb, rivals))
}

function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((chosen) => chosen === undefined)
}

/** The passage of the hit; in a file that changed since it was indexed, the same place in it. */
function passageOf({ live, chunks }: ReadFound, hit: RankedDocument): FoundPassage {
  return { hit, live, chunks, chunk: chunks[Math.min(hit.chunk ?? 0, chunks.length - 1)] }
}

/** Where a passage begins below its heading, which is shown by itself, as the title is. */
export function belowHeading(
  { text, record }: LiveDocument,
  { start, end, headingPath }: Chunk,
): number {
  const [lines, heading] = /^#{1,6} ([^\n]*)\n\s*/.exec(text.slice(start, end)) ?? ['', '']
  const shown = [record.title, headingPath.at(-1)].includes(heading?.trim())
  return shown && start + lines.length < end ? start + lines.length : start
}

function notesOn(
  { truncated, relaxed, withoutMeaning }: Ranking,
  unreadable: number,
): readonly string[] {
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

export type Asked = Pick<Ranking, 'words' | 'languages'>

/** Where a passage has the words of its question; offsets are positions in it. */
export type MatchesIn = (found: Pick<FoundPassage, 'live'>, chunk: Chunk) => readonly Match[]

/** Each passage is read once. */
export function matchesOf({ words, languages }: Asked): MatchesIn {
  const read = new Map<Chunk, readonly Match[]>()
  return ({ live: { text } }, chunk) => {
    let matches = read.get(chunk)
    if (!matches) {
      matches = findMatches(text.slice(chunk.start, chunk.end), words, languages)
      read.set(chunk, matches)
    }
    return matches
  }
}

/** The same as places in what begins at `from` in the text. */
export function matchesFrom(
  matches: readonly Match[],
  chunk: Chunk,
  from: number,
): readonly Match[] {
  const shift = from - chunk.start
  if (shift === 0) return matches
  return matches
    .filter(({ start }) => start >= shift)
    .map(({ start, end, word }) => ({ start: start - shift, end: end - shift, word }))
}
