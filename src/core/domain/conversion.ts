/**
 * Files that are no text, such as PDF and Word, become text before anybody reads them: Markdown with
 * the metadata as front matter, and a named place at every page, slide, sheet or moment.
 */

/** Kinds of files that are read so. */
export type FileKind =
  | 'html'
  | 'pdf'
  | 'docx'
  | 'odt'
  | 'odp'
  | 'ods'
  | 'pptx'
  | 'xlsx'
  | 'epub'
  | 'notebook'
  | 'canvas'
  | 'mail'
  | 'subtitles'
  | 'table'
  | 'org'
  | 'asciidoc'

/** What a reader of files finds in one. Plain data, so that it can cross a thread. */
export interface FileContents {
  readonly title?: string | undefined
  readonly metadata?: Readonly<Record<string, MetadataValue | undefined>>
  readonly blocks: readonly FileBlock[]
}

export type MetadataValue = string | number | readonly string[]

export interface FileBlock {
  /** What leads here behind a `#`: `page=3`, `slide=2`, `t=62`. The block goes on to the next. */
  readonly anchor?: string
  /** Markdown. Links are written as links in it. */
  readonly text: string
}

/** Reads one kind of file. Throws `Unreadable` for what nobody could read. */
export type FileReader = (bytes: Uint8Array, path: string) => FileContents | Promise<FileContents>

/** Said to a person, as in "report.pdf: protected by a password". */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export type Converted =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Makes texts of files, for a source. */
export interface Conversion {
  /** Whether what is read of a file at this path is made from it; then nobody edits it as text. */
  converts(path: string): boolean
  /** What makes it, in which version; undefined for a file that is text. */
  maker(path: string): string | undefined
  /** What was made of these bytes before, without looking at them. */
  known(path: string, digest: string): string | undefined
  convert(path: string, bytes: Uint8Array, digest: string): Promise<Converted>
}

/** Pictures and fonts make such files large, and their text is a small part of them. */
export const MAX_CONVERTED_BYTES = 64 * 1024 * 1024

const ANCHOR = /^<a id="([^"<>\n]{1,200})"><\/a>$/gm

export function anchorLine(anchor: string): string {
  return `<a id="${anchor.replaceAll(/["<>\n]/g, '')}"></a>`
}

/** The named places of a text that was made from a file, in order. */
export function anchorsIn(text: string): readonly { readonly at: number; readonly name: string }[] {
  return Array.from(text.matchAll(ANCHOR), ({ 1: name = '', index }) => ({ at: index, name }))
}
