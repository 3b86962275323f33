/**
 * What can be set, and how is it said? One row per setting; flags, environment, help text and the
 * table of `config show` come from here. Kept apart from the schema so that `--help` loads no
 * validator.
 */

export interface SettingRow {
  /** Place in `cairn.yaml`, with dots between levels. */
  readonly key: string
  /** Absent where a flag would be one too many: such things are set once, in the file. */
  readonly flag?: string
  readonly env: string
  /** How text from a flag or the environment becomes a value. */
  readonly kind: 'text' | 'integer' | 'switch' | 'list'
  /** Stands for the value in help texts. */
  readonly placeholder?: string
  readonly summary: string
  /** Which commands offer the flag: every one that opens the base, or the server alone. */
  readonly scope: 'base' | 'serve'
}

export const SETTINGS: readonly SettingRow[] = [
  {
    key: 'state',
    flag: 'state',
    env: 'CAIRN_STATE',
    kind: 'text',
    placeholder: 'DIR',
    summary: 'Folder of the derived index (default: .cairn inside the first source)',
    scope: 'base',
  },
  {
    key: 'maxFileBytes',
    flag: 'max-file-bytes',
    env: 'CAIRN_MAX_FILE_BYTES',
    kind: 'integer',
    placeholder: 'N',
    summary: 'Skip files larger than this (default: 10485760)',
    scope: 'base',
  },
  {
    key: 'history.keep.age',
    env: 'CAIRN_HISTORY_KEEP_AGE',
    kind: 'text',
    placeholder: 'AGE',
    summary: 'Forget changes older than this, such as 90d (default: none is too old)',
    scope: 'base',
  },
  {
    key: 'history.keep.size',
    env: 'CAIRN_HISTORY_KEEP_SIZE',
    kind: 'text',
    placeholder: 'SIZE',
    summary: 'Forget the oldest changes when the history is larger than this (default: 1GB)',
    scope: 'base',
  },
  {
    key: 'logLevel',
    flag: 'log-level',
    env: 'CAIRN_LOG_LEVEL',
    kind: 'text',
    placeholder: 'LEVEL',
    summary: 'silent, error, warn, info or debug (default: info)',
    scope: 'base',
  },
  {
    key: 'logFormat',
    flag: 'log-format',
    env: 'CAIRN_LOG_FORMAT',
    kind: 'text',
    placeholder: 'FORM',
    summary: 'pretty or json, one object a line (default: pretty)',
    scope: 'base',
  },
  {
    key: 'tracing.endpoint',
    env: 'CAIRN_TRACING_ENDPOINT',
    kind: 'text',
    summary:
      'Where traces go, OTLP over HTTP with JSON (default: none; OTEL_EXPORTER_OTLP_ENDPOINT counts too)',
    scope: 'serve',
  },
  {
    key: 'surfaces',
    flag: 'surface',
    env: 'CAIRN_SURFACES',
    kind: 'list',
    placeholder: 'NAME',
    summary:
      'Vocabulary to speak, or several with commas between; may be repeated (default: native)',
    scope: 'serve',
  },
  {
    key: 'tools.only',
    flag: 'tools',
    env: 'CAIRN_TOOLS',
    kind: 'list',
    placeholder: 'NAME',
    summary: 'Offer only these tools, or add one as +NAME (+feedback, +admin); may be repeated',
    scope: 'serve',
  },
  {
    key: 'tools.sets',
    flag: 'toolsets',
    env: 'CAIRN_TOOLSETS',
    kind: 'list',
    placeholder: 'NAME',
    summary:
      'Offer only these sets of tools: search, documents, graph, reports, write, more; may be repeated',
    scope: 'serve',
  },
  {
    key: 'tools.exclude',
    flag: 'exclude-tools',
    env: 'CAIRN_EXCLUDE_TOOLS',
    kind: 'list',
    placeholder: 'NAME',
    summary: 'Do not offer these tools; may be repeated',
    scope: 'serve',
  },
  {
    key: 'watch',
    flag: 'watch',
    env: 'CAIRN_WATCH',
    kind: 'switch',
    summary: 'Follow changes of the files while serving (default: on)',
    scope: 'serve',
  },
  {
    key: 'readOnly',
    flag: 'read-only',
    env: 'CAIRN_READ_ONLY',
    kind: 'switch',
    summary: 'Offer no tool that changes files (default: off)',
    scope: 'serve',
  },
  {
    key: 'protect',
    flag: 'protect',
    env: 'CAIRN_PROTECT',
    kind: 'list',
    placeholder: 'FOLDER',
    summary: 'Source or folder that nobody changes, such as docs; may be repeated',
    scope: 'base',
  },
  {
    key: 'web',
    flag: 'web',
    env: 'CAIRN_WEB',
    kind: 'switch',
    summary: 'With --http, show a page for people at / (default: on)',
    scope: 'serve',
  },
  {
    key: 'chat',
    flag: 'chat',
    env: 'CAIRN_CHAT',
    kind: 'switch',
    summary: 'Let chats that can show pages (MCP Apps) show that page (default: off)',
    scope: 'serve',
  },
  {
    key: 'text',
    flag: 'text',
    env: 'CAIRN_TEXT',
    kind: 'text',
    placeholder: 'FORM',
    summary:
      'What models read: plain text, json, or auto: JSON for clients that look for it there (default: auto)',
    scope: 'serve',
  },
  {
    key: 'governor',
    flag: 'governor',
    env: 'CAIRN_GOVERNOR',
    kind: 'switch',
    summary:
      'Name what a connection has been shown instead of repeating it in a search around the same subject (default: on)',
    scope: 'serve',
  },
  {
    key: 'live',
    flag: 'live',
    env: 'CAIRN_LIVE',
    kind: 'switch',
    summary: 'Let the page show calls of tools as they happen (default: on)',
    scope: 'serve',
  },
  {
    key: 'http.host',
    flag: 'host',
    env: 'CAIRN_HTTP_HOST',
    kind: 'text',
    placeholder: 'ADDRESS',
    summary: 'Address to listen on with --http (default: 127.0.0.1)',
    scope: 'serve',
  },
  {
    key: 'http.port',
    flag: 'port',
    env: 'CAIRN_HTTP_PORT',
    kind: 'integer',
    placeholder: 'PORT',
    summary: 'Port to listen on, 0 for any free one; the same as --http PORT (default: 7331)',
    scope: 'serve',
  },
  {
    key: 'http.allowedHosts',
    flag: 'allow-host',
    env: 'CAIRN_HTTP_ALLOWED_HOSTS',
    kind: 'list',
    placeholder: 'NAME',
    summary: 'Host name accepted besides the one listened on; may be repeated',
    scope: 'serve',
  },
  {
    key: 'http.allowedOrigins',
    flag: 'allow-origin',
    env: 'CAIRN_HTTP_ALLOWED_ORIGINS',
    kind: 'list',
    placeholder: 'URL',
    summary: 'Browser origin that may call the server; may be repeated',
    scope: 'serve',
  },
  {
    key: 'http.publicUrl',
    flag: 'public-url',
    env: 'CAIRN_HTTP_PUBLIC_URL',
    kind: 'text',
    placeholder: 'URL',
    summary: 'Address under which clients reach the server, used in citations',
    scope: 'serve',
  },
  {
    key: 'http.perMinute',
    env: 'CAIRN_HTTP_PER_MINUTE',
    kind: 'integer',
    summary: 'Requests a minute for each caller, 0 for any number (default: 0)',
    scope: 'serve',
  },
  {
    key: 'http.atOnce',
    env: 'CAIRN_HTTP_AT_ONCE',
    kind: 'integer',
    summary:
      'Calls that are worked on at once; as many again wait, then the answer is 503 (default: 64)',
    scope: 'serve',
  },
  {
    key: 'http.sessions',
    env: 'CAIRN_HTTP_SESSIONS',
    kind: 'integer',
    summary: 'Sessions of each surface for clients of older revisions (default: 1000)',
    scope: 'serve',
  },
  {
    key: 'http.subscriptions',
    env: 'CAIRN_HTTP_SUBSCRIPTIONS',
    kind: 'integer',
    summary: 'Open subscriptions of each surface (default: 1000)',
    scope: 'serve',
  },
  {
    key: 'callSeconds',
    env: 'CAIRN_CALL_SECONDS',
    kind: 'integer',
    summary: 'Longest time for one call of a tool (default: 120)',
    scope: 'serve',
  },
  {
    key: 'access.anyone',
    flag: 'allow-anyone',
    env: 'CAIRN_ACCESS_ANYONE',
    kind: 'switch',
    summary: 'Let other machines in without a token (default: off)',
    scope: 'serve',
  },
  {
    key: 'access.signIn',
    env: 'CAIRN_ACCESS_SIGN_IN',
    kind: 'switch',
    summary: 'Let clients sign in here, with a page that asks for a token (default: off)',
    scope: 'serve',
  },
  {
    key: 'access.issuer',
    env: 'CAIRN_ACCESS_ISSUER',
    kind: 'text',
    summary: 'Authorization server whose tokens (JWT) are accepted',
    scope: 'serve',
  },
  {
    key: 'access.audience',
    env: 'CAIRN_ACCESS_AUDIENCE',
    kind: 'text',
    summary: 'Whom its tokens have to be issued for (default: http.publicUrl)',
    scope: 'serve',
  },
  {
    key: 'access.keysUrl',
    env: 'CAIRN_ACCESS_KEYS_URL',
    kind: 'text',
    summary: 'Where its keys are (default: where its metadata says)',
    scope: 'serve',
  },
  {
    key: 'embedding.provider',
    flag: 'embedding',
    env: 'CAIRN_EMBEDDING',
    kind: 'text',
    placeholder: 'PROVIDER',
    summary: 'Who finds by meaning: corpus, openai, onnx or none (default: corpus)',
    scope: 'base',
  },
  {
    key: 'embedding.baseUrl',
    env: 'CAIRN_EMBEDDING_BASE_URL',
    kind: 'text',
    summary: 'Base of an OpenAI-compatible API (default: https://api.openai.com/v1)',
    scope: 'base',
  },
  {
    key: 'embedding.model',
    env: 'CAIRN_EMBEDDING_MODEL',
    kind: 'text',
    summary: 'Name of the model there (default: text-embedding-3-small)',
    scope: 'base',
  },
  {
    key: 'embedding.apiKeyEnv',
    env: 'CAIRN_EMBEDDING_API_KEY_ENV',
    kind: 'text',
    summary: 'Variable that holds the key (default: OPENAI_API_KEY)',
    scope: 'base',
  },
  {
    key: 'embedding.dimensions',
    env: 'CAIRN_EMBEDDING_DIMENSIONS',
    kind: 'integer',
    summary: 'Ask the model for vectors of this length (default: its own)',
    scope: 'base',
  },
  {
    key: 'embedding.batch',
    env: 'CAIRN_EMBEDDING_BATCH',
    kind: 'integer',
    summary: 'Passages per request (default: 64)',
    scope: 'base',
  },
  {
    key: 'embedding.timeoutMs',
    env: 'CAIRN_EMBEDDING_TIMEOUT_MS',
    kind: 'integer',
    summary: 'Time for one request while indexing (default: 60000)',
    scope: 'base',
  },
  {
    key: 'embedding.queryPrefix',
    env: 'CAIRN_EMBEDDING_QUERY_PREFIX',
    kind: 'text',
    summary: 'What the model wants in front of a question',
    scope: 'base',
  },
  {
    key: 'embedding.passagePrefix',
    env: 'CAIRN_EMBEDDING_PASSAGE_PREFIX',
    kind: 'text',
    summary: 'What the model wants in front of a passage',
    scope: 'base',
  },
  {
    key: 'embedding.modelPath',
    env: 'CAIRN_EMBEDDING_MODEL_PATH',
    kind: 'text',
    summary: 'Folder with model.onnx and tokenizer.json, for onnx',
    scope: 'base',
  },
  {
    key: 'answerer.provider',
    flag: 'answerer',
    env: 'CAIRN_ANSWERER',
    kind: 'text',
    placeholder: 'PROVIDER',
    summary: 'Who words answers: anthropic, openai, gemini or none (default: none)',
    scope: 'base',
  },
  {
    key: 'answerer.model',
    env: 'CAIRN_ANSWERER_MODEL',
    kind: 'text',
    summary: 'Name of the model there (default: a small one of the provider)',
    scope: 'base',
  },
  {
    key: 'answerer.baseUrl',
    env: 'CAIRN_ANSWERER_BASE_URL',
    kind: 'text',
    summary: 'Base of the API (default: the provider’s own)',
    scope: 'base',
  },
  {
    key: 'answerer.apiKeyEnv',
    env: 'CAIRN_ANSWERER_API_KEY_ENV',
    kind: 'text',
    summary: 'Variable that holds the key (default: ANTHROPIC_, OPENAI_ or GEMINI_API_KEY)',
    scope: 'base',
  },
  {
    key: 'answerer.timeoutMs',
    env: 'CAIRN_ANSWERER_TIMEOUT_MS',
    kind: 'integer',
    summary:
      'Longest silence of the model; a whole answer may take three times that (default: 15000)',
    scope: 'base',
  },
  {
    key: 'answerer.maxTokens',
    env: 'CAIRN_ANSWERER_MAX_TOKENS',
    kind: 'integer',
    summary: 'Longest answer of the model (default: 2000)',
    scope: 'base',
  },
]

/** Variables that are not settings: what to serve, and where the file is. */
export const SOURCES_ENV = 'CAIRN_SOURCES'
export const CONFIG_ENV = 'CAIRN_CONFIG'
export const CONFIG_FILE = 'cairn.yaml'
