/**
 * Which chunks of a repository answer a question? Filters come first, then the base's own ranking
 * chooses the files and tells how close their passages are, and the formula of the contract puts the
 * windows of these files in order.
 */
import type { CodeSymbol } from '../../../core/domain/code.ts'
import { compareIds } from '../../../core/domain/document.ts'
import type { DocNo } from '../../../core/domain/document.ts'
import { inSlices } from '../../../core/kit/slices.ts'
import { readDocuments } from '../../../core/operations/reading/read-document.ts'
import type { LiveDocument } from '../../../core/operations/reading/read-document.ts'
import { rankDocuments } from '../../../core/operations/searching/rank-documents.ts'
import { stretchSimilarity } from '../../../core/operations/searching/stretch-similarity.ts'
import { lineAt, lineStartsOf } from '../../../core/parsing/lines.ts'
import { chunkId, coverageRatio } from '../../../core/operations/repository/model.ts'
import type { Artifact } from '../../../core/operations/repository/model.ts'
import type { Repository } from '../../../core/operations/repository/open-repository.ts'
import type { RepositoryGraph } from '../../../core/operations/repository/repository-graph.ts'
import { windowsOf } from '../../../core/operations/repository/windows.ts'
import { docSet } from '../../../core/search/doc-set.ts'
import { admitArtifacts, fits, symbolsWanted } from './chunk-filters.ts'
import type { ChunkFilters } from './chunk-filters.ts'
import { dummySimilarity } from './dummy-vectors.ts'
import { contextOf, pathDepth, relatedArtifacts } from './graph-context.ts'
import type { GraphContext } from './graph-context.ts'
import { scoreByModel } from './ranking-model.ts'
import type { ModelScore, RankingModel } from './ranking-model.ts'
import { scoreChunk } from './score-chunk.ts'
import type { ChunkScore, Weights } from './score-chunk.ts'

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
  /** Whether vectors without meaning take the place of the base's own. */
  readonly dummies: boolean
  /** Seconds since the epoch. */
  readonly now: number
}

export interface ChunkHit extends Chunk {
  readonly score: ChunkScore
  readonly model: ModelScore | undefined
  readonly context: GraphContext | undefined
  readonly pathDepth: number | undefined
  readonly freshnessDays: number | undefined
}

interface Chunk {
  readonly id: string
  readonly artifact: Artifact
  readonly text: string
  /** Symbols whose lines the chunk shows. */
  readonly symbols: readonly CodeSymbol[]
  /** The window that it is. */
  readonly live: LiveDocument
  readonly start: number
  readonly end: number
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
const TOO_LATE = 'graph context skipped after exceeding time budget'
const TOO_MANY = `graph context limited to first ${MOST_ENRICHED} results`

export async function searchChunks(
  repository: Repository,
  graph: RepositoryGraph | undefined,
  asked: ChunkQuery,
): Promise<ChunkAnswer> {
  const { artifacts, byDoc } = await repository.model()
  const warnings: string[] = []
  const admitted = admitArtifacts(artifacts, asked.filters, graph, warnings)
  if (asked.graph && !graph) warnings.push('Graph context unavailable')
  const shown = asked.graph ? graph : undefined
  const lives = await readDocuments(
    repository.view,
    await chooseFiles(repository, admitted, asked.query),
  )
  const similarity = asked.dummies
    ? dummySimilarity(asked.query)
    : await stretchSimilarity(repository.view, asked.query, lives)
  const chunks = lives.flatMap((live) => chunksOf(live, byDoc, repository, asked.filters))
  const around = new Map(shown && artifactsOf(chunks).map((each) => [each, surround(shown, each)]))
  const score = (chunk: Chunk, vector: number, graphCounts: boolean): ChunkHit => {
    const { artifact } = chunk
    const { related = undefined, depth = undefined } = (graphCounts && around.get(artifact)) || {}
    const own = scoreChunk(
      {
        text: chunk.text,
        query: asked.query,
        vectorScore: vector,
        subsystem: artifact.subsystem,
        criticality: artifact.criticality,
        coverageRatio: coverageRatio(artifact),
        related: related?.map(({ node }) => node.label),
      },
      asked.weights,
    )
    const model =
      asked.model &&
      scoreByModel(asked.model, {
        score: own,
        coverageRatio: coverageRatio(artifact),
        pathDepth: depth,
        withGraph: related !== undefined,
        graphIncluded: shown !== undefined,
        warnings: warnings.length,
      })
    return {
      ...chunk,
      score: { ...own, adjusted: model?.score ?? own.adjusted },
      model,
      context: undefined,
      pathDepth: depth,
      freshnessDays: freshness(artifact, asked.now),
    }
  }
  const byRank = (a: ChunkHit, b: ChunkHit): number =>
    (asked.sortByVector ? b.score.vector - a.score.vector : b.score.adjusted - a.score.adjusted) ||
    compareIds(a.id, b.id)
  const scored = await inSlices(chunks.slice(0, MOST_CHUNKS), (chunk) =>
    score(chunk, similarity(chunk.live, chunk.start, chunk.end), true),
  )
  const page = scored.toSorted(byRank).slice(0, asked.limit)
  if (!shown) return { hits: page, warnings }

  const started = performance.now()
  const told = new Map<Artifact, string>()
  const enriched = page.map((hit, place): ChunkHit => {
    const late = performance.now() - started > ENRICH_MS
    if (late || place >= MOST_ENRICHED) {
      const why = place < MOST_ENRICHED ? TOO_LATE : TOO_MANY
      if (!warnings.includes(why)) warnings.push(why)
      return score(hit, hit.score.vector, false)
    }
    const context = contextOf(shown, hit.artifact, around.get(hit.artifact)!.related)
    const shownWith = told.get(hit.artifact)
    if (shownWith === undefined) told.set(hit.artifact, hit.id)
    if (!context || shownWith === undefined) return { ...hit, context }
    return { ...hit, context: { ...context, relationships: [], related: [], shownWith } }
  })
  return { hits: enriched.toSorted(byRank), warnings }
}

function artifactsOf(chunks: readonly Chunk[]): readonly Artifact[] {
  return [...new Set(chunks.map(({ artifact }) => artifact))]
}

function surround(graph: RepositoryGraph, artifact: Artifact) {
  return { related: relatedArtifacts(graph, artifact), depth: pathDepth(graph, artifact) }
}

/** The best files first; where words and meaning find too few, others fill the page. */
async function chooseFiles(
  { view }: Repository,
  admitted: readonly Artifact[],
  query: string,
): Promise<readonly DocNo[]> {
  const filled = admitted.filter(({ chunks }) => chunks > 0).map(({ doc }) => doc)
  if (filled.length === 0) return []
  const filter = docSet(Uint32Array.from(filled))
  const { hits } = await rankDocuments(view, query, { limit: CANDIDATE_FILES, filter })
  const files = new Set([...hits.map(({ doc }) => doc), ...filled.slice(0, CANDIDATE_FILES)])
  return [...files].slice(0, CANDIDATE_FILES)
}

/** The windows of a file that the filters let through. */
function chunksOf(
  live: LiveDocument,
  byDoc: ReadonlyMap<DocNo, Artifact>,
  { windows }: Repository,
  filters: ChunkFilters,
): readonly Chunk[] {
  const artifact = byDoc.get(live.record.no)
  if (!artifact) return []
  const { text } = live
  const lineStarts = lineStartsOf(text)
  const wanted = symbolsWanted(filters)
  return windowsOf(text, windows).flatMap(({ start, end }, number) => {
    const first = lineAt(lineStarts, start)
    const last = lineAt(lineStarts, Math.max(start, end - 1))
    const symbols = artifact.symbols.filter(
      ({ lineStart, lineEnd }) => lineStart <= last && lineEnd >= first,
    )
    if (wanted && !symbols.some((each) => fits(each, artifact, filters))) return []
    const id = chunkId(artifact.path, number)
    return [{ id, artifact, text: text.slice(start, end), symbols, live, start, end }]
  })
}

function freshness({ committedAt }: Artifact, now: number): number | undefined {
  return committedAt === undefined ? undefined : Math.max(0, (now - committedAt) / 86_400)
}
