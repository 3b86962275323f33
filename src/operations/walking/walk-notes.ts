/** From note to note: what is linked, how to get from one to another, which ones stand out. */
import { hubs } from '../../graph/hubs.ts'
import type { HubMetric } from '../../graph/hubs.ts'
import type { Direction } from '../../graph/neighbors.ts'
import { shortestPath } from '../../graph/shortest-path.ts'
import type { LinkedNotes, NoteTable } from '../view/linked-notes.ts'
import { linkedNodes, noteTags, noteTitle, noteTitles, readNotes } from '../reading/read-notes.ts'
import type { Note, NoteLink } from '../reading/read-notes.ts'

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
  notes: LinkedNotes,
  id: string,
  { direction, limit }: { readonly direction: Direction; readonly limit: number },
): Promise<readonly Note[]> {
  const table = await notes.table()
  const node = table.find(id)
  if (node === undefined) return []
  const outgoing = direction === 'in' ? [] : await linkedNodes(notes, table, node)
  const incoming = direction === 'out' ? [] : await linkingNodes(notes, table, node)
  return readNotes(notes, [...new Set([...outgoing, ...incoming])].slice(0, limit))
}

/** At most `limit` neighbours of each direction are read. */
export async function findNoteContext(
  notes: LinkedNotes,
  id: string,
  limit: number,
): Promise<NoteContext | undefined> {
  const table = await notes.table()
  const node = table.find(id)
  if (node === undefined) return undefined
  const [note] = await readNotes(notes, [node])
  if (!note) return undefined
  const outgoing = await linkedNodes(notes, table, node)
  const incoming = await linkingNodes(notes, table, node)
  const shown = new Set([...outgoing.slice(0, limit), ...incoming.slice(0, limit)])
  const read = await readNotes(notes, [...shown])
  const [to, from] = [new Set(outgoing), new Set(incoming)]
  return {
    note,
    neighbors: read.map((each) => {
      const other = table.find(each.id)!
      const direction = !from.has(other) ? 'out' : !to.has(other) ? 'in' : 'both'
      return { note: each, direction }
    }),
    incoming: incoming.length,
    outgoing: outgoing.length,
  }
}

/** Nodes that link to a note, each once, by id. */
export async function linkingNodes(
  { kb, scope }: LinkedNotes,
  table: NoteTable,
  node: number,
): Promise<readonly number[]> {
  const links = await kb.store.linksTo(table.docs[node]!)
  const nodes = links
    .filter(({ kind }) => scope.linkKinds.includes(kind))
    .map(({ from }) => table.nodeOf(from))
    .filter((from) => from !== undefined)
  return [...new Set(nodes)].toSorted((a, b) => a - b)
}

/** Ids along the shortest way that follows links forwards, both ends included. */
export async function findNotePath(
  notes: LinkedNotes,
  from: string,
  to: string,
): Promise<readonly string[] | undefined> {
  const { graph, table } = await notes.graph()
  const [start, end] = [table.find(from), table.find(to)]
  if (start === undefined || end === undefined) return undefined
  const path = shortestPath(graph, start, end, { directed: true })
  return path?.map((node) => table.ids[node]!)
}

export interface NoteHub extends NoteLink {
  readonly score: number
}

/** The notes that stand out most by a measure, best first, equals by id. */
export async function rankNotes(
  notes: LinkedNotes,
  options: { readonly metric: HubMetric; readonly limit: number },
): Promise<readonly NoteHub[]> {
  const { graph, table } = await notes.graph()
  const found = hubs(graph, options)
  const titles = await noteTitles(
    notes,
    table,
    found.map(({ node }) => node),
  )
  return found.map(({ node, score }) => {
    const id = table.ids[node]!
    return { id, title: titles.get(node) ?? id, score }
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
export async function drawNotes(notes: LinkedNotes): Promise<DrawnGraph> {
  const { graph, table } = await notes.graph()
  const records = await notes.kb.store.documents(table.docs)
  const nodes = table.ids.map((id, node) => {
    const properties = records[node]?.properties ?? {}
    return { id, title: noteTitle(properties, table.paths[node]!), tags: noteTags(properties) }
  })
  const edges: [number, number][] = []
  for (let node = 0; node < graph.nodeCount; node++) {
    const { start, node: targets } = graph.out
    for (let k = start[node]!; k < start[node + 1]!; k++) edges.push([node, targets[k]!])
  }
  return { nodes, edges }
}
