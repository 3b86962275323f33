/** What was read of a repository, what has nothing to find in it, and what is gone. */
import { compareIds } from '../../../core/domain/document.ts'
import type { FileRecord } from '../../../core/domain/document.ts'
import type { Scan } from '../../../core/domain/source.ts'
import type { Repository } from '../../../core/operations/repository/open-repository.ts'
import { coverageRatio } from '../../../core/operations/repository/model.ts'
import type { Artifact, RepositoryModel } from '../../../core/operations/repository/model.ts'
import type { Ledger, RemovedArtifact, RunSummary } from '../../../core/history/run-records.ts'

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
  /** What lies below the root and is no artifact. */
  readonly leftOut: LeftOutFiles
}

export interface LeftOutFiles {
  readonly files: readonly { readonly path: string; readonly reason: string }[]
  /** What is known by its number alone: hidden files, those that an ignore file names. */
  readonly byRule: Readonly<Record<string, number>>
}

/** Files and folders with the reason, in the order of their paths. */
export function leftOutOf(
  { files, skipped, leftOut }: Scan,
  known: readonly FileRecord[],
  { whyNot }: Pick<Repository, 'whyNot'>,
): LeftOutFiles {
  const unread = (leftOut?.unread ?? []).map((path) => ({ path, reason: 'no text that is read' }))
  // What is in a file is known only since it was read.
  const refused = known.flatMap(({ path, doc, reason }) =>
    doc === undefined && reason !== undefined ? [{ path, reason }] : [],
  )
  const named = [...refused, ...skipped, ...unread].map(
    ({ path, reason }) => whyNot(path) ?? { path, reason },
  )
  const unseen = files.flatMap(({ path }) => whyNot(path) ?? [])
  const byPath = new Map([...named, ...unseen].map((each) => [each.path, each]))
  return {
    files: [...byPath.values()]
      .map(({ path, reason }) => ({ path, reason }))
      .toSorted((a, b) => compareIds(a.path, b.path)),
    byRule: leftOut?.rules ?? {},
  }
}

export function coverageOf(
  { artifacts }: RepositoryModel,
  before: Ledger,
  run: RunSummary,
  {
    dryRun,
    incremental = true,
    leftOut,
  }: {
    readonly dryRun: boolean
    readonly incremental?: boolean
    readonly leftOut: LeftOutFiles
  },
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
    leftOut,
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
