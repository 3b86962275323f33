/** Which section does a caller mean? By a heading's text, or by the path of headings down to it. */
import { invalid, notFound, quoted } from '../domain/error.ts'
import type { Heading } from '../domain/text.ts'
import { slugOf } from './names.ts'

const CANDIDATES_SHOWN = 10
const OUTLINE_SHOWN = 20

/**
 * The index of the heading meant by `Linux`, `Setup > Linux` or, for one that stands at the top,
 * `> Setup`. Throws `invalid` with the candidates when there are several, `not_found` with the
 * outline when there is none.
 */
export function findSection(id: string, headings: readonly Heading[], section: string): number {
  const matches = matchingSections(headings, section)
  if (matches.length === 1) return matches[0]!
  const shown = (indexes: readonly number[]): string => namesOf(headings, indexes)
  if (matches.length > 1) {
    throw invalid(
      `${quoted(section)} is the name of ${matches.length} sections of ${id}: ${shown(matches.slice(0, CANDIDATES_SHOWN))}.`,
      'Pass the path of headings, outermost first ("> Name" for one at the top), or name lines or a text instead.',
    )
  }
  const all = headings.map((_, index) => index).slice(0, OUTLINE_SHOWN)
  throw notFound(
    `${id} has no section ${quoted(section)}.`,
    all.length > 0 ? `Its sections are: ${shown(all)}.` : 'It has no headings; leave section out.',
  )
}

/** Headings that a name may mean: exactly as written if there is one, else in any spelling. */
export function matchingSections(headings: readonly Heading[], section: string): number[] {
  const anchored = /^\s*[>#]/.test(section)
  const parents = parentsOf(headings)
  // A heading may itself contain a sign that separates headings in a path.
  const readings = [[section.trim()], parseSectionPath(section)]
  for (const spelled of [(text: string) => text, headingKey]) {
    for (const parts of readings) {
      const wanted = parts.map(spelled)
      if (wanted.length === 0 || wanted.includes('')) continue
      const found = headings.flatMap((_, index) => {
        const above = headAbove(headings, parents, index, wanted, spelled)
        return above === undefined || (anchored && above !== NONE) ? [] : [index]
      })
      if (found.length > 0) return found
    }
  }
  return []
}

const NONE = -1

/** The heading above each one, or -1; found in one pass, as notes may have any number of them. */
function parentsOf(headings: readonly Heading[]): Int32Array {
  const parents = new Int32Array(headings.length).fill(NONE)
  const open: number[] = []
  for (const [index, { level }] of headings.entries()) {
    while (open.length > 0 && headings[open.at(-1)!]!.level >= level) open.pop()
    parents[index] = open.at(-1) ?? NONE
    open.push(index)
  }
  return parents
}

/** What stands above the path that ends at a heading; undefined where the path is another one. */
function headAbove(
  headings: readonly Heading[],
  parents: Int32Array,
  index: number,
  wanted: readonly string[],
  spelled: (text: string) => string,
): number | undefined {
  let at = index
  for (let part = wanted.length - 1; part >= 0; part--) {
    const heading = headings[at]
    if (!heading || spelled(heading.text) !== wanted[part]) return undefined
    at = parents[at]!
  }
  return at
}

export function parseSectionPath(section: string): string[] {
  return section
    .split(/[>#]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Headings count as the same when they differ in case, punctuation or spaces only. */
export function headingKey(text: string): string {
  return slugOf(text) || text.trim().toLowerCase()
}

/** The texts of the headings from the outermost down to this one. */
export function pathOf(headings: readonly Heading[], index: number): string[] {
  const path: string[] = []
  let level = Infinity
  for (let at = index; at >= 0 && level > 1; at--) {
    const heading = headings[at]!
    if (heading.level >= level) continue
    level = heading.level
    path.unshift(heading.text)
  }
  return path
}

function namesOf(headings: readonly Heading[], indexes: readonly number[]): string {
  const names = indexes.map((index) => pathOf(headings, index).join(' > '))
  return names
    .map((name, at) => {
      const twice = names.filter((each) => each === name).length > 1
      return `"${name}"${twice ? ` (line ${headings[indexes[at]!]!.line})` : ''}`
    })
    .join(', ')
}
