/**
 * What the nexus surface must do. `check-…` are the acceptance checks of the contract; the others
 * are the rules its specification states itself. A test cites an id with `verifies('nexus:…')`.
 */
export const nexusRequirements = {
  outlinks: 'Every [[…]] of the content, in order of first appearance, each once.',
  backlinks: 'The slugs of the notes that link to a note.',
  'graph-node': 'A node of a graph has id, title and connections.',
  'graph-edge': 'An edge of a graph has source and target, which are slugs.',

  manifest: 'GET /api/mcp answers 200 with the manifest as JSON.',
  'tool-set': 'There are list_pages, get_page, search, ask and get_connections.',
  'tool-call': 'POST /api/mcp with { tool, input } answers 200 with { result }.',

  'list-pages': 'list_pages gives slug and title of all notes, newest first; none is [].',
  'get-page': 'get_page gives slug, title, content, outlinks and backlinks.',
  'get-page-missing': 'get_page of a note that does not exist is a descriptive error.',
  'full-content': 'The content of a page is never cut.',
  search: 'search gives slug, title and excerpt; title and content are searched.',
  'search-cap': 'search gives 20 results at most, and [] when there are none.',
  'ask-answer': 'ask gives an answer and the notes it was written from.',
  'ask-unavailable': 'ask says that AI search is unavailable when it is off or has no key.',
  'ask-nothing': 'ask says when no note is relevant.',
  'get-connections': 'get_connections gives outlinks, backlinks and the local graph.',
  'get-connections-missing': 'get_connections of a note that does not exist is an error.',

  'error-json': 'A body that is no JSON is 400.',
  'error-tool': 'A missing or unknown tool is 400 and says that the tool is not found.',
  'error-parameter': 'A missing parameter is 400 and names it.',
  'error-internal': 'Whatever fails inside is 500 with a general message and no details.',
  'error-shape': 'Every error is { error } and nothing else.',
  'existing-clients': 'Clients of the standard protocol connect to the same path.',

  'check-1-manifest': 'The manifest and its five tools.',
  'check-2-list-order': 'The order of pages; an empty store.',
  'check-3-get-page': 'Links of a page, content verbatim.',
  'check-4-missing-page': '404 from get_page and get_connections.',
  'check-5-search-excerpt': 'Fifty characters before a hit, a hundred behind.',
  'check-6-search-title-only': 'The first 150 characters.',
  'check-7-search-cap-and-literal': 'Twenty results; 100% is no pattern; no hit.',
  'check-8-connections': 'Nodes, their connections, and edges once.',
  'check-9-ask-off': '503 by default; a missing question is 400 first.',
  'check-10-ask-nothing-found': 'The provider is not called.',
  'check-11-ask-on': 'Sources are the notes that were given to the provider.',
  'check-12-bad-json': 'Text that is no JSON, and null.',
  'check-13-bad-tool': 'No tool, an unknown one, parameters missing or of the wrong type.',
  'check-14-internal-error': 'A store that throws gives nothing away.',
  'check-15-real-mcp': 'initialize, tools/list and tools/call on the same path.',
  'last-newline': 'The last newline of a file that somebody wrote belongs to content.',
} as const
