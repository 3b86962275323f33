/** Where does a link lead that says more than a note: `#Heading`, `#A#B`, `#heading-1`, `#^block`? */
import { eachInSteps } from '../kit/slices.ts'
import type { Steps } from '../kit/slices.ts'
import type { Heading } from '../domain/text.ts'
import { headingKey, matchingSections, parseSectionPath } from './find-section.ts'

/** The heading that is meant; the first of a name, as editors and sites take it. */
export function findAnchor(headings: readonly Heading[], fragment: string): number | undefined {
  if (fragment.startsWith('^')) return undefined
  const [first] = matchingSections(headings, fragment)
  if (first !== undefined) return first
  const [, name, count] = COUNTED.exec(headingKey(fragment)) ?? []
  if (name === undefined) return undefined
  const alike = headings.flatMap(({ text }, index) => (headingKey(text) === name ? [index] : []))
  return alike[Number(count)]
}

/** The second heading of a name is `name-1` on a site. */
const COUNTED = /^(.+)-(\d{1,4})$/

/**
 * Tells whether a text has what stands behind the `#` of a link to it. Names of headings and blocks
 * are gathered once, however many links ask.
 */
export function* gatherAnchors(
  text: string,
  headings: readonly Heading[],
): Steps<(fragment: string) => boolean> {
  const keys = new Set<string>()
  yield* eachInSteps(headings, (heading) => keys.add(headingKey(heading.text)))
  const namesPlaces = NAMING.test(text)
  let blocks: ReadonlySet<string> | undefined
  return (fragment) => {
    if (fragment.startsWith('^')) return (blocks ??= blocksIn(text)).has(fragment.slice(1))
    if (namesPlaces && isNamedPlace(text, fragment)) return true
    const key = headingKey(fragment)
    // Sites count in ways of their own; a name that is there is not reported.
    if (keys.has(COUNTED.exec(key)?.[1] ?? '')) return true
    if (!/[>#]/.test(fragment)) return keys.has(key)
    // A path of headings ends with the one that is meant.
    const last = headingKey(parseSectionPath(fragment).at(-1) ?? '')
    const isNamed = keys.has(key) || keys.has(last)
    return isNamed && findAnchor(headings, fragment) !== undefined
  }
}

/** `^name` at the end of a line, behind a space or alone. */
function blocksIn(text: string): ReadonlySet<string> {
  const names = text.matchAll(/(?:^|\s)\^(\S+)[^\S\n]*$/gm)
  return new Set(Array.from(names, ([, name = '']) => name))
}

const NAMING = /\{#|id="|name="|id='/

/** Writers of sites name places themselves: {#here}, <a id="here">. */
export function isNamedPlace(text: string, fragment: string): boolean {
  return [`{#${fragment}`, `id="${fragment}"`, `name="${fragment}"`, `id='${fragment}'`].some(
    (mark) => text.includes(mark),
  )
}
