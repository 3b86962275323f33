/** Where the words of a query occur in the candidates of one segment, side by side in a few arrays. */
import { ByteReader, NumberList } from '../segment/bytes.ts'
import { BLOCK_SIZE, BODY, FIELD_COUNT, POSITION_GROUP } from '../segment/format.ts'
import { passNumbers, readPositionGroups } from '../segment/term-list.ts'
import type { TermList } from '../segment/term-list.ts'
import type { DecodedList, ScoreSums } from './score-sums.ts'

/** Filled and read within one call. */
const groups = new Uint32Array(BLOCK_SIZE / POSITION_GROUP + 1)

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
  readonly #words: number
  readonly #decoded: ScoreSums
  readonly #positions = new NumberList(4096)

  /** `documents` are ordinals of one segment in rising order. */
  constructor(documents: Int32Array, words: number, decoded: ScoreSums) {
    const slots = documents.length * words
    this.#documents = documents
    this.#words = words
    this.#decoded = decoded
    this.starts = new Uint32Array(slots)
    this.ends = new Uint32Array(slots)
    this.frequencies = new Uint32Array(slots * FIELD_COUNT)
  }

  get positions(): Uint32Array {
    return this.#positions.values
  }

  slot(word: number, index: number): number {
    return index * this.#words + word
  }

  /** Reads one word. Several lists are alternatives, whose occurrences are united. */
  read(word: number, lists: readonly DecodedList[]): void {
    const [only] = lists
    if (only !== undefined && lists.length === 1) this.#readList(word, ...only)
    else if (lists.length > 1) this.#readUnited(word, lists)
  }

  /** Of many words that begin alike, a document has one or two: the others cost nothing. */
  #readUnited(word: number, lists: readonly DecodedList[]): void {
    const count = lists.length
    const parts = new Occurrences(this.#documents, count, this.#decoded)
    for (const [i, list] of lists.entries()) parts.#readList(i, ...list)
    const { starts, ends, frequencies, positions } = parts
    const united = this.#positions
    for (let index = 0; index < this.#documents.length; index++) {
      const slot = this.slot(word, index)
      const from = united.length
      let found = 0
      for (let part = index * count; part < (index + 1) * count; part++) {
        const end = ends[part]!
        if (starts[part] === end) continue
        found++
        for (let p = starts[part]!; p < end; p++) united.push(positions[p]!)
        for (let f = 0; f < FIELD_COUNT; f++) {
          this.frequencies[slot * FIELD_COUNT + f]! += frequencies[part * FIELD_COUNT + f]!
        }
      }
      if (found > 1) united.length = sortedOnce(united.values, from, united.length)
      this.starts[slot] = from
      this.ends[slot] = united.length
    }
  }

  #readList(word: number, list: TermList, start: number): void {
    const { documents, offsets } = this.#decoded
    const { bytes, ends, blocks } = list
    const reader = new ByteReader(bytes)
    let loaded = -1
    let block = 0
    let k = start
    for (let index = 0; index < this.#documents.length; index++) {
      const document = this.#documents[index]!
      while (block < blocks && ends[block]! < document) block++
      if (block === blocks) return
      const first = start + block * BLOCK_SIZE
      const end = first + list.blockLength(block)
      if (k < first) k = first
      while (k < end && documents[k]! < document) k++
      if (k === end || documents[k] !== document) continue
      if (block !== loaded) readPositionGroups(list, block, groups)
      loaded = block
      const slot = this.slot(word, index)
      const inGroup = (k - first) % POSITION_GROUP
      let before = 0
      for (let p = k - inGroup; p < k; p++) {
        const head = bytes[offsets[p]!]!
        // Of most postings it is one byte, and says all.
        if (head < 128 && (head & 1) === 0) before += head >>> 1
        else {
          reader.at = offsets[p]!
          before += countPositions(reader)
        }
      }
      reader.at = offsets[k]!
      const count = this.#readFrequencies(reader, slot * FIELD_COUNT)
      const group = groups[(k - first - inGroup) / POSITION_GROUP]!
      this.starts[slot] = this.#positions.length
      this.#decode(bytes, before === 0 ? group : passNumbers(bytes, group, before), count)
      this.ends[slot] = this.#positions.length
    }
  }

  /** Returns how many there are in all fields: so many positions there are. */
  #readFrequencies(reader: ByteReader, at: number): number {
    const head = reader.varint()
    let count = head >>> 1
    this.frequencies[at + BODY] = count
    if ((head & 1) === 0) return count
    const mask = reader.bytes[reader.at++]!
    for (let f = 0; f < FIELD_COUNT; f++) {
      if (mask & (1 << f)) count += this.frequencies[at + f] = reader.varint()
    }
    return count
  }

  #decode(bytes: Uint8Array, start: number, count: number): void {
    const list = this.#positions
    list.reserve(count)
    const { values } = list
    let length = list.length
    const end = length + count
    let position = 0
    for (let at = start; length < end;) {
      let delta = bytes[at++]!
      if (delta > 127) {
        delta &= 127
        let shift = 7
        let byte
        do {
          byte = bytes[at++]!
          delta |= (byte & 127) << shift
          shift += 7
        } while (byte > 127)
      }
      position += delta
      values[length++] = position
    }
    list.length = length
  }
}

/** Puts these in rising order, each once; returns where they end. */
function sortedOnce(values: Uint32Array, from: number, to: number): number {
  values.subarray(from, to).sort()
  let end = from + 1
  for (let at = end; at < to; at++) {
    if (values[at] !== values[end - 1]) values[end++] = values[at]!
  }
  return end
}

function countPositions(reader: ByteReader): number {
  const head = reader.varint()
  let count = head >>> 1
  if ((head & 1) === 0) return count
  for (let mask = reader.bytes[reader.at++]!; mask !== 0; mask &= mask - 1) count += reader.varint()
  return count
}
