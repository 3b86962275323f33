/** Changes what stands under one heading, and nothing before or behind it. */
import type { Heading, ParsedDocument } from '../domain/text.ts'
import {
  findSection,
  headingKey,
  matchingSections,
  parseSectionPath,
} from '../parsing/find-section.ts'
import { afterBlankStart, beforeBlankEnd } from './blank-lines.ts'
import { gapBetween } from './block-gap.ts'
import { endOf, newlineOf, withNewlines } from './text-file.ts'
import type { Newline } from './text-file.ts'

export interface SectionEdit {
  /** Heading, or path of headings such as `Setup > Linux`. */
  readonly section: string
  readonly content: string
  /** `whole`: everything under the heading, its subsections included, as `fetch` shows it. */
  readonly at: 'whole' | 'start' | 'end'
  /** Makes the section when there is none; an unknown section is an error otherwise. */
  readonly create: boolean
}

export function replaceSection(
  name: string,
  text: string,
  parsed: Pick<ParsedDocument, 'headings'>,
  edit: SectionEdit,
): string {
  const headings = parsed.headings.filter((heading) => isOutline(text, heading))
  if (edit.create && matchingSections(headings, edit.section).length === 0) {
    return addSection(text, headings, edit)
  }
  const index = findSection(name, headings, edit.section)
  const { start, end } = bodyOf(text, headings, index)
  const newline = newlineOf(text)
  const content = contentOf(edit, headings[index]!, newline)
  const body = changedBody(text.slice(start, end), content, edit.at, newline)
  // A heading in the last line may have no end of its own.
  const open = body !== '' && text[start - 1] !== '\n' ? newline : ''
  const gap = end < text.length && content !== '' && !/\n\r?\n$/.test(body) ? newline : ''
  const wasEmpty = text.slice(start, end).trim() === ''
  return `${text.slice(0, start)}${open}${body}${wasEmpty ? gap : ''}${text.slice(end)}`
}

/** The blank lines at both ends belong to the place, not to the text, and stay. */
function changedBody(
  body: string,
  content: string,
  at: SectionEdit['at'],
  newline: Newline,
): string {
  const lead = body.slice(0, afterBlankStart(body))
  if (body.trim() === '') {
    const first = firstLine(lead)
    return content === ''
      ? body
      : `${first || newline}${content}${endOf(content, newline)}${lead.slice(first.length)}`
  }
  const trail = body.slice(beforeBlankEnd(body))
  const core = body.slice(lead.length, body.length - trail.length)
  if (content === '') return at === 'whole' ? lead || firstLine(trail) : body
  if (at === 'start') return `${lead}${content}${endOf(content, newline)}${core}${trail}`
  if (at === 'end') return `${lead}${core}${gapBetween(core, content, newline)}${content}${trail}`
  return `${lead}${content}${trail}`
}

function firstLine(text: string): string {
  return /^[ \t]*\r?\n/.exec(text)?.[0] ?? ''
}

/** A heading in a quote or list is no section: its line begins with something else. */
function isOutline(text: string, { start }: Heading): boolean {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  return (
    /^ {0,3}$/.test(text.slice(lineStart, start)) &&
    !/^\s*(?:>|[-+*]\s)/.test(text.slice(lineStart, start + 4))
  )
}

function bodyOf(text: string, headings: readonly Heading[], index: number) {
  const heading = headings[index]!
  const lineEnd = text.indexOf('\n', Math.max(heading.start, heading.end - 1))
  const start = lineEnd < 0 ? text.length : lineEnd + 1
  const following = headings.slice(index + 1).find(({ level }) => level <= heading.level)
  const end = following ? text.lastIndexOf('\n', following.start - 1) + 1 : text.length
  return { start, end: Math.max(start, end) }
}

/** A caller may repeat the heading, as it stands in what was fetched; it is not doubled. */
function contentOf({ content, at }: SectionEdit, heading: Heading, newline: Newline): string {
  const text = withNewlines(content, newline)
  let from = afterBlankStart(text)
  const lineEnd = text.indexOf('\n', from)
  const next = lineEnd < 0 ? text.length : lineEnd + 1
  const first = headingIn(text.slice(from, next))
  if (
    at === 'whole' &&
    first?.level === heading.level &&
    headingKey(first.text) === headingKey(heading.text)
  ) {
    from = afterBlankStart(text, next)
  }
  return text.slice(from, Math.max(from, beforeBlankEnd(text)))
}

/** What a line says when it is a heading with marks; marks at its end belong to none. */
function headingIn(line: string): { readonly level: number; readonly text: string } | undefined {
  const [, marks = '', written = ''] = /^ {0,3}(#{1,6})[ \t](.*)/.exec(line) ?? []
  if (marks === '') return undefined
  const bare = written.trim()
  let end = bare.length
  while (bare[end - 1] === '#') end--
  return { level: marks.length, text: bare.slice(0, end).trim() }
}

/** At the end of the deepest section of the path that exists, else at the end of the text. */
function addSection(text: string, headings: readonly Heading[], edit: SectionEdit): string {
  const newline = newlineOf(text)
  const names = parseSectionPath(edit.section)
  let parent: number | undefined
  let known = 0
  for (let depth = names.length - 1; depth > 0 && parent === undefined; depth--) {
    const [only, ...others] = matchingSections(headings, names.slice(0, depth).join(' > '))
    if (others.length > 0 || only === undefined) continue
    parent = only
    known = depth
  }
  const end = parent === undefined ? text.length : bodyOf(text, headings, parent).end
  const tops = headings.filter(({ level }) => level === 1).length
  const level =
    parent === undefined
      ? tops === 1
        ? 2
        : Math.min(2, ...headings.map((each) => each.level))
      : headings[parent]!.level + 1
  const made = names
    .slice(known)
    .map((name, depth) => `${'#'.repeat(Math.min(6, level + depth))} ${name}`)
  const written = withNewlines(edit.content, newline)
  const from = afterBlankStart(written)
  const content = written.slice(from, Math.max(from, beforeBlankEnd(written)))
  const before = text.slice(0, end)
  const gap =
    before === ''
      ? ''
      : before.endsWith('\n')
        ? /\n\r?\n$/.test(before)
          ? ''
          : newline
        : newline + newline
  const block = [...made, ...(content === '' ? [] : [content])].join(newline + newline)
  return `${before}${gap}${block}${endOf(block, newline)}${end < text.length ? newline : ''}${text.slice(end)}`
}
