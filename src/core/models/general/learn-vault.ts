/**
 * What a base adds to the general meaning of words: how rare each is here, and where words point
 * that the table lacks. A name or a product means what the passages are about that it stands in.
 */
import { steadyCount } from '../../kit/steady.ts'
import { embedMatrix, type VectorPart } from '../corpus/embed-matrix.ts'
import type { TermMatrix } from '../corpus/term-matrix.ts'
import { rowWriter } from '../corpus/term-rows.ts'
import type { RowBits } from '../corpus/term-rows.ts'
import { placesOf } from '../term-places.ts'
import { readableShares } from './readable.ts'
import type { CountedTerms, VaultWords } from './vault-words.ts'
import { rarity } from '../weights.ts'
import type { WordTable } from './word-table.ts'

/** Words of the base's own that get a vector, at most: the most widespread. */
const MOST_OWN_WORDS = 12_000
/**
 * In a large base its own text counts more, and every dimension costs time: there the first ones do,
 * along which words differ most.
 */
const LARGE = 2_000
const FEWER_DIMENSIONS = 64
/** In tenths: a note more changes nothing. */
const READABLE_STEPS = 10

/** Undefined for a base that the table cannot read: it is in another language. */
export function learnVault(table: WordTable, matrix: TermMatrix): VaultWords | undefined {
  // As it will be read again: what is kept has four bytes.
  const documents = Math.fround(steadyCount(matrix.documentStart.length - 1))
  const dimensions =
    documents < LARGE ? table.dimensions : Math.min(table.dimensions, FEWER_DIMENSIONS)
  const frequency = documentFrequencies(matrix)
  const rowOf = Int32Array.from(matrix.terms, (term) => table.rowOf(term))
  const readable = readableShares(matrix, rowOf)
  const readableShare = Math.fround(
    Math.round(meanOfPassages(readable, matrix) * READABLE_STEPS) / READABLE_STEPS,
  )
  if (readableShare === 0) return undefined
  const own = ownWords(matrix, frequency, rowOf)
  const counted = (columns: readonly number[]): CountedTerms => ({
    terms: placesOf(columns.map((column) => matrix.terms[column]!)),
    documents: Uint32Array.from(columns, (column) => frequency[column]!),
  })
  return {
    table: table.id,
    dimensions,
    documents,
    readable: readableShare,
    known: counted([...matrix.terms.keys()].filter((column) => rowOf[column]! >= 0)),
    foreign: placesOf(foreignWords(matrix, rowOf, readable)),
    own: counted(own),
    ...placeOwnWords(table, matrix, { dimensions, documents, frequency, rowOf, readable, own }),
  }
}

function documentFrequencies({ terms, documentStart, rowStart, columns }: TermMatrix): Uint32Array {
  const frequency = new Uint32Array(terms.length)
  const seenIn = new Int32Array(terms.length).fill(-1)
  for (let d = 0; d < documentStart.length - 1; d++) {
    for (let e = rowStart[documentStart[d]!]!; e < rowStart[documentStart[d + 1]!]!; e++) {
      const column = columns[e]!
      if (seenIn[column] === d) continue
      seenIn[column] = d
      frequency[column]!++
    }
  }
  return frequency
}

/** Words of the table that stand in no passage it can read. */
function foreignWords(
  { terms, documentStart, rowStart, columns }: TermMatrix,
  rowOf: Int32Array,
  readable: Float64Array,
): string[] {
  const isRead = new Uint8Array(terms.length)
  const read = (row: number): void => {
    for (let e = rowStart[row]!; e < rowStart[row + 1]!; e++) isRead[columns[e]!] = 1
  }
  for (let d = 0; d < documentStart.length - 1; d++) {
    const title = documentStart[d]!
    let some = false
    for (let row = title + 1; row < documentStart[d + 1]!; row++) {
      if (readable[row] === 0) continue
      some = true
      read(row)
    }
    if (some) read(title)
  }
  return terms.filter((_, column) => rowOf[column]! >= 0 && isRead[column] === 0)
}

/** Columns of words without a row, the most widespread first, then in the order of their letters. */
function ownWords({ terms }: TermMatrix, frequency: Uint32Array, rowOf: Int32Array): number[] {
  return [...terms.keys()]
    .filter((column) => rowOf[column]! < 0)
    .toSorted((a, b) => frequency[b]! - frequency[a]! || (terms[a]! < terms[b]! ? -1 : 1))
    .slice(0, MOST_OWN_WORDS)
}

interface Placing {
  readonly dimensions: number
  readonly documents: number
  readonly frequency: Uint32Array
  readonly rowOf: Int32Array
  /** By the passage's row. */
  readonly readable: Float64Array
  readonly own: readonly number[]
}

/** The mean of the passages a word stands in, as far as the table can read them. */
function placeOwnWords(
  table: WordTable,
  matrix: TermMatrix,
  { dimensions, documents, frequency, rowOf, readable, own }: Placing,
): Pick<VaultWords, 'ownRows' | 'ownScales'> {
  const placeOf = new Int32Array(matrix.terms.length).fill(-1)
  for (const [place, column] of own.entries()) placeOf[column] = place
  const sums = new Float32Array(own.length * dimensions)
  const bytes = new Int8Array(dimensions)
  const known: VectorPart = {
    dimensions,
    placeOf: (_, column) => (rowOf[column]! < 0 ? -1 : column),
    writeRow(column, into) {
      const scale = table.copyRow(rowOf[column]!, bytes) * rarity(frequency[column]!, documents)
      for (let k = 0; k < dimensions; k++) into[k] = scale * bytes[k]!
    },
  }
  let row = 0
  for (const vectors of embedMatrix(matrix, [known])) {
    row++
    for (const vector of vectors) {
      const trust = readable[row]!
      const [from, to] = [matrix.rowStart[row]!, matrix.rowStart[++row]!]
      if (trust === 0) continue
      for (let e = from; e < to; e++) {
        const place = placeOf[matrix.columns[e]!]!
        if (place < 0) continue
        for (let k = 0; k < dimensions; k++) sums[place * dimensions + k]! += trust * vector[k]!
      }
    }
  }
  const bits = documents < LARGE ? 8 : 4
  return quantise(sums, dimensions, typicalLength(table, dimensions), bits)
}

/** How long a row of the table is: words of the base's own weigh as much as any other. */
function typicalLength(table: WordTable, dimensions: number): number {
  const lengths: number[] = []
  const row = new Int8Array(dimensions)
  const step = Math.max(1, Math.floor(table.terms / 1_000))
  for (let r = 0; r < table.terms; r += step) {
    const scale = table.copyRow(r, row)
    lengths.push(scale * Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)))
  }
  return lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 0
}

function quantise(
  sums: Float32Array,
  dimensions: number,
  length: number,
  bits: RowBits,
): Pick<VaultWords, 'ownRows' | 'ownScales'> {
  const ownScales = new Float32Array(sums.length / dimensions)
  const { rows: ownRows, write } = rowWriter(ownScales.length, dimensions, bits)
  for (let place = 0; place < ownScales.length; place++) {
    const sum = sums.subarray(place * dimensions, (place + 1) * dimensions)
    let squares = 0
    for (const value of sum) squares += value * value
    if (squares > 0) ownScales[place] = (length / Math.sqrt(squares)) * write(place, sum)
  }
  return { ownRows, ownScales }
}

function meanOfPassages(values: Float64Array, { documentStart }: TermMatrix): number {
  const passages = values.length - (documentStart.length - 1)
  return passages === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / passages
}
