/** What can be asked of the graph of a repository: one node, one subsystem, or a name. */
import { compareIds } from '../../../core/domain/document.ts'
import { notFound, quoted } from '../../../core/domain/error.ts'
import { neighborPaths, neighbors } from '../../../core/graph/neighbors.ts'
import { ATTACHING, tellingEdges } from '../../../core/operations/repository/repository-graph.ts'
import type {
  EdgeName,
  GraphNode,
  Label,
  RepositoryGraph,
} from '../../../core/operations/repository/repository-graph.ts'

export interface Relationship {
  readonly type: EdgeName
  readonly direction: 'OUT' | 'IN'
  readonly target: GraphNode
}

export interface NodeReport {
  readonly node: GraphNode
  /** Those that tell most, and how many there are. */
  readonly relationships: readonly Relationship[]
  readonly total: number
}

export interface NodeOptions {
  readonly direction: 'out' | 'in' | 'both' | 'none'
  readonly limit: number
}

export function getNode(
  repository: RepositoryGraph,
  { label, key }: { readonly label: Label; readonly key: string },
  { direction, limit }: NodeOptions,
): NodeReport {
  const number = repository.find(label, key)
  if (number === undefined) {
    throw notFound(
      `There is no node ${quoted(`${label}:${key}`)}.`,
      'Find its id with a search of the graph; paths are those below the root of the repository.',
    )
  }
  const edges = direction === 'none' ? [] : tellingEdges(repository, number, direction, limit)
  return {
    node: repository.nodes[number]!,
    relationships: edges.map(({ type, direction: way, node }) => ({
      type,
      direction: way,
      target: repository.nodes[node]!,
    })),
    total: direction === 'none' ? 0 : repository.edgesOf(number, direction).length,
  }
}

export interface Step {
  readonly type: EdgeName
  readonly direction: 'OUT' | 'IN'
  readonly source: GraphNode
  readonly target: GraphNode
}

export interface RelatedNode {
  readonly target: GraphNode
  readonly hops: number
  readonly path: readonly Step[]
}

export interface SubsystemReport {
  readonly subsystem: GraphNode
  readonly related: readonly RelatedNode[]
  readonly total: number
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined
  /** Some of what is attached to it, and how much that is. */
  readonly artifacts: readonly GraphNode[]
  readonly attached: number
}

export interface SubsystemOptions {
  readonly depth: number
  readonly offset: number
  readonly limit: number
  readonly artifacts: boolean
}

const MOST_ARTIFACTS = 200

export function getSubsystem(
  repository: RepositoryGraph,
  name: string,
  { depth, offset, limit, artifacts }: SubsystemOptions,
): SubsystemReport {
  const { graph, nodes } = repository
  const number = findSubsystem(repository, name)
  const found = neighbors(graph, number, { depth: Math.max(1, depth) })
  const paths = neighborPaths(number, found)
  const order = found
    .map(({ node, hops }, at) => ({ node: nodes[node]!, hops, path: paths[at]! }))
    .toSorted((a, b) => compareIds(sortKey(a.node), sortKey(b.node)))
  const page = order.slice(offset, offset + limit)
  const end = offset + page.length
  const attached = attachedTo(repository, number)
  return {
    subsystem: nodes[number]!,
    related: page.map(({ node, hops, path }) => ({
      target: node,
      hops,
      path: steps(repository, path),
    })),
    total: order.length,
    next: end < order.length ? end : undefined,
    artifacts: artifacts ? attached.slice(0, MOST_ARTIFACTS) : [],
    attached: attached.length,
  }
}

/** By name, else title, else path; the id decides among equals. */
function sortKey({ label, key, properties }: GraphNode): string {
  const name = [properties['name'], properties['title'], properties['path']].find(
    (each) => typeof each === 'string',
  )
  return `${String(name ?? '')}\0${label}:${key}`
}

function findSubsystem(repository: RepositoryGraph, name: string): number {
  const exact = repository.find('Subsystem', name)
  if (exact !== undefined) return exact
  const names = repository.nodes.flatMap(({ label, key }) => (label === 'Subsystem' ? [key] : []))
  const similar = names.find((each) => each.toLowerCase() === name.toLowerCase())
  if (similar !== undefined) return repository.find('Subsystem', similar)!
  throw notFound(
    `There is no subsystem ${quoted(name)}.`,
    names.length > 0 ? `There are ${names.slice(0, 20).join(', ')}.` : 'No subsystem is known yet.',
  )
}

function steps(repository: RepositoryGraph, path: readonly number[]): Step[] {
  return path.slice(1).flatMap((to, at) => {
    const from = path[at]!
    const step = repository.stepBetween(from, to)
    if (!step) return []
    return [{ ...step, source: repository.nodes[from]!, target: repository.nodes[to]! }]
  })
}

function attachedTo({ edgesOf, nodes }: RepositoryGraph, subsystem: number): GraphNode[] {
  return edgesOf(subsystem, 'in')
    .filter(({ type }) => ATTACHING.includes(type))
    .map(({ node }) => nodes[node]!)
    .toSorted((a, b) => compareIds(a.key, b.key))
}

export interface FoundNode {
  readonly node: GraphNode
  readonly score: number
  readonly snippet: string
}

/** How much a match counts by what it matches, and what is shown of it. */
const SEARCHED: readonly {
  readonly label: Label
  readonly score: number
  readonly text: (node: GraphNode) => string
  readonly snippet: (node: GraphNode) => string
}[] = [
  {
    label: 'Subsystem',
    score: 0.95,
    text: keyOf,
    snippet: ({ properties }) => textOf(properties['description']),
  },
  { label: 'DesignDoc', score: 0.85, text: keyOf, snippet: keyOf },
  { label: 'SourceFile', score: 0.8, text: keyOf, snippet: keyOf },
  {
    label: 'Symbol',
    score: 0.78,
    text: ({ properties }) => textOf(properties['qualified_name']),
    snippet: keyOf,
  },
  { label: 'TestCase', score: 0.75, text: keyOf, snippet: keyOf },
  { label: 'ConfigFile', score: 0.7, text: keyOf, snippet: keyOf },
]

/** A term that is part of a name, in any case; the best kind first, then by id. */
export function searchNodes({ nodes }: RepositoryGraph, term: string, limit: number): FoundNode[] {
  const wanted = term.toLowerCase()
  const rules = new Map(SEARCHED.map((rule) => [rule.label, rule]))
  const found = nodes.flatMap((node): FoundNode[] => {
    const rule = rules.get(node.label)
    if (!rule || !rule.text(node).toLowerCase().includes(wanted)) return []
    return [{ node, score: rule.score, snippet: rule.snippet(node) }]
  })
  const id = ({ node: { label, key } }: FoundNode): string => `${label}:${key}`
  return found.toSorted((a, b) => b.score - a.score || compareIds(id(a), id(b))).slice(0, limit)
}

function keyOf({ key }: GraphNode): string {
  return key
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
