/** Which entries of a client are Cairn's, which base does each start, and what is a new one called? */
import { dirname, isAbsolute } from 'node:path'
import type { Entry } from './client.ts'

/** What an entry is called unless somebody says otherwise. */
export const USUAL_NAME = 'cairn'

export type Entries = Readonly<Record<string, unknown>>

/** Those that start Cairn or are called so, in the order of the file. */
export function ownNames(entries: Entries): readonly string[] {
  return Object.entries(entries)
    .filter(([name, entry]) => name === USUAL_NAME || startsCairn(entry))
    .map(([name]) => name)
}

/** Those that got their name from Cairn and not from a person. */
export function givenNames(entries: Entries): readonly string[] {
  return ownNames(entries).filter(
    (name) => name === USUAL_NAME || name.startsWith(`${USUAL_NAME}-`),
  )
}

export interface NewEntry {
  /** What a second base is called after. */
  readonly label: string
  entry(name: string): Entry
  exists(path: string): boolean
}

/**
 * The name under which a base is connected already; else the usual one; else, where that is another
 * base's, one that says which base it is.
 */
export function nameFor(entries: Entries, { label, entry, exists }: NewEntry): string {
  const wanted = entry(USUAL_NAME)
  const known = ownNames(entries).find((name) => isSameBase(entries[name], wanted))
  if (known !== undefined) return known
  const usual = placesIn(entries[USUAL_NAME])
  const isFree = usual.every((place) => isAbsolute(place) && !exists(place))
  if (isFree) return USUAL_NAME
  const slug = label
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  const base = slug === '' ? USUAL_NAME : `${USUAL_NAME}-${slug}`
  let name = base
  for (let count = 2; Object.hasOwn(entries, name); count++) name = `${base}-${count}`
  return name
}

function startsCairn(entry: unknown): boolean {
  const words = wordsIn(entry)
  return (
    words.includes('serve') && words.some((word) => /(?:^|[\\/])cairn\.js$|^cairn-kb$/.test(word))
  )
}

/** An address says nothing of the base behind it: it is another way to the same one. */
function isSameBase(a: unknown, b: unknown): boolean {
  const [one, other] = [placesIn(a), placesIn(b)]
  if (one.length === 0 || other.length === 0) return true
  return one.some((place) => other.includes(place))
}

/** The folders that an entry serves: those it names, or that of the configuration. */
function placesIn(entry: unknown): readonly string[] {
  const words = listIn(entry)
  const places: string[] = []
  for (let at = words.indexOf('serve') + 1; at < words.length; at++) {
    const word = words[at]!
    if (word === '--config') places.push(dirname(words[++at] ?? ''))
    else if (word === '--state') at++
    else if (!word.startsWith('-')) places.push(placeOf(word))
  }
  return places
}

/** The list of words that says to serve, whatever the client calls it. */
function listIn(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return []
  const lists = Object.values(entry).filter((value) => Array.isArray(value))
  return (lists.find((list) => list.includes('serve')) ?? []).filter(
    (word: unknown) => typeof word === 'string',
  )
}

/** Of `name=/path` the path. */
export function placeOf(word: string): string {
  return word.replace(/^[^=/\\]*=(?=[/\\~]|[A-Za-z]:)/, '')
}

/** Every text of an entry, in the order of the file; clients differ in how they say the same. */
export function wordsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(wordsIn)
}
