/** The acceptance checks of the contract that belong to sections 1 to 5. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROFILES, scoreChunk } from '../../src/vocabularies/duskmantle/operations/score-chunk.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, git, openDuskmantle } from './open-duskmantle.ts'

const TOOLS = [
  'km-help',
  'km-search',
  'km-graph-node',
  'km-graph-subsystem',
  'km-graph-search',
  'km-coverage-summary',
  'km-lifecycle-report',
  'km-ingest-status',
  'km-ingest-trigger',
  'km-feedback-submit',
  'km-backup-trigger',
  'km-recipe-run',
  'km-upload',
  'km-storetext',
]

const ids = (answer: Record<string, any>): string[] =>
  answer['results'].map(({ chunk }: { chunk: { chunk_id: string } }) => chunk.chunk_id)

it('lists its tools and explains each', async () => {
  verifies('duskmantle:check-1-catalogue')
  const { surface, call } = await openDuskmantle()
  expect(surface.tools().map(({ name }) => name)).toEqual(TOOLS)
  expect(Object.keys((await call('km-help'))['tools'])).toEqual(TOOLS)
  expect((await call('km-help', { tool: 'nope' }))['error'].code).toBe('invalid_request')
  expect((await call('km-help', { tool: ' ' }))['error'].code).toBe('invalid_request')
  const help = await call('km-help', { tool: 'km-search', include_spec: true })
  expect(help['usage'].details).toContain('at most 25')
  expect(help['spec']).toContain('km-graph-subsystem')
})

it('lets a reader look and nobody else in', async () => {
  verifies('duskmantle:check-2-scope')
  verifies('duskmantle:scopes-reader')
  verifies('duskmantle:scopes-maintainer')
  verifies('duskmantle:envelope-status')
  const reader = await openDuskmantle({ settings: { scope: 'reader' } })
  expect((await reader.call('km-search', { query: 'ingest' }))['status']).toBe('ok')
  expect(await reader.call('km-upload', { source_path: '/etc/hosts' })).toMatchObject({
    status: 'error',
    error: { code: 'forbidden' },
  })
  const nobody = await openDuskmantle({ settings: { scope: undefined } })
  expect(await nobody.call('km-ingest-trigger')).toMatchObject({
    status: 'error',
    error: { code: 'unauthorized' },
  })
  expect(await nobody.call('km-search', { query: 'x' })).toMatchObject({
    error: { code: 'unauthorized' },
  })
})

it('counts what a run has read, and finds the run again', async () => {
  verifies('duskmantle:check-3-ingest')
  verifies('duskmantle:ingest-profile')
  verifies('duskmantle:error-codes')
  const { call } = await openDuskmantle()
  const run = await call('km-ingest-trigger', { profile: 'demo' })
  expect(run['status']).toBe('success')
  expect(run['artifact_counts']).toEqual({ doc: 2, code: 1, test: 1 })
  expect(run['run_id']).toMatch(/^[0-9a-f]{32}$/)
  const status = await call('km-ingest-status', { profile: 'demo' })
  expect(status).toMatchObject({ status: 'ok', run_id: run['run_id'], success: true })
  expect(status['run']).toMatchObject({ artifact_count: 4 })
  expect(await call('km-ingest-status', { profile: 'zzz' })).toEqual({
    status: 'not_found',
    profile: 'zzz',
  })
  const refused = await call('km-ingest-trigger', { paths: ['docs'] })
  expect(refused['error'].code).toBe('unsupported_operation')
})

it('cuts windows and reports what has none', async () => {
  verifies('duskmantle:check-4-chunks')
  verifies('duskmantle:chunk-ids')
  const { call } = await openDuskmantle()
  const missing = await call('km-coverage-summary')
  expect(missing['error']).toMatchObject({ code: 'not_found' })
  await call('km-ingest-trigger')
  const node = await call('km-graph-node', { node_id: 'DesignDoc:docs/telemetry.md' })
  const chunks = node['relationships'].filter(({ type }: { type: string }) => type === 'HAS_CHUNK')
  expect(chunks.map((each: any) => each.target.id)).toEqual([
    'Chunk:docs/telemetry.md::0',
    'Chunk:docs/telemetry.md::1',
    'Chunk:docs/telemetry.md::2',
  ])
  const report = await call('km-coverage-summary')
  expect(report['missing_artifacts'].map(({ path }: { path: string }) => path)).toEqual([
    'docs/empty.md',
  ])
  expect(report['summary']).toMatchObject({ artifact_total: 4, chunk_count: 5 })
  expect(report['freshness']).toMatchObject({ stale: false })
})

it('finds the right chunk first and says why', async () => {
  verifies('duskmantle:check-5-search')
  verifies('duskmantle:search-request-id')
  const { call } = await openDuskmantle()
  const answer = await call('km-search', { query: 'ingest pipeline', limit: 5 })
  expect(answer['metadata'].request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(ids(answer)[0]).toBe('docs/telemetry.md::0')
  const [{ scoring, chunk, graph_context: context }] = answer['results']
  expect(Object.keys(scoring).toSorted()).toEqual([
    'adjusted_score',
    'lexical_score',
    'mode',
    'signals',
    'vector_score',
    'weighted_lexical_score',
    'weighted_vector_score',
  ])
  expect(Object.keys(scoring.signals)).toHaveLength(9)
  expect(chunk).toMatchObject({ subsystem: 'Core', namespace: 'docs', coverage_ratio: 1 })
  expect(context.primary_node.id).toBe('DesignDoc:docs/telemetry.md')
  expect(context.neighbor_subsystems).toEqual(['Core'])
  expect(ids(await call('km-search', { query: 'e', limit: 999 })).length).toBeLessThanOrEqual(25)
  expect((await call('km-search', { query: ' ' }))['error'].code).toBe('invalid_request')
  const long = await call('km-search', { query: 'ingest '.repeat(9_000), limit: 1 })
  expect(long['query']).toHaveLength(2_000)
  const alone = await call('km-search', { query: 'ingest', include_graph: false })
  expect(alone['results'][0].graph_context).toBeNull()
  expect(alone['results'][0].scoring.signals.relationship_count).toBe(0)
})

it('scores by the formula', () => {
  verifies('duskmantle:check-6-score')
  const score = scoreChunk(
    {
      text: 'Core handler implementation',
      query: 'core handler',
      vectorScore: 0.85,
      subsystem: 'core',
      criticality: 'high',
      coverageRatio: 0.9,
      related: ['DesignDoc'],
    },
    PROFILES.default,
  )
  expect(score.adjusted).toBeCloseTo(1.400667, 6)
})

it('filters before it cuts', async () => {
  verifies('duskmantle:check-7-filters')
  verifies('duskmantle:search-filters')
  verifies('duskmantle:search-kinds')
  verifies('duskmantle:search-shortcuts')
  verifies('duskmantle:search-symbols')
  const { call } = await openDuskmantle()
  const code = await call('km-search', {
    query: 'ingest pipeline',
    limit: 1,
    filters: { artifact_types: ['code'] },
  })
  expect(ids(code)).toEqual(['src/kasmina/core/handler.py::0'])
  const refuse = async (filters: unknown) =>
    (await call('km-search', { query: 'x', filters }))['error']
  expect((await refuse({ artifact_types: ['film'] })).message).toContain(
    "Unsupported artifact type 'film'",
  )
  expect((await refuse({ symbol_kinds: ['gadget'] })).message).toContain('Unsupported symbol kind')
  expect((await refuse({ tags: 'a' })).code).toBe('invalid_request')
  expect((await refuse({ updated_after: 'soon' })).code).toBe('invalid_request')
  expect((await refuse({ max_age_days: 0 })).code).toBe('invalid_request')
  const found = await call('km-search', { query: 'x', symbol: 'example.METHOD', lang: 'python' })
  const [{ chunk }] = found['results']
  expect(chunk.artifact_path).toBe('src/kasmina/core/handler.py')
  expect(chunk.symbols).toContainEqual({
    id: 'src/kasmina/core/handler.py::Example.method',
    name: 'method',
    qualified_name: 'Example.method',
    kind: 'method',
    language: 'python',
    line_start: 2,
    line_end: 3,
  })
  expect(found['metadata'].filters_applied.symbols).toEqual(['example.METHOD'])
  const none = await call('km-search', { query: 'x', filters: { subsystems: ['nobody'] } })
  expect(none['results']).toEqual([])
  const undated = await call('km-search', { query: 'x', filters: { max_age_days: 3 } })
  expect(undated['metadata'].warnings).toEqual([
    'recency filter skipped results lacking timestamps',
  ])
  const off = await openDuskmantle({ settings: { symbols: false } })
  const [plain] = (await off.call('km-search', { query: 'example' }))['results']
  expect(plain.chunk).not.toHaveProperty('symbols')
})

it('opens symbols in an editor', async () => {
  verifies('duskmantle:check-8-editor-uri')
  const uris = async (editorUriTemplate: string | undefined) => {
    const { call } = await openDuskmantle({ settings: { editorUriTemplate } })
    const { results } = await call('km-search', { query: 'x', symbol: 'Example.method' })
    return results[0].chunk.symbols.find((each: any) => each.name === 'method')
  }
  expect((await uris('ed://{path}:{line}')).editor_uri).toBe('ed://src/kasmina/core/handler.py:2')
  expect(await uris(undefined)).not.toHaveProperty('editor_uri')
  expect(await uris('ed://{nope}')).not.toHaveProperty('editor_uri')
})

it('shows a node with its edges', async () => {
  verifies('duskmantle:check-9-node')
  verifies('duskmantle:node-missing')
  const { call } = await openDuskmantle()
  const doc = await call('km-graph-node', {
    node_id: 'DesignDoc:docs/telemetry.md',
    relationships: 'all',
  })
  expect(doc['relationships'][0]).toMatchObject({
    type: 'DESCRIBES',
    direction: 'OUT',
    target: { id: 'Subsystem:Core', labels: ['Subsystem'] },
  })
  expect(doc['relationships'].map(({ type }: any) => type)).toContain('HAS_CHUNK')
  const code = await call('km-graph-node', { node_id: 'Code:src/kasmina/core/handler.py' })
  expect(code['node'].id).toBe('SourceFile:src/kasmina/core/handler.py')
  expect((await call('km-graph-node', { node_id: 'DesignDoc:nope' }))['error'].code).toBe(
    'not_found',
  )
  for (const id of ['garbage', 'Film:x', 'DesignDoc:']) {
    expect((await call('km-graph-node', { node_id: id }))['error'].code).toBe('invalid_identifier')
  }
  const none = await call('km-graph-node', {
    node_id: 'Subsystem:Core',
    relationships: 'none',
  })
  expect(none['relationships']).toEqual([])
  const odd = await call('km-graph-node', { node_id: 'Subsystem:Core', relationships: 'some' })
  expect(odd['error'].code).toBe('invalid_request')
})

it('pages through everything around a subsystem', async () => {
  verifies('duskmantle:check-10-subsystem')
  const { call } = await openDuskmantle()
  const page = (cursor?: string) =>
    call('km-graph-subsystem', { name: 'Core', depth: 2, limit: 1, cursor })
  const first = await page()
  expect(first['related'].nodes).toHaveLength(1)
  expect(first['related'].total).toBeGreaterThan(1)
  const seen = new Map<string, any>()
  let { cursor, nodes } = first['related']
  for (let turn = 0; turn < 100; turn++) {
    for (const each of nodes) seen.set(each.target.id, each)
    if (cursor === null) break
    ;({ cursor, nodes } = (await page(cursor))['related'])
  }
  expect(cursor).toBeNull()
  expect(seen.size).toBe(first['related'].total)
  expect(seen.get('Subsystem:Billing')).toMatchObject({
    hops: 1,
    relationship: 'DEPENDS_ON',
    direction: 'OUT',
    path: [{ type: 'DEPENDS_ON', direction: 'OUT' }],
  })
  expect(first['artifacts'].map((each: any) => each.id)).toEqual([
    'DesignDoc:docs/telemetry.md',
    'SourceFile:src/kasmina/core/handler.py',
  ])
  expect((await call('km-graph-subsystem', { name: 'Nope' }))['error'].code).toBe('not_found')
  expect((await call('km-graph-subsystem', { name: 'core' }))['subsystem'].id).toBe(
    'Subsystem:Core',
  )
  const bad = await call('km-graph-subsystem', { name: 'Core', cursor: '%%%' })
  expect(bad['related'].nodes.length).toBeGreaterThan(0)
})

it('reports what needs tending', async () => {
  verifies('duskmantle:check-11-lifecycle')
  const { call } = await openDuskmantle({ committedDaysAgo: { 'docs/telemetry.md': 40 } })
  await call('km-ingest-trigger')
  const report = await call('km-lifecycle-report')
  expect(report['stale_docs'].map(({ path }: any) => path)).toEqual(['docs/telemetry.md'])
  expect(report['missing_tests']).toEqual([{ subsystem: 'Core', source_files: 1, test_cases: 0 }])
  const paths = (label: string) => report['isolated'][label].map(({ path }: any) => path)
  expect(paths('DesignDoc')).toEqual(['docs/empty.md'])
  expect(paths('TestCase')).toEqual(['tests/test_handler.py'])
  expect(report['summary']).toEqual({
    stale_docs: 1,
    isolated_nodes: 2,
    subsystems_missing_tests: 1,
    removed_artifacts: 0,
  })
})

it('skips what has not changed and tells what is gone', async () => {
  verifies('duskmantle:check-12-incremental')
  const { call, folder } = await openDuskmantle()
  const first = await call('km-ingest-trigger')
  expect(first['chunks_written']).toBe(5)
  const second = await call('km-ingest-trigger')
  expect(second).toMatchObject({ chunk_count: 5, chunks_written: 0 })
  const again = await call('km-coverage-summary')
  expect(again['artifacts'].every(({ skipped }: any) => skipped)).toBe(true)
  rmSync(join(folder, 'docs/empty.md'))
  const trial = await call('km-ingest-trigger', { dry_run: true })
  expect(trial['status']).toBe('success')
  expect((await call('km-coverage-summary'))['removed_artifacts']).toEqual([])
  await call('km-ingest-trigger')
  expect((await call('km-coverage-summary'))['removed_artifacts']).toMatchObject([
    { path: 'docs/empty.md', status: 'deleted', artifact_type: 'doc' },
  ])
})

it('finds nodes by part of a name', async () => {
  verifies('duskmantle:graph-search')
  const { call } = await openDuskmantle()
  const { results } = await call('km-graph-search', { term: 'HANDLER' })
  expect(results.map(({ id, score }: any) => `${id} ${score}`)).toEqual([
    'SourceFile:src/kasmina/core/handler.py 0.8',
    'Symbol:src/kasmina/core/handler.py::handler 0.78',
    'Symbol:tests/test_handler.py::test_handler 0.78',
    'TestCase:tests/test_handler.py 0.75',
  ])
  expect(results[0]).toEqual({
    id: 'SourceFile:src/kasmina/core/handler.py',
    label: 'SourceFile',
    score: 0.8,
    snippet: 'src/kasmina/core/handler.py',
  })
  expect((await call('km-graph-search', { term: '' }))['error'].code).toBe('invalid_request')
})

it('goes on with a catalogue that is broken, circular or gone', async () => {
  const { call, folder, base } = await openDuskmantle({
    files: { ...FIXTURE, '.metadata/subsystems.json': '{"A": 3, "": {}, "B": {' },
  })
  expect((await call('km-ingest-trigger'))['warnings'][0]).toContain('no JSON')
  const catalogue = join(folder, '.metadata/subsystems.json')
  writeFileSync(catalogue, '{"A":{"depends_on":["B"]},"B":{"depends_on":["A","B"],"paths":"docs"}}')
  const around = await call('km-graph-subsystem', { name: 'A', depth: 5 })
  expect(around['related'].nodes.map((each: any) => each.target.id)).toContain('Subsystem:B')
  rmSync(catalogue)
  expect((await call('km-graph-subsystem', { name: 'A' }))['error'].code).toBe('not_found')
  expect(base.bugs).toEqual([])
})

it('says when a file was committed, in a worktree and after another commit', async () => {
  const { call, folder } = await openDuskmantle({ committedDaysAgo: {} })
  const stamp = async () =>
    (await call('km-graph-node', { node_id: 'Code:src/kasmina/core/handler.py' }))['node']
      .properties
  const before = await stamp()
  expect(before.git_commit).toMatch(/^[0-9a-f]{40}$/)
  writeFileSync(join(folder, 'src/kasmina/core/handler.py'), 'def changed():\n    pass\n')
  git(folder, ['commit', '-q', '-am', 'change'])
  expect((await stamp()).git_commit).toBe(git(folder, ['rev-parse', 'HEAD']).trim())
})

it('takes vectors without meaning where it is told to', async () => {
  const { call } = await openDuskmantle()
  await call('km-ingest-trigger', { use_dummy_embeddings: true })
  const dummy = await call('km-search', { query: 'ingest pipeline' })
  await call('km-ingest-trigger', { use_dummy_embeddings: false })
  const real = await call('km-search', { query: 'ingest pipeline' })
  const vector = (answer: any) => answer.results[0].scoring.vector_score
  expect(vector(dummy)).not.toBeCloseTo(vector(real), 6)
})

it('leaves out what was built', async () => {
  const built = { 'dist/out.js': 'var ingest = 1\n', 'build/lib/x.py': 'ingest = 1\n' }
  const { call } = await openDuskmantle({ files: { ...FIXTURE, ...built } })
  const { artifact_counts: counts } = await call('km-ingest-trigger')
  expect(counts).toEqual({ doc: 2, code: 1, test: 1 })
})
