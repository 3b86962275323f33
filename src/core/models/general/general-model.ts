/**
 * Where texts point by what their words mean in general. A text is the sum of its words' rows of the
 * table, rare words counting more; passages are understood in the context of their document, as the
 * corpus model does it. The length of a passage's vector says how much of it the table can read.
 */
import { openLatentModel } from '../corpus/corpus-model.ts'
import type { CorpusModel } from '../corpus/corpus-model.ts'
import { partOf, type VectorPart } from '../corpus/embed-matrix.ts'
import type { TermMatrix } from '../corpus/term-matrix.ts'
import { copyRow } from '../corpus/term-rows.ts'
import { ramp, rarity } from '../weights.ts'
import { readableShare, readableShares } from './readable.ts'
import type { VaultWords } from './vault-words.ts'
import type { WordTable } from './word-table.ts'

export interface GeneralModel {
  readonly dimensions: number
  /** How much of the base it can read, from 0 to 1. */
  readonly readable: number
  /** A unit vector, or zeros, and how far the words are known: 0 for another language, 1 for English. */
  embedQuery(terms: readonly string[]): { readonly vector: Float64Array; readonly known: number }
  embedDocument(
    title: readonly string[],
    passages: readonly (readonly string[])[],
  ): readonly Float32Array[]
  /** The same for all passages of a matrix. */
  partFor(matrix: TermMatrix): VectorPart & Required<Pick<VectorPart, 'lengthOf'>>
}

/** A question with fewer of its words in the table than this is not read by it, with more fully. */
export const HARDLY_KNOWN = 0.3
export const WELL_KNOWN = 0.6

export function openGeneralModel(table: WordTable, words: VaultWords): GeneralModel {
  return new TableModel(table, words)
}

class TableModel implements GeneralModel {
  readonly dimensions: number
  readonly readable: number
  readonly #table: WordTable
  readonly #words: VaultWords
  /** Who only asks questions never needs it, and it is large. */
  #texts: CorpusModel | undefined

  constructor(table: WordTable, words: VaultWords) {
    this.dimensions = words.dimensions
    this.readable = words.readable
    this.#table = table
    this.#words = words
  }

  embedQuery(terms: readonly string[]): { vector: Float64Array; known: number } {
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    const vector = new Float64Array(this.dimensions)
    let known = 0
    // Always in the same order, so that the same words in another order give the same bits.
    for (const [term, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      known += this.#add(term, count, vector)
    }
    const share = counts.size === 0 ? 0 : known / counts.size
    return { vector: normalise(vector), known: ramp(share, HARDLY_KNOWN, WELL_KNOWN) }
  }

  /**
   * How surely the table knows the word. One of the base's own counts in the vector only; one that the
   * base does not have may be of any language that the base is in.
   */
  #add(term: string, count: number, vector: Float64Array): number {
    const { documents, known, own, foreign, ownRows, ownScales } = this.#words
    if (foreign.placeOf(term) >= 0) return 0
    const row = this.#table.rowOf(term)
    if (row >= 0) {
      const found = known.terms.placeOf(term)
      const rare = rarity(found < 0 ? 0 : known.documents[found]!, documents)
      this.#table.add(row, Math.log1p(count) * rare, vector)
      return found < 0 ? this.readable : 1
    }
    const place = own.terms.placeOf(term)
    if (place < 0) return 0
    const weight = Math.log1p(count) * rarity(own.documents[place]!, documents) * ownScales[place]!
    const numbers = new Int8Array(this.dimensions)
    copyRow(ownRows, place, numbers)
    for (let k = 0; k < this.dimensions; k++) vector[k]! += weight * numbers[k]!
    return 0
  }

  embedDocument(
    title: readonly string[],
    passages: readonly (readonly string[])[],
  ): readonly Float32Array[] {
    const inTitle = this.#countKnown(title)
    return this.#ofTexts()
      .embedDocument(title, passages)
      .map((vector, passage) => {
        const { known, all } = this.#countKnown(passages[passage]!)
        return scaled(vector, readableShare(inTitle.known + known, inTitle.all + all))
      })
  }

  partFor(matrix: TermMatrix): ReturnType<GeneralModel['partFor']> {
    const shares = readableShares(
      matrix,
      Int32Array.from(matrix.terms, (term) => this.#table.rowOf(term)),
    )
    return { ...partOf(this.#ofTexts()), lengthOf: (row) => shares[row]! }
  }

  #ofTexts(): CorpusModel {
    this.#texts ??= modelOfTexts(this.#table, this.#words)
    return this.#texts
  }

  #countKnown(terms: readonly string[]): { known: number; all: number } {
    const distinct = new Set(terms)
    let known = 0
    for (const term of distinct) if (this.#table.rowOf(term) >= 0) known++
    return { known, all: distinct.size }
  }
}

/** The rows of the words that the base has, side by side, as the corpus model keeps its own. */
function modelOfTexts(table: WordTable, words: VaultWords): CorpusModel {
  const { dimensions, known, own } = words
  const terms = [...known.terms.list(), ...own.terms.list()]
  const rows = new Int8Array(terms.length * dimensions)
  const rowOf = (place: number): Int8Array =>
    rows.subarray(place * dimensions, (place + 1) * dimensions)
  const scales = new Float32Array(terms.length)
  for (let place = 0; place < known.terms.size; place++) {
    scales[place] = table.copyRow(table.rowOf(terms[place]!), rowOf(place))
  }
  for (let place = 0; place < own.terms.size; place++) {
    copyRow(words.ownRows, place, rowOf(known.terms.size + place))
  }
  scales.set(words.ownScales, known.terms.size)
  return openLatentModel(
    {
      dimensions,
      documents: words.documents,
      unknownShare: 0,
      terms,
      table: { dimensions, bits: 8, bytes: new Uint8Array(rows.buffer) },
      scales,
      weights: Float32Array.from([...known.documents, ...own.documents], (count) =>
        rarity(count, words.documents),
      ),
    },
    words.table,
  )
}

function scaled(vector: Float32Array, length: number): Float32Array {
  return length === 1 ? vector : vector.map((value) => value * length)
}

function normalise(vector: Float64Array): Float64Array {
  let squares = 0
  for (let k = 0; k < vector.length; k++) squares += vector[k]! * vector[k]!
  const length = squares > 0 ? Math.sqrt(squares) : 1
  for (let k = 0; k < vector.length; k++) vector[k]! /= length
  return vector
}
