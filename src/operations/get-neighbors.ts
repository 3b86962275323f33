/** A document together with everything a few links away. */
import { documentId } from '../domain/document.ts'
import type { DocumentRecord } from '../domain/document.ts'
import { neighborPaths, neighbors } from '../graph/neighbors.ts'
import type { Direction } from '../graph/neighbors.ts'
import { subgraph } from '../graph/subgraph.ts'
import { makeCursor, parseCursor } from './cursor.ts'
import { outgoingLinks } from './fetch-document.ts'
import type { LinkedDocument } from './fetch-document.ts'
import type { Knowledge } from './knowledge.ts'
import { resolveDocument } from './resolve-document.ts'

export interface NeighborsOptions {
  readonly direction?: Direction
  readonly depth?: number
  readonly limit?: number
  readonly cursor?: string
}

export interface NeighborDocument extends LinkedDocument {
  readonly hops: number
  /** How it is linked to the document before it on the way. */
  readonly direction: Direction
  /** Ids between the origin and this document, both left out. */
  readonly through: readonly string[]
}

export interface Neighborhood {
  readonly origin: DocumentRecord
  readonly neighbors: readonly NeighborDocument[]
  readonly total: number
  /** Links among the origin and the neighbours of this page, as ids. */
  readonly edges: readonly { readonly from: string; readonly to: string }[]
  /** What the origin links to and nobody has written yet. */
  readonly unresolved: readonly string[]
  readonly nextCursor: string | undefined
}

const DEFAULT_LIMIT = 20

export async function getNeighbors(
  kb: Knowledge,
  id: string,
  options: NeighborsOptions = {},
): Promise<Neighborhood> {
  const { direction = 'both', depth = 1, limit = DEFAULT_LIMIT, cursor } = options
  const origin = await resolveDocument(kb, id)
  const question = ['neighbors', origin.no, direction, depth]
  const offset = parseCursor(question, cursor)
  const { graph, docs, nodeOf } = await kb.view.links()
  const node = nodeOf(origin.no)
  const found = node === undefined ? [] : neighbors(graph, node, { direction, depth })
  const paths = node === undefined ? [] : neighborPaths(node, found)
  const page = found.slice(offset, offset + limit)
  const shown = [...(node === undefined ? [] : [node]), ...page.map((each) => each.node)]
  const onTheWay = paths.slice(offset, offset + limit).flat()
  const labels = await labelNodes(kb, docs, [...shown, ...onTheWay])
  const end = offset + page.length
  return {
    origin,
    neighbors: page.map((each, index) => ({
      ...labels.get(each.node)!,
      hops: each.hops,
      direction: each.relation,
      through: paths[offset + index]!.slice(1, -1).map((between) => labels.get(between)!.id),
    })),
    total: found.length,
    edges: subgraph(graph, shown).edges.map((edge) => ({
      from: labels.get(edge.from)!.id,
      to: labels.get(edge.to)!.id,
    })),
    unresolved: (await outgoingLinks(kb, origin)).unresolved,
    nextCursor: end < found.length ? makeCursor(question, end) : undefined,
  }
}

/** Ids and titles of graph nodes. */
export async function labelNodes(
  kb: Knowledge,
  docs: Uint32Array,
  nodes: readonly number[],
): Promise<ReadonlyMap<number, LinkedDocument>> {
  const distinct = [...new Set(nodes)]
  const records = await kb.store.documents(distinct.map((node) => docs[node]!))
  return new Map(
    distinct.map((node, index) => {
      const record = records[index]
      // Gone since the graph was read; the next question will not see it.
      if (!record) return [node, { id: '(deleted)', title: '(deleted)' }]
      return [node, { id: documentId(record), title: record.title }]
    }),
  )
}
