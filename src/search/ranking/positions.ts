/** The positions of every query word in every candidate, side by side in one array. */
import { ByteReader, NumberList } from '../segment/bytes.ts'
import { BLOCK_SIZE } from '../segment/format.ts'
import { readBlock, readPositionOffsets } from '../segment/read-block.ts'
import { DecodedBlock } from '../segment/term-list.ts'
import type { TermList } from '../segment/term-list.ts'

const scratchBlock = new DecodedBlock()
const scratchOffsets = new Uint32Array(BLOCK_SIZE + 1)

export class PositionTable {
  readonly #documents: Int32Array
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  readonly #values = new NumberList(4096)

  /** `documents` are ordinals of one segment in rising order. */
  constructor(documents: Int32Array, words: number) {
    this.#documents = documents
    this.#starts = new Uint32Array(documents.length * words)
    this.#ends = new Uint32Array(documents.length * words)
  }

  /** Reads a word's positions; several lists are alternatives, whose positions are united. */
  read(word: number, lists: readonly TermList[]): void {
    const [only] = lists
    if (only !== undefined && lists.length === 1) {
      this.#readList(word, only)
      return
    }
    const united = this.#documents.length === 0 ? [] : this.#unite(lists)
    for (const [i, positions] of united.entries()) {
      const slot = word * this.#documents.length + i
      this.#starts[slot] = this.#values.length
      for (const position of positions) this.#values.push(position)
      this.#ends[slot] = this.#values.length
    }
  }

  /** Positions of a word in the candidate with this index, in rising order. */
  of(word: number, index: number): Uint32Array {
    const slot = word * this.#documents.length + index
    return this.#values.values.subarray(this.#starts[slot], this.#ends[slot])
  }

  #unite(lists: readonly TermList[]): number[][] {
    const tables = lists.map((list) => {
      const table = new PositionTable(this.#documents, 1)
      table.read(0, [list])
      return table
    })
    return Array.from(this.#documents, (_, i) => {
      const all = new Set(tables.flatMap((table) => [...table.of(0, i)]))
      return [...all].toSorted((a, b) => a - b)
    })
  }

  #readList(word: number, list: TermList): void {
    const documents = this.#documents
    let loaded = -1
    let block = 0
    for (let i = 0; i < documents.length; i++) {
      block = list.blockOf(documents[i], block)
      if (block === list.blocks) return
      if (block !== loaded) {
        readBlock(list, block, scratchBlock)
        readPositionOffsets(list, block, scratchOffsets)
        loaded = block
      }
      const index = scratchBlock.indexOf(documents[i])
      if (index < 0) continue
      const slot = word * documents.length + i
      this.#starts[slot] = this.#values.length
      this.#decode(list.positions, scratchOffsets[index], scratchOffsets[index + 1])
      this.#ends[slot] = this.#values.length
    }
  }

  #decode(bytes: Uint8Array, start: number, end: number): void {
    const reader = new ByteReader(bytes, start)
    const values = this.#values
    values.reserve(end - start)
    let position = 0
    while (reader.at < end) {
      position += reader.varint()
      values.values[values.length++] = position
    }
  }
}
