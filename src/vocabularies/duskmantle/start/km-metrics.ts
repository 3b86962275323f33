/**
 * The numbers of the duskmantle surface, under the names its users' dashboards have. Labels come from
 * lists of ours, so that no caller can make up another series.
 */
import type { RunRecords } from '../../../core/history/run-records.ts'
import type { Observer } from '../../../serve/door/observer.ts'
import { counter, gauges, histogram } from '../../../serve/observers/prometheus.ts'
import { observeCalls } from '../telemetry.ts'
import type { CallReport, GraphLook } from '../telemetry.ts'
import { duskmantleTools } from '../tools.ts'

export interface KmMetrics extends Observer {
  call(report: CallReport): void
  graph(look: GraphLook): void
  /** Where the reports are, once the repository is open. */
  follow(facts: KmFacts): void
  text(): string
}

export interface KmFacts {
  readonly records: Pick<RunRecords, 'report' | 'runs'>
  readonly votes: () => readonly { readonly vote: number | null }[]
  readonly learns: () => boolean
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const DIFFERENCES = [-1, -0.5, -0.25, -0.1, 0, 0.1, 0.25, 0.5, 1, 2]
const CODES = [
  'invalid_request',
  'invalid_identifier',
  'not_found',
  'unauthorized',
  'forbidden',
  'upstream_error',
  'unsupported_operation',
  'recipe_not_found',
  'tool_failed',
  'assert_failed',
  'timeout',
]
const PROFILES = ['scheduled', 'manual', 'demo', 'local', 'release']
const RESULTS = ['success', 'error']
const SYMBOL_FILTERS = ['symbols', 'symbol_kinds', 'symbol_languages']
const SKIPPED: readonly (readonly [RegExp, string])[] = [
  [/limited to first/, 'limit'],
  [/time budget/, 'time_budget'],
  [/unavailable/i, 'unavailable'],
]

export function openKmMetrics(): KmMetrics {
  const names = duskmantleTools.map(({ name }) => name)
  const requests = counter('km_mcp_requests_total', 'Calls of km- tools.')
  const seconds = histogram('km_mcp_request_seconds', 'How long they took.', SECONDS)
  const failures = counter('km_mcp_failures_total', 'Those that failed, by code.')
  const uploads = counter('km_mcp_upload_total', 'Files that were taken in.')
  const texts = counter('km_mcp_storetext_total', 'Texts that were taken in.')
  const searches = counter('km_search_requests_total', 'Searches.')
  const symbolFilters = counter('km_search_symbol_filters_total', 'Filters on symbols.')
  const skipped = counter('km_search_graph_skipped_total', 'Results without graph context.')
  const lookups = histogram('km_search_graph_lookup_seconds', 'How long the graph took.', SECONDS)
  const cache = counter('km_search_graph_cache_events_total', 'Whether the graph was there.')
  const differences = histogram(
    'km_search_adjusted_minus_vector',
    'What signals added to the similarity.',
    DIFFERENCES,
  )
  const ingests = histogram('km_ingest_duration_seconds', 'How long ingestions took.', SECONDS)
  const ingestSkips = counter('km_ingest_skips_total', 'Ingestions that did not begin.')
  const resolved = counter('km_ingest_stale_resolved_total', 'Artifacts that were gone.')
  const backups = counter('km_backup_runs_total', 'Backups.')
  const backup = { at: 0, bytes: 0 }
  for (const tool of names) {
    for (const result of RESULTS) requests.add({ tool, result }, 0)
    seconds.begin({ tool })
  }
  for (const result of RESULTS) {
    for (const each of [uploads, texts, backups]) each.add({ result }, 0)
    searches.add({ status: result }, 0)
  }
  for (const filter_type of SYMBOL_FILTERS) symbolFilters.add({ filter_type }, 0)
  for (const [, reason] of SKIPPED) skipped.add({ reason }, 0)
  for (const status of ['hit', 'miss']) cache.add({ status }, 0)
  lookups.begin({})
  differences.begin({})
  ingestSkips.add({ reason: 'already_running' }, 0)
  resolved.add({}, 0)
  let facts: KmFacts | undefined

  const ofSearch = ({ error, payload, warnings }: CallReport): void => {
    searches.add({ status: error === undefined ? 'success' : 'error' })
    const { filters_applied: filters = {} } = (payload['metadata'] ?? {}) as {
      filters_applied?: object
    }
    for (const filter_type of SYMBOL_FILTERS) {
      if (filter_type in filters) symbolFilters.add({ filter_type })
    }
    for (const [pattern, reason] of SKIPPED) {
      if (warnings.some((warning) => pattern.test(warning))) skipped.add({ reason })
    }
    for (const { scoring } of (payload['results'] ?? []) as Scored[]) {
      differences.observe({}, scoring.adjusted_score - scoring.vector_score)
    }
  }
  const ofIngest = ({ error, payload }: CallReport): void => {
    if (error === 'upstream_error') ingestSkips.add({ reason: 'already_running' })
    if (error !== undefined) return
    const given = String(payload['profile'])
    const profile = PROFILES.includes(given) ? given : 'custom'
    const status = payload['success'] === true ? 'success' : 'failure'
    ingests.observe({ profile, status }, Number(payload['duration_seconds'] ?? 0))
    const removed = facts?.records.report('coverage')?.['removed_artifacts']
    if (Array.isArray(removed)) resolved.add({}, removed.length)
  }
  const ofBackup = ({ error, payload }: CallReport): void => {
    backups.add({ result: error === undefined ? 'success' : 'error' })
    if (error !== undefined) return
    backup.at = Math.floor(Date.now() / 1000)
    backup.bytes = Number(payload['size_bytes'] ?? 0)
  }
  const own: Readonly<Record<string, (report: CallReport) => void>> = {
    'km-search': ofSearch,
    'km-ingest-trigger': ofIngest,
    'km-backup-trigger': ofBackup,
    'km-upload': ({ error }) => uploads.add({ result: error === undefined ? 'success' : 'error' }),
    'km-storetext': ({ error }) => texts.add({ result: error === undefined ? 'success' : 'error' }),
  }

  const call = (report: CallReport): void => {
    const tool = report.tool ?? 'unknown'
    const result = report.error === undefined ? 'success' : 'error'
    requests.add({ tool, result })
    seconds.observe({ tool }, report.durationMs / 1000)
    if (report.error !== undefined) {
      failures.add({ tool, error: CODES.includes(report.error) ? report.error : 'other' })
    }
    own[tool]?.(report)
  }
  return {
    ...observeCalls(duskmantleTools, call),
    call,
    follow(given) {
      facts = given
    },
    graph({ hit, durationMs }) {
      cache.add({ status: hit ? 'hit' : 'miss' })
      lookups.observe({}, durationMs / 1000)
    },
    text: () =>
      [
        requests,
        seconds,
        failures,
        uploads,
        texts,
        searches,
        symbolFilters,
        skipped,
        lookups,
        cache,
        differences,
        ingests,
        ingestSkips,
        resolved,
        backups,
      ]
        .map((each) => each.text())
        .concat(gauges({ ...stateOf(facts), ...backupOf(backup) }))
        .join(''),
  }
}

interface Scored {
  readonly scoring: { readonly adjusted_score: number; readonly vector_score: number }
}

function backupOf({ at, bytes }: { at: number; bytes: number }) {
  return { km_backup_last_success_timestamp: at, km_backup_last_size_bytes: bytes }
}

/** As the newest reports and runs have it, whichever process wrote them. */
function stateOf(facts: KmFacts | undefined): Readonly<Record<string, number>> {
  const [run] = facts?.records.runs(undefined, 1) ?? []
  const summary = (name: 'coverage' | 'lifecycle'): Readonly<Record<string, unknown>> =>
    (facts?.records.report(name)?.['summary'] ?? {}) as Readonly<Record<string, unknown>>
  const length = (name: 'coverage' | 'lifecycle', list: string): number => {
    const value = facts?.records.report(name)?.[list]
    return Array.isArray(value) ? value.length : 0
  }
  const votes = facts?.votes() ?? []
  const lifecycle = summary('lifecycle')
  return {
    km_ingest_artifacts_total: Object.values(run?.artifactCounts ?? {}).reduce((a, b) => a + b, 0),
    km_ingest_chunks_total: run?.chunks ?? 0,
    km_ingest_last_run_status: run?.success ? 1 : 0,
    km_ingest_last_run_timestamp: run?.createdAt ?? 0,
    km_coverage_artifacts: Number(summary('coverage')['artifact_total'] ?? 0),
    km_coverage_chunks: Number(summary('coverage')['chunk_count'] ?? 0),
    km_coverage_missing_artifacts: length('coverage', 'missing_artifacts'),
    km_coverage_last_run_timestamp: Number(
      facts?.records.report('coverage')?.['generated_at'] ?? 0,
    ),
    km_lifecycle_stale_docs: Number(lifecycle['stale_docs'] ?? 0),
    km_lifecycle_isolated_nodes: Number(lifecycle['isolated_nodes'] ?? 0),
    km_lifecycle_subsystems_missing_tests: Number(lifecycle['subsystems_missing_tests'] ?? 0),
    km_lifecycle_removed_artifacts: Number(lifecycle['removed_artifacts'] ?? 0),
    km_feedback_positive_votes: votes.filter(({ vote }) => (vote ?? 0) > 0).length,
    km_feedback_negative_votes: votes.filter(({ vote }) => (vote ?? 0) < 0).length,
    km_feedback_learning: facts?.learns() ? 1 : 0,
  }
}
