/**
 * The same ranking as the index, computed the obvious way: every document is analysed again and
 * scored in full for every query. It is the measure of the clever structures.
 */
import type { DocNo } from '../../src/core/domain/document.ts'
import { steadyAverage, steadyCount } from '../../src/core/kit/steady.ts'
import { FIELDS } from '../../src/core/search/contract.ts'
import type { Field, FieldWeights, IndexableDocument } from '../../src/core/search/contract.ts'
import { analyseText } from '../../src/core/search/analysis/analyser.ts'
import { SPELT_WEIGHT, SPELT_WORDS } from '../../src/core/search/term-lookup.ts'
import { speltTerm } from '../../src/core/search/names.ts'
import { planQuery } from '../../src/core/search/plan-query.ts'
import { parseQuery } from '../../src/core/search/query.ts'
import {
  DEFAULT_FIELD_WEIGHTS,
  inverseFrequency,
  K1,
  LENGTH_WEIGHTS,
  lengthNorm,
  SCORE_UNIT,
} from '../../src/core/search/ranking/bm25f.ts'
import { REACH, RESCORE_WEIGHTS, SLACK_SHARE } from '../../src/core/search/ranking/rescore.ts'

export interface NaiveHit {
  readonly doc: DocNo
  readonly score: number
}

export interface NaiveOptions {
  readonly limit: number
  readonly weights?: Partial<FieldWeights>
  readonly filter?: (doc: DocNo) => boolean
  /** Candidates of the first stage. */
  readonly candidates?: number
}

interface Occurrence {
  readonly term: string
  readonly field: Field
  readonly position: number
}

interface Analysed {
  readonly doc: DocNo
  readonly occurrences: readonly Occurrence[]
  readonly lengths: Record<Field, number>
  /** Token ranges of the passages. */
  readonly passages: readonly (readonly [from: number, to: number])[]
}

/** Ranks by plain any-word queries; conditions are the business of other tests. */
export function naiveSearch(
  documents: readonly IndexableDocument[],
  query: string,
  options: NaiveOptions,
): NaiveHit[] {
  const corpus = documents.map(analyse)
  const weights = { ...DEFAULT_FIELD_WEIGHTS, ...options.weights }
  const average = (field: Field): number => {
    const having = corpus.filter(({ lengths }) => lengths[field] > 0)
    if (having.length === 0) return 0
    return steadyAverage(
      having.reduce((sum, { lengths }) => sum + lengths[field], 0) / having.length,
    )
  }
  const averages = Object.fromEntries(FIELDS.map((field) => [field, average(field)]))
  const passages = corpus.flatMap((document) => document.passages)
  const averagePassage = steadyAverage(
    passages.reduce((sum, [from, to]) => sum + to - from, 0) / passages.length,
  )

  const words = planQuery(parseQuery(query)).words.map((word) => {
    const [term] = word.terms
    const df = corpus.filter((document) => has(document, term!)).length
    return {
      ...word,
      term,
      weight: word.weight * inverseFrequency(Math.max(steadyCount(corpus.length), df), df),
    }
  })

  /** A term's frequency in some fields, each divided by its norm and weighed. */
  const frequencyIn = (document: Analysed, fields: readonly Field[], term: string): number =>
    fields.reduce((total, field) => {
      const count = document.occurrences.filter(
        (occurrence) => occurrence.term === term && occurrence.field === field,
      ).length
      const norm = lengthNorm(LENGTH_WEIGHTS[field], document.lengths[field], averages[field]!)
      return total + (count === 0 ? 0 : (weights[field] * count) / norm)
    }, 0)

  const candidates = corpus
    .filter((document) => options.filter?.(document.doc) ?? true)
    .map((document) => {
      const whole = words.reduce(
        (sum, { term, spelt, weight }) =>
          sum +
          termScore(weight, frequencyIn(document, FIELDS, term!)) +
          (spelt === undefined || words.length > SPELT_WORDS
            ? 0
            : termScore(weight * SPELT_WEIGHT, frequencyIn(document, FIELDS, spelt))),
        0,
      )
      return { document, whole }
    })
    .filter(({ whole }) => whole > 0)
    .toSorted((a, b) => b.whole - a.whole || a.document.doc - b.document.doc)
    .slice(0, options.candidates ?? Math.max(200, options.limit * 2))

  const { passage, proximity, passageK1, passageLength } = RESCORE_WEIGHTS
  return candidates
    .map(({ document, whole }): NaiveHit => {
      const positionsOf = (term: string): number[] =>
        document.occurrences.flatMap((o) => (o.term === term ? [o.position] : []))
      const passageScores = document.passages.map(([from, to]) =>
        words.reduce((sum, { term, weight }) => {
          const count = positionsOf(term!).filter((p) => p >= from && p < to).length
          const norm = 1 - passageLength + (passageLength * (to - from)) / averagePassage
          const around = frequencyIn(document, ['title', 'tags', 'path'], term!)
          const frequency = (count === 0 ? 0 : count / norm) + around
          return sum + (weight * frequency) / (frequency + passageK1)
        }, 0),
      )
      const parts = words.filter((word) => word.kind !== 'whole')
      const closeness = parts.slice(1).reduce((sum, right, i) => {
        const left = parts[i]!
        const slacks = positionsOf(left.term!).flatMap((p) =>
          positionsOf(right.term!).map((q) => Math.abs(q - p - (right.position - left.position))),
        )
        const slack = Math.min(Infinity, ...slacks)
        if (slack > REACH) return sum
        return sum + Math.min(left.weight, right.weight) / (1 + SLACK_SHARE * slack)
      }, 0)
      const best = Math.max(0, ...passageScores)
      return {
        doc: document.doc,
        score: whole * SCORE_UNIT + passage * best + proximity * closeness,
      }
    })
    .toSorted((a, b) => b.score - a.score || a.doc - b.doc)
    .slice(0, options.limit)
}

/** A term's score in whole units; 0 only when the term does not occur. */
export function termScore(weight: number, frequency: number): number {
  return frequency <= 0 ? 0 : Math.ceil((weight / SCORE_UNIT) * (frequency / (frequency + K1)))
}

function has(document: Analysed, term: string): boolean {
  return document.occurrences.some((occurrence) => occurrence.term === term)
}

function analyse(document: IndexableDocument): Analysed {
  const lengths: Record<Field, number> = { title: 0, heading: 0, body: 0, tags: 0, path: 0 }
  const occurrences: Occurrence[] = []
  let position = 0
  const add = (text: string, field: Field): void => {
    const terms = analyseText(text)
    for (const { term, kind, spelling, position: at } of terms) {
      occurrences.push({ term, field, position: position + at })
      const spelt = kind === 'part' ? speltTerm(spelling, term) : undefined
      if (spelt !== undefined) occurrences.push({ term: spelt, field, position: position + at })
    }
    const length = terms.filter(({ kind }) => kind === 'part').length
    lengths[field] += length
    position += length
  }

  const { headings, chunkStarts, bodyStart } = document
  const text = document.text as string
  const edges = new Set([bodyStart, text.length])
  for (const { start, end } of headings) edges.add(start).add(end)
  for (const start of chunkStarts) edges.add(start)
  const cuts = [...edges]
    .filter((edge) => edge >= bodyStart && edge <= text.length)
    .toSorted((a, b) => a - b)
  const tokenAt = new Map<number, number>()
  for (const [i, cut] of cuts.entries()) {
    tokenAt.set(cut, position)
    const inHeading = headings.some(({ start, end }) => start <= cut && cut < end)
    add(text.slice(cut, cuts[i + 1] ?? cut), inHeading ? 'heading' : 'body')
  }
  const textEnd = position
  const starts = chunkStarts.map((start, i) => (i === 0 ? 0 : (tokenAt.get(start) ?? textEnd)))
  const passages: [number, number][] = starts.map((start, i) => [start, starts[i + 1] ?? textEnd])

  const meta: [string, Field][] = [
    [document.title, 'title'],
    ...document.aliases.map((alias): [string, Field] => [alias, 'title']),
    ...document.tags.map((tag): [string, Field] => [tag, 'tags']),
    [document.path, 'path'],
  ]
  for (const [value, field] of meta) {
    position++
    add(value, field)
  }
  return {
    doc: document.doc,
    occurrences,
    lengths,
    passages: passages.length === 0 ? [[0, textEnd]] : passages,
  }
}
