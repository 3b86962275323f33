/** What each tool answers, for `km-help` with `include_spec`: the keys, and what stands behind them. */

const NODE = '{id, labels[], properties}'
const RUN =
  '{run_id, profile, started_at, duration_seconds, success, artifact_counts: {type: n}, chunk_count, chunks_written, repo_head|null, error?}'
const STORED =
  '{status: "success", stored_path, relative_path, ingest_triggered, ingest_run: run|null'

export const RESPONSES: Readonly<Record<string, string>> = {
  'km-help':
    '{tools: {name: {description, details}}} or {tool, usage: {description, details}}, spec?',
  'km-search':
    '{query, results: [{chunk: {chunk_id, artifact_path, artifact_type, subsystem, namespace, tags[], text, coverage_missing, score, subsystem_criticality, coverage_ratio, git_timestamp, symbols?: [{id, name, qualified_name, kind, language, line_start, line_end, editor_uri?}], symbol_count?}, graph_context: null|{primary_node, relationships[], neighbor_subsystems[], related_artifacts: [{id, relationship}], shown_with?}, scoring: {vector_score, lexical_score, weighted_vector_score, weighted_lexical_score, adjusted_score, mode, signals, model?}}], metadata: {request_id, result_count, graph_context_included, warnings[], scoring_mode, weight_profile, weights, hybrid_weights, filters_applied?}}',
  'km-graph-node': `{node: ${NODE}, relationships: [{type, direction: "OUT"|"IN", target: ${NODE}}], relationships_total?}`,
  'km-graph-subsystem': `{subsystem: ${NODE}, related: {nodes: [{target: ${NODE}, relationship, direction, hops, path: [{type, direction, source, target}]}], cursor|null, total}, artifacts: [${NODE}], artifact_total?}`,
  'km-graph-search': '{results: [{id, label, score, snippet}]}',
  'km-coverage-summary':
    '{generated_at, generated_at_iso, run, include_patterns[], summary: {artifact_total, artifact_breakdown: {type: n}, chunk_count}, artifacts: [{path, artifact_type, subsystem, chunk_count, git_commit, git_timestamp, subsystem_criticality, coverage_ratio, content_digest, skipped}], artifacts_omitted?, artifacts_cursor?, missing_artifacts[], removed_artifacts: [{path, artifact_type, subsystem, digest, status}], left_out: {files: [{path, reason}], files_total, by_rule}, freshness: {age_seconds, threshold_seconds, stale}}',
  'km-lifecycle-report':
    '{generated_at, generated_at_iso, run, thresholds: {stale_days}, isolated: {label: [{id, path, name}]}, stale_docs: [{path, subsystem, git_timestamp}], missing_tests: [{subsystem, source_files, test_cases}], removed_artifacts[], summary: {stale_docs, isolated_nodes, subsystems_missing_tests, removed_artifacts}}',
  'km-ingest-status': `${RUN} and run, or {status: "not_found", profile}`,
  'km-ingest-trigger': `{status: "success"|"failure", warnings?[]} and ${RUN} and run`,
  'km-feedback-submit': '{request_id, chunk_id, vote, note, context, timestamp, source, known}',
  'km-backup-trigger': '{status: "success", archive, archive_path, size_bytes}',
  'km-recipe-run':
    '{status: "success", recipe, outputs, steps: [{id, status, duration_seconds, message, result}], started_at, finished_at, duration_seconds, success}',
  'km-upload': `${STORED}, overwritten}`,
  'km-storetext': `${STORED}}`,
}
