/** Which parser reads which file? */
import { extname } from 'node:path'
import type { Reading } from '../config/config.ts'
import { isEntityPath } from '../domain/entity-document.ts'
import type { Format } from '../indexing/indexer.ts'
import { parseCurated } from '../parsing/curated/parse-curated.ts'
import { parseEntity } from '../parsing/entity/parse-entity.ts'
import { parseMarkdown } from '../parsing/markdown/parse-markdown.ts'
import { parsePlainText } from '../parsing/text/parse-text.ts'

const markdown: Format = { name: 'markdown', parse: parseMarkdown }
const text: Format = { name: 'text', parse: parsePlainText }
const entity: Format = { name: 'entity', parse: parseEntity }
const curated: Format = { name: 'curated', parse: parseCurated }

const FORMATS: Readonly<Record<string, Format>> = {
  '.md': markdown,
  '.markdown': markdown,
  '.mdx': markdown,
  '.txt': text,
}

/** A file that a source offers and that no format claims is read as plain text. */
export function formatOf(path: string): Format {
  if (isEntityPath(path)) return entity
  return FORMATS[extname(path).toLowerCase()] ?? text
}

export function formatsFor(reading: Reading = 'notes'): (path: string) => Format {
  return reading === 'curated' ? () => curated : formatOf
}
