/** `search`: several ways to ask, one row. */
import { z } from 'zod'
import { invalid } from '../../core/domain/error.ts'
import { cutText, echoed } from '../../core/kit/cut-text.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { explainMissing } from '../../core/operations/searching/explain-missing.ts'
import type { MissingExplanation } from '../../core/operations/searching/explain-missing.ts'
import { findOccurrences } from '../../core/operations/searching/find-occurrences.ts'
import type { Occurrence, Occurrences } from '../../core/operations/searching/find-occurrences.ts'
import { likenessOf } from '../../core/operations/searching/find-similar.ts'
import { SEARCH_MODES } from '../../core/operations/searching/rank-documents.ts'
import { replays, traced } from '../../core/operations/searching/shown-trace.ts'
import type { ShownTrace } from '../../core/operations/searching/shown-trace.ts'
import { searchSymbols } from '../../core/operations/searching/search-symbols.ts'
import type { FoundSymbol } from '../../core/operations/searching/search-symbols.ts'
import { searchSubsystems } from '../../core/operations/repository/search-subsystems.ts'
import type { FoundSubsystem } from '../../core/operations/repository/search-subsystems.ts'
import { basisHolds } from '../../core/operations/searching/answer-basis.ts'
import type { AnswerBasis } from '../../core/operations/searching/answer-basis.ts'
import { searchDocuments } from '../../core/operations/searching/search-documents.ts'
import type { SearchAnswer, SearchHit } from '../../core/operations/searching/search-documents.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { Lasting } from '../door/kept-replies.ts'
import type { CallContext } from '../door/surface.ts'
import { fitting } from '../../core/operations/reading/tokens.ts'
import { tool } from '../door/tool.ts'
import {
  RARE_SELECTION,
  againField,
  asOfField,
  cursorField,
  daysFields,
  daysOf,
  limitField,
  maxTokensField,
  mayReadPast,
  readsPast,
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

/** A page of results never takes more of a client's context than this. */
const SEARCH_TOKENS = 8_000

const SNIPPET = { concise: 200, detailed: 600 } as const

/** What to look for, in the words callers use. */
const KINDS: Partial<Record<string, 'document' | 'entity'>> = {
  documents: 'document',
  entities: 'entity',
  code: 'document',
}

const input = z.strictObject({
  query: z.string().describe('Words or a question; "a phrase", -excluded'),
  also: z.array(z.string()).max(7).optional().describe('More questions'),
  match: z
    .enum(['words', 'text', 'regex', 'similar'])
    .optional()
    .describe('text, regex: every line; similar: query is an id'),
  ...selectionFields,
  in: z
    .enum(['documents', 'entities', 'code', 'symbols', 'subsystems', 'pictures'])
    .optional()
    .describe('Only these'),
  language: z.string().optional().describe('Programming language of the code'),
  kind: z.string().optional().describe('Kind of symbol: function, class …'),
  typing: z.boolean().optional().describe('The last word is not finished yet'),
  limit: limitField(10, 50),
  cursor: cursorField,
  max_tokens: maxTokensField,
  again: againField,
  detail: z.enum(['concise', 'detailed']).optional().describe('How long the passages are'),
  mode: z.enum(SEARCH_MODES).optional().describe('Search by words, by meaning or both'),
  as_of: asOfField,
  ...daysFields,
  explain: z.boolean().optional().describe('Show what each score is made of'),
  explain_missing: z.string().optional().describe('Id of a document: say why it was not found'),
})

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
    'as_of',
    'since',
    'until',
    'explain',
    'explain_missing',
  ],
  input,
  output: z.object({
    results: rows,
    relevant: z.boolean(),
  }),
  run: async (kb, input, call) => {
    checkWays(input)
    if (input.as_of !== undefined) {
      mayReadPast(call.caller)
    }
    if ((input.as_of ?? input.since ?? input.until) !== undefined) requirePassages(input)
    return wayOf(input)(kb, input, call)
  },
  present: (found) => found.present(),
  saved: ({ answers = [] }) => {
    let all = 0
    for (const { evidence } of answers) for (const { saved } of evidence) all += saved
    return all
  },
  text: (found) => found.text(),
  lasting: (found) => found.lasting,
})

type Input = z.output<typeof input>

/** What was found, with the words of its way for programs and for models. */
interface Found {
  readonly present: () => { results: object[]; relevant: boolean }
  readonly text: () => string
  /** Of a way that shows passages. */
  readonly answers?: readonly SearchAnswer[]
  readonly lasting?: Lasting | undefined
}

/** One way to ask. */
type Way = (kb: View, input: Input, call: CallContext) => Promise<Found>

const byLines: Way = async (kb, input, { signal }) => {
  const { query, limit, cursor } = input
  const match = input.match === 'regex' ? 'regex' : 'text'
  const fit = (lines: readonly Occurrence[]) =>
    fitting(lines.map(lineOfOccurrence), input.max_tokens ?? LINE_TOKENS)
  const options = { ...selectionOf(input), match, limit, cursor, fit, signal } as const
  const lines = await findOccurrences(kb, query, options)
  return { present: () => presentLines(lines), text: () => linesText(lines) }
}

const bySymbols: Way = async (kb, input) => {
  // The types of symbols are classes, functions and the like.
  const { types = [], ...chosen } = selectionOf(input)
  const kinds = [...types, ...(input.kind === undefined ? [] : [input.kind])]
  const options = { ...chosen, kinds, limit: input.limit }
  const symbols = await searchSymbols(kb, input.query, options)
  return named(symbols.map(presentSymbol), 'No symbol was found.')
}

const bySubsystems: Way = async (kb, input) => {
  const options = { ...selectionOf(input), limit: input.limit }
  const subsystems = await searchSubsystems(kb, input.query, options)
  return named(subsystems.map(presentSubsystem), 'No subsystem was found.')
}

const byPictures: Way = async (kb, input) => {
  // Loaded when it is asked for: most bases are never asked.
  const { searchPictures } = await import('../../core/operations/searching/search-pictures.ts')
  const { foundPicturesText, presentFoundPicture } = await import('./picture-text.ts')
  const options = { ...selectionOf(input), limit: input.limit }
  const found = await searchPictures(kb, input.query, options)
  return {
    present: () => ({ results: found.map(presentFoundPicture), relevant: found.length > 0 }),
    text: () => foundPicturesText(found),
  }
}

/** What has a name and no passages. */
function named(results: object[], none: string): Found {
  return {
    present: () => ({ results, relevant: results.length > 0 }),
    text: () => rowsText(results as Record<string, unknown>[]) || none,
  }
}

const bySeveral: Way = async (kb, input, call) => {
  const { query, also = [] } = input
  const search = documentSearch(kb, input, call)
  const answers: { readonly query: string; readonly answer: SearchAnswer }[] = []
  for (const each of [query, ...also]) {
    answers.push({ query: echoed(each), answer: (await search(each)).answer })
  }
  return {
    answers: answers.map(({ answer }) => answer),
    present: () =>
      presentAnswer(answers[0]!.answer, input, {
        answers: answers.map(({ query: asked, answer }) => ({
          query: asked,
          results: answer.hits.map((hit) => presentHit(hit, input)),
          relevant: answer.relevant,
        })),
      }),
    text: () => answers.map((each) => `# ${each.query}\n${searchText(each.answer)}`).join('\n\n'),
  }
}

const byWords: Way = async (kb, input, call) => {
  const { query, limit = 10, mode, explain, explain_missing: absent } = input
  const like = input.match === 'similar' ? await likenessOf(kb, query) : undefined
  const search = documentSearch(kb, input, call, like?.id)
  const { answer, lasting } = await search(like?.query ?? query)
  const options = { ...documentsOf(input), mode, shown: limit }
  const missing =
    absent === undefined
      ? undefined
      : presentMissing(await explainMissing(kb, query, absent, options))
  return {
    answers: [answer],
    lasting: isPlain(input) ? lasting : undefined,
    present: () => presentAnswer(answer, input, { missing }),
    text: () =>
      paragraphs(
        searchText(answer),
        explain ? answer.hits.map(signalLine).join('\n') : undefined,
        missing && lineOf(missing),
      ),
  }
}

/** Strategy: lines before kinds of things, and words where nothing else is meant. */
function wayOf({ match, in: what, also = [] }: Input): Way {
  if (match === 'text' || match === 'regex') return byLines
  if (what === 'symbols') return bySymbols
  if (what === 'subsystems') return bySubsystems
  if (what === 'pictures') return byPictures
  return also.length > 0 ? bySeveral : byWords
}

/** What a selection leaves may be another tomorrow. */
function isPlain(input: Input): boolean {
  const { match = 'words', explain_missing: absent } = input
  const chosen = Object.values(documentsOf(input)).some((each) => each !== undefined)
  const when = input.as_of ?? input.since ?? input.until
  return match === 'words' && absent === undefined && when === undefined && !chosen
}

function documentsOf(input: Input) {
  const code = input.in === 'code' || input.language !== undefined || input.kind !== undefined
  return {
    ...selectionOf(input),
    kind: input.in && KINDS[input.in],
    ...(code && { types: ['code'], defines: input.kind }),
  }
}

/** Searches documents for one question after the other, which share the room of the reply. */
function documentSearch(
  kb: View,
  input: Input,
  { signal, caller, seen: known, onlyData, keeps }: CallContext,
  without?: string,
): (
  question: string,
) => Promise<{ readonly answer: SearchAnswer; readonly lasting?: Lasting | undefined }> {
  const { mode, typing, cursor, also = [] } = input
  const selection = documentsOf(input)
  const share = shareOf(input, also.length)
  return async (question) => {
    const shown = known?.about(question, { again: input.again })
    const following = keeps && shown ? traced(shown) : undefined
    const seen = following ?? shown
    const answer = await searchDocuments(kb, question, {
      ...selection,
      keeps,
      mode,
      typing,
      cursor,
      limit: share.limit,
      without,
      asOf: input.as_of,
      readsPast: readsPast(caller),
      days: daysOf(input),
      signal,
      snippetLength: SNIPPET[input.detail ?? 'concise'],
      fit: (hits) => Math.min(rowsWithin(hits, input), placesWithin(hits, share)),
      ...(!onlyData && {
        evidence: (hits: readonly SearchHit[]) => ({ ...evidenceWithin(hits, share), seen }),
      }),
    })
    for (const { id } of answer.hits) seen?.add(id, '')
    // Nobody reads the reply to a call that was given up.
    if (!signal.aborted) seen?.told()
    const { basis } = answer
    return { answer, lasting: basis && lastingOf(kb, question, input, basis, following?.trace) }
  }
}

/** Holds on to nothing else of the search. */
function lastingOf(
  kb: View,
  question: string,
  { again: repeats }: Input,
  basis: AnswerBasis,
  trace: ShownTrace | undefined,
): Lasting {
  return {
    async again({ signal, seen: known }) {
      const seen = known?.about(question, { again: repeats })
      if ((seen === undefined) !== (trace === undefined)) return false
      if (seen && !replays(trace!, seen)) return false
      if (!(await basisHolds(kb, basis))) return false
      if (!signal.aborted) seen?.told()
      return true
    },
  }
}

function presentAnswer(
  answer: SearchAnswer,
  input: Input,
  more: { readonly missing?: object | undefined; readonly answers?: readonly object[] },
) {
  const results = answer.hits.map((hit): object => presentHit(hit, input))
  for (const { at, saved } of answer.evidence) {
    if (saved > 0) results[at] = { ...results[at], seen: true }
  }
  return compact({
    results,
    relevant: answer.relevant,
    next_cursor: answer.nextCursor,
    mode: input.explain ? answer.mode : undefined,
    missing: more.missing,
    note: answer.notes.join(' ') || undefined,
    answers: more.answers,
  })
}

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

/** Lines, symbols and likenesses are those of now. */
function requirePassages({
  match = 'words',
  in: what = 'documents',
  explain_missing: missing,
}: Input) {
  const [way] = [
    match === 'words' ? undefined : `match is ${match}`,
    what === 'documents' ? undefined : `in is ${what}`,
    missing === undefined ? undefined : 'explain_missing was given',
  ].filter((each) => each !== undefined)
  if (way === undefined) return
  throw invalid(`as_of, since and until go with words alone, and ${way}.`, 'Leave one of them out.')
}

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
function rowsWithin(hits: readonly SearchHit[], input: Shape): number {
  let most = input.detail === 'detailed' || input.explain ? Infinity : 0
  for (const hit of hits) most += mostTokens(hit)
  if (most <= SEARCH_TOKENS) return hits.length
  const presented = hits.map((hit) => presentHit(hit, input))
  return fitting(presented, SEARCH_TOKENS)
}

function mostTokens({ id, title, url, snippet, headingPath, marks }: SearchHit): number {
  let letters = id.length + title.length + url.length + snippet.length
  for (const heading of headingPath) letters += heading.length + 3
  return ROW_TOKENS + letters * LETTER_TOKENS + marks.length * MARK_TOKENS
}

/** How much of a hit is shown. */
type Shape = Pick<Input, 'detail' | 'explain'>

function presentHit(hit: SearchHit, { detail = 'concise', explain }: Shape) {
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
    earlier: hit.earlier,
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
