/**
 * Cuts a document into passages: what search shows and what vectors describe.
 *
 * Passages follow the headings. Tiny sections join their neighbours as long as the shared heading
 * path still says where they stand; long ones are cut at paragraphs, else lines, sentences, words.
 */
import type { Chunk, CodeBlock, Heading, Trail } from '../domain/text.ts'
import { cutText } from '../kit/cut-text.ts'
import { atOnce } from '../kit/slices.ts'
import type { Steps } from '../kit/slices.ts'
import { lineAt } from './lines.ts'

export interface ChunkInput {
  readonly text: string
  readonly bodyStart: number
  /** Headings that divide the document, in order. */
  readonly headings: readonly Heading[]
  /** Code that is better kept in one piece, in order. */
  readonly codeBlocks: readonly CodeBlock[]
  readonly lineStarts: readonly number[]
}

/** Passages between two stops. */
const CHUNKS_AT_ONCE = 64

/** The length a passage should have, in UTF-16 units. */
const TARGET = 1200
/** Longer sections than this are cut, if a good place is found. */
const LONG = 1600
/** The length no passage exceeds. */
export const LONGEST_CHUNK = 2000
/** A section shorter than this says too little to stand alone. */
const TINY = 200
/** Every passage carries its headings: a paragraph taken for one must not be copied into all. */
const LONGEST_HEADING = 200

export function chunkDocument(input: ChunkInput): Chunk[] {
  return atOnce(chunking(input))
}

/** The same with a stop after every few passages. */
export function* chunking(input: ChunkInput): Steps<Chunk[]> {
  const { text, lineStarts } = input
  const chunks: Chunk[] = []
  const cuts = new CutFinder(text, input.codeBlocks)
  const sections = sectionsOf(input)
  yield
  const joined = joinTinySections(sections)
  let next = 0
  for (const { start, end, path } of joined) {
    for (const piece of splitLong(text, start, end, cuts)) {
      if (chunks.length % CHUNKS_AT_ONCE === 0) yield
      const trails: Trail[] = []
      for (; next < sections.length && sections[next]!.start < piece.end; next++) {
        const { start: at, path: own } = sections[next]!
        if (own.length > 0 && (trails.length > 0 || !isSame(own, path))) {
          trails.push({ at, path: own })
        }
      }
      chunks.push({
        ...piece,
        lineStart: lineAt(lineStarts, piece.start),
        lineEnd: lineAt(lineStarts, piece.end - 1),
        headingPath: path,
        ...(trails.length > 0 && { trails }),
      })
    }
  }
  return chunks
}

/** What a passage calls a heading it stands under. */
export function headingLabel({ text }: Heading): string {
  return cutText(text, LONGEST_HEADING)
}

interface Section {
  readonly start: number
  readonly end: number
  readonly path: readonly string[]
  /** The level of its outermost heading; 0 before the first. */
  readonly topLevel: number
  /** Nothing but headings so far. */
  readonly bare: boolean
}

/** From each heading to the next, without blank space around; empty ones are left out. */
function sectionsOf({ text, bodyStart, headings }: ChunkInput): Section[] {
  const sections: Section[] = []
  const above: Heading[] = []
  const add = (from: number, to: number, contentFrom: number): void => {
    const start = skipSpace(text, from, to)
    const end = trimSpace(text, start, to)
    if (start >= end) return
    const path = above.map(headingLabel).filter((text) => text !== '')
    const topLevel = above[0]?.level ?? 0
    sections.push({ start, end, path, topLevel, bare: contentFrom >= end })
  }
  add(bodyStart, headings[0]?.start ?? text.length, bodyStart)
  headings.forEach((heading, i) => {
    while (above.length > 0 && above[above.length - 1]!.level >= heading.level) above.pop()
    above.push(heading)
    add(heading.start, headings[i + 1]?.start ?? text.length, heading.end)
  })
  return sections
}

function joinTinySections(sections: readonly Section[]): Section[] {
  // Headings with nothing under them go first: they belong to what follows, never to what was.
  return joinNeighbours(joinNeighbours(sections, pathUnderBareHeading), joinedPath)
}

type PathOfTwo = (first: Section, second: Section) => readonly string[] | undefined

function joinNeighbours(sections: readonly Section[], pathOfTwo: PathOfTwo): Section[] {
  const joined: Section[] = []
  for (const section of sections) {
    const previous = joined.at(-1)
    const path = previous && pathOfTwo(previous, section)
    if (previous && path) {
      const { start, topLevel } = previous
      const bare = previous.bare && section.bare
      joined[joined.length - 1] = { start, end: section.end, path, topLevel, bare }
    } else joined.push(section)
  }
  return joined
}

function pathUnderBareHeading(first: Section, second: Section): readonly string[] | undefined {
  return first.bare && sharedLength(first, second) === first.path.length ? second.path : undefined
}

/**
 * The path of two neighbours as one passage, or undefined when they should stay apart. A tiny
 * section joins under the path of the larger one; two tiny ones take what their paths share.
 */
function joinedPath(first: Section, second: Section): readonly string[] | undefined {
  const firstTiny = first.end - first.start < TINY
  const secondTiny = second.end - second.start < TINY
  if ((!firstTiny && !secondTiny) || second.end - first.start > TARGET) return undefined
  // A few words before the first heading introduce what follows.
  if (firstTiny && first.path.length === 0) return second.path
  const shared = sharedLength(first, second)
  // A heading of the first level is a new subject, and cousins have too little in common.
  if (shared === 0 && second.topLevel === 1) return undefined
  if (shared < Math.min(first.path.length, second.path.length) - 1) return undefined
  if (firstTiny && secondTiny) return first.path.slice(0, shared)
  return firstTiny ? second.path : first.path
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}

function sharedLength(first: Section, second: Section): number {
  let shared = 0
  while (shared < first.path.length && first.path[shared] === second.path[shared]) shared++
  return shared
}

interface Piece {
  readonly start: number
  readonly end: number
}

function splitLong(text: string, from: number, to: number, cuts: CutFinder): Piece[] {
  const pieces: Piece[] = []
  let start = from
  while (to - start > LONG) {
    // Pieces of even length: no sentence or two left over at the end.
    const ideal = Math.ceil((to - start) / Math.ceil((to - start) / TARGET))
    const cut = cuts.find(start, to, ideal)
    pieces.push({ start, end: trimSpace(text, start, cut) })
    start = skipSpace(text, cut, to)
  }
  if (start < to) pieces.push({ start, end: to })
  return pieces
}

/** How good a place is for a cut; higher is better. */
const WORD = 1
const LINE_IN_CODE = 2
const CLAUSE_END = 3
const LINE = 4
const SENTENCE = 5
const PARAGRAPH = 6

class CutFinder {
  readonly #text: string
  readonly #code: readonly CodeBlock[]
  #nextCode = 0

  constructor(text: string, code: readonly CodeBlock[]) {
    this.#text = text
    this.#code = code
  }

  /** The best cut for a passage that begins at `start`: good in kind, and near the ideal length. */
  find(start: number, end: number, ideal: number): number {
    const text = this.#text
    const from = start + Math.floor(ideal / 2)
    const to = Math.min(start + LONGEST_CHUNK, end)
    let best = -1
    let bestScore = -1
    for (let at = from; at <= to; at++) {
      // From here on, not even the best kind of place would be near enough.
      if (at - start > ideal && PARAGRAPH - (at - start - ideal) / LONGEST_CHUNK <= bestScore) break
      // No cut at all is as good as one between paragraphs, if that is not too long.
      const kind = at === end ? PARAGRAPH : this.#kindAt(at)
      if (kind === 0) continue
      const distance = Math.abs(at - start - ideal) / LONGEST_CHUNK
      const score = kind - distance
      if (score > bestScore) {
        best = at
        bestScore = score
      }
    }
    if (best >= 0) return best
    const middle = start + ideal
    return isLowSurrogate(text.charCodeAt(middle)) ? middle - 1 : middle
  }

  /** What ends just before `at`. */
  #kindAt(at: number): number {
    const text = this.#text
    const before = text.charCodeAt(at - 1)
    if (before > 127) {
      if (FULL_WIDTH_ENDS.has(before)) return SENTENCE
      return FULL_WIDTH_PAUSES.has(before) ? CLAUSE_END : 0
    }
    if (before === 10) {
      if (this.#insideCode(at)) return LINE_IN_CODE
      return isBlankLineBehind(text, at) ? PARAGRAPH : LINE
    }
    if (before !== 32 && before !== 9 && before !== 13) return 0
    if (this.#insideCode(at)) return WORD
    const last = text.charCodeAt(at - 2)
    return last === 46 || last === 33 || last === 63 ? SENTENCE : WORD
  }

  /** Whether a code block spans this place. Questions mostly come in rising order. */
  #insideCode(at: number): boolean {
    const code = this.#code
    while (this.#nextCode > 0 && code[this.#nextCode - 1]!.end >= at) this.#nextCode--
    while (this.#nextCode < code.length && code[this.#nextCode]!.end < at) this.#nextCode++
    const block = code[this.#nextCode]
    return block !== undefined && block.start < at && at <= block.end
  }
}

/** Sentence ends of scripts that write no space behind them. */
const FULL_WIDTH_ENDS = new Set(Array.from('。！？｡।॥۔።', (mark) => mark.charCodeAt(0)))
const FULL_WIDTH_PAUSES = new Set(Array.from('、，；：､', (mark) => mark.charCodeAt(0)))

function isBlankLineBehind(text: string, at: number): boolean {
  let p = at
  while (p < text.length) {
    const code = text.charCodeAt(p)
    if (code === 10) return true
    if (code !== 32 && code !== 9 && code !== 13) return false
    p++
  }
  return true
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

const SPACE = /\s/

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : SPACE.test(text[at]!)
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(text, at)) at++
  return at
}

function trimSpace(text: string, from: number, to: number): number {
  let end = to
  while (end > from && isSpace(text, end - 1)) end--
  return end
}
