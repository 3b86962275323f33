/**
 * Sets and removes keys of a front matter as text. The block is never written out anew: comments,
 * order, quoting and the style of lists stay, and so does every key that was not asked for.
 */
import { isDeepStrictEqual } from 'node:util'
import { foldTag } from '../kit/fold-name.ts'
import { invalid, KnowledgeError, quoted } from '../domain/error.ts'
import type { Properties, PropertyValue } from '../domain/text.ts'
import { placeFrontMatter } from '../parsing/markdown/front-matter-places.ts'
import type { EntryPlace } from '../parsing/markdown/front-matter-places.ts'
import { parseFrontMatter, readSimpleYaml, typedScalar } from '../parsing/markdown/front-matter.ts'
import { newlineOf, requireText } from './text-file.ts'

export interface FrontMatterChange {
  readonly set?: Properties
  readonly remove?: readonly string[]
  /** The whole list of tags. */
  readonly tags?: readonly string[]
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
  /** How a list under a new key is written; on one line unless said. */
  readonly lists?: 'flow' | 'block'
}

export function setFrontMatter(name: string, text: string, change: FrontMatterChange): string {
  if (!asksForSomething(change)) return text
  const places = placeFrontMatter(text)
  if (typeof places === 'string') throw notEditable(name, places)
  const before = parseFrontMatter(text, '').properties
  const wanted = wantedValues(before, change)
  const removed = (change.remove ?? []).filter((key) => key in before)
  if (wanted.size === 0 && removed.length === 0) return text
  const edits: Edit[] = []
  const added: string[] = []
  const newline = newlineOf(text)
  const byKey = new Map(places?.entries.map((entry) => [entry.key, entry]))
  for (const key of removed) {
    const entry = byKey.get(key)
    if (entry) edits.push({ start: entry.start, end: entry.end, text: '' })
  }
  for (const [key, value] of wanted) {
    const entry = byKey.get(key)
    if (entry) edits.push(...entryEdits(text, entry, value))
    else added.push(newEntry(key, value, newline, change.lists))
  }
  const result = places
    ? applied(text, [...edits, { start: places.end, end: places.end, text: added.join('') }])
    : `---${newline}${added.join('')}---${newline}${text}`
  requireOutcome(name, result, before, wanted, removed)
  return result
}

function newEntry(
  key: string,
  value: PropertyValue,
  newline: string,
  lists: FrontMatterChange['lists'],
): string {
  if (lists !== 'block' || !Array.isArray(value) || value.length === 0) {
    return `${yamlKey(key)}: ${yamlValue(value)}${newline}`
  }
  const items = (value as readonly PropertyValue[]).map((item) => `  - ${yamlValue(item, true)}`)
  return [`${yamlKey(key)}:`, ...items, ''].join(newline)
}

function asksForSomething({ set, remove, tags, addTags, removeTags }: FrontMatterChange): boolean {
  const lists = [Object.keys(set ?? {}), remove ?? [], addTags ?? [], removeTags ?? []]
  return tags !== undefined || lists.some((list) => list.length > 0)
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function applied(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** What has to change: values that are there already are left alone, to the letter. */
function wantedValues(before: Properties, change: FrontMatterChange): Map<string, PropertyValue> {
  const wanted = new Map<string, PropertyValue>()
  for (const [key, value] of Object.entries(change.set ?? {})) {
    requireKey(key)
    requireValue(key, value)
    if (!(key in before) || !isDeepStrictEqual(before[key], value)) wanted.set(key, value)
  }
  const { tags, addTags = [], removeTags = [] } = change
  for (const tag of [...(tags ?? []), ...addTags]) requireText(tag)
  if (tags === undefined && addTags.length + removeTags.length === 0) return wanted
  const key = before['tags'] === undefined && before['tag'] !== undefined ? 'tag' : 'tags'
  const old = listOf(before[key])
  const start = tags ?? old
  const [known, gone] = [new Set(start.map(foldTag)), new Set(removeTags.map(foldTag))]
  const bare = (tag: string) => tag.replace(/^#/, '')
  const spelled = new Map(old.toReversed().map((tag) => [bare(tag), tag]))
  const next = [...start, ...addTags.filter((tag) => !known.has(foldTag(tag)))]
    .filter((tag) => !gone.has(foldTag(tag)))
    // A tag that is there already keeps its spelling with or without `#`.
    .map((tag) => spelled.get(bare(tag)) ?? tag)
  for (const tag of next) requireTag(tag)
  if (!isDeepStrictEqual(old, next) || (next.length > 0 && before[key] === undefined)) {
    const separator = typeof before[key] === 'string' ? separatorOf(before[key]) : undefined
    wanted.set(key, separator && next.length > 0 ? next.join(separator) : next)
  }
  return wanted
}

/** Tags in one text, `a, b` or `a b`, stay in one text. A single word becomes a list. */
function separatorOf(text: string): string | undefined {
  if (text.includes(',')) return ', '
  return /\S\s+\S/.test(text) ? ' ' : undefined
}

function listOf(value: PropertyValue | undefined): string[] {
  if (typeof value === 'string') return value.split(/[,\s]+/).filter((tag) => tag !== '')
  if (!Array.isArray(value)) return []
  return (value as readonly PropertyValue[])
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map(String)
}

function entryEdits(text: string, entry: EntryPlace, value: PropertyValue): Edit[] {
  const { style } = entry
  if (Array.isArray(value) && (style === 'flow-list' || style === 'block-list')) {
    const items = (value as readonly PropertyValue[]).map((item) => [itemText(item), item] as const)
    const edits = listEdits(text, entry, items)
    if (edits) return edits
  }
  if (style === 'single' || style === 'double' || style === 'plain') {
    const quote = style !== 'plain' && typeof value === 'string' ? style : undefined
    const written = quote ? quotedValue(value as string, quote) : yamlValue(value)
    const space = entry.valueStart === entry.colon ? ' ' : ''
    return [{ start: entry.valueStart, end: entry.valueEnd, text: `${space}${written}` }]
  }
  if (style === 'flow-list') {
    return [{ start: entry.valueStart, end: entry.valueEnd, text: yamlValue(value) }]
  }
  // A block goes from behind the colon to its last line, whose end stays.
  const end = entry.colon + text.slice(entry.colon, entry.end).trimEnd().length
  return [{ start: entry.colon, end, text: ` ${yamlValue(value)}` }]
}

/** Items that stay are not touched; new ones go to the end. Undefined when the order changed. */
function listEdits(
  text: string,
  entry: EntryPlace,
  wanted: readonly (readonly [string, PropertyValue])[],
): Edit[] | undefined {
  const staying = new Set(wanted.map(([each]) => each))
  const kept = entry.items.filter((item) => staying.has(item.text))
  const keptWanted = wanted.slice(0, kept.length).map(([each]) => each)
  if (
    !isDeepStrictEqual(
      kept.map((item) => item.text),
      keptWanted,
    ) ||
    kept.length === 0
  ) {
    return undefined
  }
  const fresh = wanted.slice(kept.length).map(([, value]) => value)
  return entry.style === 'block-list'
    ? blockListEdits(text, entry, kept, fresh)
    : flowListEdits(entry, kept, fresh)
}

type Items = EntryPlace['items']

function blockListEdits(
  text: string,
  entry: EntryPlace,
  kept: Items,
  fresh: readonly PropertyValue[],
): Edit[] | undefined {
  const lineOf = (item: Items[number]) => {
    const start = text.lastIndexOf('\n', item.start - 1) + 1
    const newline = text.indexOf('\n', item.end)
    return { start, end: newline < 0 ? text.length : newline + 1 }
  }
  const stays = new Set(kept)
  const edits: Edit[] = entry.items
    .filter((item) => !stays.has(item))
    .map((item) => ({ ...lineOf(item), text: '' }))
  const last = lineOf(entry.items.at(-1)!)
  const model = entry.items[0]!
  const indent = text.slice(lineOf(model).start, model.start)
  if (!/^[ \t]*-[ \t]+$/.test(indent)) return undefined
  const newline = newlineOf(text)
  const lines = fresh.map((value) => `${indent}${yamlValue(value, true)}${newline}`)
  return [...edits, { start: last.end, end: last.end, text: lines.join('') }]
}

function flowListEdits(entry: EntryPlace, kept: Items, fresh: readonly PropertyValue[]): Edit[] {
  const { items } = entry
  const edits: Edit[] = []
  const stays = new Set(kept)
  const lastKept = items.findLastIndex((item) => stays.has(item))
  for (const [index, item] of items.entries()) {
    if (stays.has(item)) continue
    const following = items[index + 1]
    // With its comma: the one behind it, or for the last items the one before.
    const noneKeptBehind = index > lastKept
    const start = noneKeptBehind && index > 0 ? items[index - 1]!.end : item.start
    const end = noneKeptBehind || !following ? item.end : following.start
    edits.push({ start, end, text: '' })
  }
  const last = kept.at(-1)!
  const text = fresh.map((value) => `, ${yamlValue(value, true)}`).join('')
  return text === '' ? edits : [...edits, { start: last.end, end: last.end, text }]
}

function itemText(value: PropertyValue): string {
  return typeof value === 'string' ? value : yamlValue(value)
}

/** A value on one line, in the plainest form that reads back as the same. */
export function yamlValue(value: PropertyValue, inList = false): string {
  if (typeof value === 'string') return isPlain(value, inList) ? value : JSON.stringify(value)
  if (Array.isArray(value)) {
    return `[${(value as readonly PropertyValue[]).map((item) => yamlValue(item, true)).join(', ')}]`
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(
      ([key, each]) => `${JSON.stringify(key)}: ${yamlValue(each, true)}`,
    )
    return `{${pairs.join(', ')}}`
  }
  return String(value)
}

/** Words that other readers of YAML take for something else than text. */
const TYPED_ELSEWHERE =
  /^(?:y|n|yes|no|on|off|true|false|null|~|[-+]?(?:\.inf|\.nan|0[xo].*|[\d_.]+(?:e[-+]?\d+)?))$/i

function isPlain(text: string, inList: boolean): boolean {
  if (text.trim() !== text || TYPED_ELSEWHERE.test(text) || typedScalar(text) !== text) return false
  if (inList && /[[\]{},"'#&*!|>%@`]/.test(text)) return false
  const read = readSimpleYaml(`k: ${text}`)
  return read?.properties?.['k'] === text
}

function quotedValue(text: string, quote: 'single' | 'double'): string {
  // Only double quotes can hold control characters and line ends.
  const simple = quote === 'single' && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text)
  return simple ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text)
}

export function yamlKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key)
}

/** The proof of the edit: the new text says what was asked for, and everything else as before. */
function requireOutcome(
  name: string,
  text: string,
  before: Properties,
  wanted: ReadonlyMap<string, PropertyValue>,
  removed: readonly string[],
): void {
  const expected: Record<string, PropertyValue> = { ...before, ...Object.fromEntries(wanted) }
  for (const key of removed) if (!wanted.has(key)) delete expected[key]
  const { properties } = parseFrontMatter(text, '')
  if (isDeepStrictEqual(asWritten({ ...properties }), asWritten(expected))) return
  throw notEditable(name, 'the change cannot be made without touching other lines')
}

/** A number in a list of tags is a tag: `2026` and `"2026"` are the same there. */
function asWritten(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? (value as readonly PropertyValue[]).map((each) =>
            typeof each === 'number' ? String(each) : each,
          )
        : value,
    ]),
  )
}

function requireKey(key: string): void {
  requireText(key)
  if (key.trim() !== '' && key.length <= 200 && !/[\u0000-\u001f\u007f]/.test(key)) return
  throw invalid(`${quoted(key)} is no key for front matter.`, 'Use a short name such as "status".')
}

function requireTag(tag: string): void {
  if (/^#*[^\s,#][^\s,]*$/u.test(tag)) return
  throw invalid(`${quoted(tag)} is no tag.`, 'A tag is one word without spaces and commas.')
}

const DEEPEST = 8

function requireValue(key: string, value: PropertyValue, depth = 0): void {
  const sound = depth < DEEPEST && (typeof value !== 'number' || Number.isFinite(value))
  if (!sound)
    throw invalid(
      `The value of ${quoted(key)} cannot be written.`,
      'Use text, numbers, true, false, or lists of them.',
    )
  if (typeof value === 'string') requireText(value)
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    requireText(name)
    requireValue(key, each, depth + 1)
  }
}

function notEditable(name: string, why: string): KnowledgeError {
  return invalid(
    `The front matter of ${name} cannot be edited by key: ${why}.`,
    'Nothing was changed. Fetch the document and change the text itself with find_replace.',
  )
}
