/**
 * Several segments become one, without the documents that were deleted from them and without
 * reading any text again. Terms are walked in order; the lists are read a slice at a time.
 */
import type { DocNo } from '../../domain/document.ts'
import type { DocSet, SegmentReader, SegmentStreams } from '../contract.ts'
import { isName } from '../names.ts'
import { DocumentTableBuilder } from './document-table.ts'
import { BLOCK_SIZE, FIELD_COUNT, POSITION_GROUP } from './format.ts'
import { ListWriter } from './list-writer.ts'
import { segmentStreams } from './segment-builder.ts'
import { openSegment } from './segment.ts'
import type { Segment } from './segment.ts'
import { atLeastTerm, TermCursor } from './term-cursor.ts'
import { DecodedBlock, passNumbers, readBlock, readPositionGroups } from './term-list.ts'
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

export async function mergeSegments(inputs: readonly MergeInput[]): Promise<MergedSegment> {
  const segments = await Promise.all(inputs.map((input) => openSegment(input.reader)))
  const table = new DocumentTableBuilder()
  const sources = segments.map((segment, i) => {
    return new MergeSource(segment, renumber(segment, inputs[i]?.deleted, table))
  })
  const documents = table.finish()
  const writer = new ListWriter()
  const terms = new TermTableBuilder()
  for (;;) {
    const sharing = atLeastTerm(sources)
    const [least] = sharing
    if (least === undefined) break
    const [bytes, start, end] = least.term()
    writer.startTerm({ hasPositions: !isName(bytes[start]) })
    for (const source of sharing) {
      if (source.mustLoad) await source.load()
      source.copyList(writer)
    }
    if (writer.endTerm()) terms.add(bytes, start, end)
    for (const source of sharing) source.next++
  }
  writer.finish()
  const streams = segmentStreams(documents, terms.finish(), writer)
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

class MergeSource extends TermCursor {
  readonly #newOrdinals: Int32Array
  readonly #block = new DecodedBlock()
  readonly #groups = new Uint32Array(BLOCK_SIZE / POSITION_GROUP + 1)

  constructor(segment: Segment, newOrdinals: Int32Array) {
    super(segment)
    this.#newOrdinals = newOrdinals
  }

  copyList(writer: ListWriter): void {
    const list = this.list()
    const { hasPositions } = list
    const block = this.#block
    for (let b = 0; b < list.blocks; b++) {
      readBlock(list, b, block)
      if (hasPositions) readPositionGroups(list, b, this.#groups)
      let end = this.#groups[0]!
      for (let i = 0; i < block.length; i++) {
        const ordinal = this.#newOrdinals[block.documents[i]!]!
        const frequencies = block.frequencies.subarray(i * FIELD_COUNT, (i + 1) * FIELD_COUNT)
        const start = end
        if (hasPositions) end = passNumbers(list.bytes, start, block.times(i))
        if (ordinal >= 0) writer.add(ordinal, frequencies, list.bytes, start, end)
      }
    }
  }
}
