/** Learns a corpus model: which terms get a vector, what each weighs, and where it points. */
import { createRotation } from '../../kit/rotate.ts'
import { steadyCount } from '../../kit/steady.ts'
import { LARGE } from './corpus-embedder.ts'
import { createModel, textWeight, TITLE_WEIGHT, type CorpusModel } from './corpus-model.ts'
import type { SparseRows } from './numbers.ts'
import { singularVectors } from './singular-vectors.ts'
import type { TermMatrix } from './term-matrix.ts'
import { rowWriter } from './term-rows.ts'
import type { RowBits, TermRows } from './term-rows.ts'

export interface TrainingOptions {
  readonly dimensions?: number
  /** Terms with a vector, at most: the most widespread of those that say something. */
  readonly maxTerms?: number
}

/** Fewer blur large corpora, more add time and memory but no better answers. */
export const DEFAULT_DIMENSIONS = 192
const DEFAULT_MAX_TERMS = 60_000
/**
 * With a dimension for every document nothing has to be shared, and meaning only repeats the words.
 * Documents must share dimensions for words that keep the same company to come together.
 */
const DOCUMENTS_PER_DIMENSION = 4
const FEWEST_DIMENSIONS = 8

/** A term of a single document relates to nothing else. */
const MIN_DOCUMENTS = 2
/** A term of more than half of all documents tells none of them apart. */
const MAX_DOCUMENT_SHARE = 0.5

/**
 * The same documents in the same order give the same model, to the last bit. Whole documents teach
 * better than passages: the company a word keeps reaches further than a paragraph.
 */
export function trainCorpusModel(matrix: TermMatrix, options: TrainingOptions = {}): CorpusModel {
  const { dimensions = DEFAULT_DIMENSIONS, maxTerms = DEFAULT_MAX_TERMS } = options
  const { rows, kept, weights, unknownShare } = lesson(matrix, maxTerms)
  const documents = matrix.documentStart.length - 1
  const shared = Math.max(
    FEWEST_DIMENSIONS,
    Math.round(steadyCount(documents) / DOCUMENTS_PER_DIMENSION),
  )
  const { vectors, dimensions: found } = singularVectors(rows, {
    dimensions: options.dimensions ?? Math.min(DEFAULT_DIMENSIONS, shared),
  })
  return createModel({
    dimensions,
    documents,
    unknownShare,
    terms: Array.from(kept, (column) => matrix.terms[column]!),
    weights,
    ...quantise(vectors, found, dimensions, documents >= LARGE ? 4 : 8),
  })
}

interface Lesson {
  readonly rows: SparseRows
  /** Columns of the matrix that are columns here, and what their terms weigh. */
  readonly kept: Uint32Array
  readonly weights: Float32Array
  readonly unknownShare: number
}

/** What is learned from. A function of its own, so that its working memory is free while learning. */
function lesson(matrix: TermMatrix, maxTerms: number): Lesson {
  const documents = wholeDocuments(matrix)
  const weights = termWeights(documents, matrix.terms.length, maxTerms)
  const { rows, kept } = weigh(documents, weights)
  return {
    rows,
    kept,
    weights: Float32Array.from(kept, (column) => weights[column]!),
    unknownShare: unknownShare(documents, weights),
  }
}

interface DocumentRows {
  readonly rowStart: Uint32Array
  readonly columns: Uint32Array
  readonly counts: Uint32Array
}

/** Title and passages of each document added up. */
function wholeDocuments(matrix: TermMatrix): DocumentRows {
  const { documentStart, rowStart } = matrix
  const documents = documentStart.length - 1
  const columns = new Uint32Array(matrix.columns.length)
  const counts = new Uint32Array(matrix.columns.length)
  const start = new Uint32Array(documents + 1)
  const inDocument = new Uint32Array(matrix.terms.length)
  let entries = 0
  for (let d = 0; d < documents; d++) {
    const first = entries
    const titleEnd = rowStart[documentStart[d]! + 1]!
    for (let e = rowStart[documentStart[d]!]!; e < rowStart[documentStart[d + 1]!]!; e++) {
      const column = matrix.columns[e]!
      if (inDocument[column] === 0) columns[entries++] = column
      inDocument[column]! += matrix.counts[e]! * (e < titleEnd ? TITLE_WEIGHT : 1)
    }
    for (let e = first; e < entries; e++) {
      counts[e] = inDocument[columns[e]!]!
      inDocument[columns[e]!] = 0
    }
    start[d + 1] = entries
  }
  return {
    rowStart: start,
    columns: columns.slice(0, entries),
    counts: counts.slice(0, entries),
  }
}

/**
 * The log-entropy weight (Dumais 1991): 1 for a term that stands in one document, 0 for one spread
 * evenly over all. Here 0 marks the terms that get no vector.
 */
function termWeights(
  { rowStart, columns, counts }: DocumentRows,
  terms: number,
  maxTerms: number,
): Float32Array {
  const documents = steadyCount(rowStart.length - 1)
  const frequency = new Uint32Array(terms)
  const total = new Float64Array(terms)
  for (let e = 0; e < columns.length; e++) {
    frequency[columns[e]!]!++
    total[columns[e]!]! += counts[e]!
  }
  const disorder = new Float64Array(terms)
  for (let e = 0; e < columns.length; e++) {
    const share = counts[e]! / total[columns[e]!]!
    disorder[columns[e]!]! -= share * Math.log(share)
  }
  const most = Math.max(MIN_DOCUMENTS, documents * MAX_DOCUMENT_SHARE)
  const eligible: number[] = []
  for (let t = 0; t < terms; t++) {
    if (frequency[t]! >= MIN_DOCUMENTS && frequency[t]! <= most) eligible.push(t)
  }
  const chosen =
    eligible.length <= maxTerms
      ? eligible
      : eligible.toSorted((a, b) => frequency[b]! - frequency[a]! || a - b).slice(0, maxTerms)
  const weights = new Float32Array(terms)
  const evenly = Math.log(Math.max(2, documents))
  for (const t of chosen) weights[t] = Math.max(1 - disorder[t]! / evenly, 0)
  return weights
}

/** Documents as unit rows over the terms that weigh something: long ones teach no more than short ones. */
function weigh(
  { rowStart, columns, counts }: DocumentRows,
  weights: Float32Array,
): { rows: SparseRows; kept: Uint32Array } {
  const kept: number[] = []
  const placeOf = new Uint32Array(weights.length)
  for (let t = 0; t < weights.length; t++) {
    if (weights[t] === 0) continue
    placeOf[t] = kept.length
    kept.push(t)
  }
  const start = new Uint32Array(rowStart.length)
  let taught = 0
  const places = new Uint32Array(columns.length)
  const values = new Float32Array(columns.length)
  let entries = 0
  for (let row = 0; row < rowStart.length - 1; row++) {
    const first = entries
    let squares = 0
    for (let e = rowStart[row]!; e < rowStart[row + 1]!; e++) {
      const weight = weights[columns[e]!]!
      if (weight === 0) continue
      const value = textWeight(counts[e]!, weight)
      squares += value * value
      places[entries] = placeOf[columns[e]!]!
      values[entries++] = value
    }
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
    for (let e = first; e < entries; e++) values[e]! *= scale
    // A document whose terms all stand in no other teaches nothing.
    if (entries > first) start[++taught] = entries
  }
  return {
    kept: Uint32Array.from(kept),
    rows: {
      columnCount: kept.length,
      rowStart: start.slice(0, taught + 1),
      columns: places.slice(0, entries),
      values: values.slice(0, entries),
    },
  }
}

function unknownShare({ columns, counts }: DocumentRows, weights: Float32Array): number {
  let unknown = 0
  let all = 0
  for (let e = 0; e < columns.length; e++) {
    all += counts[e]!
    if (weights[columns[e]!] === 0) unknown += counts[e]!
  }
  return all === 0 ? 0 : unknown / all
}

/**
 * A byte per number loses nothing that ranking notices, and is a quarter of the memory. Half a byte
 * does once the dimensions are turned to be alike, and where there is much to learn from.
 */
function quantise(
  vectors: Float32Array,
  found: number,
  dimensions: number,
  bits: RowBits,
): { table: TermRows; scales: Float32Array } {
  const scales = new Float32Array(vectors.length / found)
  const { rows, write } = rowWriter(scales.length, dimensions, bits)
  const rotation = createRotation(dimensions)
  const turned = new Float32Array(dimensions)
  for (let term = 0; term < scales.length; term++) {
    const vector = vectors.subarray(term * found, (term + 1) * found)
    if (bits === 4) {
      turned.fill(0).set(vector)
      rotation.apply(turned)
    }
    scales[term] = write(term, bits === 4 ? turned : vector)
  }
  return { table: rows, scales }
}
