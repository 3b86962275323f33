/**
 * What to show of the documents that were found, within a budget: runs of sentences that have the
 * words of the question, best first, from several places of a document where these say most, none
 * twice. What stands beside something shown reads on; what adds words that nothing has said yet
 * comes before what says the same again, so that a question of two parts gets both.
 */
import { documentId } from '../../domain/document.ts'
import type { Chunk } from '../../domain/text.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import type { Sentence } from '../../parsing/split-sentences.ts'
import { withoutMarkup } from '../../parsing/unseen-markup.ts'
import { findMatches } from '../../search/find-matches.ts'
import type { Match } from '../../search/find-matches.ts'
import { estimateTokens } from '../reading/tokens.ts'
import type { Asked, FoundPassage, MatchesIn } from './find-passages.ts'
import { lettersOf, createSaid, withoutSaid } from './said.ts'
import type { Shown } from './shown-before.ts'

/** Runs of one document, in its order; `…` stands where something is left out. */
export interface Evidence {
  /** Place of its document among those given. */
  readonly at: number
  /** Empty where all that is worth showing was shown before. */
  readonly text: string
  /** Tokens of runs that were left out because they were shown before. */
  readonly saved: number
}

export interface PackOptions {
  /** About so many tokens. */
  readonly tokens: number
  /** How a text is shown: the budget counts that. */
  readonly shorten?: (text: string) => string
  /** What need not be repeated; what is shown is added. */
  readonly seen?: Shown | undefined
}

/** Letters of a run: a few sentences make sense by themselves. */
const RUN = 450
/**
 * Passages before and behind the one that was found, of so many documents. Looking around the others
 * took as long again, and of what was shown nothing changed (docs/economy.md).
 */
const AROUND = 2
const LOOKED_AROUND = 5
/** What a word in the run beside counts, and one in title or heading, against one in the run. */
const BESIDE = 0.5
const ABOVE = 0.3
/** What belongs to the passage that search put first. */
const FOUND = 0.1
/** What the place of a document in the order of search counts. */
const BEST_DOCUMENT = 0.8
/** What the first word of a document counts for, so that several get one in. */
const FIRST = 0.4
/** What reads on counts for. */
const READS_ON = 0.2
/** What words add that nothing shown so far has. */
const NOVELTY = 0.1
/** What a document loses by what it has said already, at this many letters. */
const SAID = 0.3
const SAID_LETTERS = 2_000
/**
 * What is worth less than this share of the best run is not shown, room or not; more is left out
 * where every word of the question has been met (docs/economy.md).
 */
const WORTH = 0.2
const WORTH_SAID = 0.25
const ALL_SAID = 0.999
/** What is smaller says nothing by itself. */
const SMALLEST_TOKENS = 16
/** Of a run that does not fit, a smaller part than this tells little. */
const SMALLEST_PART = 60
/** Between runs, and before the first of a document. */
const JOINT_TOKENS = 2

/** Sentences that stand together, up to a length. */
interface Run {
  readonly doc: number
  readonly order: number
  readonly start: number
  end: number
  words: ReadonlySet<number>
  /** Its sentences, and the heading it begins with, among those of its passage. */
  readonly sentences: readonly Sentence[]
  readonly from: number
  to: number
  /** Words of the title and the headings above it. */
  readonly above: ReadonlySet<number>
  readonly isFound: boolean
  score: number
}

export function packEvidence(
  passages: readonly FoundPassage[],
  asked: Asked,
  matchesIn: MatchesIn,
  { tokens, shorten: shortened = (text) => text, seen }: PackOptions,
): readonly Evidence[] {
  const shorten = (text: string): string => shortened(withoutMarkup(text).text)
  const documents = passages.map((passage, at) => runsOf(passage, at, asked, matchesIn))
  const standings = standingsOf(passages)
  const weigh = weigher(asked)
  scoreRuns(documents, standings, asked)
  const shown = new Map<Run, string>()
  const said = createSaid()
  const covered = new Set<number>()
  const letters = new Map<number, number>()
  const spared = new Map<number, number>()
  let left = tokens
  const waiting = new Set(documents.flat())
  let most = 0
  while (left > SMALLEST_TOKENS && waiting.size > 0) {
    const next = best(waiting, (run) => {
      const length = letters.get(run.doc)
      // Where nothing of a document is shown, nothing stands beside it.
      const readsOn = length !== undefined && isBeside(run, documents[run.doc]!, shown)
      const first = length === undefined ? FIRST : 0
      const fresh = weigh(run.words, covered)
      const again = Math.min(1, (length ?? 0) / SAID_LETTERS) * SAID
      const joins = ((readsOn ? READS_ON : 0) + first) * standings[run.doc]!
      return (run.score + joins + NOVELTY * fresh) * (1 - again)
    })
    if (!next) break
    const { run, gain } = next
    most = Math.max(most, gain)
    const isSaid = weigh(covered, NONE) > ALL_SAID
    if (gain < most * (isSaid ? WORTH_SAID : WORTH)) break
    waiting.delete(run)
    const { text: whole, record } = passages[run.doc]!.live
    const id = documentId(record)
    const parts = run.sentences.slice(run.from, run.to)
    const spelled = parts.map(({ start, end }) => lettersOf(whole.slice(start, end)))
    const says = spelled.filter((_, at) => parts[at]!.kind !== 'heading')
    if (says.every((sentence) => said.has(sentence))) continue
    const text = shorten(withoutSaid(whole, { start: run.start, parts }, said, spelled)).trim()
    const cost = estimateTokens(text) + JOINT_TOKENS
    // Its room stays empty: what would not have been shown beside it is worth less than it costs.
    if (seen && says.every((sentence) => sentence === '' || seen.has(id, sentence))) {
      spared.set(run.doc, (spared.get(run.doc) ?? 0) + Math.min(cost, left))
      left -= cost
      continue
    }
    if (cost > left && left < SMALLEST_PART && shown.size > 0) break
    const fits = cost <= left ? text : cutTo(text, left)
    if (fits === '') break
    shown.set(run, fits)
    said.add(says)
    // Of a run that was cut, nobody has seen the end.
    if (fits === text) for (const sentence of says) seen?.add(id, sentence)
    left -= cost
    for (const word of run.words) covered.add(word)
    letters.set(run.doc, (letters.get(run.doc) ?? 0) + text.length)
  }
  const evidence = inOrder(shown, passages, shorten, spared)
  for (const [at, saved] of spared) if (!letters.has(at)) evidence.push({ at, text: '', saved })
  return evidence
}

/** Documents in the order of their first run that was chosen; runs in the order of the text. */
function inOrder(
  shown: ReadonlyMap<Run, string>,
  passages: readonly FoundPassage[],
  shorten: (text: string) => string,
  spared: ReadonlyMap<number, number>,
): Evidence[] {
  return [...Map.groupBy(shown.keys(), ({ doc }) => doc)].map(([at, runs]) => {
    const { text } = passages[at]!.live
    const sorted = runs.toSorted((a, b) => a.order - b.order)
    let joined = ''
    for (const [index, run] of sorted.entries()) {
      const before = sorted[index - 1]
      const follows = before && run.order === before.order + 1
      const between = follows ? gapBetween(text.slice(before.end, run.start)) : ' … '
      joined += (index === 0 ? '' : between) + shown.get(run)!
    }
    return { at, text: shorten(joined).trim(), saved: spared.get(at) ?? 0 }
  })
}

/** What stands between two runs that follow each other: marks of lists, fences, line breaks. */
function gapBetween(gap: string): string {
  if (gap.length > 40) return '\n'
  return gap.replaceAll(/\n{2,}/g, '\n') || ' '
}

function runsOf(found: FoundPassage, doc: number, asked: Asked, matchesIn: MatchesIn): Run[] {
  const { chunk, chunks } = found
  if (!chunk) return []
  const at = chunks.indexOf(chunk)
  const around = doc < LOOKED_AROUND ? AROUND : 0
  const { title } = found.live.record
  // Passages of one section stand under the same headings.
  const words = new Map<string, ReadonlySet<number>>()
  const aboveOf = ({ headingPath }: Chunk): ReadonlySet<number> => {
    const text = [title, ...headingPath].join('\n')
    const known = words.get(text) ?? wordsIn(text, asked)
    words.set(text, known)
    return known
  }
  const runs: Run[] = []
  const end = Math.min(chunks.length, at + around + 1)
  for (let place = Math.max(0, at - around); place < end; place++) {
    const each = chunks[place]!
    const first = runs.length
    addRuns(runs, found, doc, each, aboveOf(each))
    const matches = matchesIn(found, each)
    for (let i = first; i < runs.length; i++) runs[i]!.words = wordsWithin(runs[i]!, matches, each)
  }
  return runs
}

/** Sentences that stand together; a heading begins anew. */
function addRuns(
  runs: Run[],
  { live, chunk: hit }: FoundPassage,
  doc: number,
  chunk: Chunk,
  above: ReadonlySet<number>,
): void {
  const { text, record } = live
  const isFound = chunk === hit
  let run: Run | undefined
  const all = splitSentences(text, chunk.start, chunk.end)
  // The title is said already, where the document is named.
  const isTitle = ({ kind, start, end }: Sentence): boolean =>
    kind === 'heading' && text.slice(start, end).trim() === record.title
  const sentences = all.some(isTitle) ? all.filter((sentence) => !isTitle(sentence)) : all
  for (let at = 0; at < sentences.length; at++) {
    const { start, end, kind } = sentences[at]!
    if (!run || kind === 'heading' || end - run.start > RUN) {
      const place = { doc, order: runs.length, start, end, sentences, from: at, to: at }
      run = { ...place, words: NONE, above, isFound, score: 0 }
      runs.push(run)
    }
    run.end = end
    run.to = at + 1
  }
}

function wordsWithin(
  { start, end }: Run,
  matches: readonly Match[],
  { start: from }: Chunk,
): ReadonlySet<number> {
  let words: Set<number> | undefined
  for (const match of matches) {
    if (match.start + from < start || match.end + from > end) continue
    words ??= new Set()
    words.add(match.word)
  }
  return words ?? NONE
}

function isBeside({ order }: Run, runs: readonly Run[], shown: ReadonlyMap<Run, string>): boolean {
  const before = runs[order - 1]
  const after = runs[order + 1]
  return (before !== undefined && shown.has(before)) || (after !== undefined && shown.has(after))
}

/** Each word of the question counts once: where it stands nearest. */
function scoreRuns(
  documents: readonly Run[][],
  standings: readonly number[],
  { words }: Asked,
): void {
  const total = totalOf(words)
  for (const runs of documents) {
    for (const run of runs) {
      const before = runs[run.order - 1]?.words ?? NONE
      const after = runs[run.order + 1]?.words ?? NONE
      let own = 0
      let near = 0
      let above = 0
      for (let index = 0; index < words.length; index++) {
        const { weight } = words[index]!
        if (run.words.has(index)) own += weight
        else if (before.has(index) || after.has(index)) near += weight
        else if (run.above.has(index)) above += weight
      }
      const share = total > 0 ? own / total + BESIDE * (near / total) + ABOVE * (above / total) : 0
      run.score = (share + (run.isFound ? FOUND : 0)) * standings[run.doc]!
    }
  }
}

function wordsIn(text: string, { words, languages }: Asked): ReadonlySet<number> {
  return new Set(findMatches(text, words, languages).map(({ word }) => word))
}

/** What the place of each document in the order of search makes of its runs. */
function standingsOf(passages: readonly FoundPassage[]): readonly number[] {
  let most = -Infinity
  for (const { hit } of passages) most = Math.max(most, hit.score)
  most ||= 1
  return passages.map(({ hit }) => 1 - BEST_DOCUMENT + (BEST_DOCUMENT * hit.score) / most)
}

const NONE: ReadonlySet<number> = new Set()

/** From 0 to 1: how much of the question these words are, those left out that are known already. */
type Weigh = (indexes: ReadonlySet<number>, known: ReadonlySet<number>) => number

function weigher({ words }: Pick<Asked, 'words'>): Weigh {
  const total = totalOf(words)
  return (indexes, known) => {
    if (indexes.size === 0 || total <= 0) return 0
    let sum = 0
    // In the order of the words: sums of the same numbers are then the same to the last bit.
    for (let index = 0; index < words.length; index++) {
      if (indexes.has(index) && !known.has(index)) sum += words[index]!.weight
    }
    return sum / total
  }
}

/** What all words weigh that stand for something here. */
function totalOf(words: Asked['words']): number {
  let total = 0
  for (const { weight, terms } of words) if (terms.length > 0) total += weight
  return total
}

function best(
  runs: Iterable<Run>,
  gainOf: (run: Run) => number,
): { readonly run: Run; readonly gain: number } | undefined {
  let found: Run | undefined
  let most = 0
  for (const run of runs) {
    const gain = gainOf(run)
    if (gain <= most) continue
    found = run
    most = gain
  }
  return found && { run: found, gain: most }
}

/** As much as fits, to the end of a word. */
function cutTo(text: string, tokens: number): string {
  let end = Math.min(text.length, Math.floor(tokens * 3.5))
  while (end > 0 && estimateTokens(text.slice(0, end)) > tokens) end = Math.floor(end * 0.9)
  const edge = text.lastIndexOf(' ', end)
  const cut = text.slice(0, edge > end / 2 ? edge : end).trimEnd()
  return cut === '' ? '' : `${cut} …`
}
