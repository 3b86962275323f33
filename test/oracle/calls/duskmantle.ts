/** The km- tools over a repository with docs, code, tests and a catalogue. */
import { calls } from '../sequence.ts'
import type { RouteStep, Sequence, Step } from '../sequence.ts'

const reading: Step[] = [
  { method: 'tools/list' },
  ...calls('km-help', {}, { tool: 'km-search' }, { include_spec: true }, { tool: 'km-none' }),
  ...calls(
    'km-search',
    { query: 'retry policy of the ingest pipeline' },
    { query: 'alert threshold', limit: 2 },
    { query: 'alert threshold', limit: 99 },
    { query: 'telemetry', include_graph: false },
    { query: 'telemetry', sort_by_vector: true },
    { query: 'save a reading', filters: { artifact_types: ['code'] } },
    { query: 'pipeline', filters: { subsystems: ['Ingest'] } },
    { query: 'pipeline', filters: { namespaces: ['docs'] } },
    { query: 'telemetry', filters: { tags: ['metrics'] } },
    { query: 'pipeline', filters: { updated_after: '2025-01-01' } },
    { query: 'pipeline', filters: { max_age_days: 1 } },
    { query: 'pipeline', symbol: 'Pipeline' },
    { query: 'retry', kind: 'function' },
    { query: 'alert', lang: ['typescript'] },
    { query: 'zebra xylophone' },
    { query: 'pipeline', filters: { colours: ['red'] } },
    { query: 'pipeline', filters: { artifact_types: ['song'] } },
    { query: 'pipeline', filters: { updated_after: 'some day' } },
    { query: 'pipeline', kind: 'poem' },
    { query: '' },
    {},
  ),
  ...calls(
    'km-graph-node',
    { node_id: 'DesignDoc:docs/design.md' },
    { node_id: 'DesignDoc:docs/design.md', relationships: 'all' },
    { node_id: 'SourceFile:src/ingest/pipeline.py', relationships: 'incoming' },
    { node_id: 'SourceFile:src/ingest/pipeline.py', relationships: 'none' },
    { node_id: 'Subsystem:Ingest', relationships: 'outgoing', limit: 1 },
    { node_id: 'TestCase:tests/test_pipeline.py' },
    { node_id: 'SourceFile:src/none.py' },
    { node_id: 'nonsense' },
    { node_id: 'DesignDoc:../secret.md' },
    { node_id: 'DesignDoc:docs/design.md', relationships: 'some' },
    {},
  ),
  ...calls(
    'km-graph-subsystem',
    { name: 'Ingest' },
    { name: 'ingest', depth: 3 },
    { name: 'Alerts', include_artifacts: false },
    { name: 'None' },
    { name: 'Ingest', cursor: 'nonsense' },
    {},
  ),
  {
    tool: 'km-graph-subsystem',
    args: { name: 'Alerts', depth: 2, limit: 2 },
    keep: { next: 'result.structuredContent.related.cursor' },
  },
  ...calls('km-graph-subsystem', { name: 'Alerts', depth: 2, limit: 2, cursor: '$next' }),
  ...calls(
    'km-graph-search',
    { term: 'pipeline' },
    { term: 'READ', limit: 2 },
    { term: 'zebra' },
    { term: '' },
    {},
  ),
  { tool: 'no_such_tool' },
]

const running: Step[] = [
  ...calls('km-coverage-summary', {}),
  ...calls('km-ingest-status', {}, { profile: 'manual' }),
  ...calls(
    'km-ingest-trigger',
    { profile: 'manual', dry_run: true },
    { profile: 'manual' },
    { use_dummy_embeddings: true },
    { paths: ['docs'] },
    { dry_run: 'perhaps' },
  ),
  ...calls('km-ingest-status', {}, { profile: 'manual' }, { profile: 'none' }),
  ...calls('km-coverage-summary', {}, { limit: 2 }, { cursor: 'nonsense' }),
  {
    tool: 'km-coverage-summary',
    args: { limit: 3 },
    keep: { page: 'result.structuredContent.artifacts_cursor' },
  },
  ...calls('km-coverage-summary', { limit: 3, cursor: '$page' }),
  ...calls('km-lifecycle-report', {}),
  {
    tool: 'km-search',
    args: { query: 'retry policy' },
    keep: {
      asked: 'result.structuredContent.metadata.request_id',
      chunk: 'result.structuredContent.results.0.chunk.chunk_id',
    },
  },
  ...calls(
    'km-feedback-submit',
    { request_id: '$asked', chunk_id: '$chunk', vote: 1, note: 'Right' },
    { request_id: 'none', chunk_id: 'docs/design.md::0', vote: -1, context: { by: 'me' } },
    { request_id: '$asked', chunk_id: 'docs/design.md::0', vote: 7 },
    {},
  ),
  ...calls(
    'km-recipe-run',
    { recipe: 'look', dry_run: true },
    { recipe: 'look', vars: { term: 'alert' } },
    { recipe: 'daily-health', dry_run: true },
    { recipe: 'none' },
    {},
  ),
  ...calls('km-backup-trigger', { destination: '/etc' }),
  { tool: 'km-backup-trigger', args: {}, varying: ['size_bytes'] },
]

const storing: Step[] = [
  ...calls(
    'km-storetext',
    {
      title: 'Release Notes',
      content: 'The quoxal is new.',
      destination: 'docs/uploads/',
      subsystem: 'Ingest',
      tags: ['release'],
      metadata: { owner: 'Ada' },
    },
    { title: 'Release Notes', content: 'Again.', destination: 'docs/uploads/' },
    { title: 'Release Notes', content: 'Again.', destination: 'docs/uploads/', overwrite: true },
    { content: 'Without a title.', ingest: true },
    { title: 'Out', content: 'x', destination: '../out/' },
    { title: 'Kind', content: 'x', destination: 'docs/x.exe' },
    { title: 'Empty' },
  ),
  ...calls(
    'km-upload',
    { source_path: 'repository/README.md', destination: 'docs/uploads/' },
    {
      source_path: 'memo.md',
      content_base64: Buffer.from('# Memo\n\nA zymurgy.\n').toString('base64'),
      destination: 'docs/uploads/memo.md',
    },
    {
      source_path: 'repository/README.md',
      destination: 'docs/uploads/',
      overwrite: true,
      ingest: true,
    },
    { source_path: '/none/such.md' },
    { source_path: 'memo.md', content_base64: 'eA==', destination: '../../x.md' },
    {},
  ),
  ...calls('km-search', { query: 'quoxal' }),
  ...calls('km-graph-node', { node_id: 'DesignDoc:docs/uploads/memo.md' }),
]

const get = (path: string): RouteStep => ({ route: `GET /api/v1/${path}` })

const gateway: Step[] = [
  { route: 'POST /api/v1/search', body: { query: 'retry policy', limit: 2 } },
  { route: 'POST /api/v1/search', body: {} },
  get('search/weights'),
  get('graph/nodes/DesignDoc%3Adocs%2Fdesign.md'),
  get('graph/nodes/none'),
  get('graph/subsystems/Ingest'),
  get('graph/subsystems/Ingest/graph'),
  get('graph/search?q=pipeline'),
  get('graph/orphans'),
  get('graph/orphans?label=DesignDoc&limit=1'),
  get('coverage'),
  get('lifecycle'),
  get('lifecycle/history'),
  get('audit/history?limit=2'),
  { route: 'POST /api/v1/graph/cypher', body: { query: 'MATCH (n) RETURN n' } },
  { route: 'POST /api/v1/tools/km-graph-search', body: { term: 'alert' } },
  { route: 'POST /api/v1/tools/km-none', body: {} },
  get('none'),
  { route: 'GET /health' },
]

const base = {
  folders: ['repository'],
  before: [['index', 'repository']],
} as const
const SERVE = ['serve', 'repository', '--surface', 'duskmantle', '--no-watch']

export const duskmantleSequences: readonly Sequence[] = [
  { ...base, name: 'duskmantle/read', command: SERVE, steps: reading },
  { ...base, name: 'duskmantle/run', command: SERVE, steps: running, writes: true },
  { ...base, name: 'duskmantle/store', command: SERVE, steps: storing, writes: true },
  {
    ...base,
    name: 'duskmantle/gateway',
    command: [...SERVE, '--http', '0'],
    http: true,
    steps: gateway,
  },
]
