/** A document as the index knows it: identity, metadata and where its passages are. */
import { ENTITY_SCHEME, entityIdOf, isEntityPath } from './entity-document.ts'
import type { CodeSymbol } from './code.ts'
import type { Secret } from './secrets.ts'
import type { Chunk, LinkKind, Properties } from './text.ts'

/** The store's number of a document. It stays the same while a file stays at its path. */
export type DocNo = number

/** Where a document stands. */
export interface Place {
  readonly source: string
  /** Path below the source's root in its true case, with forward slashes. */
  readonly path: string
}

export interface DocumentRecord extends Place {
  readonly no: DocNo
  /** sha256 of the file's bytes, in hex. */
  readonly digest: string
  readonly size: number
  /** File modification time, milliseconds since the epoch. */
  readonly modifiedAt: number
  /** See `FileEntry`; and when the file was read, milliseconds since the epoch. */
  readonly stamp?: string
  readonly checkedAt?: number
  /** From front matter (`date`, `created`), where given. */
  readonly createdAt: number | undefined
  /**
   * From front matter (`updated`, `modified`, `lastmod`, else `created`, `date`), else the file's
   * time. Undefined for an entity of which nobody says when it was touched.
   */
  readonly updatedAt: number | undefined
  readonly title: string
  /** Front matter `type`, else the format: `markdown`, `text`, … */
  readonly type: string
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
  readonly inlineTags: readonly string[]
  readonly description: string | undefined
  readonly properties: Properties
  /** What a source file defines; undefined for anything else. */
  readonly symbols?: readonly CodeSymbol[]
  /** What looks like a secret, where it stands in the text; undefined for almost all. */
  readonly secrets?: readonly Secret[]
}

/** A link as the index keeps it: `to` is filled in when its target exists. */
export interface LinkRecord {
  readonly from: DocNo
  readonly kind: LinkKind
  readonly target: string
  readonly fragment: string | undefined
  readonly label: string | undefined
  readonly line: number
  readonly to: DocNo | undefined
}

export interface ChunkRecord extends Chunk {
  readonly doc: DocNo
  readonly ordinal: number
}

/** Short sections share a passage; the heading that matters is the last one before a place in it. */
export function headingsAt(
  { headingPath, trails }: Pick<Chunk, 'headingPath' | 'trails'>,
  at: number,
): readonly string[] {
  return trails?.findLast((trail) => trail.at <= at)?.path ?? headingPath
}

/** What became of a file the last time it was looked at. */
export interface FileRecord {
  readonly source: string
  readonly path: string
  readonly state: 'indexed' | 'skipped' | 'failed'
  readonly reason: string | undefined
  readonly size: number
  readonly modifiedAt: number
  /** See `FileEntry`. */
  readonly stamp: string | undefined
  /** When it was last read, milliseconds since the epoch. */
  readonly checkedAt: number
  readonly doc: DocNo | undefined
}

/** The public name of a document: `<source>/<path>`, or `entity:<id>`. */
export function documentId({ source, path }: Place): string {
  return isEntityPath(path) ? `${ENTITY_SCHEME}${entityIdOf(path)}` : `${source}/${path}`
}

/** Where the document with an id `<source>/<path>` stands. */
export function parsePlace(id: string): Place {
  const slash = id.indexOf('/')
  return { source: id.slice(0, slash), path: id.slice(slash + 1) }
}

/** Orders ids by code units: the same everywhere, unlike `localeCompare`. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * With what was the text of a file made? Another version of a reader makes another text of the same
 * bytes, in which nothing stands where it stood: passages, lines and secrets are those of one text.
 * What tells a file from its earlier self tells that too.
 */
const MADE_BY = ' made by '

interface Stamped {
  readonly stamp?: string | undefined
}

/** Of a file that becomes text elsewhere. */
export function withMaker(stamp: string, maker: string): string {
  return `${stamp}${MADE_BY}${maker}`
}

/** Undefined for a file that is text itself, as nearly all are. */
export function madeBy({ stamp }: Stamped): string | undefined {
  const at = stamp?.lastIndexOf(MADE_BY) ?? -1
  return at < 0 ? undefined : stamp!.slice(at + MADE_BY.length)
}

/** Of a long file the beginning is a text by itself, until the rest of it was read. */
const PART = ', first part'

export function asPart(stamp: string): string {
  return `${stamp}${PART}`
}

/** Whether there is more in the file than what was read of it so far. */
export function isPart({ stamp }: Stamped): boolean {
  return stamp?.endsWith(PART) === true && madeBy({ stamp }) !== undefined
}

/** Whether what is known of one text holds for the other. */
export function isSameText(
  one: Stamped & { readonly digest: string },
  other: Stamped & { readonly digest: string | undefined },
): boolean {
  if (one.digest !== other.digest) return false
  return one.stamp === other.stamp || madeBy(one) === madeBy(other)
}
