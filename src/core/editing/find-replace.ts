/** Replaces a text, and makes sure that it stood where the caller thought it did. */
import { type KnowledgeError, conflict, invalid, quoted } from '../domain/error.ts'
import { newlineOf, withNewlines } from './text-file.ts'

export interface Replacement {
  readonly find: string
  readonly replace: string
  /** How often the text must be there. */
  readonly expected?: number
}

export function replaceText(name: string, text: string, change: Replacement): string {
  if (change.find === '') {
    throw invalid('There is nothing to find.', 'Pass the text to be replaced in "find".')
  }
  const expected = change.expected ?? 1
  const newline = newlineOf(text)
  // Lines are given with plain line ends; the file's own are meant.
  const exact = text.includes(change.find)
  const find = exact ? change.find : withNewlines(change.find, newline)
  const parts = text.split(find)
  const count = parts.length - 1
  if (count !== expected) throw countMismatch(name, change.find, count, expected)
  return parts.join(withNewlines(change.replace, newline))
}

function countMismatch(
  name: string,
  find: string,
  count: number,
  expected: number,
): KnowledgeError {
  const times =
    count === 0 ? 'does not occur' : count === 1 ? 'occurs once' : `occurs ${count} times`
  return conflict(
    `${quoted(find)} ${times} in ${name}, not ${expected === 1 ? 'once' : `${expected} times`}.`,
    count === 0
      ? 'Nothing was changed. Fetch the document and pass the text exactly as it stands there.'
      : `Nothing was changed. Pass a longer text that occurs once, or set the expected count to ${count}.`,
  )
}
