/**
 * The repository as one typed graph: subsystems, files, their chunks and symbols, messages and
 * telemetry. Built from the model and the links of the base, on the graph that all else uses.
 */
import type { DocNo } from '../../domain/document.ts'
import { buildGraph, edgeTypes } from '../../graph/graph.ts'
import type { Graph } from '../../graph/graph.ts'
import type { EdgeType } from '../../store/link-store.ts'
import type { ScopedLinks } from '../view/view.ts'
import type { ArtifactType } from './artifact-type.ts'
import { chunkId, symbolId } from './model.ts'
import type { Artifact, RepositoryModel, Subsystem } from './model.ts'

export const LABELS = [
  'Subsystem',
  'DesignDoc',
  'SourceFile',
  'TestCase',
  'ConfigFile',
  'Artifact',
  'Chunk',
  'Symbol',
  'IntegrationMessage',
  'TelemetryChannel',
] as const
export type Label = (typeof LABELS)[number]

export const EDGES = [
  'BELONGS_TO',
  'DESCRIBES',
  'VALIDATES',
  'DEPENDS_ON',
  'IMPLEMENTS',
  'EMITS',
  'DECLARES',
  'IMPORTS',
  'EXERCISES',
  'MENTIONS',
  'LINKS_TO',
  'DECLARES_SYMBOL',
  'HAS_CHUNK',
] as const
export type EdgeName = (typeof EDGES)[number]

/** Edges that attach something to a subsystem. */
export const ATTACHING: readonly EdgeName[] = ['BELONGS_TO', 'DESCRIBES', 'VALIDATES']

export interface GraphNode {
  readonly label: Label
  /** Name, path or id, unique among nodes of its label. */
  readonly key: string
  readonly properties: Readonly<Record<string, unknown>>
}

export interface NodeEdge {
  readonly type: EdgeName
  readonly direction: 'OUT' | 'IN'
  readonly node: number
}

export interface RepositoryGraph {
  readonly graph: Graph
  readonly nodes: readonly GraphNode[]
  find(label: Label, key: string): number | undefined
  /** Edges of a node, those that say most first. */
  edgesOf(node: number, direction: 'out' | 'in' | 'both'): NodeEdge[]
  /** What leads from one node to another that is next to it. */
  stepBetween(from: number, to: number): { type: EdgeName; direction: 'OUT' | 'IN' } | undefined
}

export const LABEL_OF: Readonly<Record<ArtifactType, Label>> = {
  doc: 'DesignDoc',
  code: 'SourceFile',
  proto: 'SourceFile',
  test: 'TestCase',
  config: 'ConfigFile',
  other: 'Artifact',
}

/** How a file of each kind is attached to its subsystem. */
const ATTACHED: Readonly<Partial<Record<Label, EdgeName>>> = {
  DesignDoc: 'DESCRIBES',
  SourceFile: 'BELONGS_TO',
  TestCase: 'VALIDATES',
  ConfigFile: 'BELONGS_TO',
}

export function buildRepositoryGraph(
  model: RepositoryModel,
  links: FileLinks,
  { symbols }: { readonly symbols: boolean },
): RepositoryGraph {
  const nodes: GraphNode[] = []
  const numbers = new Map<string, number>()
  const from: number[] = []
  const to: number[] = []
  const type: number[] = []
  const put = (node: GraphNode): number => {
    const id = `${node.label}:${node.key}`
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, nodes.length)
    return nodes.push(node) - 1
  }
  const join = (start: number, end: number, name: EdgeName): void => {
    from.push(start)
    to.push(end)
    type.push(EDGES.indexOf(name))
  }

  const subsystems = new Map<string, number>()
  for (const subsystem of model.subsystems.values()) {
    subsystems.set(subsystem.name, put(subsystemNode(subsystem)))
  }
  for (const { name, dependencies } of model.subsystems.values()) {
    for (const other of dependencies) {
      join(subsystems.get(name)!, subsystems.get(other)!, 'DEPENDS_ON')
    }
  }
  const files = new Map<DocNo, number>()
  for (const artifact of model.artifacts) {
    const file = put(fileNode(artifact))
    files.set(artifact.doc, file)
    const subsystem =
      artifact.subsystem === undefined ? undefined : subsystems.get(artifact.subsystem)
    const attached = ATTACHED[nodes[file]!.label]
    if (subsystem !== undefined && attached) join(file, subsystem, attached)
    addNames(artifact, file, subsystem, put, join)
    for (let number = 0; number < artifact.chunks; number++) {
      join(file, put(chunkNode(artifact, number)), 'HAS_CHUNK')
    }
    for (const symbol of symbols ? artifact.symbols : []) {
      const { name, qualifiedName, kind, lineStart, lineEnd } = symbol
      const properties = {
        name,
        qualified_name: qualifiedName,
        kind,
        language: artifact.language,
        path: artifact.path,
        line_start: lineStart,
        line_end: lineEnd,
      }
      const key = symbolId(artifact.path, symbol)
      join(file, put({ label: 'Symbol', key, properties }), 'DECLARES_SYMBOL')
    }
  }
  for (const { from: one, to: other, name } of fileEdges(links)) {
    const [start, end] = [files.get(one), files.get(other)]
    if (start !== undefined && end !== undefined) join(start, end, name)
  }

  const graph = buildGraph({
    nodeCount: nodes.length,
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
    type: Uint8Array.from(type),
  })
  return {
    graph,
    nodes,
    find: (label, key) => numbers.get(`${label}:${key}`),
    edgesOf: (node, direction) => edgesOf(graph, node, direction),
    stepBetween(start, end) {
      const [out] = edgeTypes(graph, start, end)
      if (out !== undefined) return { type: EDGES[out]!, direction: 'OUT' }
      const [back] = edgeTypes(graph, end, start)
      return back === undefined ? undefined : { type: EDGES[back]!, direction: 'IN' }
    },
  }
}

type Put = (node: GraphNode) => number
type Join = (from: number, to: number, name: EdgeName) => void

function addNames(
  { messages, telemetry }: Artifact,
  file: number,
  subsystem: number | undefined,
  put: Put,
  join: Join,
): void {
  for (const name of messages) {
    const message = put({ label: 'IntegrationMessage', key: name, properties: { name } })
    join(file, message, 'DECLARES')
    if (subsystem !== undefined) join(subsystem, message, 'IMPLEMENTS')
  }
  for (const name of telemetry) {
    const channel = put({ label: 'TelemetryChannel', key: name, properties: { name } })
    if (subsystem !== undefined) join(subsystem, channel, 'EMITS')
    else join(file, channel, 'DECLARES')
  }
}

const LINK_NAMES: Readonly<Partial<Record<EdgeType['kind'], EdgeName>>> = {
  import: 'IMPORTS',
  exercises: 'EXERCISES',
  mention: 'MENTIONS',
  wiki: 'LINKS_TO',
  embed: 'LINKS_TO',
  markdown: 'LINKS_TO',
}

export type FileLinks = Pick<ScopedLinks, 'graph' | 'docs' | 'types'>

export interface FileEdge {
  readonly from: DocNo
  readonly to: DocNo
  readonly name: EdgeName
}

/** What files say of each other: what they import, put to the test, mention or link to. */
export function* fileEdges({ graph, docs, types }: FileLinks): Generator<FileEdge> {
  const { start, node, type } = graph.out
  for (const [place, from] of docs.entries()) {
    for (let at = start[place]!; at < start[place + 1]!; at++) {
      const to = docs[node[at]!]!
      const name = LINK_NAMES[types[type[at]!]!.kind]
      if (to !== from && name) yield { from, to, name }
    }
  }
}

function edgesOf(graph: Graph, node: number, direction: 'out' | 'in' | 'both'): NodeEdge[] {
  const edges: NodeEdge[] = []
  const take = (rows: Graph['out'], way: NodeEdge['direction']): void => {
    for (let at = rows.start[node]!; at < rows.start[node + 1]!; at++) {
      edges.push({ type: EDGES[rows.type[at]!]!, direction: way, node: rows.node[at]! })
    }
  }
  if (direction !== 'in') take(graph.out, 'OUT')
  if (direction !== 'out') take(graph.in, 'IN')
  return edges.toSorted((a, b) => EDGES.indexOf(a.type) - EDGES.indexOf(b.type))
}

/**
 * The edges that tell most of a node, at most so many: of every kind some, and of each kind those
 * to what few others are joined to. That a file imports what all import tells nothing of it.
 */
export function tellingEdges(
  { graph, edgesOf: all }: Pick<RepositoryGraph, 'graph' | 'edgesOf'>,
  node: number,
  direction: 'out' | 'in' | 'both',
  limit: number,
): NodeEdge[] {
  const edges = all(node, direction)
  if (edges.length <= limit) return edges
  const degree = (of: number): number =>
    [graph.out, graph.in].reduce((sum, { start }) => sum + start[of + 1]! - start[of]!, 0)
  const kinds = [...Map.groupBy(edges, (edge) => `${edge.type} ${edge.direction}`).values()]
  const byDegree = kinds.map((kind) => kind.toSorted((a, b) => degree(a.node) - degree(b.node)))
  const share = fairShare(
    byDegree.map(({ length }) => length),
    limit,
  )
  return byDegree.flatMap((kind, at) => kind.slice(0, share[at]))
}

/** How many each gets where all take turns: `[9, 1, 4]` of 6 is `[3, 1, 2]`. */
function fairShare(wanted: readonly number[], limit: number): number[] {
  const given = wanted.map(() => 0)
  for (let left = limit, turn = 1; left > 0 && turn <= limit; turn++) {
    for (const [at, most] of wanted.entries()) {
      if (most < turn || left === 0) continue
      given[at] = turn
      left--
    }
  }
  return given
}

function subsystemNode(subsystem: Subsystem): GraphNode {
  const { name, description, criticality, owner, domain, tags, labels } = subsystem
  const properties = { name, description, criticality, owner, domain, tags, labels }
  return { label: 'Subsystem', key: name, properties }
}

function fileNode({ path, type, commit, committedAt, subsystem }: Artifact): GraphNode {
  const properties = {
    path,
    artifact_type: type,
    git_commit: commit,
    git_timestamp: committedAt,
    subsystem,
  }
  return { label: LABEL_OF[type], key: path, properties }
}

function chunkNode({ path }: Artifact, number: number): GraphNode {
  const key = chunkId(path, number)
  return { label: 'Chunk', key, properties: { chunk_id: key, path, sequence: number } }
}
