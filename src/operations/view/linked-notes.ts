/**
 * One folder of notes as a graph: which files are its nodes, what they are called, and who links to
 * whom. A surface says what it wants to see; identity and edges follow from that alone.
 */
import { compareIds } from '../../domain/document.ts'
import type { DocNo } from '../../domain/document.ts'
import type { LinkKind } from '../../domain/text.ts'
import { buildGraph } from '../../graph/graph.ts'
import type { Graph } from '../../graph/graph.ts'
import type { Knowledge } from './knowledge.ts'

export interface NoteScope {
  /** The source whose files are the nodes. */
  readonly source: string
  /** Whether the file at this path is a node. */
  readonly sees: (path: string) => boolean
  /** What the file at this path is called. Of several with the same id the first path is kept. */
  readonly idOf: (path: string) => string
  readonly linkKinds: readonly LinkKind[]
}

export interface NoteTable {
  /** Sorted, so that "smallest node" means "alphabetically first id". */
  readonly ids: readonly string[]
  /** The store's number of each node. */
  readonly docs: readonly DocNo[]
  readonly paths: readonly string[]
  find(id: string): number | undefined
  nodeOf(doc: DocNo): number | undefined
  /** Files that cannot be reached because another file has the same id. */
  readonly hidden: readonly { readonly path: string; readonly by: string }[]
}

export interface LinkedNotes {
  readonly kb: Knowledge
  readonly scope: NoteScope
  table(): Promise<NoteTable>
  /** The edges among the nodes of one and the same table. */
  graph(): Promise<NoteGraph>
}

export interface NoteGraph {
  readonly table: NoteTable
  /** Directed; one edge for all links between two notes; a note may link to itself. */
  readonly graph: Graph
}

export function openLinkedNotes(kb: Knowledge, scope: NoteScope): LinkedNotes {
  const table = perGeneration(kb, () => loadTable(kb, scope))
  const graph = perGeneration(kb, async () => loadGraph(kb, scope, await table()))
  return { kb, scope, table, graph }
}

/** Loads once for every state of the index, also when several calls ask at the same time. */
function perGeneration<Value>(kb: Knowledge, load: () => Promise<Value>): () => Promise<Value> {
  let known: { generation: number; value: Promise<Value> } | undefined
  return async () => {
    const generation = await kb.store.generation()
    if (known?.generation !== generation) {
      const value = load()
      known = { generation, value }
      // What failed is tried again by the next call.
      value.catch(() => (known = undefined))
    }
    return known.value
  }
}

async function loadTable({ store }: Knowledge, scope: NoteScope): Promise<NoteTable> {
  const nos = [...(await store.matching({ sources: [scope.source] }))]
  const places = await store.paths(nos)
  const files = nos
    .map((no, index) => ({ no, path: places[index]!.path }))
    .filter(({ path }) => scope.sees(path))
    .map((file) => ({ ...file, id: scope.idOf(file.path) }))
    .toSorted((a, b) => compareIds(a.id, b.id) || compareIds(a.path, b.path))
  const kept = files.filter((file, index) => file.id !== files[index - 1]?.id)
  const byId = new Map(kept.map(({ id }, node) => [id, node]))
  const byDoc = new Map(kept.map(({ no }, node) => [no, node]))
  return {
    ids: kept.map(({ id }) => id),
    docs: kept.map(({ no }) => no),
    paths: kept.map(({ path }) => path),
    find: (id) => byId.get(id),
    nodeOf: (doc) => byDoc.get(doc),
    hidden: files
      .filter(({ no }) => !byDoc.has(no))
      .map(({ id, path }) => ({ path, by: kept[byId.get(id)!]!.path })),
  }
}

async function loadGraph(kb: Knowledge, scope: NoteScope, table: NoteTable): Promise<NoteGraph> {
  const edges = await kb.store.edges(scope.linkKinds)
  const from: number[] = []
  const to: number[] = []
  edges.from.forEach((doc, edge) => {
    const [start, end] = [table.nodeOf(doc), table.nodeOf(edges.to[edge]!)]
    if (start === undefined || end === undefined) return
    from.push(start)
    to.push(end)
  })
  const nodeCount = table.ids.length
  const [froms, tos] = [Uint32Array.from(from), Uint32Array.from(to)]
  return { table, graph: buildGraph({ nodeCount, from: froms, to: tos }) }
}
