/**
 * Which pieces answer this query, in what order? The shapes that go in and out of the lexical
 * index. The index is pure: it receives text and bytes, and knows no files and no database.
 */
import type { DocNo } from '../domain/document.ts'

/** Parts of a document that can weigh differently. */
export const FIELDS = ['title', 'heading', 'body', 'tags', 'path'] as const
export type Field = (typeof FIELDS)[number]
export type FieldWeights = Readonly<Record<Field, number>>

/** A document as the index wants it. Offsets are positions in `text`. */
export interface IndexableDocument {
  readonly doc: DocNo
  readonly title: string
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
  readonly path: string
  /**
   * The whole file, or its UTF-16 units, or the bytes of plain ASCII; only `[bodyStart, end)` is
   * indexed as heading and body.
   */
  readonly text: string | Uint16Array | Uint8Array
  readonly bodyStart: number
  /** `text` is the heading as people read it. */
  readonly headings: readonly {
    readonly start: number
    readonly end: number
    readonly text?: string
  }[]
  /** How often a word of a heading counts; once unless said. */
  readonly headingTimes?: number
  /** Where passages begin, in order: they tile the body. A document may have none. */
  readonly chunkStarts: readonly number[]
}

/** The streams a finished segment consists of. Immutable once written. */
export interface SegmentStreams {
  /** Small streams, loaded whole when the segment is opened. */
  readonly resident: Readonly<Record<string, Uint8Array>>
  /** Large streams, read by byte range when a query needs them. */
  readonly paged: Readonly<Record<string, Uint8Array>>
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** How an opened segment gets at its bytes; the store implements it. */
export interface SegmentReader {
  resident(name: string): Promise<Uint8Array>
  /** All ranges of one stream in one round trip, in the order asked for. */
  paged(name: string, ranges: readonly ByteRange[]): Promise<readonly Uint8Array[]>
}

/** A set of documents. */
export interface DocSet {
  has(doc: DocNo): boolean
  readonly size: number
}

export interface LexicalHit {
  readonly doc: DocNo
  /** The note as a whole, its best passage, and how close together the words stand. */
  readonly score: number
  /** Ordinal of the best passage, or undefined when only title, tags or path matched. */
  readonly chunk: number | undefined
  /** How much of the query (by weight, 0 to 1) the document covers. */
  readonly coverage: number
  /** How much of it stands in one passage, under the note's title, tags and path. */
  readonly together: number
}
