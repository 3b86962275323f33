/** Nodes, chunks, runs and reports in the words of this surface. */
import type { CodeSymbol } from '../../core/domain/code.ts'
import { coverageRatio, symbolId } from '../../core/operations/repository/model.ts'
import type { Artifact } from '../../core/operations/repository/model.ts'
import type { CoveredArtifact, CoverageReport } from './operations/report-coverage.ts'
import type { LifecycleReport } from '../../core/operations/repository/report-lifecycle.ts'
import type { GraphNode } from '../../core/operations/repository/repository-graph.ts'
import type { RunRecord, RunSummary } from './operations/run-ingest.ts'
import type { GraphContext } from './operations/graph-context.ts'
import type { ChunkHit } from './operations/search-chunks.ts'
import type { NodeReport, SubsystemReport } from './operations/walk-repository.ts'
import { editorUri } from './editor-uri.ts'
import { nodeId } from './ids.ts'
import type { DuskmantleSettings } from './settings.ts'

type Wire = Readonly<Record<string, unknown>>

export function presentNode(node: GraphNode): Wire {
  return {
    id: nodeId(node),
    labels: [node.label],
    properties: Object.fromEntries(
      Object.entries(node.properties).map(([name, value]) => [name, value ?? null]),
    ),
  }
}

/** A node that something else is joined to: what it is called, and where it belongs. */
function presentNeighbour({ label, key, properties }: GraphNode): Wire {
  const { path, name, kind, subsystem } = properties
  const called = label === 'Symbol' ? { name, kind } : path === undefined ? { name } : { path }
  return {
    id: nodeId({ label, key }),
    labels: [label],
    properties: { ...called, ...(subsystem !== undefined && { subsystem }) },
  }
}

export function presentNodeReport({ node, relationships, total }: NodeReport): Wire {
  return {
    node: presentNode(node),
    relationships: relationships.map(({ type, direction, target }) => ({
      type,
      direction,
      target: presentNeighbour(target),
    })),
    ...(total > relationships.length && { relationships_total: total }),
  }
}

export function presentSubsystem(
  { subsystem, related, total, artifacts, attached }: SubsystemReport,
  cursor: string | null,
): Wire {
  return {
    subsystem: presentNode(subsystem),
    related: {
      nodes: related.map(({ target, hops, path }) => ({
        target: presentNeighbour(target),
        relationship: path[0]?.type ?? null,
        direction: path[0]?.direction ?? null,
        hops,
        path: path.map(({ type, direction, source, target: end }) => ({
          type,
          direction,
          source: nodeId(source),
          target: nodeId(end),
        })),
      })),
      cursor,
      total,
    },
    // All are of this subsystem.
    artifacts: artifacts.map(({ properties, ...node }) =>
      presentNeighbour({ ...node, properties: { ...properties, subsystem: undefined } }),
    ),
    ...(artifacts.length > 0 && attached > artifacts.length && { artifact_total: attached }),
  }
}

/** So many symbols of a chunk are shown; all are counted. */
const MOST_SYMBOLS = 5
/** So many characters of tags are shown with every chunk of a file. */
const MOST_TAG_CHARACTERS = 2_000

/** The first tags of a file, as many as there is room for. */
export function shownTags({ tags }: Pick<Artifact, 'tags'>): readonly string[] {
  let room = MOST_TAG_CHARACTERS
  const end = tags.findIndex((tag) => (room -= tag.length) < 0)
  return end < 0 ? tags : tags.slice(0, end)
}

export function presentHit(
  hit: ChunkHit,
  settings: Pick<DuskmantleSettings, 'symbols' | 'editorUriTemplate'>,
  root: string,
): Wire {
  const { artifact, score, model, symbols } = hit
  const { vector, lexical, weightedVector, weightedLexical, adjusted, signals } = score
  const tags = shownTags(artifact)
  return {
    chunk: {
      chunk_id: hit.id,
      artifact_path: artifact.path,
      artifact_type: artifact.type,
      subsystem: artifact.subsystem ?? null,
      namespace: artifact.namespace,
      tags,
      ...(tags.length < artifact.tags.length && { tag_count: artifact.tags.length }),
      text: hit.text,
      coverage_missing: coverageRatio(artifact) === 0,
      score: vector,
      subsystem_criticality: artifact.criticality ?? null,
      coverage_ratio: coverageRatio(artifact),
      git_timestamp: artifact.committedAt ?? null,
      ...(settings.symbols &&
        symbols.length > 0 && {
          symbols: ordered(symbols)
            .slice(0, MOST_SYMBOLS)
            .map((symbol) => presentSymbol(symbol, artifact, settings.editorUriTemplate, root)),
          symbol_count: symbols.length,
        }),
    },
    graph_context: hit.context ? presentContext(hit.context) : null,
    scoring: {
      vector_score: vector,
      lexical_score: lexical,
      weighted_vector_score: weightedVector,
      weighted_lexical_score: weightedLexical,
      adjusted_score: adjusted,
      mode: model ? 'ml' : 'heuristic',
      signals: {
        subsystem_affinity: signals.subsystemAffinity,
        relationship_count: signals.relationshipCount,
        supporting_bonus: signals.supportingBonus,
        coverage_missing: coverageRatio(artifact) === 0 ? 1 : 0,
        coverage_ratio: coverageRatio(artifact),
        criticality_score: signals.criticalityScore,
        coverage_penalty: signals.coveragePenalty,
        path_depth: hit.pathDepth ?? null,
        freshness_days: hit.freshnessDays ?? null,
      },
      ...(model && { model }),
    },
  }
}

/** What is defined here tells more than the file that it is in. */
function ordered(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  return symbols.toSorted((a, b) => Number(a.kind === 'module') - Number(b.kind === 'module'))
}

function presentSymbol(
  symbol: CodeSymbol,
  { path, language }: Artifact,
  template: string | undefined,
  root: string,
): Wire {
  const uri = template === undefined ? undefined : editorUri(template, { path, root, symbol })
  return {
    id: symbolId(path, symbol),
    name: symbol.name,
    qualified_name: symbol.qualifiedName,
    kind: symbol.kind,
    language: language ?? null,
    line_start: symbol.lineStart,
    line_end: symbol.lineEnd,
    ...(uri !== undefined && { editor_uri: uri }),
  }
}

function presentContext({
  node,
  relationships,
  neighborSubsystems,
  related,
  shownWith,
}: GraphContext): Wire {
  return {
    primary_node: shownWith === undefined ? presentNode(node) : presentNeighbour(node),
    relationships: relationships.map(({ type, direction, target }) => ({
      type,
      direction,
      target: presentNeighbour(target),
    })),
    neighbor_subsystems: neighborSubsystems,
    related_artifacts: related.map((each) => ({
      id: nodeId(each.node),
      relationship: each.relationship,
    })),
    ...(shownWith !== undefined && { shown_with: shownWith }),
  }
}

export function presentWeights({
  weights: { vector, lexical, coveragePenalty, ...weights },
  weightProfile,
}: Pick<DuskmantleSettings, 'weights' | 'weightProfile'>): Wire {
  return {
    weight_profile: weightProfile,
    weights: { ...weights, coverage_penalty: coveragePenalty },
    hybrid_weights: { vector, lexical },
  }
}

export function presentRun(run: RunRecord): Wire {
  const flat = {
    run_id: run.runId,
    profile: run.profile,
    started_at: run.startedAt,
    duration_seconds: run.durationSeconds,
    success: run.success,
    artifact_counts: run.artifactCounts,
    chunk_count: run.chunks,
    chunks_written: run.chunksWritten,
    repo_head: run.head ?? null,
  }
  const artifact_count = Object.values(run.artifactCounts).reduce((sum, count) => sum + count, 0)
  const error = run.error === undefined ? {} : { error: run.error }
  const all = { ...flat, ...error }
  return { ...all, run: { ...all, artifact_count, created_at: run.createdAt } }
}

export function presentCoverage(
  { run, artifacts, counts, chunks, missing, removed, leftOut }: CoverageReport,
  { now, include }: { readonly now: number; readonly include: readonly string[] },
): Wire {
  return {
    ...generated(now, run),
    include_patterns: include,
    summary: {
      artifact_total: artifacts.length,
      artifact_breakdown: counts,
      chunk_count: chunks,
    },
    artifacts: artifacts.map(presentArtifact),
    missing_artifacts: missing.map(presentArtifact),
    removed_artifacts: removed.map(presentRemoved),
    left_out: { files: leftOut.files, by_rule: leftOut.byRule },
  }
}

function presentArtifact(artifact: CoveredArtifact): Wire {
  return {
    path: artifact.path,
    artifact_type: artifact.type,
    subsystem: artifact.subsystem ?? null,
    chunk_count: artifact.chunks,
    git_commit: artifact.commit ?? null,
    git_timestamp: artifact.committedAt ?? null,
    subsystem_criticality: artifact.criticality ?? null,
    coverage_ratio: coverageRatio(artifact),
    content_digest: artifact.digest,
    skipped: artifact.skipped,
  }
}

function presentRemoved({
  path,
  artifactType,
  subsystem,
  digest,
  status,
}: CoverageReport['removed'][number]): Wire {
  return { path, artifact_type: artifactType, subsystem: subsystem ?? null, digest, status }
}

export function presentLifecycle(
  { staleDays, isolated, staleDocs, missingTests }: LifecycleReport,
  { run, removed }: Pick<CoverageReport, 'run' | 'removed'>,
  now: number,
): Wire {
  const loose = Object.entries(isolated)
  return {
    ...generated(now, run),
    thresholds: { stale_days: staleDays },
    isolated: Object.fromEntries(
      loose.map(([label, nodes]) => [
        label,
        nodes.map(({ key, path, name }) => ({
          id: `${label}:${key}`,
          path: path ?? null,
          name: name ?? null,
        })),
      ]),
    ),
    stale_docs: staleDocs.map(({ path, subsystem, committedAt }) => ({
      path,
      subsystem: subsystem ?? null,
      git_timestamp: committedAt ?? null,
    })),
    missing_tests: missingTests.map(({ subsystem, sourceFiles, testCases }) => ({
      subsystem,
      source_files: sourceFiles,
      test_cases: testCases,
    })),
    removed_artifacts: removed.map(presentRemoved),
    summary: {
      stale_docs: staleDocs.length,
      isolated_nodes: loose.reduce((sum, [, nodes]) => sum + nodes.length, 0),
      subsystems_missing_tests: missingTests.length,
      removed_artifacts: removed.length,
    },
  }
}

function generated(now: number, { runId, profile, head }: RunSummary): Wire {
  return {
    generated_at: now,
    generated_at_iso: new Date(now * 1000).toISOString(),
    run: { run_id: runId, profile, repo_head: head ?? null },
  }
}
