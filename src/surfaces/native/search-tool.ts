/** `search`: several ways to ask, one row. */
import { z } from 'zod'
import { invalid } from '../../domain/error.ts'
import { cutText, echoed } from '../../domain/cut-text.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { explainMissing } from '../../operations/searching/explain-missing.ts'
import type { MissingExplanation } from '../../operations/searching/explain-missing.ts'
import { findOccurrences } from '../../operations/searching/find-occurrences.ts'
import type { Occurrence, Occurrences } from '../../operations/searching/find-occurrences.ts'
import { likenessOf } from '../../operations/searching/find-similar.ts'
import { SEARCH_MODES } from '../../operations/searching/rank-documents.ts'
import { searchSymbols } from '../../operations/searching/search-symbols.ts'
import type { FoundSymbol } from '../../operations/searching/search-symbols.ts'
import { searchSubsystems } from '../../operations/repository/search-subsystems.ts'
import type { FoundSubsystem } from '../../operations/repository/search-subsystems.ts'
import { searchDocuments } from '../../operations/searching/search-documents.ts'
import type { SearchHit } from '../../operations/searching/search-documents.ts'
import { fitting } from '../../operations/reading/tokens.ts'
import { tool } from '../tool.ts'
import {
  RARE_SELECTION,
  againField,
  cursorField,
  limitField,
  maxTokensField,
  rows,
  selectionFields,
  selectionOf,
} from './fields.ts'
import {
  evidenceWithin,
  lineOf,
  paragraphs,
  placesWithin,
  rowsText,
  searchText,
  tokensFor,
} from './lean-text.ts'
import type { SearchBudget } from './lean-text.ts'
import { compact, instant, VALUE_LENGTH, tagsOf } from './present.ts'
import { seenOn } from './seen-on.ts'

/** A page of results never takes more of a client's context than this. */
const SEARCH_TOKENS = 8_000

const SNIPPET = { concise: 200, detailed: 600 } as const

/** What to look for, in the words callers use. */
const KINDS = { documents: 'document', entities: 'entity', code: 'document' } as const

export const searchTool = tool({
  name: 'search',
  title: 'Search',
  description:
    'Find documents by words or a question, lines of a text or pattern, or similar notes.',
  access: 'read',
  rare: [
    ...RARE_SELECTION,
    'language',
    'kind',
    'typing',
    'detail',
    'mode',
    'explain',
    'explain_missing',
  ],
  input: z.strictObject({
    query: z.string().describe('Words or a question; "a phrase", -excluded'),
    also: z.array(z.string()).max(7).optional().describe('More questions to answer'),
    match: z
      .enum(['words', 'text', 'regex', 'similar'])
      .optional()
      .describe('text, regex: every line; similar: query is an id'),
    ...selectionFields,
    in: z
      .enum(['documents', 'entities', 'code', 'symbols', 'subsystems'])
      .optional()
      .describe('Search these only'),
    language: z.string().optional().describe('Programming language of the code'),
    kind: z.string().optional().describe('Kind of symbol: function, class …'),
    typing: z.boolean().optional().describe('The last word is not finished yet'),
    limit: limitField(10, 50),
    cursor: cursorField,
    max_tokens: maxTokensField,
    again: againField,
    detail: z.enum(['concise', 'detailed']).optional().describe('How long the passages are'),
    mode: z.enum(SEARCH_MODES).optional().describe('Search by words, by meaning or both'),
    explain: z.boolean().optional().describe('Show what each score is made of'),
    explain_missing: z.string().optional().describe('Id of a document: say why it was not found'),
  }),
  output: z.object({
    results: rows,
    relevant: z.boolean(),
  }),
  run: async (kb, input, { signal, connection }) => {
    const { query, also = [], match, limit, cursor, mode, typing, explain_missing: missing } = input
    checkWays(input)
    if (match === 'text' || match === 'regex') {
      const fit = (lines: readonly Occurrence[]) =>
        fitting(lines.map(lineOfOccurrence), input.max_tokens ?? LINE_TOKENS)
      const options = { ...selectionOf(input), match, limit, cursor, fit, signal }
      return { lines: await findOccurrences(kb, query, options) }
    }
    if (input.in === 'symbols') {
      // The types of symbols are classes, functions and the like.
      const { types = [], ...chosen } = selectionOf(input)
      const kinds = [...types, ...(input.kind === undefined ? [] : [input.kind])]
      return { symbols: await searchSymbols(kb, query, { ...chosen, kinds, limit }) }
    }
    if (input.in === 'subsystems') {
      return { subsystems: await searchSubsystems(kb, query, { ...selectionOf(input), limit }) }
    }
    const kind = input.in && KINDS[input.in]
    const code = input.in === 'code' || input.language !== undefined || input.kind !== undefined
    const selection = {
      ...selectionOf(input),
      kind,
      ...(code && { types: ['code'], defines: input.kind }),
    }
    const like = match === 'similar' ? await likenessOf(kb, query) : undefined
    const share = shareOf(input, also.length)
    const search = async (question: string) => {
      const seen = seenOn(connection)?.about(question, { again: input.again })
      const answer = await searchDocuments(kb, question, {
        ...selection,
        mode,
        typing,
        cursor,
        limit: share.limit,
        without: like?.id,
        snippetLength: SNIPPET[input.detail ?? 'concise'],
        fit: (hits) => Math.min(rowsWithin(hits, input), placesWithin(hits, share)),
        evidence: (hits) => ({ ...evidenceWithin(hits, share), seen }),
      })
      for (const { id } of answer.hits) seen?.names(id)
      // Nobody reads the reply to a call that was given up.
      if (!signal.aborted) seen?.told()
      return answer
    }
    const answer = await search(like?.query ?? query)
    if (also.length > 0) {
      const others = [{ query: echoed(query), answer }]
      for (const each of also) others.push({ query: echoed(each), answer: await search(each) })
      return { answer, others }
    }
    if (missing === undefined) return { answer }
    const options = { ...selection, mode, shown: limit ?? 10 }
    return { answer, missing: await explainMissing(kb, query, missing, options) }
  },
  present: ({ answer, others, lines, missing, symbols, subsystems }, input) => {
    if (lines) return presentLines(lines)
    const named = symbols?.map(presentSymbol) ?? subsystems?.map(presentSubsystem)
    if (!answer) return { results: named ?? [], relevant: named !== undefined && named.length > 0 }
    return compact({
      results: answer.hits.map((hit, at) => ({
        ...hitPresenter(input)(hit),
        ...(answer.evidence.some((each) => each.at === at && each.saved > 0) && { seen: true }),
      })),
      relevant: answer.relevant,
      next_cursor: answer.nextCursor,
      mode: input.explain ? answer.mode : undefined,
      missing: missing && presentMissing(missing),
      note: answer.notes.join(' ') || undefined,
      answers: others?.map((each) => ({
        query: each.query,
        results: each.answer.hits.map(hitPresenter(input)),
        relevant: each.answer.relevant,
      })),
    })
  },
  saved: ({ answer, others }) =>
    (others?.map((each) => each.answer) ?? [answer])
      .flatMap((each) => each?.evidence ?? [])
      .reduce((sum, { saved }) => sum + saved, 0),
  text: ({ answer, others, lines, missing, symbols, subsystems }, { explain }) => {
    if (lines) return linesText(lines)
    if (others) {
      return others.map((each) => `# ${each.query}\n${searchText(each.answer)}`).join('\n\n')
    }
    if (symbols) return rowsText(symbols.map(presentSymbol)) || 'No symbol was found.'
    if (!answer) {
      return rowsText((subsystems ?? []).map(presentSubsystem)) || 'No subsystem was found.'
    }
    return paragraphs(
      searchText(answer),
      explain ? answer.hits.map(signalLine).join('\n') : undefined,
      missing && lineOf(presentMissing(missing)),
    )
  },
})

/** Lines of a pattern never take more of a client's context than this, unless said. */
const LINE_TOKENS = 2_000
const LINE_LENGTH = 300

function lineOfOccurrence({ id, line, text }: Occurrence): string {
  return `${id}:${line}: ${cutText(text, LINE_LENGTH)}`
}

function linesText({ occurrences, total, documents, complete, nextCursor }: Occurrences): string {
  if (total === 0) return 'No line has it.'
  const counted = `${complete ? '' : 'at least '}${total} lines in ${documents} documents`
  return paragraphs(
    counted,
    occurrences.map(lineOfOccurrence).join('\n'),
    nextCursor && `More: cursor="${nextCursor}"`,
  )
}

function presentLines({ occurrences, total, documents, complete, nextCursor }: Occurrences) {
  return compact({
    results: occurrences.map(({ id, title, line, text }) => ({
      id,
      title,
      snippet: cutText(text, VALUE_LENGTH),
      lines: `${line}-${line}`,
      line,
    })),
    relevant: total > 0,
    total,
    documents,
    complete: complete ? undefined : false,
    next_cursor: nextCursor,
  })
}

/** Several questions share a reply that may be half as long again for each. */
function shareOf(
  { limit, detail, max_tokens: maxTokens }: SearchBudget & { readonly limit?: number | undefined },
  others: number,
): SearchBudget & { readonly limit: number | undefined } {
  if (others === 0) return { limit, detail, max_tokens: maxTokens }
  const count = others + 1
  const whole = maxTokens ?? tokensFor({ detail }) * ((count + 1) / 2)
  return {
    limit: limit ?? Math.max(3, Math.round(10 / count)),
    max_tokens: Math.floor(whole / count) - QUESTION_TOKENS,
  }
}

const QUESTION_TOKENS = 10

/** What does not go together would be lost in silence. */
function checkWays({
  match = 'words',
  also = [],
  cursor,
}: {
  readonly match?: string | undefined
  readonly also?: readonly string[] | undefined
  readonly cursor?: string | undefined
}): void {
  if (also.length === 0) return
  if (match !== 'words') {
    throw invalid(`also asks more questions, and match is ${match}.`, 'Leave one of them out.')
  }
  if (cursor !== undefined) {
    throw invalid('also and cursor do not go together.', 'Page through one question at a time.')
  }
}

function signalLine({ id, signals }: SearchHit): string {
  return lineOf({ id, ...rounded(signals) })
}

function presentSymbol({ id, url, symbol, language, score }: FoundSymbol) {
  return compact({
    id,
    symbol: symbol.qualifiedName,
    kind: symbol.kind,
    language,
    url,
    lines: `${symbol.lineStart}-${symbol.lineEnd}`,
    score: Number(score.toPrecision(4)),
  })
}

function presentSubsystem(found: FoundSubsystem) {
  const { subsystem, description, sourceFiles, tests, documents, files, score } = found
  return compact({
    subsystem,
    description,
    source_files: sourceFiles,
    tests,
    documents,
    files: files.length > 0 ? files : undefined,
    score: Number(score.toPrecision(4)),
  })
}

/** What a letter takes at the most, written as an escape of six; a row besides its texts; a mark. */
const LETTER_TOKENS = 6 / 3.5
const ROW_TOKENS = 60
const MARK_TOKENS = 8

/** How many of the hits a page has room for. Most pages are so small that nobody has to count. */
function rowsWithin(hits: readonly SearchHit[], input: Parameters<typeof hitPresenter>[0]): number {
  const isPlain = input.detail !== 'detailed' && !input.explain
  if (isPlain && sum(hits.map(mostTokens)) <= SEARCH_TOKENS) return hits.length
  return fitting(hits.map(hitPresenter(input)), SEARCH_TOKENS)
}

function mostTokens({ id, title, url, snippet, headingPath, marks }: SearchHit): number {
  const letters = sum([id, title, url, snippet].map(({ length }) => length))
  const headings = sum(headingPath.map(({ length }) => length + 3))
  return ROW_TOKENS + (letters + headings) * LETTER_TOKENS + marks.length * MARK_TOKENS
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}

function hitPresenter({
  detail = 'concise',
  explain = false,
}: {
  readonly detail?: keyof typeof SNIPPET
  readonly explain?: boolean
}) {
  return (hit: SearchHit) => presentHit(hit, detail, explain)
}

function presentHit(hit: SearchHit, detail: 'concise' | 'detailed', explain: boolean) {
  const { document } = hit
  return compact({
    id: hit.id,
    title: hit.title,
    url: hit.url,
    kind: isEntityPath(document.path) ? 'entity' : undefined,
    snippet: hit.snippet,
    heading: hit.headingPath.join(' > ') || undefined,
    lines: hit.lines?.join('-'),
    line: hit.line,
    matches: hit.marks.length > 0 ? hit.marks : undefined,
    score: Number(hit.score.toPrecision(4)),
    ...(detail === 'detailed' && {
      source: document.source,
      type: document.type,
      tags: tagsOf(document),
      ...(document.updatedAt !== undefined && { updated: instant(document.updatedAt) }),
    }),
    signals: explain ? compact(rounded(hit.signals)) : undefined,
  })
}

function rounded<Values extends object>(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(4)) : value,
    ]),
  ) as Values
}

function presentMissing({ words, ...explanation }: MissingExplanation) {
  return compact({
    ...rounded(explanation),
    words: words.map(({ word, inDocument }) => ({ word, in_document: inDocument })),
  })
}
