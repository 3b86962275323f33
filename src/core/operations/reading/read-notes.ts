/** Notes as their files are now: title, tags and text from the file, links as the index knows them. */
import type { DocNo, LinkRecord } from '../../domain/document.ts'
import type { Properties } from '../../domain/text.ts'
import { normalizeTarget } from '../../indexing/link-names.ts'
import type { View } from '../view/view.ts'
import { labelDocuments } from './label-documents.ts'
import type { LinkedDocument } from './label-documents.ts'
import { noteTags } from './note-fields.ts'
import { parseLive, readDocuments } from './read-document.ts'
import type { LiveDocument } from './read-document.ts'

export interface Note {
  readonly id: string
  readonly title: string
  /** The text behind the front matter, without space around it. */
  readonly content: string
  readonly tags: readonly string[]
  /** Each target once, in the order of the text; what nobody has written yet has its id as title. */
  readonly links: readonly LinkedDocument[]
  /** Front matter besides what has a field of its own. */
  readonly properties: Properties
}

const RESERVED = ['id', 'title', 'tags']

export async function findNote(kb: View, id: string): Promise<Note | undefined> {
  const named = (await kb.names.now()).find(id)
  return named && (await readNotes(kb, [named.doc]))[0]
}

/** In the order asked for; a note whose file has just vanished is left out. */
export async function readNotes(kb: View, docs: readonly DocNo[]): Promise<readonly Note[]> {
  const notes: Note[] = []
  for (const live of await readDocuments(kb, docs)) notes.push(await describe(kb, live))
  return notes
}

async function describe(kb: View, live: LiveDocument): Promise<Note> {
  const { record, text } = live
  const { properties } = record
  return {
    id: await kb.nameOf(record),
    title: kb.titleOf(record),
    content: text.slice((await parseLive(kb, live)).bodyStart).trim(),
    tags: noteTags(properties),
    links: await targetsOf(kb, record.no),
    properties: Object.fromEntries(
      Object.entries(properties).filter(([key]) => !RESERVED.includes(key)),
    ),
  }
}

/** The links of a note that are edges or would be: of the kinds this view knows. */
export async function noteLinks(
  { store, scope }: View,
  doc: DocNo,
): Promise<readonly LinkRecord[]> {
  const links = await store.linksFrom(doc)
  return links.filter(({ kind }) => scope.linkKinds?.includes(kind) ?? true)
}

/** What a note links to, each once, in the order of the text. */
export async function linkedNotes(kb: View, doc: DocNo): Promise<readonly DocNo[]> {
  const links = await noteLinks(kb, doc)
  return [...new Set(links.map(({ to }) => to))].filter((to) => to !== undefined)
}

/** What links to a note, each once, in the order of names. */
export async function linkingNotes(kb: View, doc: DocNo): Promise<readonly DocNo[]> {
  const links = await kb.store.linksTo(doc)
  const from = links
    .filter(({ kind }) => kb.scope.linkKinds?.includes(kind) ?? true)
    .map((link) => link.from)
  return sortByName(kb, new Set(from))
}

export async function sortByName(kb: View, docs: Iterable<DocNo>): Promise<readonly DocNo[]> {
  const { ofDocument } = await kb.names.now()
  return [...docs]
    .flatMap((doc) => ofDocument(doc) ?? [])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ doc }) => doc)
}

async function targetsOf(kb: View, doc: DocNo): Promise<readonly LinkedDocument[]> {
  const links = await noteLinks(kb, doc)
  const labels = await labelDocuments(
    kb,
    links.flatMap(({ to }) => to ?? []),
  )
  const targets = links.map(({ to, target }): LinkedDocument => {
    const known = to === undefined ? undefined : labels.get(to)
    const id = normalizeTarget(target)
    return known ?? { id, title: id }
  })
  return [...new Map(targets.map((target) => [target.id, target])).values()]
}
