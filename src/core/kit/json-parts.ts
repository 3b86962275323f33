/** JSON of a long answer, part by part: written down at once it would keep everybody waiting. */
import { Slices } from './slices.ts'

/** Lists of so many are written item by item. */
const MANY = 1_000
/** Long lists stand near the top of an answer. */
const DEEPEST = 4
/** About so many characters make a part. */
const PART_CHARACTERS = 64 * 1024

/** Together they are what `JSON.stringify` makes of the value. */
export function* jsonParts(value: unknown): Generator<string, void, undefined> {
  let part = ''
  for (const piece of pieces(value, DEEPEST)) {
    part += piece
    if (part.length < PART_CHARACTERS) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}

/** The same in one piece; others are served in between where it is long. */
export async function jsonInSlices(value: unknown): Promise<string> {
  const slices = new Slices()
  const parts: string[] = []
  for (const part of jsonParts(value)) {
    parts.push(part)
    if (slices.over) await slices.pause()
  }
  return parts.join('')
}

function* pieces(value: unknown, depth: number): Generator<string, void, undefined> {
  if (typeof value === 'string' && value.length > PART_CHARACTERS) {
    yield '"'
    yield* piecesOfString(value)
    yield '"'
  } else if (!isPlain(value) || depth === 0) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    yield* piecesOfList(value, depth)
  } else {
    let before = '{'
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined || typeof each === 'function' || typeof each === 'symbol') continue
      yield `${before}${JSON.stringify(key)}:`
      yield* pieces(each, depth - 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

function* piecesOfList(
  list: readonly unknown[],
  depth: number,
): Generator<string, void, undefined> {
  if (list.length === 0) return yield '[]'
  let before = '['
  for (const each of list) {
    yield before
    before = ','
    // Of many, each is short.
    if (list.length >= MANY) yield JSON.stringify(each) ?? 'null'
    else yield* pieces(each, depth - 1)
  }
  yield ']'
}

/** What stands between the quotes. */
export function* piecesOfString(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + PART_CHARACTERS)
    // Half a character would be written as an escape.
    if (end < text.length && isFirstHalf(text.charCodeAt(end - 1))) end--
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
    at = end
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Dates and the like say themselves how they are written. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
