/** What this surface sees of a base: the Markdown files of one folder, joined by wiki links. */
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { noteTitle } from '../../core/operations/reading/note-fields.ts'
import { noteWithOwnId } from './operations/list-notes.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { Named } from '../../core/operations/view/name-table.ts'
import { createView } from '../../core/operations/view/view.ts'
import type { View } from '../../core/operations/view/view.ts'
import { firstFolder } from '../../core/operations/writing/locate-file.ts'
import { idsMeant, nodeId } from './ids.ts'

/** There is one root: where a base has several sources, it is the first with files. */
export function createRouxView(kb: Knowledge): View {
  const root = firstFolder(kb)
  return createView(kb, {
    sees: ({ source, path }) => source === root && /\.md$/i.test(path) && !isEntityPath(path),
    linkKinds: ['wiki', 'embed'],
    names: { by: 'place', nameOf: ({ path }) => nodeId(path), spellings: idsMeant },
    titleOf: ({ properties, path }) => noteTitle(properties, path),
  })
}

/** The id of the node that is meant, or what its id would be. */
export async function idOf(kb: View, text: string): Promise<string> {
  return (await findNode(kb, text))?.name ?? idsMeant(text)[0]!
}

/** A node that exists, by its path or by the id its front matter gives it. */
export async function findNode(kb: View, text: string): Promise<Named | undefined> {
  const known = (await kb.names.now()).meant(text)
  return known ?? noteWithOwnId(kb, text.trim())
}
