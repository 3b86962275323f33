/**
 * Where the passages of a document are, as one text instead of a row for each. Delta and front
 * coding: places count from the one before, and of a list of headings only what differs is said.
 *
 *     [[start - end before, length, line - last line before, more lines, headings shared, …headings,
 *       [[place - place before, headings shared, …headings], …]?], …]
 *
 * Trails stand only where there are any. The first of them counts from the start of its passage.
 */
import type { ChunkRecord, DocNo } from '../domain/document.ts'
import type { NewDocument, PackedChunks } from './batch.ts'

type Headings = readonly string[]
type PackedTrail = [at: number, shared: number, ...headings: string[]]
type Packed = [
  start: number,
  length: number,
  line: number,
  lines: number,
  shared: number,
  ...(string | PackedTrail[])[],
]

/** Ahead of the step that stores them. */
export function packAhead(chunks: NewDocument['chunks']): PackedChunks {
  return { packed: packChunks(chunks), length: chunks.length }
}

export function packChunks(chunks: NewDocument['chunks']): string {
  if ('packed' in chunks) return chunks.packed
  let before: Headings = []
  const headings = (path: Headings): [number, ...string[]] => {
    let shared = 0
    while (shared < path.length && path[shared] === before[shared]) shared++
    before = path
    return [shared, ...path.slice(shared)]
  }
  let [lastEnd, lastLine] = [0, 0]
  const packed = chunks.map((chunk): Packed => {
    const { start, end, lineStart, lineEnd, headingPath, trails } = chunk
    const places = [
      start - lastEnd,
      end - start,
      lineStart - lastLine,
      lineEnd - lineStart,
    ] as const
    ;[lastEnd, lastLine] = [end, lineEnd]
    const own = headings(headingPath)
    let last = start
    const others = trails?.map(({ at, path }): PackedTrail => {
      const delta = at - last
      last = at
      return [delta, ...headings(path)]
    })
    return [...places, ...own, ...(others ? [others] : [])]
  })
  return JSON.stringify(packed)
}

export function unpackChunks(doc: DocNo, packed: string): ChunkRecord[] {
  let before: Headings = []
  const headings = (shared: number, more: readonly string[]): Headings =>
    (before = [...before.slice(0, shared), ...more])
  let [lastEnd, lastLine] = [0, 0]
  return (JSON.parse(packed) as Packed[]).map(
    ([fromEnd, length, fromLine, lines, shared, ...rest], ordinal) => {
      const start = lastEnd + fromEnd
      const lineStart = lastLine + fromLine
      ;[lastEnd, lastLine] = [start + length, lineStart + lines]
      const last = rest.at(-1)
      const others = typeof last === 'object' ? last : undefined
      const more = (others ? rest.slice(0, -1) : rest) as string[]
      const place = { doc, ordinal, start, end: lastEnd, lineStart, lineEnd: lastLine }
      const chunk = { ...place, headingPath: headings(shared, more) }
      if (!others) return chunk
      let at = start
      const trails = others.map(([delta, known, ...path]) => ({
        at: (at += delta),
        path: headings(known, path),
      }))
      return { ...chunk, trails }
    },
  )
}
