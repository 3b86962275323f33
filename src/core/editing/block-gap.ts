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
  if (HEADING.test(first)) return HEADING.test(last)
  if (HEADING.test(last) || RULE.test(last) || FENCE.test(last)) return true
  if (ITEM.test(first)) {
    return block.some((line) => ITEM.test(line)) || block.every((line) => INDENTED.test(line))
  }
  if (ROW.test(first)) return ROW.test(last)
  return QUOTE.test(first) && QUOTE.test(last)
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
/** A line across the page, the line under a heading, and the end of front matter. */
const RULE = /^ {0,3}(?:=+|(?:-[ \t]*)+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*$/
const ITEM = /^\s*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/
const INDENTED = /^(?: {2,}|\t)/
const ROW = /^ {0,3}\|/
const QUOTE = /^ {0,3}>/
