/**
 * Several segments become one, without the documents that were deleted from them and without
 * reading any text again. Terms are walked in order; the lists are read a slice at a time.
 */
import type { DocNo } from '../../domain/document.ts'
import type { DocSet, SegmentReader, SegmentStreams } from '../contract.ts'
import { inverseNorms } from '../ranking/statistics.ts'
import { DocumentTableBuilder } from './document-table.ts'
import { BLOCK_SIZE, FIELD_COUNT } from './format.ts'
import { ListWriter } from './list-writer.ts'
import { averageLengths, segmentStreams } from './segment-builder.ts'
import { openSegment } from './segment.ts'
import type { Segment } from './segment.ts'
import { DecodedBlock, readBlock, readPositionOffsets, TermList } from './term-list.ts'
import { TermTableBuilder } from './term-table.ts'

export interface MergeInput {
  readonly reader: SegmentReader
  /** Documents of this segment that are gone. */
  readonly deleted: DocSet
}

export interface MergedSegment extends SegmentStreams {
  /** Every document that is in it. */
  readonly docs: readonly DocNo[]
}

/** How many bytes of lists are read ahead per segment. */
const SLICE = 1 << 20

export async function mergeSegments(inputs: readonly MergeInput[]): Promise<MergedSegment> {
  const segments = await Promise.all(inputs.map((input) => openSegment(input.reader)))
  const table = new DocumentTableBuilder()
  const sources = segments.map((segment, i) => {
    return new MergeSource(segment, renumber(segment, inputs[i]?.deleted, table))
  })
  const documents = table.finish()
  const averages = averageLengths(documents)
  const writer = new ListWriter(inverseNorms(documents, averages))
  const terms = new TermTableBuilder()
  for (;;) {
    const least = leastTerm(sources)
    if (least === undefined) break
    writer.startTerm()
    const [bytes, start, end] = least.term()
    const sharing = sources.filter((source) => source === least || source.hasSameTerm(least))
    for (const source of sharing) {
      if (source.mustLoad) await source.load()
      source.copyList(writer)
    }
    if (writer.endTerm()) terms.add(bytes, start, end)
    for (const source of sharing) source.next++
  }
  writer.finish()
  const streams = segmentStreams(documents, terms.finish(), writer, averages)
  return { docs: [...documents.numbers], ...streams }
}

/** Old ordinal → new ordinal, or -1 for a document that is gone. */
function renumber(
  segment: Segment,
  deleted: DocSet | undefined,
  table: DocumentTableBuilder,
): Int32Array {
  const { documents } = segment
  return Int32Array.from(documents.numbers, (doc, ordinal) => {
    if (deleted?.has(doc)) return -1
    const base = ordinal * FIELD_COUNT
    table.add(
      doc,
      documents.lengths.subarray(base, base + FIELD_COUNT),
      documents.chunkStarts.subarray(
        documents.chunkIndex[ordinal],
        documents.chunkIndex[ordinal + 1],
      ),
      documents.languages[ordinal]!,
    )
    return table.count - 1
  })
}

function leastTerm(sources: readonly MergeSource[]): MergeSource | undefined {
  let least: MergeSource | undefined
  for (const source of sources) {
    if (source.next >= source.segment.terms.count) continue
    if (least === undefined || source.compareTerm(least) < 0) least = source
  }
  return least
}

class MergeSource {
  readonly segment: Segment
  /** The term this source has arrived at. */
  next = 0
  readonly #newOrdinals: Int32Array
  readonly #block = new DecodedBlock()
  readonly #offsets = new Uint32Array(BLOCK_SIZE + 1)
  #postings: Uint8Array = new Uint8Array(0)
  #positions: Uint8Array = new Uint8Array(0)
  #postingsAt = 0
  #positionsAt = 0
  /** Terms before this one are in the slices. */
  #loaded = 0

  constructor(segment: Segment, newOrdinals: Int32Array) {
    this.segment = segment
    this.#newOrdinals = newOrdinals
  }

  term(): [bytes: Uint8Array, start: number, end: number] {
    const { bytes, offsets } = this.segment.terms
    return [bytes, offsets[this.next]!, offsets[this.next + 1]!]
  }

  compareTerm(other: MergeSource): number {
    const [a, aStart, aEnd] = this.term()
    const [b, bStart, bEnd] = other.term()
    const shared = Math.min(aEnd - aStart, bEnd - bStart)
    for (let i = 0; i < shared; i++) {
      const difference = a[aStart + i]! - b[bStart + i]!
      if (difference !== 0) return difference
    }
    return aEnd - aStart - (bEnd - bStart)
  }

  hasSameTerm(other: MergeSource): boolean {
    return this.next < this.segment.terms.count && this.compareTerm(other) === 0
  }

  /** Most terms are already here, and must not wait for a turn of the event loop. */
  get mustLoad(): boolean {
    return this.next >= this.#loaded
  }

  copyList(writer: ListWriter): void {
    const { postingOffsets, positionOffsets } = this.segment
    const term = this.next
    const list = new TermList(
      this.#postings.subarray(
        postingOffsets[term]! - this.#postingsAt,
        postingOffsets[term + 1]! - this.#postingsAt,
      ),
      this.#positions.subarray(
        positionOffsets[term]! - this.#positionsAt,
        positionOffsets[term + 1]! - this.#positionsAt,
      ),
    )
    for (let b = 0; b < list.blocks; b++) {
      readBlock(list, b, this.#block)
      readPositionOffsets(list, b, this.#offsets)
      for (let i = 0; i < this.#block.length; i++) {
        const ordinal = this.#newOrdinals[this.#block.documents[i]!]!
        if (ordinal < 0) continue
        const frequencies = this.#block.frequencies.subarray(i * FIELD_COUNT, (i + 1) * FIELD_COUNT)
        writer.add(ordinal, frequencies, list.positions, this.#offsets[i]!, this.#offsets[i + 1]!)
      }
    }
  }

  async load(): Promise<void> {
    const { segment } = this
    const { postingOffsets, positionOffsets } = segment
    const first = this.next
    const start = positionOffsets[first]!
    let last = first + 1
    while (last < segment.terms.count && positionOffsets[last + 1]! - start < SLICE) last++
    const [postings, positions] = await Promise.all([
      segment.reader.paged('postings', [
        { start: postingOffsets[first]!, end: postingOffsets[last]! },
      ]),
      segment.reader.paged('positions', [
        { start: positionOffsets[first]!, end: positionOffsets[last]! },
      ]),
    ])
    this.#postings = postings[0] ?? new Uint8Array(0)
    this.#positions = positions[0] ?? new Uint8Array(0)
    this.#postingsAt = postingOffsets[first]!
    this.#positionsAt = start
    this.#loaded = last
  }
}
