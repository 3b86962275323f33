/**
 * What the roux surface must do. `check-…` are the acceptance checks of the contract; the others
 * are the rules its specification states itself. A test cites an id with `verifies('roux:…')`.
 */
export const rouxRequirements = {
  'canonical-id': 'A node is known by a canonical id: its path in lower case.',
  'broken-link-warning': 'A link whose target does not exist is told as a warning.',

  'search-exposed': 'search exists only when an embedding provider is configured.',
  'search-parameters': 'search takes query (required) and limit (default 10).',
  'search-scores': 'search returns nodes, most similar first, each with a score.',
  'search-failure': 'An embedding failure is an error of search; other tools keep working.',
  'get-node-parameters': 'get_node takes id (required) and depth (0 or 1, default 0).',
  'get-node-missing': 'get_node of a node that does not exist is null, not an error.',
  'get-node-depth': 'depth 1 adds neighbors and link counts.',
  'get-neighbors-parameters':
    'get_neighbors takes id (required) and direction (in, out, both; default both).',
  'find-path-parameters': 'find_path takes source and target, both required.',
  'find-path-result': 'find_path returns the ids along the path, or null.',
  'get-hubs-parameters':
    'get_hubs takes metric (in_degree, out_degree, pagerank; default in_degree) and limit (10).',
  'get-hubs-result': 'get_hubs returns id and score, highest first.',
  'search-by-tags-parameters':
    'search_by_tags takes tags (required) and mode (any, all; default any).',
  'search-by-tags-mode': 'any means that one tag is enough, all that every tag is needed.',
  'random-node-parameters': 'random_node takes optional tags.',
  'create-node-parameters':
    'create_node takes title and content (required) and tags (default none).',
  'create-node-exists': 'create_node fails when the node exists.',
  'update-node-parameters': 'update_node takes id (required), title, content and tags.',
  'update-node-missing': 'update_node fails when the node does not exist.',
  'update-node-replaces': 'content and tags replace what was there; links are read again.',
  'delete-node-parameters': 'delete_node takes id (required).',
  'delete-node-result':
    'delete_node is true when deleted and false when not found, never an error.',

  'model-tools-exposed':
    'summarize_node, suggest_tags and extract_entities exist only with a language model.',
  'summarize-node-result': 'summarize_node returns id, title and a summary that adds no fact.',
  'suggest-tags-result': 'suggest_tags returns tags that the node lacks, and writes nothing.',
  'extract-entities-result': 'extract_entities returns names that the node has, with a type.',

  'error-not-exposed': 'A tool whose capability is absent is not listed; that is no error.',
  'error-not-found': 'What is not found is null or false.',
  'error-invalid': 'Invalid parameters are an error with a message that says what is wrong.',
  'error-provider': 'A provider failure is an error, and the server stays up.',
  'warnings-in-response': 'Warnings are strings under _warnings of the response.',
  'warnings-buffered':
    'Warnings of the watcher gather, come with the next response, and are cleared.',

  'warnings-of-nodes':
    'What is wrong with a node comes with every response that shows it, also when it was there at start.',
  'not-utf8': 'A note that is not UTF-8 is a node with U+FFFD and a warning.',
  'links-everywhere': 'Links in HTML and footnotes are edges; only code is no place for links.',
  'no-gitignore': '.gitignore hides no notes.',
  'schema-defaults': 'Defaults stand in the input schemas.',
  'configured-embedder': 'ollama and openai of roux.yaml are used; one that is down is an error.',
  'init-again': 'init on a folder that has roux.yaml makes the rest and replaces an old entry.',
  'command-texts': 'init, status and viz print what the original prints.',
  'block-tags': 'Tags are written in block style.',
  'list-nodes': 'list_nodes lists ids and titles by tag and path.',
  'resolve-nodes': 'resolve_nodes finds the nodes that names mean.',
  'nodes-exist': 'nodes_exist says which ids there are.',
  'own-ids': 'An id in front matter is an id of the node.',

  'transport-stdio': 'The server speaks MCP over standard input and output.',
  'official-sdk': 'The server is built on the official MCP SDK.',
  'thin-tools': 'Each tool is one operation of the graph core.',
  'stable-tools': 'Tools may be added; none is removed without a deprecation period.',
  'synchronous-writes': 'The effects of a write are visible to the next call.',

  'check-1-exposure':
    'Nine tools and three later ones without an embedder; with one, search first.',
  'check-2-id-case': 'get_node accepts any case, and is null for what is not there.',
  'check-3-depth': 'get_node with depth 1 counts and lists neighbors.',
  'check-4-neighbors': 'get_neighbors by direction; bad direction; unknown id.',
  'check-5-path': 'find_path: shortest, none, same node, unknown end.',
  'check-6-hubs': 'get_hubs by in-degree, out-degree and PageRank; bad metric.',
  'check-7-tags': 'search_by_tags any and all; empty tags; random_node without candidates.',
  'check-8-create': 'create_node writes the file, resolves links, warns, refuses a second time.',
  'check-9-update': 'update_node: link integrity, replacement, missing arguments and nodes.',
  'check-10-delete': 'delete_node removes the file; again is false.',
  'check-11-links': 'Link forms collapse, names normalise, the first of several wins.',
  'check-12-truncation': 'Content is cut at exactly 10,000 characters.',
  'check-13-warning-buffer': 'A file broken while watching is told once.',
  'check-14-search': 'search ranks by a test embedder; blank query; failing embedder.',
  'check-15-escape': 'create_node never writes outside the root.',
} as const
