/** A file of settings as a document: passages of whole lines, under the name of the file. */
import type { Parser } from '../../domain/text.ts'
import { lastSegment } from '../../kit/paths.ts'
import { parsePlainText } from './parse-text.ts'

export const parseConfig: Parser = (text, path) => {
  const { document, warnings } = parsePlainText(text, path)
  return { document: { ...document, title: lastSegment(path) }, warnings }
}
