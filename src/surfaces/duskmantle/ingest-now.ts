/** Looks through the repository now and writes its reports in the words of this surface. */
import { runIngest } from '../../operations/repository/run-ingest.ts'
import type { IngestOutcome } from '../../operations/repository/run-ingest.ts'
import type { CallContext } from '../surface.ts'
import { presentCoverage, presentLifecycle } from './present.ts'
import type { Duskmantle } from './subject.ts'

export interface IngestRequest {
  readonly profile?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly dummyEmbeddings?: boolean | undefined
}

/** What is not asked for is as the settings say. */
export function ingestNow(
  { repository, records, settings }: Pick<Duskmantle, 'repository' | 'records' | 'settings'>,
  { profile, dryRun, dummyEmbeddings }: IngestRequest,
  { progress, signal }: Pick<CallContext, 'progress' | 'signal'>,
): Promise<IngestOutcome> {
  const now = Math.floor(Date.now() / 1000)
  return runIngest(repository, records, {
    profile: profile?.trim() || settings.defaultProfile,
    dryRun: dryRun ?? settings.dryRun,
    dummyEmbeddings: dummyEmbeddings ?? settings.dummyEmbeddings,
    incremental: settings.incremental,
    staleDays: settings.staleDays,
    progress,
    signal,
    render: ({ coverage, lifecycle }) => ({
      coverage: presentCoverage(coverage, { now, include: settings.include }),
      lifecycle: presentLifecycle(lifecycle, coverage, now),
    }),
  })
}
