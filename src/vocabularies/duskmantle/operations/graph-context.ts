/** What surrounds an artifact in the graph of its repository, as a search shows and weighs it. */
import { neighbors } from '../../../core/graph/neighbors.ts'
import type { Artifact } from '../../../core/operations/repository/model.ts'
import {
  ATTACHING,
  EDGES,
  LABEL_OF,
  tellingEdges,
} from '../../../core/operations/repository/repository-graph.ts'
import type {
  GraphNode,
  NodeEdge,
  RepositoryGraph,
} from '../../../core/operations/repository/repository-graph.ts'

export interface GraphContext {
  readonly node: GraphNode
  readonly relationships: readonly (Omit<NodeEdge, 'node'> & { readonly target: GraphNode })[]
  readonly neighborSubsystems: readonly string[]
  readonly related: readonly RelatedArtifact[]
  /** The better chunk of the same file whose context has what is not repeated here. */
  readonly shownWith?: string
}

export interface RelatedArtifact {
  readonly node: GraphNode
  readonly relationship: string
}

const MOST_RELATED = 10
const RELATING = new Set(['DESCRIBES', 'VALIDATES'])

/**
 * What describes or validates it, or what it describes or validates. Documents and tests are
 * attached to subsystems, so those of its subsystem count for a file too.
 */
export function relatedArtifacts(
  graph: RepositoryGraph,
  { type, path }: Artifact,
): RelatedArtifact[] {
  const node = graph.find(LABEL_OF[type], path)
  if (node === undefined) return []
  const of = (from: number): RelatedArtifact[] =>
    graph
      .edgesOf(from, 'both')
      .filter((edge) => RELATING.has(edge.type) && edge.node !== node)
      .map((edge) => ({ node: graph.nodes[edge.node]!, relationship: edge.type }))
  const own = of(node)
  const subsystem = graph.edgesOf(node, 'out').find((edge) => edge.type === 'BELONGS_TO')
  return [...own, ...(subsystem ? of(subsystem.node) : [])].slice(0, MOST_RELATED)
}

const MOST_RELATIONSHIPS = 10

export function contextOf(
  graph: RepositoryGraph,
  { type, path }: Artifact,
  related: readonly RelatedArtifact[],
): GraphContext | undefined {
  const number = graph.find(LABEL_OF[type], path)
  if (number === undefined) return undefined
  const subsystems = graph
    .edgesOf(number, 'both')
    .map((edge) => graph.nodes[edge.node]!)
    .filter(({ label }) => label === 'Subsystem')
  const edges = tellingEdges(withoutChunks(graph), number, 'both', MOST_RELATIONSHIPS)
  return {
    node: graph.nodes[number]!,
    relationships: edges.map(({ type: name, direction, node }) => ({
      type: name,
      direction,
      target: graph.nodes[node]!,
    })),
    neighborSubsystems: [...new Set(subsystems.map(({ key }) => key))].toSorted(),
    related,
  }
}

/** What is shown is a chunk, so that there are chunks tells nothing. */
function withoutChunks({ graph, edgesOf }: RepositoryGraph) {
  return {
    graph,
    edgesOf: (...of: Parameters<typeof edgesOf>) =>
      edgesOf(...of).filter(({ type }) => type !== 'HAS_CHUNK'),
  }
}

/** Over these a file comes to its subsystem, or to one that it shares with a neighbour. */
const LEADING = [...ATTACHING, 'HAS_CHUNK' as const].map((name) => EDGES.indexOf(name))

/** The least hops to any subsystem; undefined where none is that near. */
export function pathDepth(graph: RepositoryGraph, { type, path }: Artifact): number | undefined {
  const start = graph.find(LABEL_OF[type], path)
  if (start === undefined) return undefined
  const around = neighbors(graph.graph, start, { depth: 4, types: LEADING })
  return around.find(({ node }) => graph.nodes[node]!.label === 'Subsystem')?.hops
}
