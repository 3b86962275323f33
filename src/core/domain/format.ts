/** A kind of file: which files are of it, how bytes become text, what the text says, how it is edited. */
import { isUtf8 } from 'node:buffer'
import type { FileKind } from './conversion.ts'
import { stepsInSlices } from '../kit/slices.ts'
import type { Steps } from '../kit/slices.ts'
import type { Parsed, Parser } from './text.ts'

export interface Format {
  readonly name: string
  /** Endings of its files, without the dot. */
  readonly extensions: readonly string[]
  /** The text of a file's bytes; undefined when it is none. Offsets of parsers count in it. */
  readonly decode: (bytes: Buffer) => string | undefined
  readonly parse: Parser
  /** The same with stops in between, for texts that take long. */
  readonly parsing?: (text: string, path: string) => Steps<Parsed>
  /** Loads what `parse` needs, once per process; awaited before a file is parsed. */
  readonly prepare?: (path: string) => Promise<void>
  /** What reads it, where that may change by itself; another one reads all its files again. */
  readonly reader?: (path: string) => string
  /** What makes its text of the bytes of a file, in which version; another one makes it again. */
  readonly made?: { readonly kind: FileKind; readonly version: number }
  /** Why a text is not worth reading, or dangerous to; undefined for almost all. */
  readonly refuse?: (text: string) => string | undefined
  /** What can be changed by name. A file without a place for metadata or sections gets none. */
  readonly edits: FormatEdits
}

export interface FormatEdits {
  /** Whether a file can begin with front matter. */
  readonly metadata: boolean
  /** Whether headings divide a file into sections. */
  readonly sections: boolean
}

/** What a text says; others are served in between where it is long. */
export async function parseInSlices(format: Format, text: string, path: string): Promise<Parsed> {
  const { parse, parsing } = format
  return parsing && text.length > LONG_TEXT ? stepsInSlices(parsing(text, path)) : parse(text, path)
}

/** Shorter ones are parsed in a few milliseconds. */
const LONG_TEXT = 64 * 1024

/** How far a file is searched for the NUL bytes that give binary files away. As in git. */
const BINARY_PROBE_BYTES = 8192

/**
 * The text of bytes in UTF-8, or in UTF-16 when a byte order mark says so; undefined for anything
 * else. The mark itself is not part of the text: offsets and lines count from the character after
 * it. An editor that writes the file back has to look at the bytes, not at this text.
 */
export function decodeText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be')
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0) || !isUtf8(bytes)) return undefined
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', marked ? 3 : 0)
}

/**
 * The text of a note. What is almost UTF-8 is read all the same, with U+FFFD in place of what
 * cannot be: people have notes from other times, and want to find them. It is never written back.
 */
export function decodeNote(bytes: Buffer): string | undefined {
  const text = decodeText(bytes)
  if (text !== undefined || isUtf16(bytes)) return text
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0) ? undefined : bytes.toString('utf8')
}

/** Whether a text was read with U+FFFD in place of bytes: each of them is longer as a character. */
export function hasLostBytes(text: string, size: number): boolean {
  return text.includes('\uFFFD') && Buffer.byteLength(text) > size
}

/** Which mark a file of this size begins with that is read as this text. */
export function byteOrderMarkOf(text: string, size: number): 'utf-8' | 'utf-16' | undefined {
  const bytes = Buffer.byteLength(text)
  if (bytes === size) return undefined
  if (bytes + 3 === size) return 'utf-8'
  return text.length * 2 + 2 === size ? 'utf-16' : undefined
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

function decodeUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
