/** Where a passage of a document has the words of a question; read once where that is remembered. */
import type { Chunk } from '../../domain/text.ts'
import { findMatches, findMatchesAgain } from '../../search/find-matches.ts'
import type { Match } from '../../search/find-matches.ts'
import type { FoundPassage } from './find-passages.ts'
import type { Ranking } from './rank-documents.ts'

/** Offsets are positions in the passage, or in what begins at `from` in the text. */
export function matchesIn(
  { live: { text }, kept }: Pick<FoundPassage, 'live' | 'kept'>,
  chunk: Chunk,
  { words, languages }: Pick<Ranking, 'words' | 'languages'>,
  from = chunk.start,
): readonly Match[] {
  const passage = (): string => text.slice(chunk.start, chunk.end)
  const matches = kept
    ? findMatchesAgain(chunk, passage, words, languages)
    : findMatches(passage(), words, languages)
  const shift = from - chunk.start
  if (shift === 0) return matches
  return matches
    .filter(({ start }) => start >= shift)
    .map((match) => ({ ...match, start: match.start - shift, end: match.end - shift }))
}
