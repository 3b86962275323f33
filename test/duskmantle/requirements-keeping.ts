/** The second half of the contract: running a base. Sections 3, 4.10 to 4.14, 5.5, 6 and 7. */
export const keepingRequirements = {
  'upload-copies': 'A file of the host is copied into the content root.',
  'upload-answer': 'stored_path, relative_path, overwritten, ingest_triggered, ingest_run.',
  'upload-refused':
    'Escaping the root, an existing file, a missing or odd source are invalid_request.',
  'upload-ingest-failed': 'A failed ingest is upstream_error.',
  'storetext-body': 'The body gets a newline where it has none; a blank one is invalid_request.',
  'storetext-answer': 'As that of an upload, without overwritten.',
  'content-environment': 'KM_CONTENT_ROOT and the two defaults of uploads are heeded.',

  'backup-archive':
    'The answer names an archive: a gzip tar of the state, made by an equivalent helper.',
  'backup-destination': 'destination is optional, and only where backups may go.',
  'recipe-answer': 'status, outputs and steps.',
  'recipe-not-found': 'An unknown name is recipe_not_found.',
  'recipe-codes': 'tool_failed, assert_failed and timeout say why a run ended.',
  'recipe-parameters': 'recipe is required, vars are optional and come first.',
  'recipe-daily-health': 'There is a recipe daily-health.',
  'feedback-acknowledged': 'A vote is kept, and acknowledged with a timestamp.',
  'feedback-range': 'A vote is from -1 to 1; request_id and chunk_id are required.',
  'metrics-names': 'km_mcp_requests_total, km_mcp_request_seconds and km_mcp_failures_total.',
  'metrics-bounded': 'No caller can make up another series.',
  'log-line': 'One structured entry per call: tool, sanitised parameters, duration, warnings.',
  'gateway-routes':
    'The routes below /api/v1 answer what the tools answer; request ids are echoed.',
  'gateway-errors': 'Errors are {detail}, with the status of the code.',
  'gateway-rate': 'So many requests in a window; 429 beyond.',
  'remote-tokens': 'A process with KM_GATEWAY_URL attaches the right bearer token to each call.',
  'remote-errors': 'Statuses of the gateway become codes.',

  'check-13-storetext': 'A text with front matter, stored once, overwritten, found by subsystem.',
  'check-14-upload': 'A file is copied, nothing goes outside, every upload is written down.',
  'check-15-recipe': 'stale-audit succeeds, an unknown one is not found, a wrong answer fails.',
  'check-15-feedback': 'A vote of 2 is refused; one of 1 has a timestamp and a line more.',
  'check-15-metrics': '/metrics shows the call of the recipe.',
  'check-15-backup':
    'The archive is where it is said to be; audit is in it, other backups are not.',
} as const
