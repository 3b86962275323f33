/**
 * Vectors of all passages of a matrix, which are what their terms' rows add up to: one sparse product
 * for some thousand passages at a time, with a table that has everything of a term side by side.
 */
import { TITLE_WEIGHT } from './corpus-model.ts'
import { Numbers, upTo, WIDTH_UNIT } from './numbers.ts'
import type { TermMatrix } from './term-matrix.ts'

/** What stands side by side in a vector, each in the context of the document for itself. */
export interface VectorPart {
  readonly dimensions: number
  /** Where the part has a term, or -1; `column` is the term's in the matrix at hand. */
  placeOf(term: string, column: number): number
  /** Writes what the term at a place adds to a text, weighed. */
  writeRow(place: number, into: Float32Array): void
  /** How long the part is in the vector of a passage, by the passage's row; 1 where it is not told. */
  lengthOf?(row: number): number
}

/** A model's own part of a vector that has others. */
export function partOf(model: VectorPart): VectorPart {
  return {
    dimensions: model.dimensions,
    placeOf: (term, column) => model.placeOf(term, column),
    writeRow: (place, into) => model.writeRow(place, into),
  }
}

/** Passages that are embedded at a time, unless a single document has more. */
const ROWS = 2_048

/** All passages of a matrix, some documents at a time: each batch may be asked for, by its number. */
export interface MatrixEmbedder {
  readonly batches: readonly DocumentRange[]
  /** The vectors of a batch, document by document. They are overwritten by those of later documents. */
  embed(batch: number): Generator<Float32Array[]>
}

export interface DocumentRange {
  readonly first: number
  /** The one behind the last. */
  readonly last: number
}

/** Document by document in order. The vectors are overwritten by those of later documents. */
export function* embedMatrix(
  matrix: TermMatrix,
  parts: readonly VectorPart[],
): Generator<Float32Array[]> {
  const { batches, embed } = openMatrixEmbedder(matrix, parts)
  for (const batch of batches.keys()) yield* embed(batch)
}

export function openMatrixEmbedder(
  matrix: TermMatrix,
  parts: readonly VectorPart[],
): MatrixEmbedder {
  const { documentStart } = matrix
  const dimensions = parts.reduce((sum, part) => sum + part.dimensions, 0)
  const width = upTo(WIDTH_UNIT, dimensions)
  const places = parts.map((part) =>
    Int32Array.from(matrix.terms, (term, c) => part.placeOf(term, c)),
  )
  const rowOf = new Int32Array(matrix.terms.length).fill(-1)
  let terms = 0
  for (let c = 0; c < rowOf.length; c++) if (places.some((at) => at[c]! >= 0)) rowOf[c] = terms++
  const batches = batchesOf(matrix)
  const most = (of: 'rows' | 'entries'): number => batches.reduce((n, b) => Math.max(n, b[of]), 0)
  const [rows, entries] = [most('rows'), most('entries')]
  const numbers = new Numbers(terms * width + rows * (width + 1) + 2 * entries)
  const table = numbers.floats(terms * width)
  for (let c = 0; c < rowOf.length; c++) {
    let at = rowOf[c]! * width
    for (const [i, part] of parts.entries()) {
      const place = places[i]![c]!
      if (place >= 0) part.writeRow(place, table.subarray(at, at + part.dimensions))
      at += part.dimensions
    }
  }
  const sparse = {
    rowStart: numbers.words(rows + 1),
    columns: numbers.words(entries),
    values: numbers.floats(entries),
  }
  const out = numbers.floats(rows * width)
  const fill = createFiller(matrix, rowOf, sparse)
  return {
    batches,
    *embed(number) {
      const batch = batches[number]!
      fill(batch.first, batch.last)
      numbers.multiply(sparse, batch.rows, table, width, out)
      let at = 0
      for (let d = batch.first; d < batch.last; d++) {
        const first = documentStart[d]! + 1
        const count = documentStart[d + 1]! - first
        let from = at
        for (const part of parts) {
          putInContext(out, { from, count, width, first, part })
          from += part.dimensions
        }
        yield Array.from({ length: count }, (_, i) =>
          out.subarray(at + i * width, at + i * width + dimensions),
        )
        at += count * width
      }
    },
  }
}

interface Batch extends DocumentRange {
  last: number
  rows: number
  /** At most: what stands in title and passage counts twice here. */
  entries: number
}

function batchesOf({ documentStart, rowStart }: TermMatrix): readonly Batch[] {
  const batches: Batch[] = []
  for (let d = 0; d < documentStart.length - 1; d++) {
    const title = documentStart[d]!
    const rows = documentStart[d + 1]! - title - 1
    const inTitle = rowStart[title + 1]! - rowStart[title]!
    const entries = rowStart[documentStart[d + 1]!]! - rowStart[title + 1]! + rows * inTitle
    const batch = batches.at(-1)
    if (!batch || batch.rows + rows > ROWS) batches.push({ first: d, last: d + 1, rows, entries })
    else {
      batch.last++
      batch.rows += rows
      batch.entries += entries
    }
  }
  return batches
}

/** Repeating a word says less every time; nearly all counts are small. */
const LOGS = Float64Array.from({ length: 1_024 }, (_, count) => Math.log1p(count))
const logOf = (count: number): number => LOGS[count] ?? Math.log1p(count)

/** Writes the passages of some documents, each with its title, as rows of the table and weights. */
function createFiller(
  { documentStart, rowStart, columns, counts, terms }: TermMatrix,
  rowOf: Int32Array,
  into: { rowStart: Uint32Array; columns: Uint32Array; values: Float32Array },
): (first: number, last: number) => void {
  const inTitle = new Uint32Array(terms.length)
  return (first, last) => {
    let rows = 0
    let n = 0
    const add = (column: number, count: number): void => {
      const row = rowOf[column]!
      if (row < 0) return
      into.columns[n] = row
      into.values[n++] = logOf(count)
    }
    for (let d = first; d < last; d++) {
      const title = documentStart[d]!
      const [from, to] = [rowStart[title]!, rowStart[title + 1]!]
      for (let row = title + 1; row < documentStart[d + 1]!; row++) {
        for (let e = from; e < to; e++) inTitle[columns[e]!] = counts[e]! * TITLE_WEIGHT
        for (let e = rowStart[row]!; e < rowStart[row + 1]!; e++) {
          add(columns[e]!, counts[e]! + inTitle[columns[e]!]!)
          inTitle[columns[e]!] = 0
        }
        for (let e = from; e < to; e++) {
          if (inTitle[columns[e]!] !== 0) add(columns[e]!, inTitle[columns[e]!]!)
          inTitle[columns[e]!] = 0
        }
        into.rowStart[++rows] = n
      }
    }
  }
}

interface Context {
  readonly part: VectorPart
  readonly from: number
  readonly count: number
  readonly width: number
  /** Row of the first passage. */
  readonly first: number
}

/** Half of where a passage points is its own, half the whole document's. */
function putInContext(vectors: Float32Array, { from, count, width, first, part }: Context): void {
  const { dimensions } = part
  const whole = new Float64Array(dimensions)
  const scale = (at: number, by: number): void => {
    for (let k = 0; k < dimensions; k++) vectors[at + k]! *= by
  }
  for (let i = 0, at = from; i < count; i++, at += width) {
    let squares = 0
    for (let k = 0; k < dimensions; k++) {
      const value = vectors[at + k]!
      whole[k]! += value
      squares += value * value
    }
    scale(at, inverse(squares))
  }
  const share = inverse(count > 1 ? whole.reduce((sum, value) => sum + value * value, 0) : 0)
  for (let k = 0; k < dimensions; k++) whole[k]! *= share
  for (let i = 0, at = from; i < count; i++, at += width) {
    let squares = 0
    for (let k = 0; k < dimensions; k++) {
      const value = vectors[at + k]! + whole[k]!
      vectors[at + k] = value
      squares += value * value
    }
    scale(at, inverse(squares) * (part.lengthOf?.(first + i) ?? 1))
  }
}

/** What makes a vector of this length, squared, one of length one; zeros stay. */
function inverse(squares: number): number {
  return squares > 0 ? 1 / Math.sqrt(squares) : 0
}
