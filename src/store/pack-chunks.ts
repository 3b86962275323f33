/** Where the passages of a document are, as one text instead of a row for each. */
import type { ChunkRecord, DocNo } from '../domain/document.ts'
import type { NewDocument } from './batch.ts'

export function packChunks(chunks: NewDocument['chunks']): string {
  return JSON.stringify(
    chunks.map((chunk) => [
      chunk.start,
      chunk.end,
      chunk.lineStart,
      chunk.lineEnd,
      ...chunk.headingPath,
    ]),
  )
}

export function unpackChunks(doc: DocNo, packed: string): ChunkRecord[] {
  const rows = JSON.parse(packed) as [number, number, number, number, ...string[]][]
  return rows.map(([start, end, lineStart, lineEnd, ...headingPath], ordinal) => ({
    doc,
    ordinal,
    start,
    end,
    lineStart,
    lineEnd,
    headingPath,
  }))
}
