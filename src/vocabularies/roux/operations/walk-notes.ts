/** From note to note: what is linked with one, and the whole of it for a picture. */
import type { DocNo } from '../../../core/domain/document.ts'
import type { Direction } from '../../../core/graph/neighbors.ts'
import { noteTags } from '../../../core/operations/reading/note-fields.ts'
import {
  linkedNotes,
  linkingNotes,
  readNotes,
} from '../../../core/operations/reading/read-notes.ts'
import type { Note } from '../../../core/operations/reading/read-notes.ts'
import type { View } from '../../../core/operations/view/view.ts'

export interface NoteNeighbor {
  readonly note: Note
  /** `out`: linked to; `in`: linking here. */
  readonly direction: Direction
}

/** A note with everything one link away. */
export interface NoteContext {
  readonly note: Note
  /** Linked-to first, each note once. */
  readonly neighbors: readonly NoteNeighbor[]
  /** All there are, though fewer may be listed. */
  readonly incoming: number
  readonly outgoing: number
}

/** Linked-to first in the order of the text, then those linking here by id; each note once. */
export async function listNoteNeighbors(
  kb: View,
  id: string,
  { direction, limit }: { readonly direction: Direction; readonly limit: number },
): Promise<readonly Note[]> {
  const named = (await kb.names.now()).find(id)
  if (!named) return []
  const outgoing = direction === 'in' ? [] : await linkedNotes(kb, named.doc)
  const incoming = direction === 'out' ? [] : await linkingNotes(kb, named.doc)
  return readNotes(kb, [...new Set([...outgoing, ...incoming])].slice(0, limit))
}

/** At most `limit` neighbours of each direction are read. */
export async function findNoteContext(
  kb: View,
  id: string,
  limit: number,
): Promise<NoteContext | undefined> {
  const { find } = await kb.names.now()
  const doc = find(id)?.doc
  if (doc === undefined) return undefined
  const [note] = await readNotes(kb, [doc])
  if (!note) return undefined
  const outgoing = await linkedNotes(kb, doc)
  const incoming = await linkingNotes(kb, doc)
  const read = await readNotes(kb, [
    ...new Set([...outgoing.slice(0, limit), ...incoming.slice(0, limit)]),
  ])
  const [to, from] = [new Set(outgoing), new Set(incoming)]
  return {
    note,
    neighbors: read.map((each) => {
      const other = find(each.id)?.doc ?? -1
      const direction = !from.has(other) ? 'out' : !to.has(other) ? 'in' : 'both'
      return { note: each, direction }
    }),
    incoming: incoming.length,
    outgoing: outgoing.length,
  }
}

export interface DrawnGraph {
  readonly nodes: readonly {
    readonly id: string
    readonly title: string
    readonly tags: readonly string[]
  }[]
  /** Positions in `nodes`. */
  readonly edges: readonly (readonly [from: number, to: number])[]
}

/** The whole graph as plain data, for a picture. */
export async function drawNotes(kb: View): Promise<DrawnGraph> {
  const { graph, nodeOf, docs, within } = await kb.links()
  const { all } = await kb.names.now()
  const records = await kb.store.documents(all.map(({ doc }) => doc))
  const nodes = all.map(({ name }, index) => {
    const record = records[index]
    const title = record ? kb.titleOf(record) : name
    return { id: name, title, tags: noteTags(record?.properties ?? {}) }
  })
  const placeOf = new Map<DocNo, number>(all.map(({ doc }, place) => [doc, place]))
  const edges: [number, number][] = []
  const { start, node: targets, type } = graph.out
  for (const [from, { doc }] of all.entries()) {
    const node = nodeOf(doc)
    if (node === undefined) continue
    const ends = new Set<number>()
    for (let k = start[node]!; k < start[node + 1]!; k++) {
      const to = placeOf.get(docs[targets[k]!]!)
      if (to !== undefined && (within.types?.includes(type[k]!) ?? true)) ends.add(to)
    }
    for (const to of [...ends].toSorted((a, b) => a - b)) edges.push([from, to])
  }
  return { nodes, edges }
}
