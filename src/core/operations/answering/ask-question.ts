/**
 * Answers a question with claims that prove themselves: each has quotes that stand in the files,
 * letter for letter, at the lines it names. A language model words the answer where there is one;
 * what it cannot prove is dropped. Without one, the best sentences are the answer.
 */
import { documentId } from '../../domain/document.ts'
import { type KnowledgeError, invalid, unavailable } from '../../domain/error.ts'
import { Slices } from '../../kit/slices.ts'
import type { Answerer } from '../../models/answerer.ts'
import { citationOf, numberPassages, textOf } from './answer-passages.ts'
import type { AnswerPassage, Citation, Quoted } from './answer-passages.ts'
import { claimsPrompt } from './answer-prompt.ts'
import { checkClaims } from './check-claims.ts'
import type { CheckedClaim } from './check-claims.ts'
import type { Candidate } from './extract-answer.ts'
import { pickSentences, scoreSentences, withoutGuesses, wordsIn } from './extract-answer.ts'
import { findGaps, statedGaps } from './find-gaps.ts'
import { parseClaims } from './parse-claims.ts'
import { countsAnother, coversLittle, lacksDetail, saysName } from './near-miss.ts'
import { quotesNow } from './quotes-now.ts'
import { findDiffering, saidOn, sayDiffering } from './differing.ts'
import type { Differing } from './differing.ts'
import { anothersLines } from './speakers.ts'
import { otherLanguage } from './question-language.ts'
import { headerOf, namedCells } from '../../parsing/table-rows.ts'
import { sentenceSimilarity } from './sentence-similarity.ts'
import { documentUrl } from '../reading/document-url.ts'
import { compareWhen, whenOf } from '../reading/when-of.ts'
import { lettersOf, createSaid, withoutSaid } from '../searching/said.ts'
import type { Said } from '../searching/said.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import { withoutMarkup } from '../../parsing/unseen-markup.ts'
import { findPassages } from '../searching/find-passages.ts'
import type { Days } from '../searching/passages-of-days.ts'
import type { FoundPassage, FoundPassages } from '../searching/find-passages.ts'
import { asksYesOrNo } from '../searching/time-words.ts'
import { bothSides } from './both-sides.ts'
import type { Sides } from './both-sides.ts'
import type { View } from '../view/view.ts'
import { unknownNames } from '../../search/unknown-names.ts'
import type { Selection } from '../reading/select-documents.ts'

export interface AskOptions extends Selection {
  readonly maxSources?: number
  readonly signal?: AbortSignal
  /** As the notes stood then: a moment, or the end of a day, a month or a year. */
  readonly asOf?: string | undefined
  /** Who asks may read the past. */
  readonly readsPast?: boolean | undefined
  /** Only from passages that speak of these days. */
  readonly days?: Days | undefined
  /** Whether a language model may be asked where there is one; it may unless this says no. */
  readonly model?: boolean
}

export interface AnswerClaim {
  readonly text: string
  /** At least one, every one checked. */
  readonly citations: readonly Citation[]
}

export interface AnswerSource {
  readonly id: string
  readonly title: string
  readonly url: string
}

export interface QuestionAnswer {
  /** The claims as one text; `[1]` names the first source. */
  readonly answer: string
  readonly claims: readonly AnswerClaim[]
  /** What was read for it, in the order of search. */
  readonly sources: readonly AnswerSource[]
  /** Parts of the question that the answer says nothing about. */
  readonly gaps: readonly string[]
  /** Who worded it: `extractive`, or provider and model. */
  readonly mode: string
  /** False: no document has these words together or means the same; the sources are the nearest. */
  readonly relevant: boolean
  readonly notes: readonly string[]
}

const DEFAULT_SOURCES = 5
/** What a model gets to read. Sentences are looked for in the same passages. */
const PASSAGE_TOKENS = 6_000
const MOST_SENTENCES = 5
/** Where the best sentence has less of the question than this, meaning is asked as well. */
const SAYS_ENOUGH = 0.4

/** Search reads no more of it, so the rest can be no gap in what was found. */
const LONGEST_QUESTION = 16_384

export async function askQuestion(
  kb: View,
  asking: string,
  {
    maxSources = DEFAULT_SOURCES,
    signal,
    model = true,
    asOf,
    readsPast,
    days,
    ...selection
  }: AskOptions = {},
): Promise<QuestionAnswer> {
  const question =
    asking.length > LONGEST_QUESTION ? asking.trim().slice(0, LONGEST_QUESTION) : asking
  if (question.trim() === '') {
    throw invalid('The question is empty.', 'Ask something, such as "How do we roll back?"')
  }
  const slices = new Slices()
  const look = async (): Promise<Asked> => {
    const wide = asksYesOrNo(question)
    const limit = wide ? Math.max(maxSources, SIDES_AMONG) : maxSources
    const all = await findPassages(kb, question, {
      selection,
      limit,
      asOf,
      readsPast,
      days,
      signal,
    })
    const sides = wide ? bothSides(all.passages, all.ranking) : undefined
    const loose = { ...all, passages: withSides(all.passages, sides).slice(0, maxSources) }
    if (slices.over) await slices.pause()
    const ranking = withoutGuesses(loose.ranking)
    // Where nothing but wild guesses was found, nothing was.
    const guessed = loose.ranking.words.some(({ match }, at) => match !== ranking.words[at]!.match)
    const isGuess = guessed && ranking.words.every(({ terms }) => terms.length === 0)
    const found = { ...loose, ranking, relevant: loose.relevant && !isGuess }
    const unknown = unknownNames(question, ranking.words)
    const answers = found.relevant && unknown.length === 0
    const passages = answers ? numberPassages(found.passages, PASSAGE_TOKENS) : []
    return { question, found, passages, unknown, sides }
  }
  const asked = await look()
  const worded =
    model && asOf === undefined && kb.answerer && asked.passages.length > 0
      ? await wordAnswer(kb, kb.answerer, asked, signal)
      : undefined
  if (worded?.kind === 'answer') return present(kb, asked, worded)
  if (!worded) {
    const quoted = await quoteAnswer(kb, asked)
    if (slices.over) await slices.pause()
    return present(kb, asked, quoted)
  }
  // The model took its time: the files may have changed since.
  const now = await look()
  return present(kb, now, { ...(await quoteAnswer(kb, now)), notes: [worded.problem] })
}

interface Asked {
  readonly question: string
  readonly found: FoundPassages
  readonly passages: readonly AnswerPassage[]
  /** Names that no note has. */
  readonly unknown: readonly string[]
  /** What one note denies and another reports. */
  readonly sides: Sides | undefined
}

/** Both sides of a contradiction are looked for among so many; the second is seldom among the first. */
const SIDES_AMONG = 20

function statementsOf({ denial, claims }: Sides) {
  return [denial, ...claims]
}

function withSides(passages: readonly FoundPassage[], sides: Sides | undefined) {
  if (!sides) return passages
  const first = statementsOf(sides).map(({ found }) => found)
  return [...first, ...passages.filter((each) => !first.includes(each))]
}

interface Worded {
  readonly mode: string
  readonly claims: readonly CheckedClaim[]
  /** Parts of the question that whoever worded it says are missing. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
}

/** The best sentences, as they stand. */
async function quoteAnswer(kb: View, asked: Asked): Promise<Worded> {
  const { question, passages } = asked
  const ranking = { ...asked.found.ranking, question }
  let candidates = scoreSentences(passages, ranking)
  if (passages.length > 0 && (candidates[0]?.score ?? 0) < SAYS_ENOUGH) {
    const similarityOf = await sentenceSimilarity(kb, question, passages)
    if (similarityOf) candidates = scoreSentences(passages, ranking, similarityOf)
  }
  const best = pickSentences(latestFirst(aboutSubject(candidates, asked)), ranking, {
    most: MOST_SENTENCES,
  })
  const first = saidLastFirst(sidesFirst(best, asked), asked)
  if (first[0] && isBesideThePoint(kb, asked, first[0])) {
    return { mode: 'extractive', claims: [], missing: [], notes: [] }
  }
  // What is said twice and differently is seldom the best of two notes.
  const differing = asked.sides ? undefined : findDiffering(first, passages)
  const picked = withOther(first, differing)
  const said = createSaid()
  const claims = picked.map((quote) => ({
    text: readable(rowsNamed(quote) ?? saidOnce(quote, said)),
    quotes: [quote],
  }))
  const differ = differing ? sayDiffering(differing) : sidesNote(asked)
  const notes = claims.length > 0 && differ !== undefined ? [differ] : []
  return { mode: 'extractive', claims, missing: [], notes }
}

/** The other side right behind the one that it contradicts. */
function withOther(picked: readonly Quoted[], differing: Differing | undefined) {
  if (!differing) return picked
  const { quoted, other } = differing
  const covers = (one: Quoted, part: Quoted): boolean =>
    one.passage === part.passage && one.start <= part.start && part.end <= one.end
  if (picked.some((each) => covers(each, other))) return picked
  const at = picked.findIndex((each) => covers(each, quoted)) + 1
  return [...picked.slice(0, at), other, ...picked.slice(at)].slice(0, MOST_SENTENCES)
}

/** That two notes differ, and which is newer, where that is known. */
function sidesNote({ sides }: Asked): string | undefined {
  if (!sides) return undefined
  const records = [sides.denial, sides.claims[0]!].map(({ found }) => found.live.record)
  const [no, yes] = records.map((record) => ({ id: documentId(record), when: whenOf(record) }))
  const order = no!.when && yes!.when ? compareWhen(no!.when, yes!.when) : 0
  const newer = order === 0 ? '' : ` ${order < 0 ? yes!.id : no!.id} is newer.`
  const [denies, says] = [no!, yes!].map(({ id, when }) => `${id}${saidOn(when)}`)
  return `The notes differ: ${denies} denies what ${says} says.${newer}`
}

/** What a sentence is worth that another document says later, and one that says it last. */
const SAID_EARLIER = 0.6
const SAID_LAST = 1.6

function latestFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  if (!candidates.some(({ passage }) => passage.found.latest)) return candidates
  return candidates
    .map((each) => {
      const { earlier, latest } = each.passage.found
      const worth = latest ? SAID_LAST : earlier === undefined ? 1 : SAID_EARLIER
      return { ...each, score: each.score * worth }
    })
    .toSorted((a, b) => b.score - a.score)
}

/** What a person said last, before what an assistant makes of it. */
function saidLastFirst(picked: readonly Quoted[], { passages }: Asked): readonly Quoted[] {
  const passage = passages.find(({ found }) => found.latest?.byPerson)
  const { start = 0, end = 0 } = passage?.found.latest ?? {}
  if (!passage || start === end) return picked
  const isApart = (one: Quoted): boolean =>
    one.passage !== passage || one.end <= start || end <= one.start
  return [{ passage, start, end }, ...picked.filter(isApart)].slice(0, MOST_SENTENCES)
}

/** Both sides, and then what else was picked. */
function sidesFirst(picked: readonly Quoted[], { sides, passages }: Asked): readonly Quoted[] {
  if (!sides) return picked
  const first = statementsOf(sides).flatMap(({ found, start, end }) => {
    const passage = passages.find((each) => each.found === found)
    return passage ? [{ passage, start, end }] : []
  })
  const others = picked.filter(
    (each) =>
      !first.some(
        (one) => one.passage === each.passage && one.start < each.end && each.start < one.end,
      ),
  )
  return [...first, ...others].slice(0, MOST_SENTENCES)
}

/** A name that is so much of a question is what it is about. */
const IS_SUBJECT = 0.5

/** Letters of its paragraph before a sentence that may say of whom it speaks. */
const LEANS_ON = 500

/**
 * Where a question is about a note by its name, what is said of others is no answer: who develops one
 * thing did not develop the next. Without a note of that name among those that were read, all count.
 */
function aboutSubject(candidates: readonly Candidate[], { found, passages }: Asked) {
  const isSubject = ({ found: { hit } }: AnswerPassage): boolean =>
    (found.ranking.mentioned.get(hit.doc)?.share ?? 0) >= IS_SUBJECT
  const subjects = passages.filter(isSubject)
  if (subjects.length === 0) return candidates
  const names = subjects.map((subject) => subject.found.live.record.title)
  return candidates.filter(({ passage, start, end }) => {
    if (isSubject(passage)) return true
    const { record, text } = passage.found.live
    // `Alice is an engineer. She lives in Ulm.`
    const before = text.slice(Math.max(0, start - LEANS_ON), start)
    const paragraph = before.slice(before.lastIndexOf('\n\n') + 1)
    const said = `${record.title}\n${paragraph}${text.slice(start, end)}`
    return names.some((name) => saysName(said, name))
  })
}

function isBesideThePoint(kb: View, { question, found }: Asked, quoted: Quoted): boolean {
  const { title, headingPath, quote } = citationOf(kb, quoted)
  const said = { quote, above: [title, ...headingPath].join('\n') }
  const { text } = quoted.passage.found.live
  const { nearEnough = Infinity } = found.ranking
  const means = (quoted.passage.found.hit.signals.similarity ?? 0) >= nearEnough
  const passage = wordsIn(`${said.above}\n${textOf(quoted.passage)}`, found.ranking)
  return (
    (!means && coversLittle(question, { words: found.ranking.words, passage })) ||
    lacksDetail(question, said) ||
    countsAnother(question, said) ||
    anothersLines(question, text, quoted)(quoted)
  )
}

/** Pages repeat their sentences, in the quote itself and in others. */
function saidOnce({ passage, start, end }: Quoted, said: Said): string {
  const { text } = passage.found.live
  const parts = splitSentences(text, start, end)
  const once = withoutSaid(text, { start, parts }, said)
  said.add(parts.map((part) => lettersOf(text.slice(part.start, part.end))))
  return once.trim() === '' ? text.slice(start, end) : once
}

/** A quote that is rows of a table, each cell with the name of its column; undefined for others. */
function rowsNamed({ passage, start, end }: Quoted): string | undefined {
  const { text } = passage.found.live
  const header = text[start] === '|' ? headerOf(text, start) : undefined
  if (!header) return undefined
  const names = text.slice(header.start, header.end)
  const rows = text.slice(start, end).split(/\r?\n/u)
  return rows.map((row) => namedCells(names, row)).join('\n')
}

/** On one line, without the marks of a quotation at the beginning of each, and what nobody sees. */
function readable(text: string): string {
  return withoutMarkup(text)
    .text.replaceAll(/[\r\n]+[ \t]*(?:>[ \t]?)*/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

type Wording =
  | ({ readonly kind: 'answer' } & Worded)
  /** In our words: nothing of what the model or its server said. */
  | { readonly kind: 'failure'; readonly problem: string }

async function wordAnswer(
  kb: View,
  answerer: Answerer,
  { question, passages }: Asked,
  signal: AbortSignal | undefined,
): Promise<Wording> {
  const texts = passages.map((passage) => ({
    label: `passage ${passage.number}`,
    text: `Title: ${passage.found.live.record.title}\n\n${textOf(passage)}`,
  }))
  let answer: string
  try {
    answer = await answerer.answer(claimsPrompt(question, texts), signal)
  } catch {
    if (signal?.aborted) throw givenUp()
    return failure(answerer, 'did not answer')
  }
  const parsed = parseClaims(answer)
  if (!parsed) return failure(answerer, 'did not answer in the form it was asked for')
  const checked = checkClaims(parsed.claims, passages)
  const claims = await quotesNow(kb, checked.verified)
  const dropped = parsed.claims.length - claims.length
  if (parsed.claims.length > 0 && claims.length === 0) {
    return failure(answerer, 'said nothing that could be proved from the documents')
  }
  const left = dropped === 1 ? '1 claim of the model was' : `${dropped} claims of the model were`
  const notes = dropped > 0 ? [`${left} left out: the documents do not say so word for word.`] : []
  return { kind: 'answer', mode: answerer.name, claims, missing: parsed.missing, notes }
}

function failure({ name }: Answerer, what: string): Wording {
  const instead = 'These are sentences of the documents instead.'
  return { kind: 'failure', problem: `The model ${name} ${what}. ${instead}` }
}

function givenUp(): KnowledgeError {
  return unavailable('The question was given up.', 'Ask again.')
}

function present(
  kb: View,
  { question, found, unknown }: Asked,
  { mode, claims, missing, notes }: Worded,
): QuestionAnswer {
  const sources = found.passages.map(({ live: { record } }) => ({
    id: documentId(record),
    title: record.title,
    url: documentUrl(kb, record),
  }))
  const shown = claims.map(({ text, quotes }) => ({
    text,
    citations: quotes.map((quote) => citationOf(kb, quote)),
  }))
  const stated = statedGaps(question, missing)
  const other = otherLanguage(
    question,
    found.passages.map(({ live, chunk }) => live.text.slice(chunk?.start, chunk?.end)),
  )
  return {
    answer: claims.length === 0 ? silentAnswer(found, unknown) : answerText(claims, mode),
    claims: shown,
    sources,
    gaps: stated.length > 0 ? stated : gapsOf(question, found, shown),
    mode,
    relevant: found.relevant,
    notes: [...found.notes, ...(other === undefined ? [] : [other]), ...notes],
  }
}

const NOTHING_SAID = 'The sources are about this, and none of them answers the question itself.'

/** How many of the nearest are named in words; all of them are among the sources. */
const NAMED = 3

/** Why nothing is quoted, as what it is: nobody can tell from missing words that nobody knows. */
function silentAnswer(
  { relevant, passages, ranking }: FoundPassages,
  unknown: readonly string[],
): string {
  if (relevant && unknown.length === 0) return NOTHING_SAID
  const somewhere = ranking.hits.some(({ signals }) => signals.coverage > 0)
  const what =
    unknown.length > 0
      ? `mentions ${unknown.join(', ')}`
      : somewhere
        ? 'has these words together'
        : 'uses these words'
  const titles = passages.slice(0, NAMED).map(({ live }) => live.record.title)
  return `No document ${what}${titles.length > 0 ? `; nearest: ${titles.join(', ')}` : ''}.`
}

function answerText(claims: readonly CheckedClaim[], mode: string): string {
  const parts = claims.map(({ text, quotes }) => {
    const numbers = [...new Set(quotes.map(({ passage }) => passage.number))]
    return `${text} ${numbers.map((number) => `[${number}]`).join('')}`
  })
  return parts.join(mode === 'extractive' ? '\n' : ' ')
}

/** Words that neither the quotes have nor what stands above them; without quotes, the passages. */
function gapsOf(
  question: string,
  { passages, relevant, ranking }: FoundPassages,
  claims: readonly AnswerClaim[],
): readonly string[] {
  const read = claims.flatMap(({ citations }) =>
    citations.map(({ title, headingPath, quote }) => [title, ...headingPath, quote].join('\n')),
  )
  const nearest = relevant
    ? passages.map(
        ({ live, chunk }) => live.record.title + live.text.slice(chunk?.start, chunk?.end),
      )
    : []
  const texts = read.length > 0 ? read : nearest
  const found = new Set(texts.flatMap((text) => [...wordsIn(text, ranking)]))
  return findGaps(question, ranking, found)
}
