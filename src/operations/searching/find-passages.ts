/** Which passages are worth reading for this question? What search shows and `ask` answers from. */
import { onePer } from '../../domain/one-per.ts'
import type { Chunk } from '../../domain/text.ts'
import { headingTrail } from '../../parsing/chunk.ts'
import { isRelevant } from '../../search/relevance.ts'
import { stampsOf } from '../view/one-look.ts'
import type { View } from '../view/view.ts'
import { rankSelected } from './known-rankings.ts'
import type { RankedDocument, Ranking, SearchMode } from './rank-documents.ts'
import { recallDocuments } from '../reading/known-documents.ts'
import type { KnownDocument } from '../reading/known-documents.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import type { Selection } from '../reading/select-documents.ts'

export interface PassageRequest {
  readonly selection: Selection
  readonly mode?: SearchMode
  readonly links?: boolean
  readonly offset?: number
  readonly limit: number
  /** For who looks further down the ranking than passages are wanted. */
  readonly ranked?: number
}

/** One document of the ranking as its file is now, and the passage that was found in it. */
export interface FoundPassage extends KnownDocument {
  readonly hit: RankedDocument
  /** Undefined for a document without text. */
  readonly chunk: Chunk | undefined
}

export interface FoundPassages {
  readonly passages: readonly FoundPassage[]
  /** False: no document has these words together or means the same; the passages are the nearest. */
  readonly relevant: boolean
  /** Remarks on how the question was understood. */
  readonly notes: readonly string[]
  /** The ranking itself, one document beyond what was asked for, so that one sees whether it goes on. */
  readonly ranking: Ranking
}

/** One of so many must be relevant. */
const LOOKED_AT = 10

export async function findPassages(
  kb: View,
  query: string,
  { selection, mode, links, offset = 0, limit, ranked = LOOKED_AT }: PassageRequest,
): Promise<FoundPassages> {
  const end = offset + limit
  const stamps = await stampsOf(kb.base.store)
  const ranking = await rankSelected(kb, query, {
    stamps,
    limit: Math.max(end + 1, ranked),
    selection,
    mode,
    links,
  })
  const page = ranking.hits.slice(offset, end)
  const found = await recallDocuments(
    kb,
    page.map(({ doc }) => doc),
    stamps,
  )
  // A document may have gone since the index was read; its hit goes with it.
  const byNo = new Map(found.map((document) => [document.live.record.no, document]))
  const passages = page.flatMap((hit): FoundPassage[] => {
    const document = byNo.get(hit.doc)
    return document ? [passageOf(document, hit)] : []
  })
  return {
    passages,
    relevant:
      passages.length > 0 &&
      ranking.hits.slice(0, LOOKED_AT).some(({ signals }) => isRelevant(signals, ranking)),
    notes: notesOn(ranking, page.length - passages.length),
    ranking,
  }
}

/** The passage of the hit; in a file that changed since it was indexed, the same place in it. */
function passageOf(document: KnownDocument, hit: RankedDocument): FoundPassage {
  const { chunks } = document
  return { ...document, hit, chunk: chunks[Math.min(hit.chunk ?? 0, chunks.length - 1)] }
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

/** Short sections share a passage; the heading that matters is the last one before a place in it. */
export function headingsAt(
  kb: View,
  { record: { path }, text, digest }: LiveDocument,
  chunk: Chunk,
  at: number,
): readonly string[] {
  // A passage of code is a symbol, or a part of one.
  if (!kb.formatOf(path).edits.sections) return chunk.headingPath
  const known = trailsOf(chunk)
  // The text may be another one than the passage was cut from.
  const place = `${digest} ${at}`
  let trail = known.get(place)
  if (!trail) known.set(place, (trail = trailAt(kb, { path, text }, chunk, at)))
  return trail
}

/** By places in a passage, the headings above them: passages are found again for other questions. */
const trailsOf = onePer<Chunk, Map<string, readonly string[]>>(() => new Map())

function trailAt(
  kb: View,
  { path, text }: { readonly path: string; readonly text: string },
  chunk: Chunk,
  at: number,
): readonly string[] {
  const passage = text.slice(chunk.start, chunk.end)
  const own = chunk.headingPath.at(-1)
  if (!mayHaveOtherHeading(passage, at - chunk.start, own)) return chunk.headingPath
  if (at > FAR_DOWN) return chunk.headingPath
  // What comes later changes nothing about it, but for the line that may underline this one.
  const underlined = text.indexOf('\n', text.indexOf('\n', at) + 1)
  const end = underlined < at ? text.length : underlined
  return headingTrail(kb.formatOf(path).parse(text.slice(0, end), path).document.headings, at)
}

/** Further down in a very long text, what the passage was indexed under has to do. */
const FAR_DOWN = 200_000

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
