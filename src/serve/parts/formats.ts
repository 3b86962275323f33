/** Which files are read, and how? One row per format; the first format with an extension has it. */
import type { Reading } from '../config/config.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { decodeNote, decodeText } from '../../core/domain/format.ts'
import { FILE_ENDINGS } from '../../core/domain/conversion.ts'
import type { Conversion, FileKind } from '../../core/domain/conversion.ts'
import type { Format } from '../../core/domain/format.ts'
import { extensionOf, isNotePath, kindOf, NOTE_EXTENSIONS } from '../../core/kit/paths.ts'
import { CODE_EXTENSIONS } from '../../core/domain/code.ts'
import { codeReader, parseCode, prepareCode } from '../../core/parsing/code/parse-code.ts'
import { refuseCode } from '../../core/parsing/code/refuse-code.ts'
import { openConverter } from '../../core/parsing/convert/open-converter.ts'
import { parseConverted, parsingConverted } from '../../core/parsing/convert/parse-converted.ts'
import { isRendered } from '../../core/parsing/convert/render-contents.ts'
import { parseEntity } from '../../core/parsing/entity/parse-entity.ts'
import { parseMarkdown, parsingMarkdown } from '../../core/parsing/markdown/parse-markdown.ts'
import { parseConfig } from '../../core/parsing/text/parse-config.ts'
import { parseRst } from '../../core/parsing/rst/parse-rst.ts'
import { parsePlainText } from '../../core/parsing/text/parse-text.ts'
import { READINGS } from '../../vocabularies/readings.ts'
import type { OwnReading } from '../../vocabularies/readings.ts'

const markdown: Format = {
  name: 'markdown',
  extensions: NOTE_EXTENSIONS,
  decode: decodeText,
  parse: parseMarkdown,
  parsing: parsingMarkdown,
  edits: { metadata: true, sections: true },
}

const text: Format = {
  name: 'text',
  extensions: ['txt'],
  decode: decodeText,
  parse: parsePlainText,
  edits: { metadata: false, sections: false },
}

/** Its headings are those of the text, so a passage is told by them as that of a note is. */
const rst: Format = {
  ...text,
  extensions: ['rst'],
  parse: parseRst,
  reader: () => 'rst 1',
}

const code: Format = {
  name: 'code',
  extensions: CODE_EXTENSIONS,
  decode: decodeText,
  parse: parseCode,
  prepare: prepareCode,
  reader: codeReader,
  refuse: refuseCode,
  edits: { metadata: false, sections: false },
}

/** Views over notes, as Obsidian's Bases keeps them: found by their names, and asked with `fetch`. */
const views: Format = {
  ...text,
  name: 'base',
  extensions: ['base'],
  parse: parseConfig,
}

/** Settings. Read where there is a program that they belong to. */
const config: Format = {
  name: 'config',
  extensions: ['json', 'yaml', 'yml', 'toml', 'ini', 'cfg', 'sql'],
  decode: decodeText,
  parse: parseConfig,
  refuse: refuseCode,
  edits: { metadata: false, sections: false },
}

/** What else is text in the folder of a program; what has no ending is known by its name. */
const OTHER_TEXT = `
  adoc asciidoc org tex bib log csv tsv diff patch po html htm xhtml xml xsd xsl css scss
  sass less plist vue svelte astro hbs ejs erb j2 tmpl tpl mustache kt kts swift scala
  groovy gradle lua pl pm r jl dart ex exs erl hs clj ml fs vb m mm zig nim sol asm ps1
  psm1 bat cmd zsh fish awk tf hcl nix bzl cmake mk properties conf graphql gql prisma
  thrift avsc ipynb mod
  /makefile /dockerfile /containerfile /jenkinsfile /vagrantfile /procfile /gemfile
  /rakefile /justfile /brewfile /caddyfile /codeowners /license /licence /notice /authors
  /contributors /changelog /readme /todo
`

const other: Format = {
  name: 'text',
  extensions: OTHER_TEXT.trim().split(/\s+/),
  decode: decodeText,
  parse: parsePlainText,
  refuse: refuseCode,
  edits: { metadata: false, sections: false },
}

/**
 * Files whose text is made of their bytes (`core/parsing/convert/`). Those that are text already are
 * read as they are in the folder of a program.
 */
function madeFrom(kind: FileKind, version: number): Format {
  return {
    name: 'text',
    extensions: FILE_ENDINGS[kind],
    decode: decodeText,
    parse: parseConverted,
    parsing: parsingConverted,
    made: { kind, version },
    refuse: (text) => (isRendered(text) ? undefined : refuseCode(text)),
    edits: { metadata: false, sections: false },
  }
}

/** What is text as well: anybody can read it without help. */
const READABLE_FILES: readonly Format[] = [
  madeFrom('html', 1),
  madeFrom('notebook', 1),
  madeFrom('canvas', 1),
  madeFrom('mail', 3),
  madeFrom('subtitles', 1),
  madeFrom('table', 1),
  madeFrom('org', 1),
  madeFrom('asciidoc', 1),
]

const OTHER_FILES: readonly Format[] = [
  madeFrom('pdf', 3),
  madeFrom('docx', 1),
  madeFrom('odt', 2),
  madeFrom('odp', 1),
  madeFrom('ods', 1),
  madeFrom('pptx', 1),
  madeFrom('xlsx', 1),
  madeFrom('epub', 1),
]

/** Entities come from a graph, so no file is one. */
const entity: Format = {
  name: 'entity',
  extensions: [],
  decode: decodeText,
  parse: parseEntity,
  edits: { metadata: false, sections: false },
}

/** Notes as a vocabulary reads them; how, is loaded with the first one. */
function readAs({ name, load }: OwnReading): Format {
  let reader: Awaited<ReturnType<typeof load>> | undefined
  return {
    ...markdown,
    name,
    prepare: async () => void (reader ??= await load()),
    parse: (...note) => reader!.parse(...note),
    parsing: (...note) => reader!.parsing(...note),
  }
}

const OWN = READINGS.map(readAs)
const NOTES: readonly Format[] = [markdown, text, rst, views, code, config, other]
const BY_EXTENSION = byExtension([...READABLE_FILES, ...OTHER_FILES, ...NOTES])

/** A file that a source offers and that no format claims is read as plain text. */
export function formatOf(path: string): Format {
  if (isEntityPath(path)) return entity
  return BY_EXTENSION.get(kindOf(path)) ?? text
}

export function formatsFor(reading: Reading = 'notes'): (path: string) => Format {
  const own = OWN.find(({ name }) => name === reading)
  return own ? () => own : formatOf
}

/** How bytes become text; undefined for what is none. A source may say that its notes always are. */
export function decoderFor(
  reading: Reading = 'notes',
  readsAnyNote = false,
): (path: string, bytes: Buffer) => string | undefined {
  const format = formatsFor(reading)
  return (path, bytes) =>
    readsAnyNote && isNotePath(path) ? decodeNote(bytes) : format(path).decode(bytes)
}

export interface Readable {
  /** Whether settings and every other text are read too: in a repository they say how it works. */
  readonly settings?: boolean
  /** Whether files are read whose text is made of their bytes: where there are files. */
  readonly files?: boolean
}

/** The endings of all files that are read. */
export function readableExtensions(
  reading: Reading = 'notes',
  { settings = false, files = false }: Readable = {},
): readonly string[] {
  const own = OWN.filter(({ name }) => name === reading)
  const formats = (own.length > 0 ? own : NOTES).filter(
    (format) => settings || (format !== config && format !== other),
  )
  const made = files && own.length === 0 ? madeFormats(settings) : []
  return [...formats, ...made].flatMap(({ extensions }) => extensions)
}

/** What makes the text of files in a folder; nothing for one that is read as a vocabulary does. */
export function conversionFor(
  reading: Reading = 'notes',
  { settings = false, folder }: Pick<Readable, 'settings'> & { readonly folder?: string },
): Conversion | undefined {
  if (READINGS.some(({ name }) => name === reading)) return undefined
  const made = byExtension(madeFormats(settings))
  return openConverter({ kindOf: (path) => made.get(extensionOf(path))?.made, folder })
}

function madeFormats(settings: boolean): readonly Format[] {
  return settings ? OTHER_FILES : [...READABLE_FILES, ...OTHER_FILES]
}

function byExtension(formats: readonly Format[]): ReadonlyMap<string, Format> {
  const rows = formats.flatMap((format) => format.extensions.map((each) => [each, format] as const))
  return new Map(rows.toReversed())
}
