/** What is wrong with the links of a note: nobody there, or more than one who might be meant. */
import type { LinkRecord } from '../../domain/document.ts'
import { lastSegment } from '../../kit/paths.ts'
import { inSlices } from '../../kit/slices.ts'
import { isAttachment, linkKey, normalizeTarget } from '../../indexing/link-names.ts'
import type { View } from '../view/view.ts'
import { noteLinks, sortByName } from './read-notes.ts'

export interface LinkTrouble {
  readonly kind: 'broken' | 'ambiguous'
  /** As it is written between the brackets. */
  readonly target: string
  /** Whom an ambiguous link might mean; the first is the one it leads to. */
  readonly candidates: readonly string[]
}

/** Each target once, in the order of the text. Empty for an id that is no note. */
export async function checkNoteLinks(kb: View, id: string): Promise<readonly LinkTrouble[]> {
  const { find, ofDocument } = await kb.names.now()
  const named = find(id)
  if (!named) return []
  const links = await noteLinks(kb, named.doc)
  const distinct = new Map<string, LinkRecord>()
  await inSlices(links, (link) => distinct.set(normalizeTarget(link.target), link))
  const unsure = [...distinct].filter(
    ([name, { to }]) => to !== undefined && !name.includes('/') && !find(name),
  )
  // All in one look: a note that is called by thousands of names would be read for each of them.
  const files = await kb.store.named(unsure.map(([, link]) => linkKey(link) ?? ''))
  const alike = Map.groupBy(files, ({ foldedPath }) => lastSegment(foldedPath))
  const trouble: LinkTrouble[] = []
  for (const [name, link] of distinct) {
    const { target } = link
    if (isBroken(link)) trouble.push({ kind: 'broken', target, candidates: [] })
    const meant = link.to === undefined || name.includes('/') || find(name) ? [] : alike.get(name)
    if (!meant || meant.length < 2) continue
    const candidates = await sortByName(
      kb,
      meant.map(({ no }) => no),
    )
    if (candidates.length > 1) {
      const names = candidates.map((doc) => ofDocument(doc)!.name)
      trouble.push({ kind: 'ambiguous', target, candidates: names })
    }
  }
  return trouble
}

/** A picture or a PDF is no note, and being no note does not mean that it is missing. */
export function isBroken(link: LinkRecord): boolean {
  return link.to === undefined && !isAttachment(link)
}
