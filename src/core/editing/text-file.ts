/** A file's bytes as text that can be edited and written back with nothing else changed. */
import { isUtf8 } from 'node:buffer'
import { type KnowledgeError, invalid, unsupported } from '../domain/error.ts'

export interface EditableText {
  /** Without the byte order mark: positions are those the parsers report. */
  readonly text: string
  readonly marked: boolean
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Throws `unsupported` for what is not UTF-8: an edit could not leave the rest as it was. */
export function decodeEditable(bytes: Uint8Array, id: string): EditableText {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (utf16 || !isUtf8(bytes)) {
    throw unsupported(
      `${id} is ${utf16 ? 'in UTF-16' : 'not in UTF-8'}, and only UTF-8 is edited.`,
      'Convert the file to UTF-8 first, or replace it as a whole after deleting it.',
    )
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return { text: Buffer.from(bytes).toString('utf8', marked ? 3 : 0), marked }
}

/** Throws `invalid` for what a text cannot hold, unless the file held it before. */
export function encodeEditable(
  text: string,
  { marked, text: old = '' }: Pick<EditableText, 'marked'> & Partial<EditableText>,
): Uint8Array {
  if (text.includes('\0') && !old.includes('\0')) throw notText('a NUL character')
  if (!text.isWellFormed()) throw notText('half of a character (a lone surrogate)')
  // Whoever gives the whole text may have its mark in it: it is not doubled.
  const isGiven = marked && text.startsWith('\uFEFF') && !old.startsWith('\uFEFF')
  const bytes = Buffer.from(text, 'utf8')
  return marked && !isGiven ? Buffer.concat([MARK, bytes]) : bytes
}

/** The same for a part of a text that is written with escapes, such as a value of front matter. */
export function requireText(text: string): void {
  if (text.includes('\0')) throw notText('a NUL character')
  if (!text.isWellFormed()) throw notText('half of a character (a lone surrogate)')
}

function notText(what: string): KnowledgeError {
  return invalid(
    `The text contains ${what}, which no document can hold.`,
    'Nothing was changed. Leave it out, and write the rest.',
  )
}

export type Newline = '\n' | '\r\n'

/** The line ending most lines have; that of the first line when they are even. */
export function newlineOf(text: string): Newline {
  let windows = 0
  let unix = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') windows++
    else unix++
  }
  if (windows !== unix) return windows > unix ? '\r\n' : '\n'
  return /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n'
}

/**
 * Text that joins a file takes on the file's line endings. A lone CR is none of them and stays what
 * it is: it never becomes half of a CR LF.
 */
export function withNewlines(text: string, newline: Newline): string {
  const plain = text.replaceAll(/(?<!\r)\r\n/g, '\n')
  return newline === '\n' ? plain : plain.replaceAll(/(?<!\r)\n/g, '\r\n')
}

/** A line end behind a text. A lone CR ends a line too, and an LF behind it would take it away. */
export function endOf(text: string, newline: Newline): string {
  return text.endsWith('\n') || text.endsWith('\r') ? '' : newline
}
