/** Which section does a caller mean? By a heading's text, or by the path of headings down to it. */
import { invalid, KnowledgeError, quoted } from '../domain/error.ts'
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
  throw new KnowledgeError(
    'not_found',
    `${id} has no section ${quoted(section)}.`,
    all.length > 0 ? `Its sections are: ${shown(all)}.` : 'It has no headings; leave section out.',
  )
}

/** Headings that a name may mean: exactly as written if there is one, else in any spelling. */
export function matchingSections(headings: readonly Heading[], section: string): number[] {
  const anchored = /^\s*[>#]/.test(section)
  const paths = headings.map((_, index) => pathOf(headings, index))
  // A heading may itself contain a sign that separates headings in a path.
  const readings = [[section.trim()], parseSectionPath(section)]
  for (const spelled of [(text: string) => text, headingKey]) {
    for (const parts of readings) {
      const wanted = parts.map(spelled)
      const found = paths.flatMap((path, index) =>
        endsWith(path.map(spelled), wanted) && (!anchored || path.length === wanted.length)
          ? [index]
          : [],
      )
      if (found.length > 0) return found
    }
  }
  return []
}

export function parseSectionPath(section: string): string[] {
  return section
    .split(/\s*(?:>|#)\s*/)
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

function endsWith(path: readonly string[], wanted: readonly string[]): boolean {
  return (
    wanted.length > 0 &&
    wanted.length <= path.length &&
    wanted.every((part, index) => part !== '' && path[path.length - wanted.length + index] === part)
  )
}
