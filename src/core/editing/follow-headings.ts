/**
 * When a text became another one: which of its headings have another name now, and what must a
 * link to one of them say? A heading is renamed where another stands in its place over much the
 * same text; anything less certain is gone, because a link to the wrong section is worse than one
 * that is reported.
 */
import { eachInSteps } from '../kit/slices.ts'
import type { Steps } from '../kit/slices.ts'
import type { Heading } from '../domain/text.ts'
import { findAnchor, isNamedPlace } from '../parsing/find-anchor.ts'
import { headingKey, parseSectionPath, pathOf } from '../parsing/find-section.ts'
import { slugOf } from '../parsing/names.ts'
import { diffLines } from './diff-lines.ts'

export interface Outlined {
  readonly text: string
  readonly headings: readonly Heading[]
}

export interface RenamedHeading {
  readonly from: string
  readonly to: string
}

export interface HeadingChange {
  readonly renamed: readonly RenamedHeading[]
  /** What a link says behind its `#` from now on; undefined when what it meant is gone. */
  follow(fragment: string, form: 'wiki' | 'path'): string | undefined
}

/** Undefined when every heading is still there. Takes steps, as notes may have any number of them. */
export function* followHeadings(
  before: Outlined,
  after: Outlined,
): Steps<HeadingChange | undefined> {
  if (!losesHeading(before.headings, after.headings)) return undefined
  yield
  const places = yield* placesAfter(before, after)
  const known = new Map<string, string | undefined>()
  const renamed = before.headings.flatMap(({ text: from }, index) => {
    const to = after.headings[places[index] ?? -1]?.text
    return to === undefined || to === from ? [] : [{ from, to }]
  })
  return {
    renamed,
    follow(fragment, form) {
      const key = `${form} ${fragment}`
      if (!known.has(key)) known.set(key, spelledAfter(before, after, places, fragment, form))
      return known.get(key)
    },
  }
}

function losesHeading(before: readonly Heading[], after: readonly Heading[]): boolean {
  const left = new Map<string, number>()
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1)
  return before.some(({ text }) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}

/** For every heading its place among those afterwards. */
function* placesAfter(before: Outlined, after: Outlined): Steps<(number | undefined)[]> {
  const places: (number | undefined)[] = before.headings.map(() => undefined)
  const taken = new Set<number>()
  const put = (from: number, to: number): void => {
    places[from] = to
    taken.add(to)
  }
  const oldLines = before.text.split('\n')
  const newLines = after.text.split('\n')
  yield
  const hunks = diffLines(oldLines, newLines)
  yield
  const lineAfter = new Map(after.headings.map(({ line }, index) => [line, index]))
  let shift = 0
  let next = 0
  yield* eachInSteps(before.headings.entries(), ([index, { line }]) => {
    while (next < hunks.length && hunks[next]!.to < line) {
      const { to, end } = hunks[next++]!
      shift = end - to
    }
    const hunk = hunks[next]
    if (hunk && hunk.from < line) return
    const same = lineAfter.get(line + shift)
    if (same !== undefined) put(index, same)
  })
  // A heading that was moved with its name is the same one; the first of a name stands last.
  const named = new Map<string, number[]>()
  yield* eachInSteps([...after.headings.keys()].toReversed(), (at) => {
    if (taken.has(at)) return
    const name = nameOf(after.headings[at]!)
    const alike = named.get(name)
    if (alike) alike.push(at)
    else named.set(name, [at])
  })
  yield* eachInSteps(before.headings.entries(), ([index, heading]) => {
    const same = places[index] === undefined ? named.get(nameOf(heading))?.pop() : undefined
    if (same !== undefined) put(index, same)
  })
  for (const { from, to, start, end } of hunks) {
    const gone = indexesIn(before.headings, from, to).filter((at) => places[at] === undefined)
    const come = indexesIn(after.headings, start, end).filter((at) => !taken.has(at))
    if (gone.length !== come.length) continue
    yield* eachInSteps(gone.entries(), ([at, index]) => {
      if (keepsText(before, index, after, come[at]!)) put(index, come[at]!)
    })
  }
  return places
}

function nameOf({ level, text }: Heading): string {
  return `${level} ${text}`
}

/** Headings come in the order of their lines, so the first one is found by halving. */
function indexesIn(headings: readonly Heading[], from: number, to: number): number[] {
  let [first, past] = [0, headings.length]
  while (first < past) {
    const middle = (first + past) >> 1
    if (headings[middle]!.line > from) past = middle
    else first = middle + 1
  }
  const indexes: number[] = []
  for (let at = first; at < headings.length && headings[at]!.line <= to; at++) indexes.push(at)
  return indexes
}

/** At least half of what stood under the old heading stands under the new one. */
function keepsText(before: Outlined, from: number, after: Outlined, to: number): boolean {
  const old = linesUnder(before, from)
  const now = new Set(linesUnder(after, to))
  return old.filter((line) => now.has(line)).length * 2 >= old.length
}

function linesUnder({ text, headings }: Outlined, index: number): string[] {
  const { end, level } = headings[index]!
  let following = index + 1
  while (following < headings.length && headings[following]!.level > level) following++
  const lines = text.slice(end, headings[following]?.start ?? text.length).split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

function spelledAfter(
  before: Outlined,
  after: Outlined,
  places: readonly (number | undefined)[],
  fragment: string,
  form: 'wiki' | 'path',
): string | undefined {
  const meant = findAnchor(before.headings, fragment)
  // Blocks, and what did not work before either.
  if (meant === undefined || isNamedPlace(after.text, fragment)) return fragment
  const place = places[meant]
  const now = findAnchor(after.headings, fragment)
  if (place === undefined || now === place) return now === undefined ? undefined : fragment
  const old = pathOf(before.headings, meant)
  const path = pathOf(after.headings, place)
  return spellings(fragment, form, old, path, after.headings.slice(0, place)).find(
    (each) => each !== '' && findAnchor(after.headings, each) === place,
  )
}

/** Ways to write it, in the manner of its author first. */
function spellings(
  fragment: string,
  form: 'wiki' | 'path',
  old: readonly string[],
  path: readonly string[],
  above: readonly Heading[],
): string[] {
  const parts = parseSectionPath(fragment)
  const whole = headingKey(fragment) === headingKey(old.at(-1)!) || parts.length < 2
  const written = whole ? [fragment] : parts
  const count = Math.min(written.length, path.length)
  const sign = fragment.includes('>') ? ' > ' : '#'
  const spell = mannerOf(form, written.at(-1)!, old.at(-1)!)
  const name = path.at(-1)!
  const own = path.slice(-count).map(spell).join(sign)
  if (form === 'wiki') {
    const longer = path.map((_, index) => path.slice(index).map(inBrackets).join('#')).toReversed()
    return [own, ...longer.slice(1)]
  }
  const namesakes = above.filter(({ text }) => siteSlug(text) === siteSlug(name)).length
  return [own, `${siteSlug(name)}-${namesakes}`]
}

function mannerOf(form: 'wiki' | 'path', written: string, old: string): (text: string) => string {
  const manners: readonly ((text: string) => string)[] =
    form === 'wiki' ? [inBrackets, siteSlug, slugOf] : [siteSlug, slugOf, plain]
  return manners.find((spell) => spell(old) === written) ?? manners[0]!
}

function plain(text: string): string {
  return text
}

/** What means something inside a wiki link is left out, as editors do. */
function inBrackets(text: string): string {
  return text
    .replaceAll(/[#^|[\]\\]|%%/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** As most sites and forges make it: every space is a hyphen, signs fall away. */
function siteSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
