/** Where the words of a query occur in the candidates of one segment, side by side in a few arrays. */
import { ByteReader, NumberList } from '../segment/bytes.ts'
import { BLOCK_SIZE, FIELD_COUNT } from '../segment/format.ts'
import { DecodedBlock, readBlock, readPositionOffsets } from '../segment/term-list.ts'
import type { TermList } from '../segment/term-list.ts'

/** Filled and read within one call. */
const block = new DecodedBlock()
const positionOffsets = new Uint32Array(BLOCK_SIZE + 1)

/**
 * A slot is one word in one document: `slot(word, index)`. Its positions are
 * `positions[starts[slot], ends[slot])` in rising order; its frequencies are five from
 * `slot * FIELD_COUNT` on.
 */
export class Occurrences {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly frequencies: Uint32Array
  readonly #documents: Int32Array
  readonly #positions = new NumberList(4096)

  /** `documents` are ordinals of one segment in rising order. */
  constructor(documents: Int32Array, words: number) {
    const slots = documents.length * words
    this.#documents = documents
    this.starts = new Uint32Array(slots)
    this.ends = new Uint32Array(slots)
    this.frequencies = new Uint32Array(slots * FIELD_COUNT)
  }

  get positions(): Uint32Array {
    return this.#positions.values
  }

  slot(word: number, index: number): number {
    return word * this.#documents.length + index
  }

  positionsOf(word: number, index: number): Uint32Array {
    const slot = this.slot(word, index)
    return this.#positions.values.subarray(this.starts[slot], this.ends[slot])
  }

  /** Reads one word. Several lists are alternatives, whose occurrences are united. */
  read(word: number, lists: readonly TermList[]): void {
    const [only] = lists
    if (only !== undefined && lists.length === 1) this.#readList(word, only)
    else if (lists.length > 1) this.#readUnited(word, lists)
  }

  #readUnited(word: number, lists: readonly TermList[]): void {
    const parts = new Occurrences(this.#documents, lists.length)
    for (const [i, list] of lists.entries()) parts.read(i, [list])
    for (let index = 0; index < this.#documents.length; index++) {
      const slot = this.slot(word, index)
      const united = new Set<number>()
      for (let i = 0; i < lists.length; i++) {
        for (const position of parts.positionsOf(i, index)) united.add(position)
        const from = parts.slot(i, index) * FIELD_COUNT
        for (let f = 0; f < FIELD_COUNT; f++) {
          this.frequencies[slot * FIELD_COUNT + f]! += parts.frequencies[from + f]!
        }
      }
      this.starts[slot] = this.#positions.length
      for (const position of [...united].toSorted((a, b) => a - b)) this.#positions.push(position)
      this.ends[slot] = this.#positions.length
    }
  }

  #readList(word: number, list: TermList): void {
    const documents = this.#documents
    let loaded = -1
    let b = 0
    for (let index = 0; index < documents.length; index++) {
      b = list.blockOf(documents[index]!, b)
      if (b === list.blocks) return
      if (b !== loaded) {
        readBlock(list, b, block)
        readPositionOffsets(list, b, positionOffsets)
        loaded = b
      }
      const place = block.indexOf(documents[index]!)
      if (place < 0) continue
      const slot = this.slot(word, index)
      for (let f = 0; f < FIELD_COUNT; f++) {
        this.frequencies[slot * FIELD_COUNT + f] = block.frequencies[place * FIELD_COUNT + f]!
      }
      this.starts[slot] = this.#positions.length
      this.#decode(list.positions, positionOffsets[place]!, positionOffsets[place + 1]!)
      this.ends[slot] = this.#positions.length
    }
  }

  #decode(bytes: Uint8Array, start: number, end: number): void {
    const reader = new ByteReader(bytes, start)
    const list = this.#positions
    list.reserve(end - start)
    let position = 0
    while (reader.at < end) {
      position += reader.varint()
      list.values[list.length++] = position
    }
  }
}
