/**
 * Cuts a source file into passages that follow its syntax: a function or class with its comment is
 * one passage, small neighbours share one, long ones are cut between members, else between lines.
 */
import type { Chunk } from '../../domain/text.ts'
import { LONGEST_CHUNK } from '../chunk.ts'
import { lineAt } from '../lines.ts'
import type { PlacedSymbol } from './nest-symbols.ts'

/** The length a passage should have. */
const TARGET = 1_200
/** What is shorter joins its neighbour. */
const SMALL = 400

export function chunkCode(
  text: string,
  symbols: readonly PlacedSymbol[],
  lineStarts: readonly number[],
): Chunk[] {
  const pieces = joinSmall(
    cutBetween(symbols, 0, text.length, []).flatMap((piece) => cutLong(text, piece, lineStarts)),
  )
  return pieces.flatMap(({ start, end, path }) => {
    const trimmed = text.slice(start, end).trimEnd().length
    const lead = text.slice(start, end).search(/\S/)
    if (lead < 0) return []
    // A line is shown whole, with its indentation.
    const from = text.lastIndexOf('\n', start + lead - 1) + 1
    const begin = Math.max(start, from)
    return [
      {
        start: begin,
        end: start + trimmed,
        lineStart: lineAt(lineStarts, begin),
        lineEnd: lineAt(lineStarts, start + trimmed - 1),
        headingPath: path,
      },
    ]
  })
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly path: readonly string[]
}

/** One piece for each symbol and for what stands between; too long a symbol is cut at its members. */
function cutBetween(
  symbols: readonly PlacedSymbol[],
  from: number,
  to: number,
  path: readonly string[],
): Piece[] {
  const pieces: Piece[] = []
  let at = from
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i]!
    if (symbol.start < at) continue
    const inside: PlacedSymbol[] = []
    while (i + 1 < symbols.length && symbols[i + 1]!.start < symbol.end) inside.push(symbols[++i]!)
    if (symbol.start > at) pieces.push({ start: at, end: symbol.start, path })
    const own = symbol.qualifiedName.split('.')
    const end = Math.min(to, Math.max(symbol.end, symbol.start + 1))
    if (end - symbol.start > LONGEST_CHUNK && inside.length > 0) {
      pieces.push(...cutBetween(inside, symbol.start, end, own))
    } else {
      pieces.push({ start: symbol.start, end, path: own })
    }
    at = end
  }
  if (at < to) pieces.push({ start: at, end: to, path })
  return pieces
}

/** Cuts at blank lines where it can, else at any line; within a line only when it is a giant. */
function cutLong(text: string, piece: Piece, lineStarts: readonly number[]): Piece[] {
  const pieces: Piece[] = []
  let { start } = piece
  while (piece.end - start > LONGEST_CHUNK) {
    const cut = cutPlace(text, start, lineStarts)
    pieces.push({ ...piece, start, end: cut })
    start = cut
  }
  pieces.push({ ...piece, start })
  return pieces
}

function cutPlace(text: string, start: number, lineStarts: readonly number[]): number {
  let best = -1
  let bestScore = -Infinity
  for (let line = lineAt(lineStarts, start); line < lineStarts.length; line++) {
    const at = lineStarts[line]!
    if (at - start > LONGEST_CHUNK) break
    const blank = text.slice(lineStarts[line - 1], at).trim() === ''
    const score = (blank ? TARGET / 2 : 0) - Math.abs(at - start - TARGET)
    if (score > bestScore) {
      best = at
      bestScore = score
    }
  }
  if (best > start) return best
  const hard = start + LONGEST_CHUNK
  const low = text.charCodeAt(hard)
  return low >= 0xdc00 && low <= 0xdfff ? hard - 1 : hard
}

function joinSmall(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    const small = last && (last.end - last.start < SMALL || piece.end - piece.start < SMALL)
    if (last && small && piece.end - last.start <= TARGET) {
      joined[joined.length - 1] = {
        start: last.start,
        end: piece.end,
        path: sharedPath(last, piece),
      }
    } else joined.push(piece)
  }
  return joined
}

/** The larger one's when the other says little; else what both have in common. */
function sharedPath(a: Piece, b: Piece): readonly string[] {
  const [large, small] = a.end - a.start >= b.end - b.start ? [a, b] : [b, a]
  if (small.path.length === 0 || (small.end - small.start) * 4 < large.end - large.start) {
    return large.path
  }
  let shared = 0
  while (shared < a.path.length && a.path[shared] === b.path[shared]) shared++
  return a.path.slice(0, shared)
}
