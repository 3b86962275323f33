/** The postings and positions of one term in one segment, as read from the store. */
import { ByteReader } from './bytes.ts'
import { BLOCK_SIZE, BODY, FIELD_COUNT, POSITION_GROUP } from './format.ts'

/** Measured in snapshots of the heap. */
const OVERHEAD = 1_200

export class TermList {
  /** How many documents of the segment have the term, tombstoned ones included. */
  readonly df: number
  readonly blocks: number
  /** Postings of all blocks, and behind them the positions of all blocks. */
  readonly bytes: Uint8Array
  /** Last document of each block. */
  readonly ends: Int32Array
  /** Where postings and positions of each block begin. */
  readonly postingStarts: Uint32Array
  readonly positionStarts: Uint32Array

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes)
    this.bytes = bytes
    this.df = reader.varint()
    this.blocks = Math.ceil(this.df / BLOCK_SIZE)
    this.ends = new Int32Array(this.blocks)
    this.postingStarts = new Uint32Array(this.blocks)
    this.positionStarts = new Uint32Array(this.blocks)
    if (this.blocks === 1) {
      const postings = reader.varint()
      this.ends[0] = 0x7fffffff
      this.postingStarts[0] = reader.at
      this.positionStarts[0] = reader.at + postings
      return
    }
    let end = -1
    let postings = 0
    let positions = 0
    for (let b = 0; b < this.blocks; b++) {
      end += reader.varint()
      this.ends[b] = end
      this.postingStarts[b] = postings
      this.positionStarts[b] = positions
      postings += reader.varint()
      positions += reader.varint()
    }
    for (let b = 0; b < this.blocks; b++) {
      this.postingStarts[b]! += reader.at
      this.positionStarts[b]! += reader.at + postings
    }
  }

  /** Names have none. */
  get hasPositions(): boolean {
    return this.positionStarts[0]! < this.bytes.length
  }

  /** What the list occupies in memory: of a short one, mostly what its arrays take empty. */
  get size(): number {
    return this.bytes.length + this.blocks * 12 + OVERHEAD
  }

  /** How many documents a block holds. */
  blockLength(block: number): number {
    return block === this.blocks - 1 ? this.df - block * BLOCK_SIZE : BLOCK_SIZE
  }

  /** The document before the block's first one, from which its deltas count. */
  documentBefore(block: number): number {
    return block === 0 ? -1 : this.ends[block - 1]!
  }

  /** The block that holds `document` if the list has it at all; `blocks` when past the end. */
  blockOf(document: number, from = 0): number {
    let low = from
    let high = this.blocks
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.ends[middle]! < document) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Room for one decoded block: documents and their frequencies, five per document. */
export class DecodedBlock {
  length = 0
  readonly documents = new Int32Array(BLOCK_SIZE)
  readonly frequencies = new Uint32Array(BLOCK_SIZE * FIELD_COUNT)

  /** How often the document at a place has the term: so many positions it has. */
  times(place: number): number {
    let times = 0
    for (let f = 0; f < FIELD_COUNT; f++) times += this.frequencies[place * FIELD_COUNT + f]!
    return times
  }

  /** The place of `document` in the block, or -1. */
  indexOf(document: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.documents[middle]! < document) low = middle + 1
      else high = middle
    }
    return low < this.length && this.documents[low] === document ? low : -1
  }
}

/** Decodes a block. Scoring has a decoder of its own (`ranking/score-sums.ts`) for its speed. */
export function readBlock(list: TermList, block: number, into: DecodedBlock): void {
  const reader = new ByteReader(list.bytes, list.postingStarts[block])
  const { documents, frequencies } = into
  into.length = list.blockLength(block)
  frequencies.fill(0)
  let document = list.documentBefore(block)
  for (let i = 0; i < into.length; i++) {
    document += reader.varint() + 1
    documents[i] = document
    const head = reader.varint()
    frequencies[i * FIELD_COUNT + BODY] = head >>> 1
    if ((head & 1) === 0) continue
    const mask = list.bytes[reader.at++]!
    for (let f = 0; f < FIELD_COUNT; f++) {
      if (mask & (1 << f)) frequencies[i * FIELD_COUNT + f] = reader.varint()
    }
  }
}

/** Where the positions of every four postings of a block begin. */
export function readPositionGroups(list: TermList, block: number, into: Uint32Array): void {
  const { bytes } = list
  const groups = Math.ceil(list.blockLength(block) / POSITION_GROUP)
  let at = list.positionStarts[block]!
  for (let group = 0; group < groups - 1; group++) {
    let size = bytes[at++]!
    if (size > 127) {
      size &= 127
      let shift = 7
      let byte
      do {
        byte = bytes[at++]!
        size |= (byte & 127) << shift
        shift += 7
      } while (byte > 127)
    }
    into[group + 1] = size
  }
  into[0] = at
  for (let group = 0; group < groups - 1; group++) into[group + 1]! += into[group]!
  into[groups] = list.positionStarts[block + 1] ?? bytes.length
}

/** Where so many numbers end. */
export function passNumbers(bytes: Uint8Array, from: number, count: number): number {
  let at = from
  for (let left = count; left > 0 && at < bytes.length;) if (bytes[at++]! < 128) left--
  return at
}

/** Visits every document of a list with its frequencies, five from `at` on. */
export function eachDocument(
  list: TermList,
  visit: (ordinal: number, frequencies: Uint32Array, at: number) => void,
): void {
  const block = new DecodedBlock()
  for (let b = 0; b < list.blocks; b++) {
    readBlock(list, b, block)
    for (let i = 0; i < block.length; i++) {
      visit(block.documents[i]!, block.frequencies, i * FIELD_COUNT)
    }
  }
}
