/**
 * What a model reads: plain text made for reading, without what it does not need. Programs read the
 * structured result beside it, which has everything.
 */
import type { QuestionAnswer } from '../../operations/answering/ask-question.ts'
import type { FetchedDocument } from '../../operations/reading/fetch-document.ts'
import type { SearchAnswer, SearchHit } from '../../operations/searching/search-documents.ts'

/** Long enough to tell two texts apart, and what `if_digest` takes. */
const DIGEST = 12

export function shortDigest(digest: string): string {
  return digest.slice(0, DIGEST)
}

/** To the day: nobody asks for the second. */
export function day(time: number | undefined): string {
  if (time === undefined) return ''
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
}

/** Joins what is there: a blank part leaves no blank line. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/**
 * About so many characters a page of hits may take: a thousand tokens show the answer of most
 * questions, and more of the same shows little more (docs/economy.md).
 */
const ROOM = 3_700
/** A detailed answer may take twice as many. */
const DETAILED_ROOM = 8_000
/** Of one document, so that several get a word in. */
const LONGEST_PASSAGE = 1_600
/** What is shorter says nothing by itself. */
const SHORTEST_PASSAGE = 160

export interface SearchText {
  readonly answer: SearchAnswer
  readonly detailed: boolean
}

/** What was found, a line each; then passages of the best, as far as there is room. */
export function searchText({ answer, detailed }: SearchText): string {
  const { hits, relevant, nextCursor, notes } = answer
  if (hits.length === 0) return paragraphs('Nothing was found.', ...notes)
  const heads = hits.map((hit, rank) => `${rank + 1} ${headOf(hit)}`).join('\n')
  let room = (detailed ? DETAILED_ROOM : ROOM) - heads.length
  const passages: string[] = []
  for (const [rank, hit] of hits.entries()) {
    if (room < SHORTEST_PASSAGE) break
    const text = withoutTargets(passageWithin(hit, Math.min(room, LONGEST_PASSAGE)))
    if (text === '') continue
    passages.push(`[${rank + 1}] ${text}`)
    room -= text.length + 6
  }
  return paragraphs(
    relevant ? undefined : 'No document has these words together; the nearest are:',
    heads,
    ...passages,
    nextCursor === undefined ? undefined : `More: cursor="${nextCursor}"`,
    ...notes,
  )
}

/** `notes/a.md:10-20 Title › Heading`: `fetch` takes what stands before the blank. */
function headOf({ id, title, lines, line, headingPath }: SearchHit): string {
  const at = lines ? `:${line ?? lines[0]}-${lines[1]}` : ''
  const trail = headingPath.filter((heading) => heading !== title)
  // A title that the path spells out need not be said twice.
  const named = lettersOf(id).includes(lettersOf(title)) ? trail : [title, ...trail]
  return [`${id}${at}`, named.join(' › ')].filter((part) => part !== '').join(' ')
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Links by their words alone: where they lead costs more than it tells. Code stays as it is. */
function withoutTargets(text: string): string {
  return text
    .split(/(```[^]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : shortened(part)))
    .join('')
}

function shortened(prose: string): string {
  return prose
    .replaceAll(/!?\[([^\]\n]{0,300})\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,300}")?\)/g, '$1')
    .replaceAll(/<(?:img|a|br|div|span|p|\/)[^>\n]{0,1000}>/gi, '')
    .replaceAll(/[ \t]{2,}(?=\S)/g, ' ')
    .replaceAll(/\n{2,}/g, '\n')
}

/** The passage, or the part of it around the match. */
function passageWithin({ passage, at }: SearchHit, room: number): string {
  if (passage.length <= room) return passage
  const wanted = Math.max(0, Math.min(at - Math.floor(room / 4), passage.length - room))
  const start = wanted === 0 ? 0 : edge(passage, wanted)
  const end = start + room >= passage.length ? passage.length : edge(passage, start + room)
  const cut = passage.slice(start, end).trim()
  return `${start > 0 ? '… ' : ''}${cut}${end < passage.length ? ' …' : ''}`
}

/** The last beginning of a word before a place. */
function edge(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 40), at).search(/\s\S*$/)
  return before < 0 ? at : Math.max(0, at - 40) + before
}

export function fetchText({ id, title, text, lines, totalLines, digest, next }: FetchedDocument) {
  const range = `lines ${lines.join('-')} of ${totalLines}`
  const rest = next && `[Cut to fit. Read on with fetch(id="${id}:${next.lines}").]`
  return paragraphs(`${id} ${title} (${range}, digest ${shortDigest(digest)})`, text, rest)
}

/** Each quote once, with where it stands. */
export function askText({ answer, claims, sources, gaps, mode, notes }: QuestionAnswer): string {
  const places = ({ citations }: (typeof claims)[number]): string =>
    citations.map(({ id, lines: [first, last] }) => `${id}:${first}-${last}`).join(', ')
  const said = claims.map((claim) => `${claim.text} (${places(claim)})`)
  const quotes =
    mode === 'extractive'
      ? []
      : claims.flatMap(({ citations }) =>
          citations.map(({ id, lines, quote }) => `> ${quote} (${id}:${lines.join('-')})`),
        )
  const named = new Set(claims.flatMap(({ citations }) => citations.map(({ id }) => id)))
  const others = sources.filter(({ id }) => !named.has(id)).map(({ id, title }) => `${id} ${title}`)
  return paragraphs(
    claims.length > 0 ? said.join('\n') : answer,
    quotes.join('\n'),
    gaps.length > 0 ? `Not answered: ${gaps.join(', ')}` : undefined,
    others.length > 0 ? `See also:\n${others.join('\n')}` : undefined,
    ...notes,
  )
}

type Fields = Readonly<Record<string, unknown>>

/** A row of a report or a list on one line; what is empty is not there. */
export function lineOf(row: Fields): string {
  return Object.entries(row)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => fieldText(key, value))
    .join(' ')
}

const PLAIN = new Set(['id', 'title', 'from', 'target', 'file', 'tag', 'name'])

function fieldText(key: string, value: unknown): string {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)) return value.slice(0, 10)
  const text =
    typeof value === 'object' && value !== null
      ? Array.isArray(value) && value.every((each) => typeof each !== 'object')
        ? value.join(', ')
        : JSON.stringify(value)
      : String(value)
  return PLAIN.has(key) ? text : `${key}=${text}`
}

/** What a page of rows says: its single figures, a line for each row, and how to go on. */
export function rowsText(
  rows: readonly Fields[],
  { head, ...more }: { readonly head?: string } & Fields = {},
): string {
  const rest = lineOf(more)
  return paragraphs(head, rows.map(lineOf).join('\n'), rest === '' ? undefined : rest)
}
