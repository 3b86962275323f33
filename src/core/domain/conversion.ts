/**
 * Files that are no text, such as PDF and Word, become text before anybody reads them: Markdown with
 * the metadata as front matter, and a named place at every page, slide, sheet or moment.
 */

/** Kinds of files that are read so, and the endings of their names. */
export const FILE_ENDINGS = {
  html: ['html', 'htm', 'xhtml'],
  notebook: ['ipynb'],
  canvas: ['canvas'],
  mail: ['eml', 'mbox'],
  subtitles: ['vtt', 'srt'],
  table: ['csv', 'tsv'],
  org: ['org'],
  asciidoc: ['adoc', 'asciidoc'],
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  odt: ['odt'],
  odp: ['odp'],
  ods: ['ods'],
  pptx: ['pptx', 'pptm'],
  xlsx: ['xlsx', 'xlsm'],
  epub: ['epub'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type FileKind = keyof typeof FILE_ENDINGS

/** What a reader of files finds in one. Plain data, so that it can cross a thread. */
export interface FileContents {
  readonly title?: string | undefined
  readonly metadata?: Readonly<Record<string, MetadataValue | undefined>>
  readonly blocks: readonly FileBlock[]
  /** It is the beginning, and the rest is to be read. */
  readonly isPart?: boolean
}

export type MetadataValue = string | number | readonly string[]

export interface FileBlock {
  /** What leads here behind a `#`: `page=3`, `slide=2`, `t=62`. The block goes on to the next. */
  readonly anchor?: string
  /** Markdown. Links are written as links in it. */
  readonly text: string
}

/**
 * Reads one kind of file. Throws `Unreadable` for what nobody could read. `isFirst`: the beginning is
 * enough, where all of it would take long. `isBare`: without the files in it, of which one took too
 * much.
 */
export type FileReader = (
  bytes: Uint8Array,
  path: string,
  isFirst?: boolean,
  isBare?: boolean,
) => FileContents | Promise<FileContents>

/** The property that says what of a file is read so far, as in `pages 1–40 of 2,103`. */
export const READ_SO_FAR = 'read_so_far'

/** How a text ends that is not all of its file: the rest comes, or it never will. */
export const MORE_COMES = 'more are being read.)'
export const MORE_IS_LEFT = 'more were not read.)'

/** Kinds whose long files are found by their beginning while the rest is read. */
export const GROWING_KINDS: readonly FileKind[] = ['pdf']

/** Said to a person, as in "report.pdf: protected by a password". */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export type Converted =
  | { readonly kind: 'text'; readonly text: string; readonly isPart?: boolean }
  | {
      readonly kind: 'unreadable'
      readonly reason: string
      /** It is not the file's fault, and another time may be better. */
      readonly isPassing?: boolean
      /** All of it takes too long or too much memory; less of it may do. */
      readonly isTooMuch?: boolean
    }

/** Makes texts of files, for a source. */
export interface Conversion {
  /** Whether what is read of a file at this path is made from it; then nobody edits it as text. */
  converts(path: string): boolean
  /** What makes it, in which version; undefined for a file that is text. */
  maker(path: string): string | undefined
  /** What was made of these bytes before, or of their beginning, without looking at them. */
  known(path: string, digest: string, isPart?: boolean): string | undefined
  /** `isFirst`: the beginning is enough where nothing was made before. */
  convert(path: string, bytes: Uint8Array, digest: string, isFirst?: boolean): Promise<Converted>
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
