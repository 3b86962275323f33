/** Where a passage of a document has the words of a question. What was read of it is remembered. */
import type { Chunk } from '../../domain/text.ts'
import { findMatchesAgain } from '../../search/find-matches.ts'
import type { Match } from '../../search/find-matches.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import type { Ranking } from './rank-documents.ts'

/** Offsets are positions in the passage, or in what begins at `from` in the text. */
export function matchesIn(
  { text }: Pick<LiveDocument, 'text'>,
  chunk: Chunk,
  { words, languages }: Pick<Ranking, 'words' | 'languages'>,
  from = chunk.start,
): readonly Match[] {
  const passage = (): string => text.slice(chunk.start, chunk.end)
  const matches = findMatchesAgain(chunk, passage, words, languages)
  const shift = from - chunk.start
  if (shift === 0) return matches
  return matches
    .filter(({ start }) => start >= shift)
    .map((match) => ({ ...match, start: match.start - shift, end: match.end - shift }))
}
