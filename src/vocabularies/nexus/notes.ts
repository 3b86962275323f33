/** The notes themselves, for pages and programs that list, change, import and export them. */
import { hash } from 'node:crypto'
import { KnowledgeError } from '../../core/domain/error.ts'
import type { Properties } from '../../core/domain/text.ts'
import { writingOf } from '../../core/operations/writing/carry-out.ts'
import { findPages } from './operations/find-pages.ts'
import { readPages } from './operations/read-pages.ts'
import type { ReadPage } from './operations/read-pages.ts'
import { documentId } from '../../core/domain/document.ts'
import { newestFirst } from './operations/pages.ts'
import type { Page } from './operations/pages.ts'
import { deleteDocument } from '../../core/operations/writing/delete-document.ts'
import { createPage, updatePage } from './operations/write-pages.ts'
import type { Author } from './operations/write-pages.ts'
import { askPages } from './ask.ts'
import type { NexusAnswer } from './ask.ts'
import { NexusError } from './errors.ts'
import { fieldsOf, readNoteFields } from './note-fields.ts'
import type { NoteFields } from './note-fields.ts'
import { importFiles, presentFile } from './note-files.ts'
import type { ExportedFile, ImportedFile, ImportReport } from './note-files.ts'
import { presentHit } from './present.ts'
import { slugFromTitle } from './slugs.ts'
import { MOST_RESULTS } from './tools.ts'
import type { NexusSubject } from './tools.ts'

export interface Note {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
  readonly section: string | null
  readonly order: number | null
  readonly created_at: string
  readonly updated_at: string
}

export interface ScoredHit {
  readonly slug: string
  readonly title: string
  readonly excerpt: string
  readonly score: number
}

export interface ListPart {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

export interface NexusNotes {
  /** Newest first, a few at a time: together they may be large. All of them unless said. */
  list(part?: ListPart): Promise<AsyncIterable<Note>>
  get(slug: string): Promise<Note & { readonly backlinks: readonly string[] }>
  create(body: unknown, by: Author): Promise<Note>
  update(slug: string, body: unknown, by: Author): Promise<Note>
  remove(slug: string, by: Author): Promise<{ readonly message: string }>
  search(
    body: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly results: readonly ScoredHit[]; readonly aiAnswer?: NexusAnswer }>
  importFiles(files: readonly ImportedFile[], by: Author): Promise<ImportReport>
  exportFiles(options: { readonly backlinks: boolean }): Promise<AsyncIterable<ExportedFile>>
}

/** So many files are read at once. */
const BATCH = 100

export function openNexusNotes(
  subject: NexusSubject & {
    readonly ready: () => Promise<void>
    readonly log: (error: unknown) => void
  },
): NexusNotes {
  const { view, answer, ready, log } = subject
  const { wiki } = view

  const pagesNow = async () => {
    await ready()
    return wiki.names.now()
  }
  async function* readAll(pages: readonly Page[]): AsyncIterable<ReadPage> {
    for (let from = 0; from < pages.length; from += BATCH) {
      yield* await readPages(wiki, pages.slice(from, from + BATCH))
    }
  }
  const getRead = async (page: Page): Promise<ReadPage> => {
    const [read] = await readPages(wiki, [page])
    if (!read) throw noteNotFound()
    return read
  }
  const readOne = async (page: Page): Promise<Note> => presentNote(await getRead(page))
  /** Notes are known by exactly their slug here: a change must not hit one that merely sounds alike. */
  const getExactly = async (slug: string): Promise<Page> => {
    const page = (await pagesNow()).find(slug)
    if (!page) throw noteNotFound()
    return page
  }
  const create = async (fields: NoteFields, times: Properties, by: Author): Promise<Page> => {
    const { title = '', content = '' } = fields
    if (title === '') throw new NexusError(400, 'Title is required')
    const slug = slugFromTitle(fields.slug || title)
    if (slug === '') throw new NexusError(400, 'Could not generate valid slug')
    await ready()
    const properties = { title, ...propertiesOf(fields), ...times }
    return createPage(wiki, { slug, content, properties }, by)
  }

  return {
    async list({ offset = 0, limit = Infinity } = {}) {
      const pages = (await newestFirst(await pagesNow())).slice(offset, offset + limit)
      return map(readAll(pages), presentNote)
    },
    async get(slug) {
      await ready()
      const links = await view.links.now()
      const page = links.pages.find(slug)
      if (!page) throw noteNotFound()
      return { ...(await readOne(page)), backlinks: links.backlinks(page) }
    },
    async create(body, by) {
      const now = new Date().toISOString()
      const times = { created_at: now, updated_at: now }
      return readOne(await create(readNoteFields(body), times, by))
    },
    async update(slug, body, by) {
      const fields = readNoteFields(body)
      writingOf(wiki)
      const read = await getRead(await getExactly(slug))
      if (fields.title === '') throw new NexusError(400, 'Title is required')
      const { content, title } = fields
      const set = { ...(title !== undefined && { title }), ...propertiesOf(fields) }
      const remove = (['section', 'order'] as const).filter((name) => fields[name] === null)
      const nothing = Object.keys(set).length === 0 && remove.length === 0
      if (nothing && content === undefined) return presentNote(read)
      const change = {
        ...(content !== undefined && { content }),
        set: { ...set, ...kept(read, title), ...changedNow(read.properties) },
        remove,
      }
      return readOne(await updatePage(wiki, read.page, change, by).catch(goneMeanwhile))
    },
    async remove(slug, by) {
      writingOf(wiki)
      const id = documentId(await getExactly(slug))
      await deleteDocument(wiki.whole, id, { by }).catch(goneMeanwhile)
      return { message: 'Note deleted' }
    },
    async search(body, signal) {
      const { query, includeAI } = (body ?? {}) as { query?: unknown; includeAI?: unknown }
      if (typeof query !== 'string' || query.trim() === '') {
        throw new NexusError(400, 'Query is required')
      }
      await ready()
      const found = await findPages(wiki, view.texts, query, MOST_RESULTS)
      const results = found.map((hit, rank) => ({
        ...presentHit(hit),
        score: (hit.by === 'title' ? 100 - rank : 50 - rank) / 100,
      }))
      if (includeAI !== true || !answer) return { results }
      // Whoever writes answers may be down; what was found is found all the same.
      const aiAnswer = await askPages(view, query, answer, signal).catch(log)
      return aiAnswer ? { results, aiAnswer } : { results }
    },
    async importFiles(files, by) {
      writingOf(wiki)
      return importFiles(files, (fields, times) => create(fields, times, by))
    },
    async exportFiles({ backlinks }) {
      await ready()
      const links = await view.links.now()
      return map(readAll(links.pages.all), (read) =>
        presentFile(presentNote(read), backlinks ? links.backlinks(read.page) : undefined),
      )
    },
  }
}

function propertiesOf({ tags, section, order }: NoteFields): Properties {
  return {
    ...(tags !== undefined && { tags }),
    ...(typeof section === 'string' && { section }),
    ...(typeof order === 'number' && { order }),
  }
}

/**
 * What a change must not change: a file that is replaced is born anew, and a slug that came from
 * the title would go with it.
 */
function kept({ page, properties }: ReadPage, title: string | undefined): Properties {
  const { name: slug, path } = page
  const { createdAt } = page.detail
  const dated = ['created', 'date', 'created_at', 'publishDate'].some((key) => key in properties)
  return {
    ...(!dated && { created_at: new Date(createdAt).toISOString() }),
    ...(title !== undefined && path !== `${slug}.md` && { slug }),
  }
}

/** The time of a change goes where the file keeps it. */
function changedNow(properties: Properties): Properties {
  const known = ['updated', 'modified', 'lastmod'].find((key) => key in properties)
  return { [known ?? 'updated_at']: new Date().toISOString() }
}

export function presentNote({ page, title, content, properties }: ReadPage): Note {
  const { tags = [], section, order } = fieldsOf(properties)
  return {
    id: uuidOf(documentId(page)),
    slug: page.name,
    title,
    content,
    tags,
    section: section ?? null,
    order: order ?? null,
    created_at: new Date(page.detail.createdAt).toISOString(),
    updated_at: new Date(page.detail.updatedAt).toISOString(),
  }
}

/** The same file has the same id, without a place to keep it. */
function uuidOf(id: string): string {
  const hex = hash('sha256', `nexus note ${id}`, 'hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function noteNotFound(): NexusError {
  return new NexusError(404, 'Note not found')
}

/** Somebody else was quicker: here notes are known by slug, and files by nothing. */
function goneMeanwhile(error: unknown): never {
  throw error instanceof KnowledgeError && error.code === 'not_found' ? noteNotFound() : error
}

async function* map<From, To>(
  items: AsyncIterable<From>,
  change: (item: From) => To,
): AsyncIterable<To> {
  for await (const item of items) yield change(item)
}
