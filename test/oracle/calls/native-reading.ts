/** The native tools that read, over the handbook and over the made vault. */
import { calls } from '../sequence.ts'
import type { Sequence, Step } from '../sequence.ts'

/** Questions of several kinds: words, names, descriptions, typing mistakes, other languages, nothing. */
const HANDBOOK_QUESTIONS = [
  'roll back a release',
  'what do we do when a station sends no readings',
  'who is responsible for customers and money',
  'nobody is woken at night for a small warning',
  'database disk full',
  'feature flag',
  '"dead letter"',
  'release -rollback',
  'relase chekclist',
  'Hafenmeister Wasserstand',
  '0003-one-unit-and-one-clock',
  'zebra xylophone',
]
const GARDEN_QUESTIONS = [
  'kettle steam',
  'how does dough rise before it goes into the oven',
  'undo a broken release on the cluster',
  'money that customers owe',
  'tomato frost',
  'twin on the left',
  '東京 天気',
  'книга',
  'Brücke Zug',
  'lantern AKIAIOSFODNN7EXAMPLE',
  'gargoyle',
  'bicycle12',
]
const MODES = ['auto', 'lexical', 'semantic', 'hybrid']

function inEveryMode(questions: readonly string[]): Step[] {
  return questions.flatMap((query) =>
    MODES.flatMap((mode) => calls('search', { query, mode, limit: 5 })),
  )
}

const searchOptions: Step[] = [
  ...calls(
    'search',
    { query: 'release' },
    { query: 'release', also: ['who approves it', 'station silent'] },
    { query: 'queue', match: 'words' },
    { query: './ops', match: 'text' },
    { query: 'release (list|watch)', match: 'regex' },
    { query: 'handbook/runbooks/release.md', match: 'similar' },
    { query: 'release', sources: ['handbook'] },
    { query: 'release', sources: ['garden'] },
    { query: 'release', path: 'handbook/runbooks' },
    { query: 'release', path: '**/2026-*.md' },
    { query: 'release', tags: ['runbook'] },
    { query: 'release', tags: ['runbook', 'database'], tag_mode: 'all' },
    { query: 'kettle', tags: ['work'] },
    { query: 'release', types: ['decision'] },
    { query: 'release', updated_after: '2026-04-01' },
    { query: 'release', since: '2026-02', until: '2026-04' },
    { query: 'release', since: '2026-04', until: '2026-02' },
    { query: 'release', updated_before: '2026-03-01' },
    { query: 'release', where: 'status = accepted' },
    { query: 'kettle', where: 'rating > 3 and not status = done' },
    { query: 'kettle', where: 'type in (guide, log)' },
    { query: 'rag', in: 'entities' },
    { query: 'brewing', in: 'entities' },
    { query: 'retry', in: 'code' },
    { query: 'Pipeline', in: 'symbols' },
    { query: 'save', in: 'symbols', kind: 'function' },
    { query: 'ingest', in: 'subsystems' },
    { query: 'ingest', in: 'pictures' },
    { query: 'retry message', in: 'code', language: 'python' },
    { query: 'rollb', typing: true },
    { query: 'release', limit: 2 },
    { query: 'release', max_tokens: 200 },
    { query: 'release', detail: 'detailed', limit: 3 },
    { query: 'release', detail: 'concise', limit: 3 },
    { query: 'release', explain: true, limit: 3 },
    { query: 'release', explain_missing: 'handbook/glossary.md' },
    { query: 'release', explain_missing: 'handbook/none.md' },
    { query: 'tide table of the harbour', in: 'documents', limit: 3 },
  ),
  {
    tool: 'search',
    args: { query: 'station', limit: 3 },
    keep: { next: 'result.structuredContent.next_cursor' },
  },
  ...calls('search', { query: 'station', limit: 3, cursor: '$next' }),
  // A cursor of another question.
  ...calls('search', { query: 'queue', limit: 3, cursor: '$next' }),
]

const searchErrors: Step[] = calls(
  'search',
  {},
  { query: '' },
  { query: 'release', limit: 0 },
  { query: 'release', limit: 1_000 },
  { query: 'release', cursor: 'nonsense' },
  { query: 'release', mode: 'magic' },
  { query: 'release', colour: 'red' },
  { query: '(', match: 'regex' },
  { query: 'none.md', match: 'similar' },
  { query: 'release', sources: ['nowhere'] },
  { query: 'release', where: 'status = ' },
  { query: 'release', updated_after: 'one day' },
  { query: 'release', path: '../secret' },
)

const fetching: Step[] = calls(
  'fetch',
  { id: 'handbook/runbooks/release.md' },
  { id: 'Rollback' },
  { id: 'Roll back a release' },
  { id: 'start-of-all' },
  { ids: ['handbook/glossary.md', 'garden/lonely.md', 'garden/none.md'] },
  { id: 'handbook/runbooks/roll-back-a-release.md', section: 'With a schema change' },
  { id: 'garden/long.md', section: 'Long > Part 7' },
  { id: 'garden/long.md', lines: '10-20' },
  { id: 'garden/long.md', lines: '300-' },
  { id: 'garden/long.md', max_tokens: 100 },
  { id: 'handbook/index.md', include: ['links'] },
  { id: 'handbook/index.md', include: ['backlinks'] },
  { id: 'handbook/index.md', include: ['results'] },
  { id: 'handbook/nothing.png', include: ['picture'] },
  { id: 'brain/retrieval.md', include: ['links', 'backlinks', 'relations'] },
  { id: 'entity://rag' },
  { id: 'Knowledge graph' },
  { id: 'garden/keys.md' },
  { id: 'garden/windows.md' },
  { id: 'garden/empty.md' },
  { id: 'garden/broken-front.md' },
  { id: 'garden/ünïcode/Straße 東京.md' },
  { id: 'garden/data/table.csv' },
  { id: 'repository/src/ingest/pipeline.py' },
  { id: 'Twin' },
  {},
  { id: 'handbook/none.md' },
  { id: 'handbook/runbooks/relase.md' },
  { id: '../../etc/passwd' },
  { id: 'garden/private.md' },
  { id: 'garden/long.md', lines: '9999-' },
  { id: 'garden/long.md', lines: 'all' },
  { id: 'garden/long.md', section: 'No such part' },
  { id: 'garden/long.md', max_tokens: 1 },
)

const listing: Step[] = [
  ...calls(
    'list',
    { limit: 5 },
    {},
    { sources: ['brain'] },
    { path: 'handbook/decisions' },
    { path: 'garden/tea/*-1*.md' },
    { tags: ['runbook'] },
    { tags: ['tea', 'work/odd'], tag_mode: 'all' },
    { types: ['meeting'] },
    { updated_after: '2026-05-01' },
    { updated_before: '2025-04-01', limit: 10 },
    { where: 'rating = 6' },
    { where: 'status = draft and created < 2024-06-01' },
    { of: 'outline', path: 'handbook/runbooks' },
    { of: 'tasks' },
    { of: 'templates' },
    { of: 'tasks', where: 'done = true', limit: 4 },
    { of: 'tasks', where: 'due < 2026-04-01' },
    { columns: ['status', 'rating'], path: 'garden/bread' },
    { sort: 'title', limit: 8 },
    { sort: 'updated', limit: 8 },
    { sort: 'created', path: 'garden/tea' },
    { max_tokens: 100 },
    { cursor: 'nonsense' },
    { limit: 100_000 },
    { of: 'everything' },
    { where: 'rating >' },
    { path: '../..' },
  ),
  {
    tool: 'list',
    args: { limit: 7, path: 'garden' },
    keep: { page: 'result.structuredContent.next_cursor' },
  },
  ...calls('list', { limit: 7, path: 'garden', cursor: '$page' }),
]

const walking: Step[] = [
  ...calls(
    'neighbors',
    { id: 'handbook/index.md' },
    { id: 'handbook/index.md', direction: 'in' },
    { id: 'handbook/index.md', direction: 'out', limit: 3 },
    { id: 'garden/lists/tea.md', depth: 2, limit: 10 },
    { id: 'garden/lists/tea.md', as: 'graph', limit: 5 },
    { id: 'rag', types: ['RELATES:is_a'] },
    { id: 'entity://tool_use' },
    { id: 'garden/lonely.md' },
    {},
    { id: 'nobody' },
    { id: 'handbook/index.md', depth: 9 },
    { id: 'handbook/index.md', cursor: 'nonsense' },
  ),
  {
    tool: 'neighbors',
    args: { id: 'garden/index.md', depth: 3, limit: 4 },
    keep: { near: 'result.structuredContent.next_cursor' },
  },
  ...calls('neighbors', { id: 'garden/index.md', depth: 3, limit: 4, cursor: '$near' }),
  ...calls(
    'path',
    { from: 'handbook/glossary.md', to: 'handbook/people/mara-lind.md' },
    { from: 'garden/lists/tea.md', to: 'garden/lists/ledger.md', directed: true },
    { from: 'garden/index.md', to: 'garden/ledger/ledger-59.md', max_hops: 1 },
    { from: 'garden/lonely.md', to: 'garden/index.md' },
    { from: 'garden/lonely.md', to: 'garden/index.md', mentions: true },
    { from: 'garden/index.md', to: 'garden/index.md' },
    { from: 'rag', to: 'mcp-protocol' },
    { from: 'garden/index.md' },
    { from: 'garden/index.md', to: 'nobody' },
  ),
]

const REPORTS = [
  'overview',
  'hubs',
  'orphans',
  'broken_links',
  'stale',
  'duplicates',
  'coverage',
  'lifecycle',
  'entropy',
  'mentions',
  'regions',
  'contradictions',
  'tags',
]

const reporting: Step[] = [
  ...calls('insights', {}, ...REPORTS.map((report) => ({ report, limit: 8 }))),
  ...calls(
    'insights',
    { report: 'hubs', metric: 'in_degree' },
    { report: 'hubs', metric: 'out_degree', limit: 5 },
    { report: 'hubs', metric: 'pagerank', limit: 5 },
    { report: 'coverage', state: 'skipped' },
    { report: 'coverage', state: 'indexed', limit: 3 },
    { report: 'coverage', state: 'failed' },
    { report: 'random', seed: 7, limit: 3 },
    { report: 'random', seed: 8, limit: 3 },
    { report: 'gossip' },
    { report: 'hubs', metric: 'fame' },
    { report: 'orphans', cursor: 'nonsense' },
  ),
  {
    tool: 'insights',
    args: { report: 'broken_links', limit: 3 },
    keep: { broken: 'result.structuredContent.next_cursor' },
  },
  ...calls('insights', { report: 'broken_links', limit: 3, cursor: '$broken' }),
]

const asking: Step[] = calls(
  'ask',
  { question: 'Who may approve a release?' },
  { question: 'What happens to readings that arrive during a rollback?' },
  { question: 'Who stands in for Jonas?', max_sources: 1 },
  { question: 'What does the kettle want?', sources: ['garden'] },
  { question: 'What does the kettle want?', path: 'garden/tea', max_tokens: 300 },
  { question: 'How long are readings kept?', tags: ['architecture'] },
  { question: 'Which decision was accepted?', where: 'status = accepted', types: ['decision'] },
  { question: 'Who is called first?', tags: ['people', 'runbook'], tag_mode: 'any' },
  { question: 'Who is called first?', updated_after: '2026-04-01', updated_before: '2026-12-31' },
  { question: 'Who is called first?', since: '2026-04-01', until: '2026-12-31' },
  { question: 'What colour has the xylophone of the zebra?' },
  {},
  { question: '' },
  { question: 'Why?', where: '= = =' },
)

const protocol: Step[] = [
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'prompts/list' },
  { method: 'resources/read', params: { uri: 'kb://handbook/glossary.md' } },
  { method: 'resources/read', params: { uri: 'kb://garden/long.md?lines=1-5' } },
  { method: 'resources/read', params: { uri: 'kb://handbook/runbooks/release.md?section=Before' } },
  { method: 'resources/read', params: { uri: 'kb://entities/rag' } },
  { method: 'resources/read', params: { uri: 'kb://handbook/none.md' } },
  { method: 'resources/read', params: { uri: 'kb://handbook/../secret.md' } },
  { method: 'resources/read', params: { uri: 'nonsense' } },
  { method: 'resources/list', params: { cursor: 'nonsense' } },
  {
    method: 'completion/complete',
    params: {
      ref: { type: 'ref/resource', uri: 'kb://{source}/{+path}' },
      argument: { name: 'path', value: 'runbooks/r' },
      context: { arguments: { source: 'handbook' } },
    },
  },
  { method: 'prompts/get', params: { name: 'none' } },
  { method: 'prompts/get', params: { name: 'brew', arguments: { leaf: 'mint' } } },
  { method: 'ping' },
  { method: 'no/such/method' },
  { tool: 'no_such_tool' },
]

const ALL = ['handbook', 'brain', 'garden', 'repository'] as const

/** Each call stands alone: nothing is left out because it was shown before. */
function reading(name: string, steps: readonly Step[], more: readonly string[] = []): Sequence {
  return {
    name: `native/${name}`,
    folders: ALL,
    before: [['index', ...ALL]],
    command: ['serve', ...ALL, '--no-governor', ...more],
    steps,
  }
}

export const nativeReading: readonly Sequence[] = [
  reading('handbook-questions', inEveryMode(HANDBOOK_QUESTIONS)),
  reading('garden-questions', inEveryMode(GARDEN_QUESTIONS)),
  reading('search', [...searchOptions, ...searchErrors]),
  reading('documents', [...fetching, ...listing]),
  reading('walk-report-ask', [...walking, ...reporting, ...asking]),
  reading('protocol', protocol),
  reading('json-text', calls('search', { query: 'release', limit: 3 }, {}), ['--text', 'json']),
  reading(
    'read-only',
    [
      { method: 'tools/list' },
      ...calls('write', { action: 'append', id: 'handbook/index.md', content: 'x' }),
    ],
    ['--read-only'],
  ),
  {
    // What a connection was shown is named and not repeated.
    name: 'native/governor',
    folders: ['handbook'],
    before: [['index', 'handbook']],
    command: ['serve', 'handbook'],
    steps: [
      ...calls(
        'search',
        { query: 'roll back a release' },
        { query: 'release rollback' },
        { query: 'release rollback', again: true },
      ),
      ...calls(
        'ask',
        { question: 'When do we roll back a release?' },
        { question: 'When do we roll back a release?', again: true },
      ),
      ...calls('fetch', { id: 'handbook/runbooks/roll-back-a-release.md' }),
    ],
  },
]
