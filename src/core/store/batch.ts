/** What goes into the index in one step. */
import type { ContentWrite } from '../domain/contents.ts'
import type { DocNo, DocumentRecord, FileRecord } from '../domain/document.ts'
import type { Chunk, Link } from '../domain/text.ts'
import type { Warning } from '../domain/warning.ts'
import type { Lease } from './lease-store.ts'
import type { NewSegment } from './segment-store.ts'

/** One atomic step of the index. Either all of it is there afterwards, or none. */
export interface Batch {
  /**
   * The generation before the files of this batch were looked at. A file that someone else put
   * into the index since was seen too early by this batch: it is left out, and `onLeftOut` is told.
   */
  readonly asOf?: number
  readonly onLeftOut?: (file: { readonly source: string; readonly path: string }) => void
  /** How long to wait for somebody else's transaction, where one can hold up another. */
  readonly patienceMs?: number | undefined
  /** Only the holder of the lease may commit; a batch of anyone else is refused. */
  readonly lease?: Lease
  /** When reading the files began: a file that changed since may have to be read again. */
  readonly checkedAt?: number
  readonly put?: readonly NewDocument[]
  readonly remove?: readonly DocNo[]
  /** Files that were written again with the same content. */
  readonly touch?: readonly {
    readonly no: DocNo
    readonly size: number
    readonly modifiedAt: number
    readonly stamp?: string
  }[]
  /** What became of files that did not turn into documents, and files to forget. */
  readonly files?: readonly FileRecord[]
  readonly forget?: readonly { readonly source: string; readonly path: string }[]
  /** Holds exactly the documents of `put`. */
  readonly segment?: NewSegment
  /**
   * Instead of `segment`: one that is there and holds the documents of `put` as deleted ones, which
   * they no longer are. So a large segment comes over once, and its documents some at a time.
   */
  readonly within?: number
  /**
   * Documents that have no file, and the operations that change them, for a store that keeps such:
   * bytes, history and index in one step. Throws a `ContentClash` where something was overtaken.
   */
  readonly writes?: readonly ContentWrite[]
  /** Segments replaced by one that holds their living documents. */
  readonly merge?: { readonly from: readonly number[]; readonly to: NewSegment | undefined }
}

/** Passages as they are stored: of thousands of documents on their way, the objects would be moved about. */
export interface PackedChunks {
  readonly packed: string
  readonly length: number
}

/** A document on its way into the store, with the number it will have. */
export interface NewDocument extends DocumentRecord {
  readonly chunks: readonly Chunk[] | PackedChunks
  /** Links to other documents; links to the outside are not kept. */
  readonly links: readonly NewLink[]
  /** Keys other documents' links may know it by; see `core/indexing/link-names.ts`. */
  readonly names: readonly string[]
  readonly warnings: readonly Warning[]
}

/** One whose passages are not packed yet. */
export interface DescribedDocument extends NewDocument {
  readonly chunks: readonly Chunk[]
}

export interface NewLink extends Pick<Link, 'kind' | 'target' | 'fragment' | 'label' | 'line'> {
  /** The one key under which a possible target would be found. */
  readonly key: string
  /** Points at a picture, a PDF or the like: never a broken link. */
  readonly attachment: boolean
}
