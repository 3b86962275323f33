/** Adds lines to a text, in the text's own line endings. */
import { afterBlankStart } from './blank-lines.ts'
import { gapBetween } from './block-gap.ts'
import { endOf, newlineOf, withNewlines } from './text-file.ts'

/**
 * At the end, as a block of its own where the text is made of blocks. What was the last line gets
 * an end if it had none.
 */
export function appendText(text: string, content: string, { blocks = true } = {}): string {
  if (content === '') return text
  const newline = newlineOf(text)
  const lines = text === '' ? '' : endOf(text, newline)
  const separator = blocks ? gapBetween(text, content, newline) : lines
  const added = withNewlines(content, newline)
  // A file that ends with a line end goes on doing so.
  const end = text.endsWith('\n') ? endOf(added, newline) : ''
  return `${text}${separator}${added}${end}`
}

/** At the beginning of the body, behind the blank lines that follow the front matter. */
export function prependText(text: string, content: string, bodyStart: number): string {
  if (content === '') return text
  const newline = newlineOf(text)
  const at = afterBlankStart(text, bodyStart)
  const added = withNewlines(content, newline)
  const end = at < text.length ? endOf(added, newline) : ''
  // Front matter that ends with the file has no line end to stand behind.
  const before = at > 0 && !text.slice(0, at).endsWith('\n') ? newline : ''
  return `${text.slice(0, at)}${before}${added}${end}${text.slice(at)}`
}
