/**
 * What does the searcher ask for? Text becomes clauses: plain words, "phrases", +required,
 * -excluded, prefix*, field:word. Nothing a person types is an error: what is not an operator in
 * its place is plain text.
 */
import { ASKS_ALONE, withoutAsking } from './analysis/question-phrases.ts'
import { FIELDS } from './contract.ts'
import type { Field } from './contract.ts'

export interface QueryClause {
  readonly kind: 'words' | 'phrase' | 'prefix'
  readonly text: string
  /**
   * `any` clauses rank, `must` clauses rank and are required, `not` clauses exclude. A `quoted`
   * phrase without a sign is required of what words find; within a question it may just be a name.
   */
  readonly occur: 'any' | 'quoted' | 'must' | 'not'
  readonly field: Field | undefined
}

export interface ParsedQuery {
  /** As it was typed: it may be a name, whatever signs that has. */
  readonly typed: string
  readonly clauses: readonly QueryClause[]
  /** Whether the text was longer than a query is read. */
  readonly truncated: boolean
  /** Whether it asks for a symbol, which only source files define. */
  readonly symbols: boolean
}

/** A question is never longer than this; a pasted file is. */
const MAX_QUERY_CHARS = 16_384
const MAX_CLAUSES = 1_000

const CLAUSE = /([+-]?)(?:([a-z]+):)?(?:"([^"]*)"|([^\s"]+))/giu

/** Other names of fields that people type. */
const FIELD_NAMES: ReadonlyMap<string, Field> = new Map([
  ...FIELDS.map((field): [string, Field] => [field, field]),
  ['tag', 'tags'],
  ['alias', 'title'],
  // What a source file defines is to words what headings are to a note.
  ['symbol', 'heading'],
])

const SYMBOL = /(?:^|\s)\+?symbol:["\p{L}_$]/iu

/** Text without operators: every word of it may match, whatever signs it carries. */
export function plainQuery(text: string): ParsedQuery {
  const read = text.slice(0, MAX_QUERY_CHARS).normalize('NFC')
  const truncated = text.length > MAX_QUERY_CHARS
  return { typed: read, clauses: [words(read)], truncated, symbols: false }
}

export function parseQuery(text: string): ParsedQuery {
  const read = closeQuotes(text.slice(0, MAX_QUERY_CHARS)).normalize('NFC')
  const clauses: QueryClause[] = []
  let truncated = text.length > MAX_QUERY_CHARS
  const asked = ASKS_ALONE.test(read) ? withoutAsking(read) : read
  for (const match of asked.matchAll(CLAUSE)) {
    if (clauses.length === MAX_CLAUSES) {
      truncated = true
      break
    }
    const clause = parseClause(match, read)
    if (clause !== undefined) clauses.push(clause)
  }
  // A query that only excludes asks for nothing; its words are meant as words.
  const asks = clauses.some((clause) => clause.occur !== 'not')
  return {
    typed: read,
    clauses: asks ? clauses : clauses.map((clause) => ({ ...clause, occur: 'any' as const })),
    truncated,
    symbols: clauses.some(({ occur }) => occur === 'must') && SYMBOL.test(read),
  }
}

/** What is asked for in plain words: without the operators, and without what is excluded. */
export function askedText({ clauses }: ParsedQuery): string {
  return clauses
    .filter((clause) => clause.occur !== 'not')
    .map((clause) => clause.text)
    .join(' ')
}

/** The last quote of an odd number has no partner and is read as a space. */
function closeQuotes(text: string): string {
  if (text.split('"').length % 2 === 1) return text
  const last = text.lastIndexOf('"')
  return `${text.slice(0, last)} ${text.slice(last + 1)}`
}

function parseClause(match: RegExpMatchArray, query: string): QueryClause | undefined {
  const [all, sign, name, phrase, word] = match
  const field = name === undefined ? undefined : FIELD_NAMES.get(name.toLowerCase())
  const startsWord = match.index === 0 || /[\s"]/u.test(query[(match.index ?? 0) - 1] ?? ' ')
  const plain = all.replaceAll('"', ' ')
  const body = phrase ?? word ?? ''
  if (!/[\p{L}\p{N}]/u.test(body)) {
    return /[\p{L}\p{N}]/u.test(plain) ? words(plain) : undefined
  }
  // `error: x` and `http://x` name no field of ours; then the name belongs to the word.
  if (name !== undefined && field === undefined) {
    return phrase === undefined ? words(plain) : words(`${name} ${phrase}`)
  }
  const occur = !startsWord ? 'any' : sign === '+' ? 'must' : sign === '-' ? 'not' : 'any'
  if (phrase !== undefined) {
    const signed = occur === 'any' && field === undefined ? 'quoted' : occur
    return { kind: 'phrase', text: phrase, occur: signed === 'any' ? 'must' : signed, field }
  }
  const required = field !== undefined && occur === 'any' ? 'must' : occur
  const prefix = /^([\p{L}\p{N}_'’-]+)\*$/u.exec(body)?.[1]
  if (prefix !== undefined) return { kind: 'prefix', text: prefix, occur: required, field }
  if (body.startsWith('-') || body.startsWith('+')) return words(plain)
  return { kind: 'words', text: body, occur: required, field }
}

function words(text: string): QueryClause {
  return { kind: 'words', text, occur: 'any', field: undefined }
}
