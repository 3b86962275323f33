/** Which files are read, and how? One row per format; the first format with an extension has it. */
import type { Reading } from '../config/config.ts'
import { isEntityPath } from '../domain/entity-document.ts'
import { decodeText } from '../domain/format.ts'
import type { Format } from '../domain/format.ts'
import { extensionOf, NOTE_EXTENSIONS } from '../domain/paths.ts'
import { parseCurated } from '../parsing/curated/parse-curated.ts'
import { parseEntity } from '../parsing/entity/parse-entity.ts'
import { parseMarkdown } from '../parsing/markdown/parse-markdown.ts'
import { parsePlainText } from '../parsing/text/parse-text.ts'

const markdown: Format = {
  name: 'markdown',
  extensions: NOTE_EXTENSIONS,
  decode: decodeText,
  parse: parseMarkdown,
  edits: { metadata: true, sections: true },
}

const text: Format = {
  name: 'text',
  extensions: ['txt'],
  decode: decodeText,
  parse: parsePlainText,
  edits: { metadata: false, sections: false },
}

/** Entities come from a graph, so no file is one. */
const entity: Format = {
  name: 'entity',
  extensions: [],
  decode: decodeText,
  parse: parseEntity,
  edits: { metadata: false, sections: false },
}

const curated: Format = { ...markdown, name: 'curated', parse: parseCurated }

const FORMATS: Readonly<Record<Reading, readonly Format[]>> = {
  notes: [markdown, text],
  curated: [curated],
}

const BY_EXTENSION = {
  notes: byExtension(FORMATS.notes),
  curated: byExtension(FORMATS.curated),
} satisfies Record<Reading, unknown>

/** A file that a source offers and that no format claims is read as plain text. */
export function formatOf(path: string): Format {
  if (isEntityPath(path)) return entity
  return BY_EXTENSION.notes.get(extensionOf(path)) ?? text
}

export function formatsFor(reading: Reading = 'notes'): (path: string) => Format {
  return reading === 'curated' ? () => curated : formatOf
}

/** The endings of all files that are read. */
export function readableExtensions(reading: Reading = 'notes'): readonly string[] {
  return [...BY_EXTENSION[reading].keys()]
}

function byExtension(formats: readonly Format[]): ReadonlyMap<string, Format> {
  const rows = formats.flatMap((format) => format.extensions.map((each) => [each, format] as const))
  return new Map(rows.toReversed())
}
