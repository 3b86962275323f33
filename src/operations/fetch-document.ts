/** A document, or the part of it that was asked for, within a budget. */
import type { DocumentRecord, LinkRecord } from '../domain/document.ts'
import { documentId } from '../domain/document.ts'
import { invalid, quoted } from '../domain/error.ts'
import { findSection } from '../parsing/find-section.ts'
import { documentUrl } from './document-url.ts'
import type { Knowledge } from './knowledge.ts'
import { getLive, parseLive } from './read-document.ts'
import type { LiveDocument } from './read-document.ts'
import { resolveDocument } from './resolve-document.ts'
import { estimateTokens } from './tokens.ts'

export interface FetchOptions {
  /** A heading, or a path of headings such as `Setup > Linux`. */
  readonly section?: string
  /** `10-40`, `10-` or `10`; lines count from 1. */
  readonly lines?: string
  readonly maxTokens?: number
}

export interface FetchedDocument {
  readonly record: DocumentRecord
  readonly id: string
  readonly title: string
  readonly url: string
  readonly text: string
  readonly digest: string
  readonly modifiedAt: number
  /** Lines that `text` covers, and how many the file has. */
  readonly lines: readonly [number, number]
  readonly totalLines: number
  /** What to ask for next when the budget cut the text short. */
  readonly next: { readonly lines: string } | undefined
}

export interface LinkedDocument {
  readonly id: string
  readonly title: string
}

export interface DocumentLinks {
  readonly links: readonly LinkedDocument[]
  /** Targets that are written down and do not exist, as written. */
  readonly unresolved: readonly string[]
}

const DEFAULT_TOKENS = 8_000

export async function fetchDocument(
  kb: Knowledge,
  id: string,
  options: FetchOptions = {},
): Promise<FetchedDocument> {
  if (options.section !== undefined && options.lines !== undefined) {
    throw invalid('Both section and lines were given.', 'Pass one of them, or neither.')
  }
  const live = await getLive(kb, await resolveDocument(kb, id))
  const { record } = live
  const starts = lineStarts(live.text)
  const [from, to] = rangeOf(kb, live, starts, options)
  const last = lastLineWithin(live.text, starts, from, to, options.maxTokens ?? DEFAULT_TOKENS)
  return {
    record,
    id: documentId(record),
    title: record.title,
    url: documentUrl(kb, record),
    text: live.text.slice(starts[from - 1], starts[last] ?? live.text.length),
    digest: live.digest,
    modifiedAt: live.modifiedAt,
    lines: [from, last],
    totalLines: starts.length,
    next: last < to ? { lines: `${last + 1}-${to}` } : undefined,
  }
}

/** What a document links to, each target once, in the order of the text. */
export async function outgoingLinks(kb: Knowledge, record: DocumentRecord): Promise<DocumentLinks> {
  const links = await kb.store.linksFrom(record.no)
  const targets = distinct(links.map(({ to }) => to))
  return {
    links: await titled(kb, targets),
    unresolved: distinct(links.filter(isBroken).map(({ target }) => target)),
  }
}

/** Documents that link here, each once, in path order. */
export async function backlinks(
  kb: Knowledge,
  record: DocumentRecord,
): Promise<readonly LinkedDocument[]> {
  const links = await kb.store.linksTo(record.no)
  const found = await titled(kb, distinct(links.map(({ from }) => from)))
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

async function titled(kb: Knowledge, nos: readonly number[]): Promise<LinkedDocument[]> {
  const records = await kb.store.documents(nos)
  return records
    .filter((record) => record !== undefined)
    .map((record) => ({ id: documentId(record), title: record.title }))
}

function isBroken(link: LinkRecord): boolean {
  return link.to === undefined && link.kind !== 'image'
}

function distinct<Value>(values: readonly (Value | undefined)[]): Value[] {
  return [...new Set(values.filter((value) => value !== undefined))]
}

/** Offsets at which lines begin. An empty text has one line. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (at + 1 < text.length) starts.push(at + 1)
  }
  return starts
}

function rangeOf(
  kb: Knowledge,
  live: LiveDocument,
  starts: readonly number[],
  options: FetchOptions,
): [number, number] {
  if (options.lines !== undefined) return parseLines(options.lines, starts.length)
  if (options.section === undefined) return [1, starts.length]
  const parsed = parseLive(kb, live)
  const index = findSection(documentId(live.record), parsed.headings, options.section)
  const heading = parsed.headings[index]!
  const following = parsed.headings.slice(index + 1).find(({ level }) => level <= heading.level)
  return [heading.line, following ? following.line - 1 : starts.length]
}

function parseLines(text: string, total: number): [number, number] {
  const match = /^\s*(\d{1,9})\s*(-\s*(\d{1,9})?\s*)?$/.exec(text)
  const from = Number(match?.[1])
  const to = match?.[3] ? Number(match[3]) : match?.[2] ? total : from
  if (!match || from < 1 || to < from) {
    throw invalid(
      `${quoted(text)} is not a range of lines.`,
      'Write "10-40", "10-" or "10"; the first line is 1.',
    )
  }
  if (from > total) {
    throw invalid(
      `The document has ${total} lines, so it has no line ${from}.`,
      `Ask for lines between 1 and ${total}.`,
    )
  }
  return [from, Math.min(to, total)]
}

/** The last line that still fits. One line is always given, so that reading makes progress. */
function lastLineWithin(
  text: string,
  starts: readonly number[],
  from: number,
  to: number,
  maxTokens: number,
): number {
  let tokens = 0
  for (let line = from; line <= to; line++) {
    tokens += estimateTokens(text.slice(starts[line - 1], starts[line] ?? text.length))
    if (tokens > maxTokens) return Math.max(from, line - 1)
  }
  return to
}
