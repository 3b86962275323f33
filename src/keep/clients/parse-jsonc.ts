/** JSON with comments and trailing commas, with the place of every part, so that text can be edited. */
import { invalid } from '../../core/domain/error.ts'

export type JsonNode = JsonObject | JsonArray | JsonScalar

interface Placed {
  readonly start: number
  readonly end: number
}

export interface JsonMember extends Placed {
  readonly key: string
  readonly value: JsonNode
}

export interface JsonObject extends Placed {
  readonly kind: 'object'
  readonly members: readonly JsonMember[]
}

interface JsonArray extends Placed {
  readonly kind: 'array'
  readonly items: readonly JsonNode[]
}

interface JsonScalar extends Placed {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
}

/** Deeper than any settings file, and not too deep for recursion. */
const MAX_DEPTH = 200

/** Undefined for a file with nothing but space and comments in it. */
export function parseJsonc(text: string): JsonNode | undefined {
  const at = skipSpace(text, text.startsWith('\uFEFF') ? 1 : 0)
  if (at === text.length) return undefined
  const node = parseValue(text, at, 0)
  const rest = skipSpace(text, node.end)
  if (rest < text.length) throw unexpected(text, rest)
  return node
}

/** The value without places. */
export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]))
    case 'array':
      return node.items.map(valueOf)
    case 'scalar':
      return node.value
    default:
      return node satisfies never
  }
}

/** The first character that is neither space nor part of a comment. */
export function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    while (at < text.length && /\s/.test(text.charAt(at))) at++
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end + 1
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end < 0) throw unexpected(text, at)
      at = end + 2
    } else return at
  }
}

function parseValue(text: string, at: number, depth: number): JsonNode {
  if (depth > MAX_DEPTH) throw unexpected(text, at)
  const first = text.charAt(at)
  if (first === '{') return parseObject(text, at, depth)
  if (first === '[') return parseArray(text, at, depth)
  if (first === '"') {
    const { value, end } = parseString(text, at)
    return { kind: 'scalar', value, start: at, end }
  }
  const word = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/.exec(
    text.slice(at, at + 400),
  )?.[0]
  if (word === undefined) throw unexpected(text, at)
  return { kind: 'scalar', value: JSON.parse(word), start: at, end: at + word.length }
}

function parseObject(text: string, start: number, depth: number): JsonObject {
  const members: JsonMember[] = []
  let at = skipSpace(text, start + 1)
  while (text.charAt(at) !== '}') {
    if (text.charAt(at) !== '"') throw unexpected(text, at)
    const key = parseString(text, at)
    const colon = skipSpace(text, key.end)
    if (text.charAt(colon) !== ':') throw unexpected(text, colon)
    const value = parseValue(text, skipSpace(text, colon + 1), depth + 1)
    members.push({ key: key.value, value, start: at, end: value.end })
    at = skipSpace(text, value.end)
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1)
    else if (text.charAt(at) !== '}') throw unexpected(text, at)
  }
  return { kind: 'object', members, start, end: at + 1 }
}

function parseArray(text: string, start: number, depth: number): JsonArray {
  const items: JsonNode[] = []
  let at = skipSpace(text, start + 1)
  while (text.charAt(at) !== ']') {
    const item = parseValue(text, at, depth + 1)
    items.push(item)
    at = skipSpace(text, item.end)
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1)
    else if (text.charAt(at) !== ']') throw unexpected(text, at)
  }
  return { kind: 'array', items, start, end: at + 1 }
}

function parseString(text: string, start: number): { value: string; end: number } {
  let at = start + 1
  while (at < text.length && text.charAt(at) !== '"' && text.charAt(at) !== '\n') {
    at += text.charAt(at) === '\\' ? 2 : 1
  }
  if (text.charAt(at) !== '"') throw unexpected(text, start)
  try {
    return { value: JSON.parse(text.slice(start, at + 1)) as string, end: at + 1 }
  } catch {
    throw unexpected(text, start)
  }
}

function unexpected(text: string, at: number): Error {
  const before = text.slice(0, at).split('\n')
  const what = at >= text.length ? 'the end of the file' : JSON.stringify(text.charAt(at))
  return invalid(
    `${what} was not expected in line ${before.length}, column ${before.at(-1)!.length + 1}.`,
    'Mend the file by hand; it was left as it is.',
  )
}
