/**
 * Which chunks of a repository answer a question? Filters come first, then the base's own ranking
 * chooses the files, and the formula of the contract puts their chunks in order.
 */
import type { CodeSymbol } from '../../../core/domain/code.ts'
import { compareIds } from '../../../core/domain/document.ts'
import { inSlices } from '../../../core/kit/slices.ts'
import { redactedText } from '../../../core/indexing/redact-file.ts'
import { docSet } from '../../../core/search/doc-set.ts'
import { rankDocuments } from '../../../core/operations/searching/rank-documents.ts'
import { lineAt, lineStartsOf } from '../../../core/parsing/lines.ts'
import type { CompareChunks } from './chunk-vectors.ts'
import { chunkId, coverageRatio } from '../../../core/operations/repository/model.ts'
import type { Artifact } from '../../../core/operations/repository/model.ts'
import type { Repository } from '../../../core/operations/repository/open-repository.ts'
import {
  ATTACHING,
  LABEL_OF,
  tellingEdges,
} from '../../../core/operations/repository/repository-graph.ts'
import type {
  GraphNode,
  NodeEdge,
  RepositoryGraph,
} from '../../../core/operations/repository/repository-graph.ts'
import { scoreByModel } from './ranking-model.ts'
import type { ModelScore, RankingModel } from './ranking-model.ts'
import { scoreChunk } from './score-chunk.ts'
import type { ChunkScore, Weights } from './score-chunk.ts'
import { windowsOf } from '../../../core/operations/repository/windows.ts'

/** Within one list any may match; of the lists all must. Everything compares without case. */
export interface ChunkFilters {
  readonly subsystems?: readonly string[]
  readonly artifactTypes?: readonly string[]
  readonly namespaces?: readonly string[]
  readonly tags?: readonly string[]
  readonly symbols?: readonly string[]
  readonly symbolKinds?: readonly string[]
  readonly symbolLanguages?: readonly string[]
  /** Seconds since the epoch. */
  readonly updatedAfter?: number
}

export interface ChunkQuery {
  readonly query: string
  readonly limit: number
  readonly filters: ChunkFilters
  /** Whether the graph counts and is shown. */
  readonly graph: boolean
  readonly sortByVector: boolean
  readonly weights: Weights
  /** Takes the place of the formula in the order. */
  readonly model?: RankingModel | undefined
  readonly compare: CompareChunks
  /** Seconds since the epoch. */
  readonly now: number
}

export interface ChunkHit {
  readonly id: string
  readonly artifact: Artifact
  readonly text: string
  readonly score: ChunkScore
  readonly model: ModelScore | undefined
  /** Symbols whose lines the chunk shows. */
  readonly symbols: readonly CodeSymbol[]
  readonly context: GraphContext | undefined
  readonly pathDepth: number | undefined
  readonly freshnessDays: number | undefined
}

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

export interface ChunkAnswer {
  readonly hits: readonly ChunkHit[]
  readonly warnings: readonly string[]
}

/** Files whose chunks are weighed, and how many chunks that may be. */
const CANDIDATE_FILES = 60
const MOST_CHUNKS = 800

const MOST_ENRICHED = 20
const ENRICH_MS = 750
const MOST_RELATED = 10

export async function searchChunks(
  repository: Repository,
  graph: RepositoryGraph | undefined,
  asked: ChunkQuery,
): Promise<ChunkAnswer> {
  const { artifacts, byDoc } = await repository.model()
  const warnings: string[] = []
  const admitted = admit(artifacts, asked.filters, graph, warnings)
  const files = await chooseFiles(repository, admitted, byDoc, asked)
  const chunks = await readChunks(repository, files, asked.filters)
  const similarities = await asked.compare(
    asked.query,
    chunks.map(({ id, artifact, text }) => ({ id, title: artifact.path, text })),
  )
  const counts = asked.graph && graph !== undefined
  if (asked.graph && !graph) warnings.push('Graph context unavailable')
  const related = new Map<Artifact, readonly RelatedArtifact[]>()
  const relatedTo = (artifact: Artifact): readonly RelatedArtifact[] => {
    const known = related.get(artifact) ?? relatedArtifacts(graph!, artifact)
    related.set(artifact, known)
    return known
  }
  const depths = new Map<Artifact, number | undefined>()
  const depthOf = (artifact: Artifact): number | undefined => {
    if (!depths.has(artifact)) depths.set(artifact, pathDepth(graph!, artifact))
    return depths.get(artifact)
  }
  const score = (chunk: Chunk, at: number, withGraph: boolean): Scored => {
    const { artifact } = chunk
    const own = scoreChunk(
      {
        text: chunk.text,
        query: asked.query,
        vectorScore: similarities[at] ?? 0,
        subsystem: artifact.subsystem,
        criticality: artifact.criticality,
        coverageRatio: coverageRatio(artifact),
        related: withGraph ? relatedTo(artifact).map(({ node }) => node.label) : undefined,
      },
      asked.weights,
    )
    const depth = withGraph ? depthOf(artifact) : undefined
    const model =
      asked.model &&
      scoreByModel(asked.model, {
        score: own,
        coverageRatio: coverageRatio(artifact),
        pathDepth: depth,
        withGraph,
        graphIncluded: counts,
        warnings: warnings.length,
      })
    const adjusted = model?.score ?? own.adjusted
    return { chunk, at, score: { ...own, adjusted }, model, depth }
  }
  const byRank = (a: Scored, b: Scored): number =>
    (asked.sortByVector ? b.score.vector - a.score.vector : b.score.adjusted - a.score.adjusted) ||
    compareIds(a.chunk.id, b.chunk.id)
  const scored = await inSlices(chunks.entries(), ([at, chunk]) => score(chunk, at, counts))
  const page = scored.toSorted(byRank).slice(0, asked.limit)

  const started = performance.now()
  const told = new Map<Artifact, string>()
  const enriched = page.map((each, place): Scored & { context?: GraphContext | undefined } => {
    if (!counts) return each
    const late = performance.now() - started > ENRICH_MS
    const { artifact } = each.chunk
    if (place < MOST_ENRICHED && !late) {
      const context = contextOf(graph, artifact, relatedTo(artifact))
      const shownWith = told.get(artifact)
      if (shownWith === undefined) told.set(artifact, each.chunk.id)
      if (!context || shownWith === undefined) return { ...each, context }
      return { ...each, context: { ...context, relationships: [], related: [], shownWith } }
    }
    const why =
      place < MOST_ENRICHED
        ? 'graph context skipped after exceeding time budget'
        : `graph context limited to first ${MOST_ENRICHED} results`
    if (!warnings.includes(why)) warnings.push(why)
    return score(each.chunk, each.at, false)
  })
  return {
    hits: enriched.toSorted(byRank).map(({ chunk, score: own, model, depth, context }) => ({
      ...chunk,
      score: own,
      model,
      context,
      pathDepth: depth,
      freshnessDays: freshness(chunk.artifact, asked.now),
    })),
    warnings,
  }
}

interface Chunk {
  readonly id: string
  readonly artifact: Artifact
  readonly text: string
  readonly symbols: readonly CodeSymbol[]
}

interface Scored {
  readonly chunk: Chunk
  readonly at: number
  readonly score: ChunkScore
  readonly model: ModelScore | undefined
  readonly depth: number | undefined
}

/** The artifacts that the filters let through. */
function admit(
  artifacts: readonly Artifact[],
  filters: ChunkFilters,
  graph: RepositoryGraph | undefined,
  warnings: string[],
): readonly Artifact[] {
  const { updatedAfter } = filters
  const wanted = (list: readonly string[] | undefined) =>
    list?.length ? new Set(list.map((each) => each.toLowerCase())) : undefined
  const [subsystems, types, namespaces, tags] = [
    wanted(filters.subsystems),
    wanted(filters.artifactTypes),
    wanted(filters.namespaces),
    wanted(filters.tags),
  ]
  const has = (set: ReadonlySet<string> | undefined, values: readonly string[]): boolean =>
    set === undefined || values.some((value) => set.has(value.toLowerCase()))
  let undated = false
  const admitted = artifacts.filter((artifact) => {
    if (!has(types, [artifact.type]) || !has(namespaces, [artifact.namespace])) return false
    if (!has(tags, artifact.tags)) return false
    if (subsystems && !has(subsystems, subsystemNames(artifact, graph))) return false
    if (symbolsWanted(filters) && !artifact.symbols.some((each) => fits(each, artifact, filters))) {
      return false
    }
    if (updatedAfter === undefined) return true
    if (artifact.committedAt === undefined) undated = true
    return artifact.committedAt !== undefined && artifact.committedAt >= updatedAfter
  })
  if (undated) warnings.push('recency filter skipped results lacking timestamps')
  return admitted
}

/** By these a file without a subsystem of its own says what it is about. */
const ABOUT: ReadonlySet<string> = new Set(['EXERCISES', 'MENTIONS', 'LINKS_TO', 'IMPORTS'])

/**
 * Its own, else the one that those files belong to which it names: what names files of several is
 * about none of them, and being named by others says nothing.
 */
function subsystemNames(
  { subsystem, type, path }: Artifact,
  graph: RepositoryGraph | undefined,
): readonly string[] {
  if (subsystem !== undefined) return [subsystem]
  const node = graph?.find(LABEL_OF[type], path)
  if (!graph || node === undefined) return []
  const names = new Set(
    graph
      .edgesOf(node, 'out')
      .filter((edge) => ABOUT.has(edge.type))
      .map((edge) => graph.nodes[edge.node]!.properties['subsystem'])
      .filter((name) => typeof name === 'string'),
  )
  return names.size === 1 ? [...names] : []
}

function symbolsWanted({ symbols, symbolKinds, symbolLanguages }: ChunkFilters): boolean {
  return Boolean(symbols?.length || symbolKinds?.length || symbolLanguages?.length)
}

/** One symbol must meet all that is asked of symbols. */
function fits(
  { qualifiedName, kind }: CodeSymbol,
  { language }: Artifact,
  { symbols = [], symbolKinds = [], symbolLanguages = [] }: ChunkFilters,
): boolean {
  const is = (list: readonly string[], value: string): boolean =>
    list.length === 0 || list.some((each) => each.toLowerCase() === value.toLowerCase())
  return is(symbols, qualifiedName) && is(symbolKinds, kind) && is(symbolLanguages, language ?? '')
}

/** The best files first; where words and meaning find too few, others fill the page. */
async function chooseFiles(
  repository: Repository,
  admitted: readonly Artifact[],
  byDoc: ReadonlyMap<number, Artifact>,
  { query }: ChunkQuery,
): Promise<readonly Artifact[]> {
  const filled = admitted.filter(({ chunks }) => chunks > 0)
  if (filled.length === 0) return []
  const filter = docSet(Uint32Array.from(filled, ({ doc }) => doc))
  const { hits } = await rankDocuments(repository.view, query, { limit: CANDIDATE_FILES, filter })
  const found = hits.flatMap(({ doc }) => byDoc.get(doc) ?? [])
  const known = new Set(found)
  const others = filled.filter((artifact) => !known.has(artifact))
  return [...found, ...others.slice(0, CANDIDATE_FILES - found.length)]
}

async function readChunks(
  { view, source, windows }: Repository,
  files: readonly Artifact[],
  filters: ChunkFilters,
): Promise<readonly Chunk[]> {
  const contents = (await view.sources.get(source)?.read(files.map(({ path }) => path))) ?? []
  const chunks: Chunk[] = []
  for (const [at, content] of contents.entries()) {
    const artifact = files[at]!
    if (content.kind !== 'text') continue
    const text = view.showsSecrets ? content.text : redactedText(content, artifact)
    const lineStarts = lineStartsOf(text)
    for (const [number, { start, end }] of windowsOf(text, windows).entries()) {
      const [first, last] = [
        lineAt(lineStarts, start),
        lineAt(lineStarts, Math.max(start, end - 1)),
      ]
      const symbols = artifact.symbols.filter(
        ({ lineStart, lineEnd }) => lineStart <= last && lineEnd >= first,
      )
      if (symbolsWanted(filters) && !symbols.some((each) => fits(each, artifact, filters))) continue
      const id = chunkId(artifact.path, number)
      chunks.push({ id, artifact, text: text.slice(start, end), symbols })
      if (chunks.length === MOST_CHUNKS) return chunks
    }
  }
  return chunks
}

const RELATING = new Set(['DESCRIBES', 'VALIDATES'])

/**
 * What describes or validates it, or what it describes or validates. Documents and tests are
 * attached to subsystems, so those of its subsystem count for a file too.
 */
function relatedArtifacts(graph: RepositoryGraph, { type, path }: Artifact): RelatedArtifact[] {
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

function contextOf(
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

const DEEPEST = 4
/** Over these a file comes to its subsystem, or to one that it shares with a neighbour. */
const LEADING: ReadonlySet<string> = new Set([...ATTACHING, 'HAS_CHUNK'])

/** The least hops to any subsystem; undefined where none is that near. */
function pathDepth(graph: RepositoryGraph, { type, path }: Artifact): number | undefined {
  const start = graph.find(LABEL_OF[type], path)
  if (start === undefined) return undefined
  const seen = new Set([start])
  let edge = [start]
  for (let depth = 1; depth <= DEEPEST; depth++) {
    const next: number[] = []
    for (const node of edge) {
      for (const each of graph.edgesOf(node, 'both')) {
        if (!LEADING.has(each.type) || seen.has(each.node)) continue
        if (graph.nodes[each.node]!.label === 'Subsystem') return depth
        seen.add(each.node)
        next.push(each.node)
      }
    }
    edge = next
  }
  return undefined
}

function freshness({ committedAt }: Artifact, now: number): number | undefined {
  return committedAt === undefined ? undefined : Math.max(0, (now - committedAt) / 86_400)
}
