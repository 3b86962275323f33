/** Notes as files that come and go: Markdown with front matter, one file for each note. */
import type { Properties } from '../../core/domain/text.ts'
import { parsePageFile } from './operations/read-pages.ts'
import { pageFile } from './operations/write-pages.ts'
import { failureOf, NexusError } from './errors.ts'
import { fieldsOf } from './note-fields.ts'
import type { NoteFields } from './note-fields.ts'
import type { Note } from './notes.ts'
import { slugFromTitle } from './slugs.ts'

export interface ImportedFile {
  readonly filename: string
  /** Undefined where the bytes are no text. */
  readonly text: string | undefined
}

export interface ImportReport {
  readonly imported: number
  readonly errors: readonly { readonly filename: string; readonly error: string }[]
}

export interface ExportedFile {
  readonly name: string
  readonly text: string
  readonly modifiedAt: number
}

/** One after the other; a file that cannot become a note is told, and the others go on. */
export async function importFiles(
  files: readonly ImportedFile[],
  create: (fields: NoteFields, times: Properties) => Promise<unknown>,
): Promise<ImportReport> {
  const errors: { filename: string; error: string }[] = []
  for (const { filename, text } of files) {
    try {
      const { fields, times } = readFile(filename, text)
      await create(fields, times)
    } catch (error) {
      const failure = failureOf(error, () => {})
      if (failure.status === 500) throw error
      errors.push({ filename: filename.slice(0, LONGEST_NAME), error: failure.error })
    }
  }
  return { imported: files.length - errors.length, errors }
}

const LONGEST_NAME = 300

function readFile(
  filename: string,
  text: string | undefined,
): { readonly fields: NoteFields; readonly times: Properties } {
  const [name = ''] = /[^/\\]*$/.exec(filename) ?? []
  if (!/\.md$/i.test(name)) throw new NexusError(400, 'Only .md files can be imported')
  if (text === undefined || text.includes('\0')) throw new NexusError(400, 'The file is not text')
  const { properties, content } = parsePageFile(text)
  const now = new Date().toISOString()
  return {
    fields: { title: name.replace(/\.md$/i, ''), ...fieldsOf(properties), content },
    times: {
      created_at: instantOf(properties['created_at']) ?? now,
      updated_at: instantOf(properties['updated_at']) ?? now,
    },
  }
}

function instantOf(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(time) ? new Date(time).toISOString() : undefined
}

/** What importing it again needs to make the same note. */
export function presentFile(note: Note, backlinks: readonly string[] | undefined): ExportedFile {
  const { slug, title, tags, section, order, created_at, updated_at, content } = note
  const properties: Properties = {
    title,
    ...(slugFromTitle(title) !== slug && { slug }),
    tags,
    ...(section !== null && { section }),
    ...(order !== null && { order }),
    created_at,
    updated_at,
    ...(backlinks && { backlinks }),
  }
  const modifiedAt = Date.parse(updated_at)
  return { name: `${slug}.md`, text: pageFile(properties, content), modifiedAt }
}
