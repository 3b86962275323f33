/** Where the passages of a document are, as one text instead of a row for each. */
import type { ChunkRecord, DocNo } from '../domain/document.ts'
import type { NewDocument } from './batch.ts'

/** Trails stand only where there are any, each as its place and its headings. */
type Packed = [number, number, number, number, string[], [number, ...string[]][]?]

/** As a server of an earlier version writes them that was not ended when this one came. */
type Earlier = [number, number, number, number, ...string[]]

function asPacked(row: Packed | Earlier): Packed {
  if (Array.isArray(row[4])) return row as Packed
  const [start, end, lineStart, lineEnd, ...headings] = row as Earlier
  return [start, end, lineStart, lineEnd, headings]
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
  return (JSON.parse(packed) as (Packed | Earlier)[]).map((row, ordinal) => {
    const [start, end, lineStart, lineEnd, headingPath, trails] = asPacked(row)
    const chunk = { doc, ordinal, start, end, lineStart, lineEnd, headingPath }
    return trails ? { ...chunk, trails: trails.map(([at, ...path]) => ({ at, path })) } : chunk
  })
}
