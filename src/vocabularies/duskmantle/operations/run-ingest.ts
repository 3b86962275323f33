/**
 * Brings everything that is known of a repository up to date, and says what became of it. One run
 * at a time; a run that fails is recorded as well, and one that only tries writes nothing.
 */
import { randomBytes } from 'node:crypto'
import { KnowledgeError, upstream } from '../../../core/domain/error.ts'
import type { Ledger, RunRecord, RunRecords } from '../../../core/history/run-records.ts'
import { awaitIndex } from '../../../core/operations/view/await-index.ts'
import { putIntoIndex } from '../../../core/operations/writing/put-into-index.ts'
import { coverageRatio } from '../../../core/operations/repository/model.ts'
import type { RepositoryModel } from '../../../core/operations/repository/model.ts'
import type { Repository } from '../../../core/operations/repository/open-repository.ts'
import { coverageOf, leftOutOf } from './report-coverage.ts'
import type { CoverageReport, LeftOutFiles } from './report-coverage.ts'
import { lifecycleOf } from '../../../core/operations/repository/report-lifecycle.ts'
import type { LifecycleReport } from '../../../core/operations/repository/report-lifecycle.ts'

export type { RunRecord, RunRecords, RunSummary } from '../../../core/history/run-records.ts'

export interface IngestOptions {
  readonly profile: string
  readonly dryRun: boolean
  readonly dummyEmbeddings: boolean
  /** Whether what has not changed since the last run counts as skipped; so unless said. */
  readonly incremental?: boolean
  readonly staleDays: number
  readonly progress?: (done: number, total: number, message: string) => void
  readonly signal?: AbortSignal
  /** Puts the reports into the words they are kept in. */
  readonly render: (reports: IngestReports) => {
    readonly coverage: Readonly<Record<string, unknown>>
    readonly lifecycle: Readonly<Record<string, unknown>>
  }
}

export interface IngestReports {
  readonly run: RunRecord
  readonly coverage: CoverageReport
  readonly lifecycle: LifecycleReport
}

export interface IngestOutcome {
  readonly run: RunRecord
  readonly warnings: readonly string[]
}

/** Reading a large repository for the first time takes this long at the most. */
const WAIT_MS = 600_000

export async function runIngest(
  repository: Repository,
  records: RunRecords,
  options: IngestOptions,
): Promise<IngestOutcome> {
  const unlock = records.lock()
  if (!unlock) throw alreadyRunning()
  const started = performance.now()
  const startedAt = Math.floor(Date.now() / 1000)
  const summary = { runId: randomBytes(16).toString('hex'), profile: options.profile }
  const finish = (rest: Partial<RunRecord>): RunRecord => ({
    ...summary,
    head: undefined,
    startedAt,
    durationSeconds: Number(((performance.now() - started) / 1000).toFixed(3)),
    success: true,
    artifactCounts: {},
    chunks: 0,
    chunksWritten: 0,
    createdAt: Math.floor(Date.now() / 1000),
    ...rest,
  })
  try {
    const before = records.ledger()
    const leftOut = await settle(repository, options)
    options.progress?.(2, 4, 'putting the graph together')
    const model = await repository.model()
    const head = model.head
    const coverage = coverageOf(model, before, { ...summary, head }, { ...options, leftOut })
    const links = await repository.view.links()
    const lifecycle = lifecycleOf(model, links, { staleDays: options.staleDays, now: startedAt })
    const { counts: artifactCounts, chunks, chunksWritten } = coverage
    const run = finish({ head, artifactCounts, chunks, chunksWritten })
    options.signal?.throwIfAborted()
    if (!options.dryRun) {
      options.progress?.(3, 4, 'writing reports')
      const rendered = options.render({ run, coverage, lifecycle })
      records.putLedger(ledgerOf(model, startedAt, options))
      records.putReport('coverage', rendered.coverage)
      records.putReport('lifecycle', rendered.lifecycle)
      records.addRun(run)
    }
    options.progress?.(4, 4, 'done')
    return { run, warnings: model.warnings }
  } catch (error) {
    const known = error instanceof KnowledgeError
    const run = finish({
      success: false,
      error: known ? error.message : 'Something went wrong inside the server.',
    })
    if (!options.dryRun) records.addRun(run)
    if (!known) throw error
    return { run, warnings: [] }
  } finally {
    unlock()
  }
}

/** Looks through the files now, and puts into the index what nobody has put there yet. */
async function settle(repository: Repository, options: IngestOptions): Promise<LeftOutFiles> {
  const { view, source } = repository
  options.progress?.(0, 4, 'waiting for the index')
  await awaitIndex(view, WAIT_MS)
  options.progress?.(1, 4, 'looking through the files')
  const place = view.sources.get(source)
  if (!place) return { files: [], byRule: {} }
  const scan = await place.scan()
  const { files, skipped } = scan
  if (options.dryRun) return leftOutOf(scan, await view.base.store.files(source), repository)
  const known = new Map((await view.base.store.files(source)).map((file) => [file.path, file]))
  const stale = files.filter(({ path, size, modifiedAt }) => {
    const record = known.get(path)
    return !record || record.size !== size || record.modifiedAt !== modifiedAt
  })
  const present = new Set([...files, ...skipped].map(({ path }) => path))
  const gone = [...known.values()].filter(
    ({ path, doc }) => doc !== undefined && !present.has(path),
  )
  const places = [...stale, ...gone].map(({ path }) => ({ source, path }))
  for (let at = 0; at < places.length; at += BATCH) {
    options.signal?.throwIfAborted()
    await putIntoIndex(view, places.slice(at, at + BATCH))
  }
  return leftOutOf(scan, await view.base.store.files(source), repository)
}

const BATCH = 500

function ledgerOf(
  { artifacts }: RepositoryModel,
  now: number,
  { dummyEmbeddings }: Pick<IngestOptions, 'dummyEmbeddings'>,
): Ledger {
  return {
    updatedAt: now,
    ...(dummyEmbeddings && { dummyEmbeddings }),
    artifacts: Object.fromEntries(
      artifacts.map((artifact) => [
        artifact.path,
        {
          artifactType: artifact.type,
          subsystem: artifact.subsystem,
          digest: artifact.digest,
          commit: artifact.commit,
          committedAt: artifact.committedAt,
          chunks: artifact.chunks,
          coverageRatio: coverageRatio(artifact),
          lastSeen: now,
        },
      ]),
    ),
  }
}

function alreadyRunning(): KnowledgeError {
  return upstream(
    'An ingestion is already running.',
    'Wait until it is over; km-ingest-status tells.',
  )
}
