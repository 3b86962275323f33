/**
 * Row mappers and checksums: tables of all stores have the same columns, and this is what becomes of
 * a row. A database notices damage to its own structure and hardly any to what is stored in it: a
 * flipped bit gives another title, passage or vector without a word. What answers are made of has a
 * sum beside it.
 */
import { crc32 } from 'node:zlib'
import type { DocumentRecord, LinkRecord } from '../domain/document.ts'
import type { LinkKind } from '../domain/text.ts'
import type { NewDocument } from './batch.ts'
import { foldedTags, foldPath, pageNameOf } from './fold-names.ts'
import type { NamedDocument } from './link-store.ts'
import { packChunks } from './pack-chunks.ts'
import type { Change, ChangeKind, Place, StoredDocument, StoredLink } from './plan-commit.ts'
import type { SegmentRecord } from './segment-store.ts'

/** Its columns by name. */
export type Row = Readonly<Record<string, unknown>>

interface Details extends Pick<
  DocumentRecord,
  'aliases' | 'tags' | 'inlineTags' | 'description' | 'properties' | 'symbols' | 'secrets'
> {
  readonly names: readonly string[]
}

/** Most documents have none of these, and a list of nothing is not written down. */
const NOTHING = { aliases: [], tags: [], inlineTags: [], names: [] } as const

function packDetails({ aliases, tags, inlineTags, names, ...others }: Details): string {
  return JSON.stringify({
    ...(aliases.length > 0 && { aliases }),
    ...(tags.length > 0 && { tags }),
    ...(inlineTags.length > 0 && { inlineTags }),
    ...others,
    ...(names.length > 0 && { names }),
  })
}

function detailsOf(row: Row): Details {
  const said = JSON.parse(String(row['details'])) as Omit<Details, keyof typeof NOTHING>
  return { ...NOTHING, ...said }
}

/** `text` gives back what was kept as a text; what `damaged` makes is thrown where a sum is wrong. */
export function rowReader(text: (value: unknown) => string, damaged: (what: string) => Error) {
  const optional = (value: unknown): string | undefined =>
    value === null || value === undefined ? undefined : text(value)
  const placeOf = (row: Row): Place => ({ source: text(row['source']), path: text(row['path']) })

  const soundDocument = (row: Row): Row => {
    if (matches(summedText(row), row['sum'])) return row
    throw damaged('A document of the index')
  }
  /** The bytes of a row with `data` and `sum`. */
  const soundData = (row: Row, what: string): Uint8Array => {
    const data = row['data'] as Uint8Array
    if (matches(data, row['sum'])) return data
    throw damaged(what)
  }
  /** Numbers of the documents that are dead in a segment. */
  const deletedOf = (row: Row): Uint32Array => {
    const bytes = soundData(row, 'A list of removed documents in the index')
    return new Uint32Array(Uint8Array.from(bytes).buffer)
  }

  return {
    optional,
    placeOf,
    soundDocument,
    soundData,
    deletedOf,

    /** The text of the passages of a row with `chunks` and `chunks_sum`. */
    soundChunks(row: Row): string {
      const chunks = String(row['chunks'])
      if (matches(chunks, row['chunks_sum'])) return chunks
      throw damaged('A list of passages in the index')
    },

    documentOf(row: Row): DocumentRecord {
      soundDocument(row)
      const details = detailsOf(row)
      return {
        no: Number(row['no']),
        source: text(row['source']),
        path: text(row['path']),
        digest: text(digestText(row['digest'])),
        size: Number(row['size']),
        modifiedAt: Number(row['modified_at']),
        ...(row['stamp'] !== null && { stamp: text(row['stamp']) }),
        checkedAt: Number(row['checked_at']),
        createdAt: row['created_at'] === null ? undefined : Number(row['created_at']),
        updatedAt: row['updated_at'] === null ? undefined : Number(row['updated_at']),
        title: text(row['title']),
        type: text(row['type']),
        aliases: details.aliases,
        tags: details.tags,
        inlineTags: details.inlineTags,
        description: details.description,
        properties: details.properties,
        ...(details.symbols && { symbols: details.symbols }),
        ...(details.secrets && { secrets: details.secrets }),
      }
    },

    storedOf(row: Row): StoredDocument {
      const details = detailsOf(row)
      return {
        no: Number(row['no']),
        ...placeOf(row),
        title: text(row['title']),
        pageName: optional(row['page_name']),
        names: details.names,
        aliases: details.aliases,
        tags: foldedTags(details),
        segment: row['segment'] === null ? undefined : Number(row['segment']),
        size: Number(row['size']),
        modifiedAt: Number(row['modified_at']),
      }
    },

    namedOf: (row: Row): NamedDocument => ({
      no: Number(row['no']),
      ...placeOf(row),
      foldedPath: text(row['path_folded']),
      title: text(row['title']),
      aliases: aliasesIn(String(row['aliases'])),
      pageName: optional(row['page_name']),
    }),

    linkOf: (row: Row): LinkRecord => ({
      from: Number(row['doc']),
      kind: String(row['kind']) as LinkKind,
      target: text(row['target']),
      fragment: optional(row['fragment']),
      label: optional(row['label']),
      line: Number(row['line']),
      to: row['to_doc'] === null ? undefined : Number(row['to_doc']),
    }),

    storedLinkOf: (row: Row): StoredLink => ({
      doc: Number(row['doc']),
      ordinal: Number(row['ordinal']),
      kind: String(row['kind']) as LinkKind,
      target: text(row['target']),
      key: text(row['key']),
      to: row['to_doc'] === null ? undefined : Number(row['to_doc']),
      ...placeOf(row),
    }),

    linkEndOf: (row: Row) => ({
      kind: String(row['kind']) as LinkKind,
      to: Number(row['to_doc']),
      label: optional(row['label']),
    }),

    changeOf: (row: Row): Change => ({
      kind: String(row['kind']) as ChangeKind,
      no: Number(row['no']),
      ...placeOf(row),
    }),

    segmentOf: (row: Row): SegmentRecord => ({
      id: Number(row['id']),
      docs: Number(row['docs']),
      bytes: Number(row['bytes']),
      deleted: deletedOf(row),
    }),
  }
}

const NO_ALIASES: readonly string[] = []
const MANY_CHARACTERS = 500
const LISTS_KEPT = 8
const longLists = new Map<string, readonly string[]>()

/** A document with thousands of aliases is met under each of them: its list is read once. */
function aliasesIn(text: string): readonly string[] {
  if (text === '[]') return NO_ALIASES
  if (text.length < MANY_CHARACTERS) return JSON.parse(text) as string[]
  const known = longLists.get(text) ?? (JSON.parse(text) as string[])
  if (longLists.size >= LISTS_KEPT) longLists.clear()
  longLists.set(text, known)
  return known
}

/** What a batch was for the documents it puts in. */
export interface Occasion {
  readonly segment: number | undefined
  readonly generation: number
  readonly checkedAt: number
}

/** What is kept of a new document besides its own fields; `kept` and `flag` say how, for the sums. */
export function newRow(
  document: NewDocument,
  kept: (text: string) => string,
  flag: (is: boolean) => unknown,
) {
  const { properties, names, aliases, warnings, chunks, links } = document
  const details: Details = {
    aliases,
    tags: document.tags,
    inlineTags: document.inlineTags,
    description: document.description,
    properties,
    ...(document.symbols && { symbols: document.symbols }),
    ...(document.secrets && { secrets: document.secrets }),
    names,
  }
  // Two texts that differ in what no text can hold are one in a store.
  const distinct = (keys: readonly string[]) => [...new Set(keys.map((key) => key.toWellFormed()))]
  const stored = (text: string | undefined) => (text === undefined ? null : kept(text))
  const packed = packChunks(chunks)
  const row = {
    names: distinct(names),
    tags: distinct(foldedTags(details)),
    pathFolded: foldPath(document.path),
    pageName: pageNameOf(properties),
    aliases: JSON.stringify(aliases),
    details: packDetails(details),
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : undefined,
    chunks: packed,
    chunkCount: chunks.length,
    chunksSum: crc32(packed),
  }
  return {
    ...row,
    sum: crc32(
      summedText({
        source: kept(document.source),
        path: kept(document.path),
        digest: kept(document.digest),
        title: kept(document.title),
        type: kept(document.type),
        created_at: document.createdAt,
        updated_at: document.updatedAt,
        details: row.details,
      }),
    ),
    linksSum: links
      .map((link, ordinal) =>
        linkSum({
          ordinal,
          kind: link.kind,
          line: link.line,
          attachment: flag(link.attachment),
          target: kept(link.target),
          fragment: stored(link.fragment),
          label: stored(link.label),
          key: kept(link.key),
        }),
      )
      .reduce(addSums, 0),
    namesSum: [
      knownBySum({
        path_folded: kept(row.pathFolded),
        page_name: stored(row.pageName),
        aliases: row.aliases,
        warnings: row.warnings,
        chunk_count: row.chunkCount,
      }),
      ...row.names.map((key) => keySum('name', kept(key))),
      ...row.tags.map((key) => keySum('tag', kept(key))),
    ].reduce(addSums, 0),
  }
}

/** Digests are half as long as bytes; whatever else a source says for one stays as it is. */
export function digestBytes(digest: string): string | Uint8Array {
  return /^(?:[0-9a-f]{2}){32}$/.test(digest) ? Buffer.from(digest, 'hex') : digest
}

export function digestText(kept: unknown): unknown {
  return kept instanceof Uint8Array ? Buffer.from(kept).toString('hex') : kept
}

/** A list that is still empty has none. */
function matches(content: string | Uint8Array, sum: unknown): boolean {
  return sum === null || sum === undefined || crc32(content) === Number(sum)
}

/** Columns that the sum of a document is made of. */
export const SUMMED = 'source, path, digest, title, type, created_at, updated_at, details, sum'

/** Written out: with thousands of rows, joining a list takes as long as all the rest. */
function summedText(row: Row): string {
  const text = (column: string): string => String(row[column] ?? '')
  const place = `${text('source')}\n${text('path')}\n${String(digestText(row['digest']))}`
  const times = `${text('created_at')}\n${text('updated_at')}`
  return `${place}\n${text('title')}\n${text('type')}\n${times}\n${text('details')}`
}

/** Sums of rows add up to the same in any order. */
const SUM_LIMIT = 2 ** 32

function addSums(sum: number, more: number): number {
  return (sum + more) % SUM_LIMIT
}

/** One link as it is written; where it leads is held by an index beside the table. */
export function linkSum(row: Row): number {
  const text = (column: string): string => String(row[column] ?? '')
  const where = `${text('ordinal')}\n${text('kind')}\n${text('line')}\n${text('attachment')}`
  const what = `${text('target')}\n${text('fragment')}\n${text('label')}\n${text('key')}`
  return crc32(`${where}\n${what}`)
}

/** A name or a tag that leads to a document. */
export function keySum(kind: 'name' | 'tag', key: string): number {
  return crc32(`${kind}\n${key}`)
}

/** What else a document is known by, and what was said about it. */
export const KNOWN_BY = 'path_folded, page_name, aliases, warnings, chunk_count'

export function knownBySum(row: Row): number {
  const text = (column: string): string => String(row[column] ?? '')
  const names = `${text('path_folded')}\n${text('page_name')}\n${text('aliases')}`
  return crc32(`${names}\n${text('warnings')}\n${text('chunk_count')}`)
}

/** Sums of rows that lead to documents and from them, beside those that each document came with. */
export function sumsFound() {
  const found = { links: new Map<number, number>(), names: new Map<number, number>() }
  const wrong = { links: 0, names: 0 }
  return {
    add(kind: keyof typeof found, doc: unknown, sum: number): void {
      const sums = found[kind]
      sums.set(Number(doc), addSums(sums.get(Number(doc)) ?? 0, sum))
    },
    /** Asked once all rows were added. */
    compare(doc: number, wanted: { readonly links: unknown; readonly names: unknown }): void {
      if ((found.links.get(doc) ?? 0) !== Number(wanted.links)) wrong.links++
      if ((found.names.get(doc) ?? 0) !== Number(wanted.names)) wrong.names++
    },
    findings: (): string[] =>
      (['links', 'names'] as const)
        .filter((what) => wrong[what] > 0)
        .map((what) => `the ${what} of ${wrong[what]} documents are damaged`),
  }
}
