/**
 * The sections of a document and their addresses. A section begins at every heading, of any level,
 * and does not hold those below it; what stands before the first heading is one too. One that is
 * long is cut between its blocks, and each part has an address of its own.
 */
import type { ParsedDocument } from '../../../core/domain/text.ts'
import { pathOf } from '../../../core/parsing/find-section.ts'
import { slugOf } from '../../../core/parsing/names.ts'

export interface Section {
  /** Its address within the document: the heading as a slug, and `~n` where it is cut. */
  readonly fragment: string
  /** The same without the part. */
  readonly whole: string
  /** The headings from the outermost down to its own. */
  readonly headingPath: readonly string[]
  readonly start: number
  readonly end: number
}

type Outlined = Pick<ParsedDocument, 'bodyStart' | 'headings' | 'codeBlocks'>

/** Where no heading has come yet. */
const BEGINNING = 'document'
/** Of a heading without letters and digits. */
const NAMELESS = 'section'
/** In characters; a single block may be longer. */
const LONGEST = 4_000

export function sectionsOf(text: string, document: Outlined): readonly Section[] {
  const { bodyStart, headings } = document
  const taken = new Set([BEGINNING])
  const starts = [bodyStart, ...headings.map(({ start }) => start), text.length]
  return starts.slice(0, -1).flatMap((start, index) => {
    const heading = headings[index - 1]
    const whole = heading ? freeName(slugOf(heading.text) || NAMELESS, taken) : BEGINNING
    const headingPath = heading ? pathOf(headings, index - 1) : []
    const parts = partsOf(text, start, starts[index + 1]!, document)
    return parts.map((part, place) => {
      const fragment = parts.length === 1 ? whole : `${whole}~${place + 1}`
      return { fragment, whole, headingPath, ...part }
    })
  })
}

/** The section, or all the parts of one that is cut; undefined where nothing has the address. */
export function findSection(
  sections: readonly Section[],
  fragment: string,
): Pick<Section, 'start' | 'end'> | undefined {
  const exact = sections.find((section) => section.fragment === fragment)
  if (exact) return exact
  const parts = sections.filter(({ whole }) => whole === fragment)
  const [first, last] = [parts[0], parts.at(-1)]
  return first && last && { start: first.start, end: last.end }
}

/** The section that a place of the text belongs to; of an empty document there is none. */
export function sectionAt(sections: readonly Section[], at: number): Section | undefined {
  return sections.findLast(({ start }) => start <= at) ?? sections[0]
}

function freeName(slug: string, taken: Set<string>): string {
  let name = slug
  for (let count = 1; taken.has(name); count++) name = `${slug}-${count}`
  taken.add(name)
  return name
}

interface Part {
  readonly start: number
  readonly end: number
}

/** Without the blank lines around; none where there is nothing but these. */
function partsOf(text: string, from: number, to: number, { codeBlocks }: Outlined): Part[] {
  const parts: Part[] = []
  const add = (start: number, end: number): void => {
    const part = text.slice(start, end)
    if (part.trim() === '') return
    const blank = /^(?:[ \t]*\r?\n)*/.exec(part)![0].length
    parts.push({ start: start + blank, end: start + part.trimEnd().length })
  }
  let start = from
  let end = from
  for (const next of [...blockStarts(text, from, to, codeBlocks), to]) {
    if (end > start && next - start > LONGEST) {
      add(start, end)
      start = end
    }
    end = next
  }
  add(start, to)
  return parts
}

/** Where a block begins behind a blank line; blank lines in code are part of it. */
function blockStarts(
  text: string,
  from: number,
  to: number,
  codeBlocks: Outlined['codeBlocks'],
): number[] {
  if (to - from <= LONGEST) return []
  const code = codeBlocks.filter(({ start, end }) => end > from && start < to)
  const starts: number[] = []
  let within = 0
  for (const { index, 0: gap } of text.slice(from, to).matchAll(/\n[ \t\r]*\n/g)) {
    const at = from + index + gap.length
    while (within < code.length && code[within]!.end <= at) within++
    if ((code[within]?.start ?? Infinity) >= at) starts.push(at)
  }
  return starts
}
