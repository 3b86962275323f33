/** The postings and positions of one term in one segment, as read from the store. */
import { ByteReader } from './bytes.ts'
import { BLOCK_SIZE, BODY, FIELD_COUNT } from './format.ts'

/** Measured in snapshots of the heap. */
const OVERHEAD = 1_200

export class TermList {
  /** How many documents of the segment have the term, tombstoned ones included. */
  readonly df: number
  readonly blocks: number
  readonly postings: Uint8Array
  readonly positions: Uint8Array
  /** Last document of each block. */
  readonly ends: Int32Array
  /** Where each block begins in `postings` and in `positions`. */
  readonly postingStarts: Uint32Array
  readonly positionStarts: Uint32Array

  constructor(postings: Uint8Array, positions: Uint8Array) {
    const reader = new ByteReader(postings)
    this.postings = postings
    this.positions = positions
    this.df = reader.varint()
    this.blocks = Math.ceil(this.df / BLOCK_SIZE)
    this.ends = new Int32Array(this.blocks)
    this.postingStarts = new Uint32Array(this.blocks)
    this.positionStarts = new Uint32Array(this.blocks)
    if (this.blocks === 1) {
      this.ends[0] = 0x7fffffff
      this.postingStarts[0] = reader.at
      return
    }
    let end = -1
    let postingStart = 0
    let positionStart = 0
    for (let b = 0; b < this.blocks; b++) {
      end += reader.varint()
      this.ends[b] = end
      this.postingStarts[b] = postingStart
      this.positionStarts[b] = positionStart
      postingStart += reader.varint()
      positionStart += reader.varint()
      // Behind the mask, one byte for each of its fields.
      for (let mask = postings[reader.at++]!; mask !== 0; mask &= mask - 1) reader.at++
    }
    for (let b = 0; b < this.blocks; b++) this.postingStarts[b]! += reader.at
  }

  /** What the list occupies in memory: of a short one, mostly what its arrays take empty. */
  get size(): number {
    return this.postings.length + this.positions.length + this.blocks * 12 + OVERHEAD
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
  const reader = new ByteReader(list.postings, list.postingStarts[block])
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
    const mask = list.postings[reader.at++]!
    for (let f = 0; f < FIELD_COUNT; f++) {
      if (mask & (1 << f)) frequencies[i * FIELD_COUNT + f] = reader.varint()
    }
  }
}

/** Where the positions of each posting of a block begin, in bytes; one entry more at the end. */
export function readPositionOffsets(list: TermList, block: number, into: Uint32Array): void {
  const bytes = list.positions
  const length = list.blockLength(block)
  let at = list.positionStarts[block]!
  for (let i = 0; i < length; i++) {
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
    into[i + 1] = size
  }
  into[0] = at
  for (let i = 0; i < length; i++) into[i + 1]! += into[i]!
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
