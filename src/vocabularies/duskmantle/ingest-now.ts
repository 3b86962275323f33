/** Looks through the repository now and writes its reports in the words of this surface. */
import { invalid } from '../../core/domain/error.ts'
import { runIngest } from './operations/run-ingest.ts'
import type { IngestOutcome } from './operations/run-ingest.ts'
import type { CallContext } from '../../serve/door/surface.ts'
import { presentCoverage, presentLifecycle } from './present.ts'
import type { Duskmantle } from './subject.ts'

export interface IngestRequest {
  readonly profile?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly dummyEmbeddings?: boolean | undefined
}

const LONGEST_PROFILE = 200

/** What is not asked for is as the settings say. */
export function ingestNow(
  { repository, records, settings }: Pick<Duskmantle, 'repository' | 'records' | 'settings'>,
  { profile, dryRun, dummyEmbeddings }: IngestRequest,
  { progress, signal }: Pick<CallContext, 'progress' | 'signal'>,
): Promise<IngestOutcome> {
  const now = Math.floor(Date.now() / 1000)
  if (profile !== undefined && profile.length > LONGEST_PROFILE) {
    throw invalid(
      `The profile is longer than ${LONGEST_PROFILE} characters.`,
      'It is a label: a word or two will do.',
    )
  }
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
