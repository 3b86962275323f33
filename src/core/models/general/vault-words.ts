/** What one base makes of the general table, and how that is kept. */
import { ByteReader, ByteWriter } from '../corpus/bytes.ts'
import { countRows } from '../corpus/term-rows.ts'
import type { TermRows } from '../corpus/term-rows.ts'
import type { TermPlaces } from '../term-places.ts'

export interface VaultWords {
  /** The table it was made with: with another, learn again. */
  readonly table: string
  /** How many of the table's dimensions are used. */
  readonly dimensions: number
  /** How many documents rarity is measured against. */
  readonly documents: number
  /** How much of the base the table can read, from 0 to 1. */
  readonly readable: number
  /** Words of the base that the table has, and in how many documents they stand. */
  readonly known: CountedTerms
  /** Words of the base's own, with a row and a scale each. */
  readonly own: CountedTerms
  /**
   * Words that the table has, and that stand here only where it cannot read: words of another
   * language, spelt like an English one.
   */
  readonly foreign: TermPlaces
  readonly ownRows: TermRows
  readonly ownScales: Float32Array
}

export interface CountedTerms {
  readonly terms: TermPlaces
  /** In how many documents each stands. */
  readonly documents: Uint32Array
}

const VERSION = 4

export function serialiseVaultWords(words: VaultWords): Uint8Array {
  const writer = new ByteWriter()
  writer.uint32(VERSION)
  writer.block(new TextEncoder().encode(words.table))
  writer.uint32(words.dimensions)
  writer.float32(words.documents)
  writer.float32(words.readable)
  for (const { terms, documents } of [words.known, words.own]) {
    writer.terms(terms)
    writer.block(documents)
  }
  writer.terms(words.foreign)
  writer.rows(words.ownRows)
  writer.block(words.ownScales)
  return writer.finish()
}

/** Undefined when the bytes are of another version or damaged. */
export function parseVaultWords(bytes: Uint8Array): VaultWords | undefined {
  const reader = new ByteReader(bytes)
  const counted = (): CountedTerms => {
    const list = { terms: reader.terms(), documents: reader.uint32s() }
    if (list.documents.length !== list.terms.size) throw new RangeError()
    return list
  }
  try {
    if (reader.uint32() !== VERSION) return undefined
    const table = new TextDecoder().decode(reader.block())
    const dimensions = reader.uint32()
    const documents = reader.float32()
    const readable = reader.float32()
    const known = counted()
    const own = counted()
    const foreign = reader.terms()
    const ownRows = reader.rows()
    const ownScales = reader.float32s()
    const isWhole =
      ownScales.length === own.terms.size &&
      ownRows.dimensions === dimensions &&
      countRows(ownRows) === own.terms.size
    if (!reader.atEnd || !isWhole) return undefined
    return { table, dimensions, documents, readable, known, own, foreign, ownRows, ownScales }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
