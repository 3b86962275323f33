/** A document, or the part of it that was asked for, within a budget. */
import type { DocNo, DocumentRecord } from '../../domain/document.ts'
import { documentId } from '../../domain/document.ts'
import { KnowledgeError, invalid, notFound, quoted } from '../../domain/error.ts'
import { anchorsIn } from '../../domain/conversion.ts'
import { eachInSteps, stepsInSlices } from '../../kit/slices.ts'
import { findBlock } from '../../parsing/find-block.ts'
import { findSection } from '../../parsing/find-section.ts'
import { lineAt } from '../../parsing/lines.ts'
import { isBroken } from './check-notes.ts'
import { documentUrl } from './document-url.ts'
import { labelDocuments } from './label-documents.ts'
import type { LinkedDocument } from './label-documents.ts'
import type { View } from '../view/view.ts'
import { getLive, parseLive } from './read-document.ts'
import type { LiveDocument, ReadDocument } from './read-document.ts'
import type { PastVersion } from '../writing/past-versions.ts'
import { findDocument, resolveAddress } from './resolve-document.ts'
import { estimateTokens } from './tokens.ts'

export interface FetchOptions {
  /** A heading, or a path of headings such as `Setup > Linux`. */
  readonly section?: string
  /** `10-40`, `10-` or `10`; lines count from 1. `10:500-` begins at the 500th character of line 10. */
  readonly lines?: string
  readonly maxTokens?: number
  /** As it stood then: a moment, a day's end, an operation, a commit or a digest. */
  readonly at?: string | undefined
}

export interface FetchedDocument {
  readonly record: DocumentRecord
  readonly id: string
  readonly title: string
  readonly url: string
  readonly text: string
  readonly digest: string
  /** What the file begins with and the text does not: the mark of this encoding. */
  readonly byteOrderMark: 'utf-8' | 'utf-16' | undefined
  readonly modifiedAt: number
  /** Lines that `text` covers, and how many the file has. */
  readonly lines: readonly [number, number]
  readonly totalLines: number
  /** What to ask for next when the budget cut the text short. */
  readonly next: { readonly lines: string } | undefined
  /** What made it so, where the text is one of the past. */
  readonly version?: PastVersion
}

export interface DocumentLinks {
  readonly links: readonly LinkedDocument[]
  /** Targets that are written down and do not exist, as written. */
  readonly unresolved: readonly string[]
}

const DEFAULT_TOKENS = 8_000

export async function fetchDocument(
  kb: View,
  id: string,
  options: FetchOptions = {},
): Promise<FetchedDocument> {
  if (options.section !== undefined && options.lines !== undefined) {
    throw invalid('Both section and lines were given.', 'Pass one of them, or neither.')
  }
  let found: Addressed
  if (options.at === undefined) {
    const { document, part, lines } = await addressed(kb, id, options)
    found = { live: await getLive(kb, document), part, lines }
  } else {
    found = await addressedThen(kb, id, options, options.at)
  }
  const { live, part, lines, version } = found
  const { record } = live
  const starts = lineStarts(live.text)
  const range =
    part === undefined
      ? await rangeOf(kb, live, starts, { ...options, lines })
      : await rangeOfPart(kb, live, starts, part)
  const end = endWithin(live.text, starts, range, options.maxTokens ?? DEFAULT_TOKENS)
  return {
    record,
    id: documentId(record),
    title: record.title,
    url: documentUrl(kb, record),
    text: live.text.slice(startOf(starts, range), end.offset),
    digest: live.digest,
    byteOrderMark: live.byteOrderMark,
    modifiedAt: live.modifiedAt,
    lines: [range.from, end.line],
    totalLines: starts.length,
    next: end.next === undefined ? undefined : { lines: `${end.next}-${range.to}` },
    ...(version && { version }),
  }
}

interface Addressed {
  readonly live: ReadDocument
  readonly version?: PastVersion
  readonly part: string | undefined
  readonly lines: string | undefined
}

/** What is gone by now is asked for by its name alone. */
async function addressedThen(
  kb: View,
  id: string,
  options: FetchOptions,
  at: string,
): Promise<Addressed> {
  const { readPast } = await import('./read-past.ts')
  const found = await addressed(kb, id, options).catch((error: unknown) => {
    if (error instanceof KnowledgeError && error.code === 'not_found') return undefined
    throw error
  })
  const meant = found ? documentId(found.document) : id
  const { part, lines } = found ?? { part: undefined, lines: options.lines }
  return { ...(await readPast(kb, meant, at)), part, lines }
}

/** `notes/a.md:10-20` is a document and its lines, `Note#Heading` one and a part of it. */
async function addressed(
  kb: View,
  id: string,
  { lines, section }: FetchOptions,
): Promise<{
  readonly document: DocumentRecord
  readonly part: string | undefined
  readonly lines: string | undefined
}> {
  const whole = lines === undefined && section === undefined
  const [, head, tail] = /^(.+):(\d{1,9}(?:-\d{0,9})?)$/s.exec(id) ?? []
  if (head !== undefined && whole) {
    const document = await findDocument(kb, head)
    if (document) return { document, part: undefined, lines: tail }
  }
  const { record, part } = await resolveAddress(kb, id)
  return { document: record, lines, part: whole ? part : undefined }
}

/** What a document links to, each target once, in the order of the text. */
export async function outgoingLinks(kb: View, record: DocumentRecord): Promise<DocumentLinks> {
  const targets = new Set<DocNo>()
  const unresolved = new Set<string>()
  const sorting = eachInSteps(await kb.store.linksFrom(record.no), (link) => {
    if (link.to !== undefined) targets.add(link.to)
    if (isBroken(link)) unresolved.add(link.target)
  })
  await stepsInSlices(sorting)
  return {
    links: [...(await labelDocuments(kb, [...targets])).values()],
    unresolved: [...unresolved],
  }
}

/** Documents that link here, each once, in path order. */
export async function backlinks(
  kb: View,
  record: DocumentRecord,
): Promise<readonly LinkedDocument[]> {
  const links = await kb.store.linksTo(record.no)
  const found = await labelDocuments(
    kb,
    links.map(({ from }) => from),
  )
  return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Offsets at which lines begin. An empty text has one line. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (at + 1 < text.length) starts.push(at + 1)
  }
  return starts
}

/** Lines of a text, both included. */
interface Range {
  readonly from: number
  /** Where in the first line to begin; 1 is its first character. */
  readonly column: number
  readonly to: number
}

function startOf(starts: readonly number[], { from, column }: Range): number {
  return starts[from - 1]! + column - 1
}

async function rangeOf(
  kb: View,
  live: LiveDocument,
  starts: readonly number[],
  options: FetchOptions,
): Promise<Range> {
  if (options.lines !== undefined) return parseLines(options.lines, live.text, starts)
  if (options.section === undefined) return { from: 1, column: 1, to: starts.length }
  const parsed = await parseLive(kb, live)
  const index = findSection(documentId(live.record), parsed.headings, options.section)
  const heading = parsed.headings[index]!
  const following = parsed.headings.slice(index + 1).find(({ level }) => level <= heading.level)
  return { from: heading.line, column: 1, to: following ? following.line - 1 : starts.length }
}

/** `Heading` or `^block`, as they stand behind a `#`. */
async function rangeOfPart(
  kb: View,
  live: LiveDocument,
  starts: readonly number[],
  part: string,
): Promise<Range> {
  const named = part.includes('=') ? linesAt(live.text, starts, part) : undefined
  if (named) return named
  if (!part.startsWith('^')) return rangeOf(kb, live, starts, { section: part })
  const lines = live.text.split(/\r?\n/)
  const place = findBlock(lines, part.slice(1))
  if (place) return { from: place.from + 1, column: 1, to: place.to + 1 }
  throw notFound(
    `${documentId(live.record)} has no block ${quoted(part)}.`,
    'Fetch the document without it.',
  )
}

/** `page=3` of a file whose text has named places: from there to the next place of the kind. */
function linesAt(text: string, starts: readonly number[], part: string): Range | undefined {
  const kind = /^[a-z]+=/.exec(part)?.[0]
  if (kind === undefined) return undefined
  const places = anchorsIn(text)
  const from = places.findIndex(({ name }) => name === part)
  if (from < 0) return undefined
  const next = places.slice(from + 1).find(({ name }) => name.startsWith(kind))
  const to = next ? lineAt(starts, next.at) - 1 : starts.length
  return { from: lineAt(starts, places[from]!.at), column: 1, to }
}

function parseLines(lines: string, text: string, starts: readonly number[]): Range {
  const total = starts.length
  const match = /^\s*(\d{1,9})(?::(\d{1,9}))?\s*(-\s*(\d{1,9})?\s*)?$/.exec(lines)
  const from = Number(match?.[1])
  const column = Number(match?.[2] ?? 1)
  const to = match?.[4] ? Number(match[4]) : match?.[3] ? total : from
  if (!match || from < 1 || column < 1 || (match[4] !== undefined && to < from)) {
    throw invalid(
      `${quoted(lines)} is not a range of lines.`,
      'Write "10-40", "10-" or "10"; the first line is 1.',
    )
  }
  if (from > total) {
    throw invalid(
      `The document has ${total} lines, so it has no line ${from}.`,
      `Ask for lines between 1 and ${total}.`,
    )
  }
  const length = lineEnd(text, starts, from) - starts[from - 1]!
  if (column > Math.max(1, length)) {
    throw invalid(
      `Line ${from} has ${length} characters, so it has no character ${column}.`,
      `Ask for "${from}", or for a character between 1 and ${length}.`,
    )
  }
  return { from, column, to: Math.min(to, total) }
}

/** Where reading ends, and the mark (`12` or `12:500`) to go on from. */
interface End {
  readonly line: number
  readonly offset: number
  readonly next: string | undefined
}

/** The last line that still fits. A line that is too long by itself is cut, so reading goes on. */
function endWithin(text: string, starts: readonly number[], range: Range, maxTokens: number): End {
  let tokens = 0
  for (let line = range.from; line <= range.to; line++) {
    const start = line === range.from ? startOf(starts, range) : starts[line - 1]!
    const part = text.slice(start, lineEnd(text, starts, line))
    tokens += estimateTokens(part)
    if (tokens <= maxTokens) continue
    if (line > range.from) return { line: line - 1, offset: start, next: String(line) }
    const offset = start + lengthWithin(part, maxTokens)
    if (offset < start + part.length) {
      return { line, offset, next: `${line}:${offset - starts[line - 1]! + 1}` }
    }
  }
  return { line: range.to, offset: lineEnd(text, starts, range.to), next: undefined }
}

/** Where a line ends, its line break included. */
function lineEnd(text: string, starts: readonly number[], line: number): number {
  return starts[line] ?? text.length
}

/** How many characters fit; at least a few, and never half of one. */
function lengthWithin(text: string, maxTokens: number): number {
  let fits = 0
  let tooMuch = text.length + 1
  while (tooMuch - fits > 1) {
    const middle = (fits + tooMuch) >> 1
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) fits = middle
    else tooMuch = middle
  }
  const half = (text.codePointAt(fits - 1) ?? 0) > 0xffff
  return Math.max(2, half ? fits - 1 : fits)
}
