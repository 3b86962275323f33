/**
 * Where a page's content stands in its file: behind the front matter and one blank line, before one
 * final newline. Content that was written is read back to the letter, whatever it begins or ends with.
 */
import { parseFrontMatter } from '../../parsing/markdown/front-matter.ts'

export function contentOf(text: string): string {
  const { bodyStart } = parseFrontMatter(text, '')
  const body = text.slice(bodyStart)
  const inner = hasFrontMatter(text, bodyStart) ? body.replace(/^[ \t]*\r?\n/, '') : body
  return inner.replace(/\r?\n$/, '')
}

/** The same text with other content; `newline` is how the file ends its lines. */
export function withContent(text: string, content: string, newline: string): string {
  const { bodyStart } = parseFrontMatter(text, '')
  const head = text.slice(0, bodyStart)
  if (!hasFrontMatter(text, bodyStart)) return head + bodyOf(content, newline)
  const closed = head.endsWith('\n') ? head : head + newline
  return closed + newline + bodyOf(content, newline)
}

function bodyOf(content: string, newline: string): string {
  return content === '' ? '' : content + newline
}

/** A byte order mark alone is none. */
function hasFrontMatter(text: string, bodyStart: number): boolean {
  return bodyStart > 1 && text.slice(0, bodyStart).includes('---')
}
