/** What is wrong with the links of a note: nobody there, or more than one who might be meant. */
import { lastSegment } from '../../domain/paths.ts'
import { isAttachment, linkKey, normalizeTarget } from '../../indexing/link-names.ts'
import type { LinkedNotes } from '../view/linked-notes.ts'
import { noteLinks, targetNode } from './read-notes.ts'

export interface LinkTrouble {
  readonly kind: 'broken' | 'ambiguous'
  /** As it is written between the brackets. */
  readonly target: string
  /** Whom an ambiguous link might mean; the first is the one it leads to. */
  readonly candidates: readonly string[]
}

/** Each target once, in the order of the text. Empty for an id that is no note. */
export async function checkNoteLinks(
  notes: LinkedNotes,
  id: string,
): Promise<readonly LinkTrouble[]> {
  const table = await notes.table()
  const node = table.find(id)
  if (node === undefined) return []
  const links = await noteLinks(notes, table.docs[node]!)
  const distinct = new Map(links.map((link) => [normalizeTarget(link.target), link]))
  const trouble: LinkTrouble[] = []
  for (const [name, link] of distinct) {
    const { target } = link
    if (targetNode(table, link.to) === undefined) {
      // A picture or a PDF is no note, and being no note does not mean that it is missing.
      if (!isAttachment(link)) trouble.push({ kind: 'broken', target, candidates: [] })
      continue
    }
    if (name.includes('/') || table.find(name) !== undefined) continue
    const named = await notes.kb.store.named([linkKey(link) ?? ''])
    const candidates = named
      .filter((each) => lastSegment(each.foldedPath) === name)
      .flatMap((each) => table.nodeOf(each.no) ?? [])
      .toSorted((a, b) => a - b)
      .map((candidate) => table.ids[candidate]!)
    if (candidates.length > 1) trouble.push({ kind: 'ambiguous', target, candidates })
  }
  return trouble
}
