/** The part of a passage that shows best why it was found, with the matches marked. */
import type { Language } from './analysis/languages/language.ts'
import { findMatches } from './find-matches.ts'
import type { Match } from './find-matches.ts'
import type { MatchedWord } from './lexical-index.ts'

/** Offsets are positions in the passage, `end` is exclusive. */
export interface Snippet {
  readonly start: number
  readonly end: number
  readonly matches: readonly { readonly start: number; readonly end: number }[]
}

export interface SnippetOptions {
  /** About how many characters. */
  readonly length?: number
  /** As in the search result. */
  readonly languages?: readonly Language[]
  /** Where the words stand, where somebody has looked already. */
  readonly matches?: readonly Match[]
}

const DEFAULT_LENGTH = 240

/** The best window of about `length` characters; the passage's beginning when nothing matches. */
export function snippet(
  passage: string,
  words: readonly MatchedWord[],
  { length = DEFAULT_LENGTH, languages = ['english'], matches: known }: SnippetOptions = {},
): Snippet {
  const matches = known ?? findMatches(passage, words, languages)
  const [from, to] = bestWindow(matches, words, length)
  const first = matches[from]
  const last = matches[to]
  const needed = first && last ? { start: first.start, end: last.end } : { start: 0, end: 0 }
  const { start, end } = widen(passage, needed, length)
  const inside = matches.filter((match) => match.start >= start && match.end <= end)
  return { start, end, matches: joinOverlaps(inside) }
}

/** The run of matches within `length` whose distinct words weigh most; the first among equals. */
function bestWindow(
  matches: readonly Match[],
  words: readonly MatchedWord[],
  length: number,
): [first: number, last: number] {
  let [from, to] = [0, 0]
  let bestWeight = -1
  const counts = new Map<number, number>()
  let weight = 0
  let first = 0
  for (let last = 0; last < matches.length; last++) {
    const match = matches[last]!
    const count = counts.get(match.word) ?? 0
    counts.set(match.word, count + 1)
    // A repeated word adds a little, so that a denser window wins over a thinner one.
    weight += words[match.word]!.weight * (count === 0 ? 1 : REPEAT_SHARE)
    while (match.end - matches[first]!.start > length && first < last) {
      const dropped = matches[first++]!
      const left = (counts.get(dropped.word) ?? 1) - 1
      counts.set(dropped.word, left)
      weight -= words[dropped.word]!.weight * (left === 0 ? 1 : REPEAT_SHARE)
    }
    if (weight > bestWeight + 1e-9) {
      bestWeight = weight
      from = first
      to = last
    }
  }
  return [from, to]
}

const REPEAT_SHARE = 0.1

/** Fills the window up on both sides, to the edges of words. */
function widen(
  passage: string,
  needed: { start: number; end: number },
  length: number,
): { start: number; end: number } {
  const spare = Math.max(0, length - (needed.end - needed.start))
  // A little before the first match is context enough; the rest reads on behind.
  let start = Math.max(0, needed.start - Math.floor(spare / 3))
  let end = Math.min(passage.length, start + Math.max(length, needed.end - start))
  start = Math.max(0, Math.min(start, end - length))
  if (start > 0) start = nextEdge(passage, start, needed.start)
  if (end < passage.length) end = lastEdge(passage, end, Math.max(needed.end, start + 1))
  return { start, end }
}

/** The first word that begins at or after `from`, but not behind `limit`. */
function nextEdge(text: string, from: number, limit: number): number {
  let i = from
  while (i < limit && !isSpace(text, i - 1)) i++
  while (i < limit && isSpace(text, i)) i++
  return i < limit ? i : limit
}

/** The end of the last word that ends at or before `from`; a script without spaces is cut there. */
function lastEdge(text: string, from: number, limit: number): number {
  let i = from
  while (i > limit && !isSpace(text, i)) i--
  while (i > limit && isSpace(text, i - 1)) i--
  return i > limit ? i : isLowSurrogate(text, from) ? from - 1 : from
}

function isSpace(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000
}

function isLowSurrogate(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  return code >= 0xdc00 && code <= 0xdfff
}

/** Pairs of characters overlap; what overlaps or touches is one match to the eye. */
function joinOverlaps(matches: readonly Match[]): { start: number; end: number }[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of matches) {
    const last = joined.at(-1)
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}
