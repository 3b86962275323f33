/**
 * What a model reads: plain text made for reading, without what it does not need. Programs read the
 * structured result beside it, which has everything.
 */
import { cutText } from '../../core/kit/cut-text.ts'
import type { AnswerClaim, QuestionAnswer } from '../../core/operations/answering/ask-question.ts'
import type { Repeated } from '../../core/operations/answering/repeated-quotes.ts'
import type { FetchedDocument } from '../../core/operations/reading/fetch-document.ts'
import { estimateTokens } from '../../core/operations/reading/tokens.ts'
import type { PackOptions } from '../../core/operations/searching/pack-evidence.ts'
import type { SearchAnswer, SearchHit } from '../../core/operations/searching/search-documents.ts'

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
 * What a page of hits takes unless said: a thousand tokens show the answer of most questions, and
 * more of the same shows little more (docs/economy.md).
 */
const SEARCH_TOKENS = 1_065
const DETAILED_TOKENS = 2_300
/** Of a small budget, places take at most so much: a place alone answers nothing. */
const PLACES_SHARE = 0.6
/** What the cursor of the next page takes. */
const CURSOR_TOKENS = 16

export interface SearchBudget {
  readonly detail?: 'concise' | 'detailed' | undefined
  readonly max_tokens?: number | undefined
}

export function tokensFor({ detail, max_tokens: maxTokens }: SearchBudget): number {
  return maxTokens ?? (detail === 'detailed' ? DETAILED_TOKENS : SEARCH_TOKENS)
}

/** How many of the hits are named within the budget; at least one. */
export function placesWithin(hits: readonly SearchHit[], budget: SearchBudget): number {
  if (budget.max_tokens === undefined) return hits.length
  let left = budget.max_tokens * PLACES_SHARE
  const full = hits.findIndex((hit, rank) => {
    left -= estimateTokens(placeOf(hit, rank))
    return left < 0
  })
  return full < 0 ? hits.length : Math.max(1, full)
}

/** What is left for passages when the hits have been named. */
export function evidenceWithin(hits: readonly SearchHit[], budget: SearchBudget): PackOptions {
  const places = estimateTokens(hits.map(placeOf).join('\n'))
  const rest = budget.max_tokens === undefined ? 0 : CURSOR_TOKENS
  return { tokens: tokensFor(budget) - places - rest, shorten: withoutTargets }
}

/** What was found, a line each; then passages of the best, as far as there is room. */
export function searchText(answer: SearchAnswer): string {
  const { hits, evidence, relevant, nextCursor, notes } = answer
  if (hits.length === 0) return paragraphs('Nothing was found.', ...notes)
  return paragraphs(
    relevant ? undefined : 'No document has these words together; the nearest are:',
    hits.map(placeOf).join('\n'),
    ...evidence.filter(({ text }) => text !== '').map(({ at, text }) => `[${at + 1}] ${text}`),
    seenText(answer),
    nextCursor === undefined ? undefined : `More: cursor="${nextCursor}"`,
    ...notes,
  )
}

/** Names what stands in the conversation already. */
function seenText({ hits, evidence }: SearchAnswer): string | undefined {
  const seen = evidence
    .filter(({ saved }) => saved > 0)
    .map(({ at }) => `${at + 1} ${hits[at]!.id}`)
  return seen.length === 0 ? undefined : `seen: ${seen.join(', ')}`
}

function placeOf(hit: SearchHit, rank: number): string {
  const place = `${rank + 1} ${headOf(hit)}`
  if (hit.earlier === undefined) return place
  return `${place} (earlier${hit.earlier === 'earlier' ? '' : `: ${hit.earlier}`})`
}

/** Letters of a title with its headings: enough to tell places apart. */
const NAME_LENGTH = 60

/** `notes/a.md:10-20 Title › Heading`: `fetch` takes what stands before the blank. */
function headOf({ id, title, lines, line, lastLine, headingPath }: SearchHit): string {
  const at = lines ? `:${line ?? lines[0]}-${lastLine ?? lines[1]}` : ''
  const trail = headingPath.filter((heading) => heading !== title)
  const named = isSpelledOut(id, title) ? trail : [title, ...trail]
  return [`${id}${at}`, cutText(named.join(' › '), NAME_LENGTH)]
    .filter((part) => part !== '')
    .join(' ')
}

/** A title that the path spells out need not be said twice. */
function isSpelledOut(id: string, title: string): boolean {
  return lettersOf(id).includes(lettersOf(title))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Links by their words alone: where they lead costs more than it tells. Code stays as it is. */
function withoutTargets(text: string): string {
  if (!MAYBE_LONG.test(text)) return text
  return text
    .split(/(```[^]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : shortened(part)))
    .join('')
}

/** Without any of these there is nothing to shorten, as in most texts. */
const MAYBE_LONG = /\]\(|[ \t]{2}|\n\n/

function shortened(prose: string): string {
  return prose
    .replaceAll(/!?\[([^\]\n]{0,300})\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,300}")?\)/g, '$1')
    .replaceAll(/[ \t]{2,}(?=\S)/g, ' ')
    .replaceAll(/\n{2,}/g, '\n')
}

export function fetchText(
  { id, title, text, lines, totalLines, digest, next }: FetchedDocument,
  at?: string,
) {
  const then = at === undefined ? '' : `, at=${JSON.stringify(at)}`
  const rest = next && `[Cut to fit. Read on with fetch(id="${id}:${next.lines}"${then}).]`
  const head = [
    `${id}:${lines.join('-')} of ${totalLines}`,
    ...(isSpelledOut(id, title) ? [] : [title]),
    `(digest ${shortDigest(digest)})`,
  ]
  return paragraphs(head.join(' '), text.trimEnd(), rest)
}

/** Letters shown of an answer that stands in the conversation already. */
export const KNOWN_LENGTH = 200

/** Each quote once, with where it stands; of more than fits, the best come first. */
export function askText(
  { answer, claims: all, sources, gaps, mode, notes }: QuestionAnswer,
  { max_tokens: maxTokens = Infinity }: { readonly max_tokens?: number | undefined } = {},
  repeated: Repeated = { claims: new Set(), sources: new Set() },
): string {
  const isQuoted = mode === 'extractive'
  const isKnown = (claim: AnswerClaim): boolean => isQuoted && repeated.claims.has(claim)
  // The first is the answer: it is said again, in short. A model says it in new words, above quotes
  // that need not be repeated.
  const fresh = all.filter((claim, index) => index === 0 || !isKnown(claim))
  let room = maxTokens
  const claims = fresh.filter((claim, index) => {
    room -= estimateTokens([claim.text, ...claim.citations.map(({ id }) => id)].join(' '))
    return index === 0 || room >= 0
  })
  const said = claims.map((claim) => {
    const places = placesOf(claim).join(', ')
    if (!isKnown(claim)) return `${claim.text} (${places})`
    return `${cutText(claim.text, KNOWN_LENGTH)} (seen: ${places})`
  })
  const quotes = isQuoted
    ? []
    : claims
        .filter((claim) => !repeated.claims.has(claim))
        .flatMap(({ citations }) =>
          citations.map(({ id, lines, quote }) => `> ${quote} (${id}:${lines.join('-')})`),
        )
  const known = all.filter((claim, index) => index > 0 && isKnown(claim))
  const named = new Set(all.flatMap(({ citations }) => citations.map(({ id }) => id)))
  const others = sources
    .filter(({ id }) => !named.has(id) && !repeated.sources.has(id))
    .map(({ id }) => id)
    .filter((line) => (room -= estimateTokens(line)) >= 0)
  return paragraphs(
    claims.length > 0 ? said.join('\n') : answer,
    quotes.join('\n'),
    known.length > 0 ? `seen: ${placesTogether(known)}` : undefined,
    claims.length < fresh.length ? `${fresh.length - claims.length} more did not fit.` : undefined,
    gaps.length > 0 ? `Not answered: ${gaps.join(', ')}` : undefined,
    others.length > 0 ? `See also: ${others.join(', ')}` : undefined,
    ...notes,
  )
}

/** `a.md:3-4 and 8-9, b.md:1-2`: each document once. */
function placesTogether(claims: readonly AnswerClaim[]): string {
  const cited = Map.groupBy(
    claims.flatMap(({ citations }) => citations),
    ({ id }) => id,
  )
  return [...cited]
    .map(([id, places]) => `${id}:${places.map(({ lines }) => lines.join('-')).join(' and ')}`)
    .join(', ')
}

function placesOf({ citations }: AnswerClaim): readonly string[] {
  return citations.map(({ id, lines: [first, last] }) => `${id}:${first}-${last}`)
}

type Fields = Readonly<Record<string, unknown>>

/** A row of a report or a list on one line; what is empty is not there. */
export function lineOf(row: Fields): string {
  const said: string[] = []
  for (const key in row) {
    const value = row[key]
    if (value !== undefined && value !== '') said.push(fieldText(key, value))
  }
  return said.join(' ')
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
