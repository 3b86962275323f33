/** Reads an entity's document: its facts from the lines in front, its relations from the last lines. */
import { isObject } from '../../kit/is-object.ts'
import { orElse } from '../../kit/or-else.ts'
import type { Chunk, Heading, Link, Parser, Properties, PropertyValue } from '../../domain/text.ts'
import { chunkDocument } from '../chunk.ts'
import { lineAt, lineStartsOf } from '../lines.ts'

export const parseEntity: Parser = (text) => {
  const { facts, bodyStart } = factsOf(text)
  const lineStarts = lineStartsOf(text)
  const id = textOf(facts['id'])
  const name = textOf(facts['name'])
  const links = relationsOf(text, Number(facts['relations'] ?? 0), lineStarts)
  const headings = headingsOf(text, bodyStart, links[0]?.start, lineStarts)
  const { extra, relations: _, tags, aliases: __, ...own } = facts
  const properties: Properties = { ...own, ...(isObject(extra) && { extra }) }
  return {
    document: {
      title: name.trim() === '' ? id : name,
      frontMatterTitle: undefined,
      aliases: [...(id === name ? [] : [id]), ...textsOf(facts['aliases'])],
      tags: textsOf(tags),
      inlineTags: [],
      description: undefined,
      properties,
      bodyStart,
      headings,
      links,
      codeBlocks: [],
      chunks: chunkDocument({ text, bodyStart, headings, codeBlocks: [], lineStarts }).map(whole),
    },
    warnings: [],
  }
}

const FENCE = '---\n'

/** Every line holds one key and one value of JSON, so the first fence behind them is theirs. */
function factsOf(text: string): { facts: Record<string, PropertyValue>; bodyStart: number } {
  const end = text.indexOf(`\n${FENCE}`, FENCE.length - 1)
  if (!text.startsWith(FENCE) || end < 0) return { facts: {}, bodyStart: 0 }
  const facts: Record<string, PropertyValue> = {}
  for (const line of text.slice(FENCE.length, end).split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) facts[line.slice(0, colon)] = parseValue(line.slice(colon + 2))
  }
  return { facts, bodyStart: end + 1 + FENCE.length }
}

function parseValue(json: string): PropertyValue {
  return orElse(() => JSON.parse(json) as PropertyValue, json)
}

function textsOf(value: PropertyValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function textOf(value: PropertyValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** Counted from the end: a description may look like a list of relations, and is none. */
function relationsOf(text: string, count: number, lineStarts: readonly number[]): Link[] {
  if (!Number.isInteger(count) || count < 1) return []
  const links: Link[] = []
  let end = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = count; left > 0 && end > 0; left--) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const link = relationAt(text.slice(start, end))
    if (link) links.push({ ...link, start, end, line: lineAt(lineStarts, start) })
    end = start - 1
  }
  return links.toReversed()
}

/** `- uses → graph-db — for the index`; a name that could be misread is quoted. */
function relationAt(line: string): Pick<Link, 'kind' | 'target' | 'label'> | undefined {
  if (!line.startsWith('- ')) return undefined
  const rel = tokenAt(line, 2, ' → ')
  if (!rel || !line.startsWith(' → ', rel.end)) return undefined
  const dst = tokenAt(line, rel.end + 3, ' — ')
  return dst && { kind: 'relation', label: rel.text, target: dst.text }
}

const QUOTED = /"(?:[^"\\]|\\.)*"/y

function tokenAt(
  line: string,
  start: number,
  until: string,
): { readonly text: string; readonly end: number } | undefined {
  if (line[start] !== '"') {
    const found = line.indexOf(until, start)
    const end = found < 0 ? line.length : found
    return end > start ? { text: line.slice(start, end), end } : undefined
  }
  QUOTED.lastIndex = start
  const [quoted] = QUOTED.exec(line) ?? []
  return quoted === undefined
    ? undefined
    : { text: textOf(parseValue(quoted)), end: start + quoted.length }
}

/** The name, and the word above the relations. */
function headingsOf(
  text: string,
  bodyStart: number,
  relations: number | undefined,
  lineStarts: readonly number[],
): Heading[] {
  const headings: Heading[] = []
  const top = text.indexOf('# ', bodyStart)
  if (top >= 0) headings.push(headingAt(text, top, 1, lineStarts))
  if (relations !== undefined) {
    const start = text.lastIndexOf('\n## ', relations) + 1
    if (start > top) headings.push(headingAt(text, start, 2, lineStarts))
  }
  return headings
}

function headingAt(
  text: string,
  start: number,
  level: number,
  lineStarts: readonly number[],
): Heading {
  const newline = text.indexOf('\n', start)
  const end = newline < 0 ? text.length : newline
  return {
    level,
    text: text.slice(start + level + 1, end),
    start,
    end,
    line: lineAt(lineStarts, start),
  }
}

/** An entity is short: under which of its headings something stands tells nothing. */
function whole({ start, end, lineStart, lineEnd, headingPath }: Chunk): Chunk {
  return { start, end, lineStart, lineEnd, headingPath }
}
