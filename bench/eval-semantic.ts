/**
 * What does meaning add to words? Ranks the questions of evaluation sets with words alone, with the
 * corpus embedder alone and with both, and says which weight each set would get from the others.
 *
 *     node bench/eval-semantic.ts SETS OUT [NAME…]
 *
 * SETS is the folder of unpacked sets. OUT gets `NAME.words.run`, `NAME.meaning.run` and
 * `NAME.both.run`; score them with `score.py`. The table printed here is computed the same way.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { passageText } from '../src/core/models/corpus/corpus-embedder.ts'
import { TermMatrixBuilder } from '../src/core/models/corpus/term-matrix.ts'
import { embedMatrix } from '../src/core/models/corpus/embed-matrix.ts'
import { trainCorpusModel } from '../src/core/models/corpus/train-model.ts'
import { parseMarkdown } from '../src/core/parsing/markdown/parse-markdown.ts'
import { titleFromPath } from '../src/core/parsing/names.ts'
import { contentTerms } from '../src/core/search/analysis/content-terms.ts'
import { combine } from '../src/core/search/combine.ts'
import type { LexicalHit } from '../src/core/search/contract.ts'
import { createLexicalIndex } from '../src/core/search/lexical-index.ts'
import { SegmentBuilder } from '../src/core/search/segment/segment-builder.ts'
import { memoryReader } from '../test/search/memory-reader.ts'
import { createVectorIndex, type VectorHit } from '../src/core/search/vectors/vector-index.ts'
import { formatMs, markdownTable } from './harness.ts'

/** What both sides say about one question. */
interface Opinions {
  readonly id: string
  readonly words: readonly LexicalHit[]
  /** Different words of the question, as the word index counts them. */
  readonly wordCount: number
  /** The nearest documents, whatever the words say. */
  readonly nearest: readonly VectorHit[]
  /** The nearest, and those the words found. */
  readonly meaning: readonly VectorHit[]
}

interface EvaluatedSet {
  readonly name: string
  readonly paths: readonly string[]
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly opinions: readonly Opinions[]
  readonly trainMs: number
  readonly embedMs: number
  readonly passages: number
}

/** How deep either side is asked. */
const CANDIDATES = 200
const RUN_DEPTH = 100
/** What the nearest document may count against the best of the words. */
const WEIGHTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1]

const [setsFolder, out, ...names] = process.argv.slice(2)
if (setsFolder === undefined || out === undefined) {
  console.error('usage: node bench/eval-semantic.ts SETS OUT [NAME…]')
  process.exit(2)
}
mkdirSync(out, { recursive: true })
const sets: EvaluatedSet[] = []
for (const name of names.length > 0 ? names : readdirSync(setsFolder).toSorted()) {
  sets.push(await evaluate(name, join(setsFolder, name)))
}
for (const set of sets) writeRuns(set, out)
printScores()
printWeights()

async function evaluate(name: string, folder: string): Promise<EvaluatedSet> {
  const root = join(folder, 'docs')
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted()
  const matrix = new TermMatrixBuilder()
  const segment = new SegmentBuilder()
  for (const [doc, path] of paths.entries()) {
    const text = readFileSync(join(root, path), 'utf8')
    const { document } = parseMarkdown(text, path)
    const title = document.title ?? titleFromPath(path)
    const chunkStarts = document.chunks.map(({ start }) => start)
    segment.add({ ...document, doc, path, title, text, chunkStarts })
    matrix.addDocument(
      contentTerms([title, ...document.aliases].join('\n')),
      document.chunks.map(({ start, end, headingPath }) =>
        contentTerms(passageText({ text: text.slice(start, end), headingPath })),
      ),
    )
  }
  const lexical = createLexicalIndex()
  const deleted = { has: () => false, size: 0 }
  await lexical.setSegments([{ id: name, reader: memoryReader(segment.finish()), deleted }])

  const terms = matrix.build()
  const begin = performance.now()
  const model = trainCorpusModel(terms)
  const trained = performance.now()
  const vectors = createVectorIndex({ dimensions: model.dimensions })
  let next = 0
  for (const rows of embedMatrix(terms, [model])) vectors.setRows(next++, rows)
  const embedded = performance.now()

  const judgements = readJudgements(join(folder, 'qrels.tsv'))
  const opinions: Opinions[] = []
  for (const { id, text } of readQuestions(join(folder, 'queries.jsonl'))) {
    if (!judgements.has(id)) continue
    // Questions are plain text: quotes in them are no operators.
    const found = await lexical.search(text.replaceAll('"', ' '), { limit: CANDIDATES })
    const query = model.embedQuery(contentTerms(text))
    const nearest = vectors.search(query, { limit: CANDIDATES })
    const also = found.hits.map(({ doc }) => doc)
    opinions.push({
      id,
      words: found.hits,
      wordCount: found.words.length,
      nearest,
      meaning: vectors.search(query, { limit: CANDIDATES, also }),
    })
  }
  return {
    name,
    paths,
    judgements,
    opinions,
    trainMs: trained - begin,
    embedMs: embedded - trained,
    passages: vectors.rows,
  }
}

function readQuestions(file: string): { id: string; text: string }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { _id: string; text: string })
    .map(({ _id, text }) => ({ id: _id, text }))
}

/** Per question the relevance of each path; questions without an answer are left out. */
function readJudgements(file: string): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [id, path, relevance] = line.split('\t')
    if (path === undefined || !(Number(relevance) > 0)) continue
    const known = judgements.get(id!) ?? new Map<string, number>()
    judgements.set(id!, known.set(path, Number(relevance)))
  }
  return judgements
}

type Rank = (opinions: Opinions) => readonly { readonly doc: number }[]

function byWords({ words }: Opinions): readonly LexicalHit[] {
  return words
}

function byMeaning({ nearest }: Opinions): readonly VectorHit[] {
  return nearest
}

/** As search does it, with links left out. */
function byBoth({ words, wordCount, meaning }: Opinions): readonly { readonly doc: number }[] {
  return combine({ words, wordCount, meaning, understood: 1, linked: undefined }, byNumber)
}

/** The same sum with another weight: what `combine` would do, had its constant been chosen so. */
function byWeight(weight: number): Rank {
  return ({ words, wordCount, meaning }) => {
    const bestWord = words[0]?.score ?? 1
    const closest = meaning.reduce((most, { similarity }) => Math.max(most, similarity), 0) || 1
    const share = weight * describing(wordCount, words[0]?.coverage ?? 0)
    const sums = new Map(words.map(({ doc, score }) => [doc, score / bestWord]))
    for (const { doc, similarity } of meaning) {
      sums.set(doc, (sums.get(doc) ?? 0) + (share * Math.max(0, similarity)) / closest)
    }
    return [...sums]
      .filter(([, sum]) => sum > 0)
      .map(([doc, sum]) => ({ doc, sum }))
      .toSorted((a, b) => b.sum - a.sum || byNumber(a.doc, b.doc))
  }
}

/** From 0, for a name that the best document has in full, to 1 for a long description. */
function describing(wordCount: number, coverage: number): number {
  return Math.min(1, Math.max(0, (wordCount - 2) / 6, 1 - coverage))
}

function byNumber(a: number, b: number): number {
  return a - b
}

function writeRuns(set: EvaluatedSet, folder: string): void {
  const ways = { words: byWords, meaning: byMeaning, both: byBoth }
  for (const [way, rank] of Object.entries(ways)) {
    const lines = set.opinions.flatMap((opinions) =>
      rank(opinions)
        .slice(0, RUN_DEPTH)
        .map(({ doc }, place) => [opinions.id, set.paths[doc], place + 1, -place].join('\t')),
    )
    writeFileSync(join(folder, `${set.name}.${way}.run`), `${lines.join('\n')}\n`)
  }
}

/** Mean nDCG@10. */
function score({ opinions, judgements, paths }: EvaluatedSet, rank: Rank): number {
  let sum = 0
  for (const question of opinions) {
    const relevance = judgements.get(question.id)!
    const gains = rank(question).map(({ doc }) => relevance.get(paths[doc]!) ?? 0)
    const best = [...relevance.values()].toSorted((a, b) => b - a)
    sum += discounted(gains) / discounted(best)
  }
  return sum / opinions.length
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
}

function printScores(): void {
  const rows = sets.map((set) => [
    set.name,
    String(set.passages),
    formatMs(set.trainMs),
    formatMs(set.embedMs),
    ...[byWords, byMeaning, byBoth].map((rank) => score(set, rank).toFixed(4)),
  ])
  console.log(
    markdownTable(['set', 'passages', 'train', 'embed', 'words', 'meaning', 'both'], rows),
    '\n',
  )
}

/**
 * For each set, the weight that is best on average over all others, and what it gives here. That is
 * the honest figure: the set had no say in it.
 */
function printWeights(): void {
  const scores = sets.map((set) => WEIGHTS.map((weight) => score(set, byWeight(weight))))
  const meanWithout = (left: number, w: number): number =>
    scores.reduce((sum, row, set) => (set === left ? sum : sum + row[w]!), 0)
  const rows = sets.map(({ name }, set) => {
    const chosen = WEIGHTS.reduce(
      (best, _, w) => (meanWithout(set, w) > meanWithout(set, best) ? w : best),
      0,
    )
    const row = scores[set]!.map((value) => value.toFixed(4))
    return [name, ...row, `${WEIGHTS[chosen]}: ${row[chosen]}`]
  })
  const means = WEIGHTS.map((_, w) => (meanWithout(-1, w) / sets.length).toFixed(4))
  console.log(
    markdownTable(
      ['set', ...WEIGHTS.map(String), 'chosen by the others'],
      [...rows, ['mean', ...means, '']],
    ),
  )
}
