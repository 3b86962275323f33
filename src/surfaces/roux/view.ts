/** What this surface sees of a base: the Markdown files of one folder, joined by wiki links. */
import { isEntityPath } from '../../domain/entity-document.ts'
import type { Knowledge } from '../../operations/view/knowledge.ts'
import { openLinkedNotes } from '../../operations/view/linked-notes.ts'
import type { LinkedNotes } from '../../operations/view/linked-notes.ts'
import { firstFolder } from '../../operations/writing/locate-file.ts'
import { idsMeant, nodeId } from './ids.ts'

export interface RouxView {
  readonly notes: LinkedNotes
  /** The id of the node that is meant, or what its id would be. */
  idOf(text: string): Promise<string>
}

/** There is one root: where a base has several sources, it is the first with files. */
export function openRouxView(kb: Knowledge): RouxView {
  const notes = openLinkedNotes(kb, {
    source: firstFolder(kb),
    sees: (path) => /\.md$/i.test(path) && !isEntityPath(path),
    idOf: nodeId,
    linkKinds: ['wiki', 'embed'],
  })
  return {
    notes,
    async idOf(text) {
      const { find } = await notes.table()
      const meant = idsMeant(text)
      return meant.find((id) => find(id) !== undefined) ?? meant[0]!
    },
  }
}
