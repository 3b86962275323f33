/**
 * What the duskmantle surface must do: sections 1 to 5 of its contract. `check-…` are the acceptance
 * checks; the others are rules of the specification. A test cites an id with `verifies('duskmantle:…')`.
 */
export const duskmantleRequirements = {
  'scopes-reader': 'A reader token calls the six reader tools.',
  'scopes-maintainer': 'The other tools need the admin token.',
  'tokens-hidden': 'Tokens never appear in logs or results.',
  'envelope-status': 'Every response has status and optionally error.',
  'error-codes': 'Failures have one of the codes of the specification.',
  'search-filters': 'Filters narrow by subsystem, type, namespace, tag, symbol and time.',
  'search-kinds': 'Symbol kinds and languages come from a list; others are refused.',
  'search-shortcuts': 'symbol, kind and lang join the filters.',
  'search-request-id': 'Every answer has a request id.',
  'search-symbols': 'Symbols are there only when symbol indexing is on.',
  'node-missing': 'A missing node is not_found, a bad id invalid_identifier.',
  'graph-search': 'Results have id, label, score and snippet.',
  'ingest-profile': 'A profile is only a label.',
  'chunk-ids': 'Chunks are called <path>::<n>.',

  'check-1-catalogue': 'The tools of the first half are listed, and km-help explains each.',
  'check-2-scope': 'A reader is forbidden to maintain; nobody is unauthorized.',
  'check-3-ingest': 'A run is counted and found again by its profile.',
  'check-4-chunks': 'Three chunks of 1900 characters; an empty file is missing.',
  'check-5-search': 'The right chunk first, with all scoring keys; limits are clamped.',
  'check-6-score': 'The formula, to six digits.',
  'check-7-filters': 'Filters before the cut; symbols by any case.',
  'check-8-editor-uri': 'A symbol opens in an editor where a template is set.',
  'check-9-node': 'Nodes with their edges, and labels by other names.',
  'check-10-subsystem': 'Pages over all related nodes, with hops and paths.',
  'check-11-lifecycle': 'Stale documents, loose ends and untested subsystems.',
  'check-12-incremental': 'Unchanged artifacts are skipped, gone ones reported.',
} as const
