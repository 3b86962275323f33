/** Decoding of blocks. Scoring has a decoder of its own (`ranking/cursor.ts`) for its speed. */
import { ByteReader } from './bytes.ts'
import { BODY, FIELD_COUNT } from './format.ts'
import { DecodedBlock } from './term-list.ts'
import type { TermList } from './term-list.ts'

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
  const reader = new ByteReader(list.positions, list.positionStarts[block])
  const length = list.blockLength(block)
  let offset = 0
  for (let i = 0; i < length; i++) {
    into[i] = offset
    offset += reader.varint()
  }
  into[length] = offset
  for (let i = 0; i <= length; i++) into[i]! += reader.at
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
