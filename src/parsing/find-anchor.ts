/** Where does a link lead that says more than a note: `#Heading`, `#A#B`, `#heading-1`, `#^block`? */
import type { Heading } from '../domain/text.ts'
import { findBlock } from './find-block.ts'
import { headingKey, matchingSections } from './find-section.ts'

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

/** Whether a text has what stands behind the `#` of a link to it. */
export function hasAnchor(text: string, headings: readonly Heading[], fragment: string): boolean {
  if (fragment.startsWith('^'))
    return findBlock(text.split(/\r?\n/), fragment.slice(1)) !== undefined
  if (isNamedPlace(text, fragment) || findAnchor(headings, fragment) !== undefined) return true
  // Sites count in ways of their own; a name that is there is not reported.
  const name = COUNTED.exec(headingKey(fragment))?.[1]
  return name !== undefined && headings.some((each) => headingKey(each.text) === name)
}

/** Writers of sites name places themselves: {#here}, <a id="here">. */
export function isNamedPlace(text: string, fragment: string): boolean {
  return [`{#${fragment}`, `id="${fragment}"`, `name="${fragment}"`, `id='${fragment}'`].some(
    (mark) => text.includes(mark),
  )
}
