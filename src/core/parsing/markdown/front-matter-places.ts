/** Where the keys and values of a front matter stand, for edits that leave the rest as it is. */
import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml'
import type { Node, Pair } from 'yaml'
import type { Properties, PropertyValue } from '../../domain/text.ts'
import { findFrontMatter, LARGEST_YAML, parseFrontMatter, typedScalar } from './front-matter.ts'

export interface EntryPlace {
  readonly key: string
  readonly value: PropertyValue
  /** Where the line of the key begins. */
  readonly start: number
  /** Just behind the colon. */
  readonly colon: number
  /** The value as written; empty where there is none. */
  readonly valueStart: number
  readonly valueEnd: number
  /** Behind the end of the entry's last line. */
  readonly end: number
  readonly style: 'plain' | 'single' | 'double' | 'flow-list' | 'block-list' | 'other'
  /** The items of a list, where each is a simple value. */
  readonly items: readonly ItemPlace[]
}

export interface ItemPlace {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface FrontMatterPlaces {
  /** Where new keys go: behind the last line of the YAML. */
  readonly end: number
  readonly entries: readonly EntryPlace[]
}

/** Undefined without front matter; a text says why it cannot be edited. */
export function placeFrontMatter(text: string): FrontMatterPlaces | string | undefined {
  const block = findFrontMatter(text)
  if (block === 'absent') return undefined
  if (block === 'unclosed') return 'it is not closed with ---'
  const { properties, warnings, bodyStart } = parseFrontMatter(text, '')
  if (bodyStart !== block.bodyStart || warnings.length > 0) {
    return warnings[0]?.message ?? 'it cannot be read'
  }
  const source = text.slice(block.start, block.end)
  if (source.length > LARGEST_YAML) return `it is longer than ${LARGEST_YAML} characters`
  if (/\r(?!\n)/.test(source)) return 'its lines end in a way that only old Macintoshes know'
  const document = parseDocument(source, {
    schema: 'failsafe',
    logLevel: 'silent',
    prettyErrors: false,
    // Two of a kind were found above; here every key would be compared with every other.
    uniqueKeys: false,
  })
  const { contents } = document
  if (Object.keys(properties).length === 0) return { end: block.end, entries: [] }
  if (!isMap(contents) || contents.flow) return 'it is written in braces'
  const entries: EntryPlace[] = []
  for (const pair of contents.items) {
    const entry = placeEntry(source, pair, properties)
    if (typeof entry === 'string') return entry
    entries.push(shifted(entry, block.start))
  }
  return { end: block.end, entries }
}

function placeEntry(
  source: string,
  { key, value }: Pair<unknown, unknown>,
  properties: Properties,
): EntryPlace | string {
  if (!isScalar(key) || !key.range) return 'a key in it is not simple'
  const name = String(key.value ?? '')
  const colon = source.indexOf(':', key.range[1]) + 1
  const start = source.lastIndexOf('\n', key.range[0] - 1) + 1
  const place = { key: name, value: properties[name] ?? null, start, colon, items: [] }
  if (!isNode(value) || !value.range || isEmpty(value)) {
    const end = lineEnd(source, colon)
    return { ...place, valueStart: colon, valueEnd: colon, end, style: 'plain' }
  }
  if (isAlias(value) || value.anchor !== undefined || value.tag !== undefined) {
    // What others refer to, or what has a type of its own, is replaced as a whole line or not at all.
    return { ...place, ...outer(source, value), style: 'other' }
  }
  if (isScalar(value)) {
    const style = { PLAIN: 'plain', QUOTE_SINGLE: 'single', QUOTE_DOUBLE: 'double' } as const
    return {
      ...place,
      ...outer(source, value),
      style: style[value.type as keyof typeof style] ?? 'other',
    }
  }
  if (!isSeq(value)) return { ...place, ...outer(source, value), style: 'other' }
  const items = value.items.map(placeItem)
  const simple = items.every((item) => item !== undefined)
  const list = value.flow ? 'flow-list' : 'block-list'
  return {
    ...place,
    ...outer(source, value),
    style: simple ? list : 'other',
    items: simple ? items : [],
  }
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && node.range?.[0] === node.range?.[1]
}

function placeItem(node: unknown): ItemPlace | undefined {
  if (!isScalar(node) || !node.range || node.anchor !== undefined || node.tag !== undefined) {
    return undefined
  }
  if (node.type !== 'PLAIN' && node.type !== 'QUOTE_SINGLE' && node.type !== 'QUOTE_DOUBLE') {
    return undefined
  }
  const text = String(node.value ?? '')
  if (node.type === 'PLAIN' && typeof typedScalar(text) === 'object') return undefined
  return { text, start: node.range[0], end: node.range[1] }
}

/** The written value without blank lines and comments behind it, and the end of its last line. */
function outer(source: string, node: Node) {
  const [valueStart, rawEnd] = node.range ?? [0, 0, 0]
  const last =
    isSeq(node) && !node.flow
      ? lastEnd(node.items, rawEnd)
      : isMap(node) && !node.flow
        ? lastEnd(
            node.items.map(({ value, key }) => value ?? key),
            rawEnd,
          )
        : rawEnd
  const valueEnd = valueStart + source.slice(valueStart, last).trimEnd().length
  return { valueStart, valueEnd, end: lineEnd(source, valueEnd) }
}

function lastEnd(nodes: readonly unknown[], otherwise: number): number {
  const node = nodes.at(-1)
  if (!isNode(node) || !node.range) return otherwise
  if (isSeq(node) && !node.flow) return lastEnd(node.items, node.range[1])
  if (isMap(node) && !node.flow)
    return lastEnd(
      node.items.map(({ value, key }) => value ?? key),
      node.range[1],
    )
  return node.range[1]
}

function lineEnd(source: string, from: number): number {
  const newline = source.indexOf('\n', from)
  return newline < 0 ? source.length : newline + 1
}

function shifted(entry: EntryPlace, by: number): EntryPlace {
  return {
    ...entry,
    start: entry.start + by,
    colon: entry.colon + by,
    valueStart: entry.valueStart + by,
    valueEnd: entry.valueEnd + by,
    end: entry.end + by,
    items: entry.items.map((item) => ({ ...item, start: item.start + by, end: item.end + by })),
  }
}
