/**
 * What the words of a corpus mean to each other, learned from the corpus alone: latent semantic
 * analysis (Deerwester et al. 1990). Terms that keep the same company point the same way; a text
 * points where its terms point together. `docs/decisions/0011-corpus-embedder.md` has the choices
 * and figures.
 */
import { normalise } from '../weights.ts'
import { hash } from 'node:crypto'
import { placesOf } from '../term-places.ts'
import type { TermPlaces } from '../term-places.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import type { VectorPart } from './embed-matrix.ts'
import { copyRow, countRows } from './term-rows.ts'
import type { TermRows } from './term-rows.ts'

export interface CorpusModel extends VectorPart {
  /** A digest of everything that decides which vectors it gives. */
  readonly id: string
  readonly dimensions: number
  /** Documents it was trained on. */
  readonly documents: number
  /** Terms that have a vector. */
  readonly terms: number
  /** Share of the words it was trained on that have no vector: too rare, or too common. */
  readonly unknownShare: number
  /** Where a query points, as a unit vector; zeros when no term is known. */
  embedQuery(terms: Iterable<string>): Float32Array
  /**
   * A unit vector per passage of a document. A passage is understood in its context: half of where
   * it points is its own, half the whole document's.
   */
  embedDocument(title: Iterable<string>, passages: Iterable<Iterable<string>>): Float32Array[]
  /** Which part of the words has no vector, from 0 to 1. */
  unknownShareOf(terms: Iterable<string>): number
}

/** How much a word of the title counts for, in words of the text. */
export const TITLE_WEIGHT = 3

/** What a term adds to a text. Repeating a word says less every time. */
export function textWeight(count: number, weight: number): number {
  return Math.log1p(count) * weight
}

/** What a term adds to a question: there, the words that tell most are what is asked for. */
function queryWeight(count: number, weight: number): number {
  return Math.log1p(count) * weight * weight
}

/** What a model consists of. Lists are used as they lie in the bytes that are kept. */
interface ModelParts {
  readonly dimensions: number
  readonly documents: number
  readonly unknownShare: number
  readonly terms: TermPlaces
  /** One row per term, to be multiplied by the term's scale. */
  readonly table: TermRows
  readonly scales: Float32Array
  /** How much each term tells, from 0 to 1. */
  readonly weights: Float32Array
}

/** What it is made of. */
export interface NewModel extends Omit<ModelParts, 'terms'> {
  readonly terms: readonly string[]
}

/** Rises when the same bytes would mean other vectors. */
const VERSION = 3

const bytesOf = new WeakMap<CorpusModel, Uint8Array>()

export function createModel(made: NewModel): CorpusModel {
  const parts = { ...made, terms: placesOf(made.terms) }
  return openModel(parts, writeParts(parts))
}

/** A model that is kept elsewhere, under an id of its own. */
export function openLatentModel(made: NewModel, id: string): CorpusModel {
  return new LatentModel({ ...made, terms: placesOf(made.terms) }, id)
}

export function serialiseCorpusModel(model: CorpusModel): Uint8Array {
  const bytes = bytesOf.get(model)
  if (!bytes) throw new TypeError('Only models made here can be serialised.')
  return bytes
}

/** Undefined when the bytes are of another version or damaged: train again. */
export function parseCorpusModel(bytes: Uint8Array): CorpusModel | undefined {
  const parts = readParts(bytes)
  return parts && openModel(parts, bytes)
}

function openModel(parts: ModelParts, bytes: Uint8Array): CorpusModel {
  const model = new LatentModel(parts, hash('sha256', bytes).slice(0, 16))
  bytesOf.set(model, bytes)
  return model
}

class LatentModel implements CorpusModel {
  readonly id: string
  readonly dimensions: number
  readonly documents: number
  readonly terms: number
  readonly unknownShare: number
  readonly #parts: ModelParts
  readonly #tally: Tally
  /** Four rows, as numbers. */
  readonly #rows: readonly Int8Array[]

  constructor(parts: ModelParts, id: string) {
    this.id = id
    this.dimensions = parts.dimensions
    this.documents = parts.documents
    this.terms = parts.terms.size
    this.unknownShare = parts.unknownShare
    this.#parts = parts
    this.#tally = new Tally(parts.terms.size)
    this.#rows = Array.from({ length: 4 }, () => new Int8Array(parts.dimensions))
  }

  embedQuery(terms: Iterable<string>): Float32Array {
    this.#count([...terms], 1)
    return Float32Array.from(normalise(this.#sum(queryWeight)))
  }

  embedDocument(title: Iterable<string>, passages: Iterable<Iterable<string>>): Float32Array[] {
    const titleTerms = [...title]
    const passageTerms = [...passages].map((terms) => [...terms])
    return this.#inContext(
      passageTerms.length,
      () => this.#count(titleTerms, TITLE_WEIGHT),
      (passage) => this.#count(passageTerms[passage]!, 1),
    )
  }

  placeOf(term: string): number {
    return this.#parts.terms.placeOf(term)
  }

  writeRow(place: number, into: Float32Array): void {
    const { dimensions, table, scales, weights } = this.#parts
    const scale = scales[place]! * weights[place]!
    const row = this.#rows[0]!
    copyRow(table, place, row)
    for (let k = 0; k < dimensions; k++) into[k] = scale * row[k]!
  }

  unknownShareOf(terms: Iterable<string>): number {
    let unknown = 0
    let all = 0
    for (const term of terms) {
      all++
      if (this.#parts.terms.placeOf(term) < 0) unknown++
    }
    return all === 0 ? 0 : unknown / all
  }

  #inContext(
    passages: number,
    countTitle: () => void,
    countPassage: (passage: number) => void,
  ): Float32Array[] {
    const own: Float64Array[] = []
    const whole = new Float64Array(this.dimensions)
    for (let passage = 0; passage < passages; passage++) {
      countTitle()
      countPassage(passage)
      const vector = this.#sum(textWeight)
      for (let k = 0; k < vector.length; k++) whole[k]! += vector[k]!
      own.push(normalise(vector))
    }
    if (passages > 1) {
      normalise(whole)
      for (const vector of own) {
        for (let k = 0; k < vector.length; k++) vector[k]! += whole[k]!
        normalise(vector)
      }
    }
    return own.map((vector) => Float32Array.from(vector))
  }

  /** Takes a list: if an iterator threw halfway, its terms would be counted for the next text. */
  #count(terms: readonly string[], times: number): void {
    for (const term of terms) {
      const place = this.#parts.terms.placeOf(term)
      if (place >= 0) this.#tally.add(place, times)
    }
  }

  /** What the counted terms add up to; starts a new count. */
  #sum(weightOf: typeof textWeight): Float64Array {
    const { dimensions, table, scales, weights } = this.#parts
    const vector = new Float64Array(dimensions)
    // Always in the same order, so that the same words in another order give the same bits.
    const places = this.#tally.places()
    const weigh = (i: number): number => {
      if (i >= places.length) return 0
      const place = places[i]!
      return weightOf(this.#tally.take(place), weights[place]!) * scales[place]!
    }
    const [rowA, rowB, rowC, rowD] = this.#rows as [Int8Array, Int8Array, Int8Array, Int8Array]
    // Four terms at a time: adding to the vector costs more than the products themselves.
    for (let i = 0; i < places.length; i += 4) {
      const a = weigh(i)
      const b = weigh(i + 1)
      const c = weigh(i + 2)
      const d = weigh(i + 3)
      copyRow(table, places[i]!, rowA)
      if (i + 1 < places.length) copyRow(table, places[i + 1]!, rowB)
      if (i + 2 < places.length) copyRow(table, places[i + 2]!, rowC)
      if (i + 3 < places.length) copyRow(table, places[i + 3]!, rowD)
      for (let k = 0; k < dimensions; k++) {
        vector[k]! += a * rowA[k]! + b * rowB[k]! + (c * rowC[k]! + d * rowD[k]!)
      }
    }
    return vector
  }
}

/** How often each term was counted. */
class Tally {
  readonly #counts: Uint32Array
  #touched = new Uint32Array(1_024)
  #size = 0

  constructor(terms: number) {
    this.#counts = new Uint32Array(terms)
  }

  add(place: number, times: number): void {
    if (this.#counts[place] === 0) {
      if (this.#size === this.#touched.length) {
        const larger = new Uint32Array(2 * this.#size)
        larger.set(this.#touched)
        this.#touched = larger
      }
      this.#touched[this.#size++] = place
    }
    this.#counts[place]! += times
  }

  /** The terms counted so far, in order; each must be taken. */
  places(): Uint32Array {
    const places = this.#touched.subarray(0, this.#size).toSorted()
    this.#size = 0
    return places
  }

  take(place: number): number {
    const count = this.#counts[place]!
    this.#counts[place] = 0
    return count
  }
}

function writeParts(parts: ModelParts): Uint8Array {
  const writer = new ByteWriter()
  writer.uint32(VERSION)
  writer.uint32(parts.dimensions)
  writer.uint32(parts.documents)
  writer.float32(parts.unknownShare)
  writer.terms(parts.terms)
  writer.block(parts.scales)
  writer.block(parts.weights)
  writer.rows(parts.table)
  return writer.finish()
}

function readParts(bytes: Uint8Array): ModelParts | undefined {
  const reader = new ByteReader(bytes)
  try {
    if (reader.uint32() !== VERSION) return undefined
    const dimensions = reader.uint32()
    const documents = reader.uint32()
    const unknownShare = reader.float32()
    const terms = reader.terms()
    const scales = reader.float32s()
    const weights = reader.float32s()
    const table = reader.rows()
    const isWhole =
      scales.length === terms.size &&
      weights.length === terms.size &&
      table.dimensions === dimensions &&
      countRows(table) === terms.size
    if (!reader.atEnd || !isWhole) return undefined
    return { dimensions, documents, unknownShare, terms, table, scales, weights }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
