/** Where the passages of a document are, as one text instead of a row for each. */
import type { ChunkRecord, DocNo } from '../domain/document.ts'
import type { NewDocument } from './batch.ts'

/** Trails stand only where there are any, each as its place and its headings. */
type Packed = [number, number, number, number, string[], [number, ...string[]][]?]

/** As a server of an earlier version writes them that was not ended when this one came. */
type Earlier = [number, number, number, number, ...string[]]

function asPacked(row: Packed | Earlier): Packed {
  const [start, end, lineStart, lineEnd, ...rest] = row
  if (Array.isArray(rest[0])) return row as Packed
  return [start, end, lineStart, lineEnd, rest as string[]]
}

export function packChunks(chunks: NewDocument['chunks']): string {
  return JSON.stringify(
    chunks.map(({ start, end, lineStart, lineEnd, headingPath, trails }) => [
      start,
      end,
      lineStart,
      lineEnd,
      headingPath,
      ...(trails ? [trails.map(({ at, path }) => [at, ...path])] : []),
    ]),
  )
}

export function unpackChunks(doc: DocNo, packed: string): ChunkRecord[] {
  const rows = (JSON.parse(packed) as (Packed | Earlier)[]).map(asPacked)
  return rows.map(([start, end, lineStart, lineEnd, headingPath, trails], ordinal) => ({
    doc,
    ordinal,
    start,
    end,
    lineStart,
    lineEnd,
    headingPath,
    ...(trails && { trails: trails.map(([at, ...path]) => ({ at, path })) }),
  }))
}
