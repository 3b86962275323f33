/**
 * What a parser found in one text. Offsets are UTF-16 positions in that text, `end` is exclusive;
 * lines count from 1. Everything is plain data so that it can cross a thread.
 */
import type { CodeSymbol } from './code.ts'
import type { Warning } from './warning.ts'

/** A front-matter value. Scalars whose text would change when printed again (`1.0`) stay strings. */
export type PropertyValue =
  | string
  | number
  | boolean
  | null
  | readonly PropertyValue[]
  | { readonly [key: string]: PropertyValue }

export type Properties = Readonly<Record<string, PropertyValue>>

export interface Heading {
  readonly level: number
  /** Plain text: inline markup removed. */
  readonly text: string
  /** Where the heading's line (or lines, for the underlined form) begins and ends. */
  readonly start: number
  readonly end: number
  readonly line: number
}

export type LinkKind =
  /** `[[target#fragment|label]]` */
  | 'wiki'
  /** `![[target]]` */
  | 'embed'
  /** `[label](target)` and reference links to a file or page of the base */
  | 'markdown'
  /** `![label](target)` */
  | 'image'
  /** anything with a scheme or a host: `https://…`, `mailto:`, `<https://…>`, `//host/x` */
  | 'url'
  /** from an entity, or by front matter, to what it is related to; the label is the predicate */
  | 'relation'
  /** what a wiki link of the text says besides: `- works_on [[X]]`; the label is the predicate */
  | 'typed'
  /** from a note to the entity that has one of its names; nobody wrote it, so it is never broken */
  | 'describes'
  /** from a source file to one it brings in; the label names what it takes from there */
  | 'import'
  /** the same from a file of tests: what it puts to the test */
  | 'exercises'
  /** from a note to the source file whose path or symbol it names in code: `parseHeader` */
  | 'mention'

/** Links that nobody wrote as links of their own: they are never broken, and never rewritten. */
export function isFoundLink(kind: LinkKind): boolean {
  return FOUND.has(kind)
}

const FOUND: ReadonlySet<LinkKind> = new Set([
  'typed',
  'describes',
  'import',
  'exercises',
  'mention',
])

/** Links that say what they mean: of these the predicate is the type. */
export function isRelation(kind: LinkKind): boolean {
  return kind === 'relation' || kind === 'typed'
}

export interface Link {
  readonly kind: LinkKind
  /** As written, without fragment and label, trimmed; percent-decoded for `markdown` and `image`. */
  readonly target: string
  /** Heading or block after `#`, without the `#`. */
  readonly fragment?: string
  /** Shown text, when there is one. */
  readonly label?: string
  /** What a wiki link says of the two: `works_on`. */
  readonly predicate?: string
  readonly start: number
  readonly end: number
  readonly line: number
}

export interface CodeBlock {
  /** First word of the info string, lower-cased; empty for indented code. */
  readonly language: string
  readonly fenced: boolean
  readonly start: number
  readonly end: number
}

export interface InlineTag {
  /** Without `#`, as written. */
  readonly name: string
  readonly start: number
}

/** A passage: what search shows and what vectors describe. Chunks tile the body in order. */
export interface Chunk {
  readonly start: number
  readonly end: number
  readonly lineStart: number
  readonly lineEnd: number
  /** Headings from the outermost down to the one this passage stands under. */
  readonly headingPath: readonly string[]
  /** Where short sections share it: from which place on which headings hold. */
  readonly trails?: readonly Trail[]
}

export interface Trail {
  readonly at: number
  readonly path: readonly string[]
}

/** A document as its text alone tells it. */
export interface ParsedDocument {
  /** From front matter, else the first top heading, else undefined (the path decides). */
  readonly title: string | undefined
  /** `title` of the front matter when it is a non-empty string. */
  readonly frontMatterTitle: string | undefined
  readonly aliases: readonly string[]
  /** Tags of the front matter, as written. */
  readonly tags: readonly string[]
  /** Inline `#tags` of the body, each once, in order of appearance. */
  readonly inlineTags: readonly string[]
  readonly description: string | undefined
  /** Every front-matter key as written, reserved ones included. */
  readonly properties: Properties
  /** Where the body begins: 0, or just behind the front matter. */
  readonly bodyStart: number
  readonly headings: readonly Heading[]
  readonly links: readonly Link[]
  readonly codeBlocks: readonly CodeBlock[]
  readonly chunks: readonly Chunk[]
  /** What a source file defines, outer before inner; undefined for anything else. */
  readonly symbols?: readonly CodeSymbol[]
  /** Where the names of the symbols stand: to words, they are what headings are to a note. */
  readonly nameRanges?: readonly { readonly start: number; readonly end: number }[]
}

export interface Parsed {
  readonly document: ParsedDocument
  readonly warnings: readonly Warning[]
}

/** Turns the text of one file into a document. Never throws: trouble becomes a warning. */
export type Parser = (text: string, path: string) => Parsed
