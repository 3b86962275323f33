/** The search index itself: immutable segments, read whole or in ranges. */
import type { DocNo } from '../domain/document.ts'

export interface SegmentStore {
  /**
   * Those that are searched. One that a merge has replaced can be read for a while, by its number.
   * Whoever is about to read them says so: then small ones may come along.
   */
  segments(options?: { readonly toRead?: boolean }): Promise<readonly SegmentRecord[]>
  segmentStream(segment: number, name: string): Promise<Uint8Array>
  segmentRanges(
    segment: number,
    name: string,
    ranges: readonly { readonly start: number; readonly end: number }[],
  ): Promise<readonly Uint8Array[]>
  /** Documents a living segment holds now (deleted ones left out). */
  segmentDocs(segment: number): Promise<readonly DocNo[]>
}

export interface NewSegment {
  readonly docs: readonly DocNo[]
  readonly resident: Readonly<Record<string, Uint8Array>>
  readonly paged: Readonly<Record<string, Uint8Array>>
}

export interface SegmentRecord {
  readonly id: number
  readonly docs: number
  readonly bytes: number
  /** Documents of this segment that were changed or removed since it was written. */
  readonly deleted: Uint32Array
}
