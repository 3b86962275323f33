/** What was read of a repository, what has nothing to find in it, and what is gone. */
import { coverageRatio } from './model.ts'
import type { Artifact, RepositoryModel } from './model.ts'
import type { Ledger, RemovedArtifact, RunSummary } from '../../history/run-records.ts'

export interface CoveredArtifact extends Artifact {
  /** Unchanged since the run before. */
  readonly skipped: boolean
}

export interface CoverageReport {
  readonly run: RunSummary
  readonly artifacts: readonly CoveredArtifact[]
  readonly counts: Readonly<Record<string, number>>
  readonly chunks: number
  /** Chunks of what is new or changed. */
  readonly chunksWritten: number
  readonly missing: readonly CoveredArtifact[]
  readonly removed: readonly RemovedArtifact[]
}

export function coverageOf(
  { artifacts }: RepositoryModel,
  before: Ledger,
  run: RunSummary,
  { dryRun, incremental = true }: { readonly dryRun: boolean; readonly incremental?: boolean },
): CoverageReport {
  const covered = artifacts.map((artifact) => ({
    ...artifact,
    skipped: incremental && before.artifacts[artifact.path]?.digest === artifact.digest,
  }))
  const present = new Set(artifacts.map(({ path }) => path))
  return {
    run,
    artifacts: covered,
    counts: countTypes(covered),
    chunks: sum(covered),
    chunksWritten: sum(covered.filter(({ skipped }) => !skipped)),
    missing: covered.filter((artifact) => coverageRatio(artifact) === 0),
    removed: Object.entries(before.artifacts)
      .filter(([path]) => !present.has(path))
      .map(([path, { artifactType, subsystem, digest }]) => ({
        path,
        artifactType,
        subsystem,
        digest,
        status: dryRun ? 'dry-run' : 'deleted',
      })),
  }
}

export function countTypes(artifacts: readonly Pick<Artifact, 'type'>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of artifacts) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

function sum(artifacts: readonly Pick<Artifact, 'chunks'>[]): number {
  return artifacts.reduce((total, { chunks }) => total + chunks, 0)
}
