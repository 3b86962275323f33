/**
 * From what the teacher makes of words and texts to one vector per stem, such that the sum of a
 * text's stems points where the teacher points for the text.
 */
import { contentTerms } from '../../src/core/search/analysis/content-terms.ts'
import {
  eigenvectors,
  matrix,
  meanOf,
  multiply,
  project,
  scatterOf,
  transpose,
} from './linear-algebra.ts'
import type { Matrix, SparseMatrix } from './linear-algebra.ts'

/** Length of the teacher's vectors. */
export const TEACHER_DIMENSIONS = 384

export interface Lesson {
  readonly words: readonly string[]
  readonly wordVectors: Float32Array
  readonly texts: readonly string[]
  readonly textVectors: Float32Array
}

export interface Stems {
  readonly terms: readonly string[]
  /** One row per term. */
  readonly vectors: Matrix
}

/** Stems with a vector: the most frequent ones, and rarer ones that the texts use. */
const STEMS = 50_000
const MORE_STEMS = 4_000
const USED = 8

/** Dimensions in which the regression is solved: the texts' own largest. */
const SOLVED_DIMENSIONS = 256
/** How much a stem is held to what the teacher says of its words alone. */
const RIDGE = 10
const STEPS = 12
/** A frequent word says less: smooth inverse frequency (Arora et al. 2017). */
const SMOOTHING = 1e-3

export function distil(lesson: Lesson): Stems {
  const counts = lesson.texts.map(countTerms)
  const stems = chooseStems(lesson.words, counts)
  const center = meanOf(lesson.textVectors, TEACHER_DIMENSIONS)
  const { axes } = eigenvectors(scatterOf(lesson.textVectors, TEACHER_DIMENSIONS, center))
  const kept: Matrix = {
    rows: SOLVED_DIMENSIONS,
    columns: TEACHER_DIMENSIONS,
    values: axes.values.subarray(0, SOLVED_DIMENSIONS * TEACHER_DIMENSIONS),
  }
  const wanted = project(lesson.textVectors, kept, center)
  const prior = project(meanWords(lesson, stems), kept)
  damp(prior, stems)
  const used = usage(counts, stems)
  return { terms: stems.map(({ term }) => term), vectors: regress(used, wanted, prior) }
}

interface Stem {
  readonly term: string
  /** Places of its words in the list, and their share of all text. */
  readonly words: number[]
  frequency: number
}

/** Zipf's law: a word's share falls as its rank rises. */
function frequencyOf(rank: number): number {
  return 0.1 / (rank + 2.7)
}

function chooseStems(words: readonly string[], texts: readonly ReadonlyMap<string, number>[]) {
  const known = new Map<string, Stem>()
  for (const [rank, word] of words.entries()) {
    const [term, ...more] = contentTerms(word)
    if (term === undefined || more.length > 0) continue
    const stem = known.get(term) ?? { term, words: [], frequency: 0 }
    stem.words.push(rank)
    stem.frequency += frequencyOf(rank)
    known.set(term, stem)
  }
  const byFrequency = [...known.values()].toSorted(
    (a, b) => b.frequency - a.frequency || (a.term < b.term ? -1 : 1),
  )
  const used = new Map<string, number>()
  for (const text of texts) {
    for (const term of text.keys()) used.set(term, (used.get(term) ?? 0) + 1)
  }
  const more = byFrequency
    .slice(STEMS)
    .filter(({ term }) => (used.get(term) ?? 0) >= USED)
    .slice(0, MORE_STEMS)
  return [...byFrequency.slice(0, STEMS), ...more]
}

function countTerms(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of contentTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** A stem's words by frequency, each as seen from the middle of all words. */
function meanWords({ wordVectors }: Lesson, stems: readonly Stem[]): Matrix {
  const center = meanOf(wordVectors, TEACHER_DIMENSIONS)
  const means = matrix(stems.length, TEACHER_DIMENSIONS)
  for (const [row, stem] of stems.entries()) {
    for (const word of stem.words) {
      const share = frequencyOf(word) / stem.frequency
      for (let k = 0; k < TEACHER_DIMENSIONS; k++) {
        const value = wordVectors[word * TEACHER_DIMENSIONS + k] - center[k]
        means.values[row * TEACHER_DIMENSIONS + k] += share * value
      }
    }
  }
  return means
}

function damp(prior: Matrix, stems: readonly Stem[]): void {
  for (const [row, { frequency }] of stems.entries()) {
    const factor = SMOOTHING / (SMOOTHING + frequency)
    for (let k = 0; k < prior.columns; k++) prior.values[row * prior.columns + k] *= factor
  }
}

/** Which stems stand in which text, as unit rows; a text without any is a row of nothing. */
function usage(
  texts: readonly ReadonlyMap<string, number>[],
  stems: readonly Stem[],
): SparseMatrix {
  const placeOf = new Map(stems.map(({ term }, place) => [term, place]))
  const start = [0]
  const column: number[] = []
  const value: number[] = []
  for (const counts of texts) {
    const first = column.length
    let squares = 0
    for (const [term, count] of counts) {
      const place = placeOf.get(term)
      if (place === undefined) continue
      column.push(place)
      value.push(Math.log1p(count))
      squares += Math.log1p(count) ** 2
    }
    for (let e = first; e < value.length; e++) value[e] /= Math.sqrt(squares)
    start.push(column.length)
  }
  return {
    rows: texts.length,
    columns: stems.length,
    start: Uint32Array.from(start),
    column: Uint32Array.from(column),
    value: Float64Array.from(value),
  }
}

/**
 * The vectors that come closest to `wanted` when summed, without straying from `prior` more than
 * the texts ask for: ridge regression by conjugate gradients, all dimensions at once.
 */
function regress(used: SparseMatrix, wanted: Matrix, prior: Matrix): Matrix {
  const first = multiply(used, prior)
  const scale = dot(first.values, wanted.values) / dot(first.values, first.values)
  for (let i = 0; i < prior.values.length; i++) prior.values[i] *= scale
  const missing = wanted.values.map((value, i) => value - scale * first.values[i])
  const back = transpose(used)
  const width = prior.columns
  const found = matrix(prior.rows, width)
  const rest = multiply(back, { ...wanted, values: missing })
  const step = { ...rest, values: rest.values.slice() }
  let size = columnSquares(rest)
  for (let i = 0; i < STEPS; i++) {
    const effect = multiply(back, multiply(used, step))
    for (let e = 0; e < effect.values.length; e++) effect.values[e] += RIDGE * step.values[e]
    const curve = columnProducts(step, effect)
    const length = size.map((each, k) => each / (curve[k] + 1e-12))
    for (let e = 0; e < found.values.length; e++) {
      found.values[e] += length[e % width] * step.values[e]
      rest.values[e] -= length[e % width] * effect.values[e]
    }
    const next = columnSquares(rest)
    const keep = next.map((each, k) => each / (size[k] + 1e-12))
    for (let e = 0; e < step.values.length; e++) {
      step.values[e] = rest.values[e] + keep[e % width] * step.values[e]
    }
    size = next
  }
  for (let e = 0; e < found.values.length; e++) found.values[e] += prior.values[e]
  report(used, wanted, found)
  return found
}

function report(used: SparseMatrix, wanted: Matrix, found: Matrix): void {
  const got = multiply(used, found)
  let missed = 0
  for (let i = 0; i < got.values.length; i++) missed += (wanted.values[i] - got.values[i]) ** 2
  const share = 1 - missed / dot(wanted.values, wanted.values)
  console.error(`the stems explain ${(100 * share).toFixed(1)} % of what the teacher says of texts`)
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

function columnProducts(a: Matrix, b: Matrix): Float64Array {
  const sums = new Float64Array(a.columns)
  for (let i = 0; i < a.values.length; i++) sums[i % a.columns] += a.values[i] * b.values[i]
  return sums
}

function columnSquares(a: Matrix): Float64Array {
  return columnProducts(a, a)
}
