/** A reader over streams in memory: what a store does, without the store. */
import type { SegmentReader, SegmentStreams } from '../../src/core/search/contract.ts'

export function memoryReader(streams: SegmentStreams): SegmentReader {
  return {
    resident: (name) => Promise.resolve(streamOf(streams.resident, name)),
    paged: (name, ranges) => {
      const bytes = streamOf(streams.paged, name)
      return Promise.resolve(ranges.map(({ start, end }) => bytes.subarray(start, end)))
    },
  }
}

function streamOf(streams: Readonly<Record<string, Uint8Array>>, name: string): Uint8Array {
  const bytes = streams[name]
  if (bytes === undefined) throw new Error(`a segment has no stream ${name}`)
  return bytes
}
