/** What a segment knows of its documents: numbers, field lengths and where passages begin. */
import type { DocNo } from '../../domain/document.ts'
import { asBytes, asUint32, ByteWriter, NumberList } from './bytes.ts'
import { BODY, FIELD_COUNT, HEADING } from './format.ts'

export class DocumentTableBuilder {
  readonly #numbers = new NumberList()
  readonly #lengths = new NumberList()
  readonly #chunkIndex = new NumberList()
  readonly #chunkStarts = new NumberList()
  readonly #languages = new ByteWriter(256)

  get count(): number {
    return this.#numbers.length
  }

  add(
    doc: DocNo,
    lengths: ArrayLike<number>,
    chunkStarts: ArrayLike<number>,
    language: number,
  ): void {
    this.#numbers.push(doc)
    this.#languages.byte(language)
    for (let f = 0; f < FIELD_COUNT; f++) this.#lengths.push(lengths[f] ?? 0)
    this.#chunkIndex.push(this.#chunkStarts.length)
    for (let i = 0; i < chunkStarts.length; i++) this.#chunkStarts.push(chunkStarts[i] ?? 0)
  }

  finish(): DocumentTable {
    this.#chunkIndex.push(this.#chunkStarts.length)
    return new DocumentTable(
      this.#numbers.finish(),
      this.#lengths.finish(),
      this.#chunkIndex.finish(),
      this.#chunkStarts.finish(),
      this.#languages.finish(),
    )
  }
}

export class DocumentTable {
  readonly count: number
  /** The document's number in the store, by ordinal in the segment. */
  readonly numbers: Uint32Array
  /** Five lengths per document, in the order of FIELDS. */
  readonly lengths: Uint32Array
  /** Where a document's passages begin in `chunkStarts`; one entry more than documents. */
  readonly chunkIndex: Uint32Array
  /** Token position at which each passage begins. */
  readonly chunkStarts: Uint32Array
  /** Index in LANGUAGES of the language each document is stemmed in. */
  readonly languages: Uint8Array

  constructor(
    numbers: Uint32Array,
    lengths: Uint32Array,
    chunkIndex: Uint32Array,
    chunkStarts: Uint32Array,
    languages: Uint8Array,
  ) {
    this.count = numbers.length
    this.numbers = numbers
    this.lengths = lengths
    this.chunkIndex = chunkIndex
    this.chunkStarts = chunkStarts
    this.languages = languages
  }

  static read(streams: Readonly<Record<string, Uint8Array>>): DocumentTable {
    return new DocumentTable(
      asUint32(streams['documents']!),
      asUint32(streams['lengths']!),
      asUint32(streams['chunkIndex']!),
      asUint32(streams['chunkStarts']!),
      streams['languages']!,
    )
  }

  streams(): Record<string, Uint8Array> {
    return {
      documents: asBytes(this.numbers),
      lengths: asBytes(this.lengths),
      chunkIndex: asBytes(this.chunkIndex),
      chunkStarts: asBytes(this.chunkStarts),
      languages: this.languages,
    }
  }

  /** Tokens of the running text; positions beyond belong to title, aliases, tags and path. */
  textLength(ordinal: number): number {
    const base = ordinal * FIELD_COUNT
    return this.lengths[base + BODY]! + this.lengths[base + HEADING]!
  }

  chunkCount(ordinal: number): number {
    return this.chunkIndex[ordinal + 1]! - this.chunkIndex[ordinal]!
  }
}
