/** Where the passages of one search have the words of its question: each is read once. */
import type { Chunk } from '../../domain/text.ts'
import { findMatches } from '../../search/find-matches.ts'
import type { Match } from '../../search/find-matches.ts'
import type { FoundPassage } from './find-passages.ts'
import type { Ranking } from './rank-documents.ts'

export type Asked = Pick<Ranking, 'words' | 'languages'>

/** Offsets are positions in the passage. */
export type MatchesIn = (found: Pick<FoundPassage, 'live'>, chunk: Chunk) => readonly Match[]

export function openMatches({ words, languages }: Asked): MatchesIn {
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
