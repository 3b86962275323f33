/** From note to note: what is linked, how to get from one to another, which ones stand out. */
import type { DocNo } from '../../domain/document.ts'
import { hubs } from '../../graph/hubs.ts'
import type { HubMetric } from '../../graph/hubs.ts'
import type { Direction } from '../../graph/neighbors.ts'
import { shortestPath } from '../../graph/shortest-path.ts'
import { noteTags, noteTitle } from '../reading/note-fields.ts'
import { linkedNotes, linkingNotes, noteTitles, readNotes } from '../reading/read-notes.ts'
import type { Note, NoteLink } from '../reading/read-notes.ts'
import type { View } from '../view/view.ts'

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

/** Ids along the shortest way that follows links forwards, both ends included. */
export async function findNotePath(
  kb: View,
  from: string,
  to: string,
): Promise<readonly string[] | undefined> {
  const { graph, docs, nodeOf, within, order } = await kb.links()
  const { find, ofDocument } = await kb.names.now()
  const nodeNamed = (id: string) => nodeOf(find(id)?.doc ?? -1)
  const [start, end] = [nodeNamed(from), nodeNamed(to)]
  if (start === undefined || end === undefined) return undefined
  const path = shortestPath(graph, start, end, { directed: true, order, ...within })
  return path?.map((node) => ofDocument(docs[node]!)?.name ?? '')
}

export interface NoteHub extends NoteLink {
  readonly score: number
}

/** The notes that stand out most by a measure, best first, equals by id. */
export async function rankNotes(
  kb: View,
  options: { readonly metric: HubMetric; readonly limit: number },
): Promise<readonly NoteHub[]> {
  const { graph, docs, within, order } = await kb.links()
  const found = hubs(graph, { ...options, order, ...within }).map(({ node, score }) => ({
    doc: docs[node]!,
    score,
  }))
  const titles = await noteTitles(
    kb,
    found.map(({ doc }) => doc),
  )
  return found.flatMap(({ doc, score }) => {
    const link = titles.get(doc)
    return link ? [{ ...link, score }] : []
  })
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
  const nodes = all.map(({ name, path }, index) => {
    const properties = records[index]?.properties ?? {}
    return { id: name, title: noteTitle(properties, path), tags: noteTags(properties) }
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
