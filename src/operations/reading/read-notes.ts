/** Notes as their files are now: title, tags and text from the file, links as the index knows them. */
import type { DocumentRecord, LinkRecord } from '../../domain/document.ts'
import type { FileContent } from '../../domain/source.ts'
import type { Properties } from '../../domain/text.ts'
import { normalizeTarget } from '../../indexing/link-names.ts'
import { titleFromPath } from '../../parsing/names.ts'
import type { LinkedNotes, NoteTable } from '../view/linked-notes.ts'

export interface NoteLink {
  readonly id: string
  /** The target's title; the id again where nobody has written the note yet. */
  readonly title: string
}

export interface Note {
  readonly id: string
  readonly title: string
  /** The text behind the front matter, without space around it. */
  readonly content: string
  readonly tags: readonly string[]
  /** Each target once, in the order of the text; unresolved ones stay. */
  readonly links: readonly NoteLink[]
  /** Front matter besides what has a field of its own. */
  readonly properties: Properties
}

const RESERVED = ['id', 'title', 'tags']

export async function findNote(notes: LinkedNotes, id: string): Promise<Note | undefined> {
  const node = (await notes.table()).find(id)
  return node === undefined ? undefined : (await readNotes(notes, [node]))[0]
}

/** In the order asked for; a note whose file has just vanished is left out. */
export async function readNotes(
  notes: LinkedNotes,
  nodes: readonly number[],
): Promise<readonly Note[]> {
  const { kb, scope } = notes
  const table = await notes.table()
  const records = await kb.store.documents(nodes.map((node) => table.docs[node]!))
  const files = (await kb.sources.get(scope.source)?.read(nodes.map((n) => table.paths[n]!))) ?? []
  const found: Note[] = []
  for (const [index, node] of nodes.entries()) {
    const record = records[index]
    const file = files[index]
    if (!record) continue
    if (file?.kind !== 'text' || file.digest !== record.digest) {
      kb.noticeChange(record.source, record.path)
    }
    if (file?.kind !== 'text') continue
    found.push({
      id: table.ids[node]!,
      ...describe(notes, file),
      links: await linksOf(notes, table, record),
    })
  }
  return found
}

function describe(
  { kb }: LinkedNotes,
  file: Extract<FileContent, { kind: 'text' }>,
): Omit<Note, 'id' | 'links'> {
  const { document } = kb.formatOf(file.path).parse(file.text, file.path)
  return {
    title: noteTitle(document.properties, file.path),
    content: file.text.slice(document.bodyStart).trim(),
    tags: noteTags(document.properties),
    properties: Object.fromEntries(
      Object.entries(document.properties).filter(([key]) => !RESERVED.includes(key)),
    ),
  }
}

/** The front matter decides, else the file's name; a heading is text like any other. */
export function noteTitle({ title }: Properties, path: string): string {
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : titleFromPath(path)
}

/** Only a list in the front matter counts; `#words` in the text are text. */
export function noteTags({ tags }: Properties): readonly string[] {
  if (!Array.isArray(tags)) return []
  return [...new Set(tags.filter((tag) => typeof tag === 'string'))]
}

/** The links of a note that are edges or would be: of the kinds this view knows. */
export async function noteLinks(
  { kb, scope }: LinkedNotes,
  doc: number,
): Promise<readonly LinkRecord[]> {
  const links = await kb.store.linksFrom(doc)
  return links.filter(({ kind }) => scope.linkKinds.includes(kind))
}

/** Nodes a note links to, each once, in the order of the text. */
export async function linkedNodes(
  notes: LinkedNotes,
  table: NoteTable,
  node: number,
): Promise<readonly number[]> {
  const links = await noteLinks(notes, table.docs[node]!)
  return [...new Set(links.map(({ to }) => targetNode(table, to)))].filter(
    (target) => target !== undefined,
  )
}

export function targetNode(table: NoteTable, to: number | undefined): number | undefined {
  return to === undefined ? undefined : table.nodeOf(to)
}

async function linksOf(
  notes: LinkedNotes,
  table: NoteTable,
  { no }: DocumentRecord,
): Promise<readonly NoteLink[]> {
  const links = await noteLinks(notes, no)
  const targets = links.map(({ to, target }) => {
    const node = targetNode(table, to)
    return { node, id: node === undefined ? normalizeTarget(target) : table.ids[node]! }
  })
  const distinct = [...new Map(targets.map((target) => [target.id, target])).values()]
  const titles = await noteTitles(
    notes,
    table,
    distinct.flatMap(({ node }) => node ?? []),
  )
  return distinct.map(({ id, node }) => ({
    id,
    title: (node === undefined ? undefined : titles.get(node)) ?? id,
  }))
}

export async function noteTitles(
  { kb }: LinkedNotes,
  table: NoteTable,
  nodes: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const records = await kb.store.documents(nodes.map((node) => table.docs[node]!))
  return new Map(
    nodes.flatMap((node, index) => {
      const record = records[index]
      return record ? [[node, noteTitle(record.properties, record.path)] as const] : []
    }),
  )
}
