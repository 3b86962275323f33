/** Notes by tag and place, by names somebody has for them, and by ids they give themselves. */
import { foldName, foldTag } from '../../../core/kit/fold-name.ts'
import { nameKey } from '../../../core/indexing/link-names.ts'
import type { Named } from '../../../core/operations/view/name-table.ts'
import type { View } from '../../../core/operations/view/view.ts'
import { noteTags, noteTitle } from '../../../core/operations/reading/note-fields.ts'

export interface ListedNote {
  readonly id: string
  readonly title: string
}

export interface NoteFilter {
  /** Of the front matter, without case. */
  readonly tag?: string
  /** How the path begins, without case. */
  readonly path?: string
}

/** All that fit, in the order of ids. */
export async function listNotes(
  kb: View,
  { tag, path = '' }: NoteFilter = {},
): Promise<readonly ListedNote[]> {
  const { all } = await kb.names.now()
  const below = foldName(path.replaceAll('\\', '/').replace(/^\.?\//, ''))
  const places = all.filter((each) => foldName(each.path).startsWith(below))
  const records = await kb.store.documents(places.map(({ doc }) => doc))
  const wanted = tag === undefined ? undefined : foldTag(tag)
  const listed = places.flatMap(({ name, path: file }, index): ListedNote[] => {
    const properties = records[index]?.properties
    if (!properties || (wanted !== undefined && !hasTag(noteTags(properties), wanted))) return []
    return [{ id: name, title: noteTitle(properties, file) }]
  })
  return listed.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function hasTag(tags: readonly string[], wanted: string): boolean {
  return tags.some((tag) => foldTag(tag) === wanted)
}

/** The note whose front matter says that this is its id. It outlives every rename. */
export async function noteWithOwnId(kb: View, id: string): Promise<Named | undefined> {
  const candidates = await kb.store.named([nameKey(id)])
  const records = await kb.store.documents(candidates.map(({ no }) => no))
  const own = records.find((record) => record?.properties['id'] === id)
  return own && (await kb.names.now()).ofDocument(own.no)
}
