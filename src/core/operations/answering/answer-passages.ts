/** The passages a question is answered from: numbered, bounded, each with its place in a file. */
import { documentId, headingsAt } from '../../domain/document.ts'
import type { Chunk } from '../../domain/text.ts'
import { lineStartsOf } from '../../parsing/lines.ts'
import { documentUrl } from '../reading/document-url.ts'
import type { FoundPassage } from '../searching/find-passages.ts'
import type { View } from '../view/view.ts'
import { estimateTokens } from '../reading/tokens.ts'

export interface AnswerPassage {
  /** Place among the sources, from 1. */
  readonly number: number
  readonly found: FoundPassage
  /** The part of the file that may be quoted. */
  readonly start: number
  readonly end: number
}

/** A part of a passage, by its place in the file. */
export interface Quoted {
  readonly passage: AnswerPassage
  readonly start: number
  readonly end: number
}

/** What a reader needs to find a quote: every letter of it stands in the file at these lines. */
export interface Citation {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly headingPath: readonly string[]
  readonly lines: readonly [number, number]
  readonly quote: string
  /** Of the file that was quoted. */
  readonly digest: string
}

/** What stands around the passage that was found often holds the other half of the answer. */
const NEIGHBOURS = 1

/** One passage per document. Each may take an equal share of the budget. */
export function numberPassages(
  found: readonly FoundPassage[],
  maxTokens: number,
): readonly AnswerPassage[] {
  const share = maxTokens / Math.max(1, found.length)
  return found.flatMap((each, index) => {
    if (!each.chunk) return []
    return [{ number: index + 1, found: each, ...windowOf(each, each.chunk, share) }]
  })
}

/** The passage, with the next and the one before it as far as they fit. */
function windowOf({ live, chunks }: FoundPassage, chunk: Chunk, maxTokens: number) {
  const at = chunks.indexOf(chunk)
  const tokensOf = ({ start, end }: Chunk) => estimateTokens(live.text.slice(start, end))
  let left = maxTokens - tokensOf(chunk)
  let { start, end } = chunk
  // A single passage above its share is cut; chunks are far smaller unless a line is very long.
  if (left < 0) end = Math.min(end, start + Math.floor(maxTokens * 3))
  for (let step = 1; step <= NEIGHBOURS && left > 0; step++) {
    for (const neighbour of [chunks[at + step], chunks[at - step]]) {
      const tokens = neighbour ? tokensOf(neighbour) : Infinity
      if (!neighbour || tokens > left) continue
      left -= tokens
      start = Math.min(start, neighbour.start)
      end = Math.max(end, neighbour.end)
    }
  }
  return { start, end }
}

export function textOf({ found, start, end }: AnswerPassage): string {
  return found.live.text.slice(start, end)
}

/** The passage of the file that a place belongs to. */
export function chunkAt({ chunks }: FoundPassage, at: number): Chunk | undefined {
  return chunks.findLast(({ start }) => start <= at)
}

export function citationOf(kb: View, { passage, start, end }: Quoted): Citation {
  const { live } = passage.found
  const { record, text, digest } = live
  const chunk = chunkAt(passage.found, start)
  const first = lineOf(text, chunk, start)
  const quote = text.slice(start, end)
  return {
    id: documentId(record),
    title: record.title,
    url: documentUrl(kb, record),
    headingPath: chunk ? headingsAt(chunk, start) : [],
    lines: [first, first + lineStartsOf(quote).length - 1],
    quote,
    digest,
  }
}

/** Counted from the beginning of the passage: files may be long. */
function lineOf(text: string, chunk: Chunk | undefined, at: number): number {
  const { start, lineStart } = chunk ?? { start: 0, lineStart: 1 }
  return lineStart + lineStartsOf(text.slice(start, at)).length - 1
}
