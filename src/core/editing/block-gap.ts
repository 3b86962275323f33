/** What has to stand between two blocks of Markdown so that neither swallows the other? */
import { endOf } from './text-file.ts'
import type { Newline } from './text-file.ts'

/**
 * The line ends between a text and what is added behind it: a line of a paragraph right behind
 * another belongs to it, an item of a list right behind another is the next one.
 */
export function gapBetween(text: string, added: string, newline: Newline): string {
  if (text === '') return ''
  const open = endOf(text, newline)
  const block = lastBlock(text)
  const [first = ''] = added.split(LINE_END, 1)
  if (block.length === 0 || first.trim() === '' || goesOn(block, first)) return open
  // Behind a lone CR, another one: an LF would make both of them one line end.
  return open + (text.endsWith('\r') ? '\r' : newline)
}

const LINE_END = /\r\n?|\n/

/** The lines behind the last blank one. */
function lastBlock(text: string): string[] {
  const lines = text.replace(/(?:\r\n?|\n)$/, '').split(LINE_END)
  const blank = lines.findLastIndex((line) => line.trim() === '')
  return lines.slice(blank + 1)
}

function goesOn(block: readonly string[], first: string): boolean {
  const last = block.at(-1)!
  if (isHeading(first)) return isHeading(last)
  if (isHeading(last) || isRule(last) || isFence(last)) return true
  if (isItem(first)) return block.some(isItem) || block.every(isIndented)
  if (isRow(first)) return isRow(last)
  if (isQuote(first)) return isQuote(last)
  return false
}

const isHeading = (line: string) => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)
/** A line across the page, the line under a heading, and the end of front matter. */
const isRule = (line: string) =>
  /^ {0,3}(?:=+|(?:-[ \t]*)+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line)
const isFence = (line: string) => /^ {0,3}(?:`{3,}|~{3,})[ \t]*$/.test(line)
const isItem = (line: string) => /^\s*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/.test(line)
const isIndented = (line: string) => /^(?: {2,}|\t)/.test(line)
const isRow = (line: string) => /^ {0,3}\|/.test(line)
const isQuote = (line: string) => /^ {0,3}>/.test(line)
