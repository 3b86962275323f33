/**
 * Where a page's content stands in its file: behind the front matter and one blank line, up to the
 * last byte. What is written is read back to the letter, and what somebody typed is all theirs.
 */
import { parseFrontMatter } from '../../parsing/markdown/front-matter.ts'

export function contentOf(text: string): string {
  const { bodyStart } = parseFrontMatter(text, '')
  const body = text.slice(bodyStart)
  return hasFrontMatter(text, bodyStart) ? body.replace(/^[ \t]*\r?\n/, '') : body
}

/** The same text with other content; `newline` is how the file ends its lines. */
export function withContent(text: string, content: string, newline: string): string {
  const { bodyStart } = parseFrontMatter(text, '')
  const head = text.slice(0, bodyStart)
  if (!hasFrontMatter(text, bodyStart)) return head + content
  const closed = head.endsWith('\n') ? head : head + newline
  return closed + newline + content
}

/** A byte order mark alone is none. */
function hasFrontMatter(text: string, bodyStart: number): boolean {
  return bodyStart > 1 && text.slice(0, bodyStart).includes('---')
}
