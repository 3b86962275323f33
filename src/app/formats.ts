/** Which parser reads which file? */
import { extname } from 'node:path'
import type { Format } from '../indexing/indexer.ts'
import { parseMarkdown } from '../parsing/markdown/parse-markdown.ts'
import { parsePlainText } from '../parsing/text/parse-text.ts'

const markdown: Format = { name: 'markdown', parse: parseMarkdown }
const text: Format = { name: 'text', parse: parsePlainText }

const FORMATS: Readonly<Record<string, Format>> = {
  '.md': markdown,
  '.markdown': markdown,
  '.mdx': markdown,
  '.txt': text,
}

/** A file that a source offers and that no format claims is read as plain text. */
export function formatOf(path: string): Format {
  return FORMATS[extname(path).toLowerCase()] ?? text
}
