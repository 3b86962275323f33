/** What one base makes of the general table, and how that is kept. */
import { ByteReader, ByteWriter } from '../corpus/bytes.ts'

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
  readonly known: readonly VaultWord[]
  /** Words of the base's own, with a row of bytes and a scale each. */
  readonly own: readonly VaultWord[]
  /**
   * Words that the table has, and that stand here only where it cannot read: words of another
   * language, spelt like an English one.
   */
  readonly foreign: readonly string[]
  readonly ownRows: Int8Array
  readonly ownScales: Float32Array
}

export interface VaultWord {
  readonly term: string
  readonly documents: number
}

/** What a word of so many documents tells: 0 where all have it, 1 where none has. */
export function rarity(documents: number, all: number): number {
  const most = Math.max(all, documents)
  const idf = Math.log(1 + (most - documents + 0.5) / (documents + 0.5))
  return Math.sqrt(idf / Math.log(1 + (most + 0.5) / 0.5))
}

const VERSION = 2

export function serialiseVaultWords(words: VaultWords): Uint8Array {
  const writer = new ByteWriter()
  writer.uint32(VERSION)
  writer.block(new TextEncoder().encode(words.table))
  writer.uint32(words.dimensions)
  writer.float32(words.documents)
  writer.float32(words.readable)
  for (const list of [words.known, words.own]) {
    writer.uint32(list.length)
    for (const { documents } of list) writer.uint32(documents)
    writer.block(new TextEncoder().encode(list.map(({ term }) => term).join('\n')))
  }
  writer.block(new TextEncoder().encode(words.foreign.join('\n')))
  writer.block(words.ownRows)
  for (const scale of words.ownScales) writer.float32(scale)
  return writer.finish()
}

/** Undefined when the bytes are of another version or damaged. */
export function parseVaultWords(bytes: Uint8Array): VaultWords | undefined {
  const reader = new ByteReader(bytes)
  const text = (): string => new TextDecoder().decode(reader.block())
  const list = (): VaultWord[] => {
    const documents = Array.from({ length: reader.uint32() }, () => reader.uint32())
    const terms = text().split('\n')
    if (documents.length > 0 && terms.length !== documents.length) throw new RangeError()
    return documents.map((count, i) => ({ term: terms[i]!, documents: count }))
  }
  try {
    if (reader.uint32() !== VERSION) return undefined
    const table = text()
    const dimensions = reader.uint32()
    const documents = reader.float32()
    const readable = reader.float32()
    const known = list()
    const own = list()
    const foreign = text().split('\n')
    const block = reader.block()
    const ownRows = new Int8Array(block.buffer, block.byteOffset, block.length)
    const ownScales = Float32Array.from({ length: own.length }, () => reader.float32())
    if (!reader.atEnd) return undefined
    return { table, dimensions, documents, readable, known, own, foreign, ownRows, ownScales }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
