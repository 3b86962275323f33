/** The rules of sections 1 to 5 of the contract, one by one. */
import { rmSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openRankingModel } from '../../src/vocabularies/duskmantle/start/ranking-model.ts'
import {
  dummySimilarity,
  dummyVector,
} from '../../src/vocabularies/duskmantle/operations/dummy-vectors.ts'
import { PROFILES, scoreChunk } from '../../src/vocabularies/duskmantle/operations/score-chunk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, openDuskmantle } from './open-duskmantle.ts'

type Answer = Record<string, any>

const codeOf = (answer: Answer): string => answer['error']?.code
const idsOf = (answer: Answer): string[] =>
  answer['results'].map(({ chunk }: Answer) => chunk.chunk_id)

/** A package of so many modules, each of which imports the first. */
function modules(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, n) => `src/shop/core/part${n}.py`)
  return Object.fromEntries(
    names.map((name, n) => [name, `from shop.core import part0\n\n\ndef sell${n}():\n    pass\n`]),
  )
}

describe('help', () => {
  it('tells what each tool takes', async () => {
    verifies('duskmantle:help-details')
    const { call } = await openDuskmantle()
    const details = async (tool: string) => (await call('km-help', { tool }))['usage'].details
    expect(await details('km-search')).toMatch(/Required: query.*default 10, at most 25.*\/sys mcp/)
    expect(await details('km-graph-node')).toMatch(/Required: node_id.*default 50, at most 200/)
    expect(await details('km-graph-subsystem')).toMatch(
      /depth \(default 1, at most 5\).*--name Kasmina --depth 2/,
    )
    expect(await details('km-graph-search')).toMatch(/default 20, at most 50/)
    expect(await call('km-help')).not.toHaveProperty('spec')
  })
})

describe('arguments', () => {
  it('have their defaults and are clamped to their limits', async () => {
    verifies('duskmantle:limits')
    const { call } = await openDuskmantle({ files: { ...FIXTURE, ...modules(260) } })
    const search = async (limit?: number) =>
      (await call('km-search', { query: 'sell part core', limit }))['results'].length
    expect([await search(), await search(1e9), await search(-3)]).toEqual([10, 25, 1])
    const node = async (limit?: number) =>
      (await call('km-graph-node', { node_id: 'Subsystem:Core', relationships: 'all', limit }))[
        'relationships'
      ].length
    expect([await node(), await node(1e9), await node(0)]).toEqual([50, 200, 1])
    const related = async (limit?: number) =>
      (await call('km-graph-subsystem', { name: 'Core', limit }))['related'].nodes.length
    expect([await related(), await related(1e9), await related(-1)]).toEqual([25, 100, 1])
    const found = async (limit?: number) =>
      (await call('km-graph-search', { term: 'part', limit }))['results'].length
    expect([await found(), await found(1e9), await found(0.5)]).toEqual([20, 50, 1])
    const hops = async (depth: number) =>
      (await call('km-graph-subsystem', { name: 'Core', depth, limit: 100 }))['related']
    expect((await hops(0)).total).toBe((await hops(1)).total)
    expect((await hops(99)).total).toBe((await hops(5)).total)
    const whole = await call('km-graph-subsystem', { name: 'Core' })
    expect(whole['artifacts']).toHaveLength(200)
    const without = await call('km-graph-subsystem', { name: 'Core', include_artifacts: false })
    expect(without['artifacts']).toEqual([])
  })

  it('are refused where they are blank or of another kind', async () => {
    verifies('duskmantle:blank-arguments', 'duskmantle:node-directions')
    const { call, base } = await openDuskmantle()
    const refused: readonly [string, Answer][] = [
      ['km-search', { query: '  ' }],
      ['km-search', {}],
      ['km-search', { query: 7 }],
      ['km-search', { query: 'x', limit: 'many' }],
      ['km-search', { query: 'x', filters: [] }],
      ['km-graph-node', { node_id: '' }],
      ['km-graph-node', { node_id: 'Subsystem:Core', relationships: 'sideways' }],
      ['km-graph-subsystem', { name: '\t' }],
      ['km-graph-subsystem', { name: 'Core', cursor: 3 }],
      ['km-graph-search', { term: ' ' }],
      ['km-ingest-trigger', { profile: 3 }],
      ['km-ingest-trigger', { dry_run: 'yes' }],
    ]
    for (const [tool, args] of refused) {
      const answer = await call(tool, args)
      expect([tool, answer['status'], codeOf(answer)]).toEqual([tool, 'error', 'invalid_request'])
    }
    const edges = async (relationships: string) =>
      (await call('km-graph-node', { node_id: 'Subsystem:Core', relationships }))['relationships']
        .map(({ type, direction }: Answer) => `${type} ${direction}`)
        .toSorted()
    expect(await edges('outgoing')).toEqual(['DEPENDS_ON OUT'])
    expect(await edges('incoming')).toEqual(['BELONGS_TO IN', 'DESCRIBES IN'])
    expect(await edges('all')).toEqual(['BELONGS_TO IN', 'DEPENDS_ON OUT', 'DESCRIBES IN'])
    expect(await edges('none')).toEqual([])
    expect(base.bugs).toEqual([])
  })

  it('survive bad cursors and ids as long as a book', async () => {
    const { call, base } = await openDuskmantle()
    const first = (await call('km-graph-subsystem', { name: 'Core', limit: 1 }))['related']
    for (const cursor of ['%%%', 'null', '-1', 'OTk5OTk5OTk5OTk5', '']) {
      const page = await call('km-graph-subsystem', { name: 'Core', limit: 1, cursor })
      expect(page['related'].nodes).toEqual(first.nodes)
    }
    const beyond = Buffer.from('99999').toString('base64url')
    const end = await call('km-graph-subsystem', { name: 'Core', cursor: beyond })
    expect(end['related']).toMatchObject({ nodes: [], cursor: null })
    const long = 'x'.repeat(100_000)
    expect(codeOf(await call('km-graph-node', { node_id: `SourceFile:${long}` }))).toBe('not_found')
    expect(codeOf(await call('km-graph-node', { node_id: long }))).toBe('invalid_identifier')
    expect(codeOf(await call('km-graph-subsystem', { name: long }))).toBe('not_found')
    expect((await call('km-graph-search', { term: long }))['results']).toEqual([])
    expect((await call('km-search', { query: long }))['status']).toBe('ok')
    expect(base.bugs).toEqual([])
  })
})

describe('search', () => {
  it('answers with chunks, their place and their score', async () => {
    verifies('duskmantle:search-response', 'duskmantle:search-request')
    const { call } = await openDuskmantle({ committedDaysAgo: {} })
    const answer = await call('km-search', { query: 'example method', limit: 3 })
    expect(answer['query']).toBe('example method')
    expect(Object.keys(answer['metadata']).toSorted()).toEqual([
      'graph_context_included',
      'hybrid_weights',
      'request_id',
      'result_count',
      'scoring_mode',
      'warnings',
      'weight_profile',
      'weights',
    ])
    expect(answer['metadata']).toMatchObject({
      result_count: answer['results'].length,
      scoring_mode: 'heuristic',
      weight_profile: 'default',
      weights: { coverage_penalty: 0.15 },
      hybrid_weights: { vector: 1, lexical: 0.25 },
    })
    const [{ chunk, graph_context: context, scoring }] = answer['results']
    expect(Object.keys(chunk).toSorted()).toEqual([
      'artifact_path',
      'artifact_type',
      'chunk_id',
      'coverage_missing',
      'coverage_ratio',
      'git_timestamp',
      'namespace',
      'score',
      'subsystem',
      'subsystem_criticality',
      'symbol_count',
      'symbols',
      'tags',
      'text',
    ])
    expect(chunk).toMatchObject({
      chunk_id: 'src/kasmina/core/handler.py::0',
      namespace: 'kasmina',
      subsystem: 'Core',
      subsystem_criticality: 'high',
      symbol_count: 4,
    })
    expect(Object.keys(context).toSorted()).toEqual([
      'neighbor_subsystems',
      'primary_node',
      'related_artifacts',
      'relationships',
    ])
    expect(context.related_artifacts).toEqual([
      { id: 'DesignDoc:docs/telemetry.md', relationship: 'DESCRIBES' },
    ])
    expect(scoring.signals).toMatchObject({
      relationship_count: 1,
      supporting_bonus: 0.2,
      criticality_score: 0.8,
      path_depth: 1,
    })
    expect(scoring.signals.freshness_days).toBeCloseTo(1, 1)
    const { query, sort_by_vector: byVector } = { query: 'core', sort_by_vector: true }
    const sorted = await call('km-search', { query, sort_by_vector: byVector })
    const vectors = sorted['results'].map((each: Answer) => each['scoring'].vector_score)
    expect(vectors).toEqual(vectors.toSorted((a: number, b: number) => b - a))
    const plain = await call('km-search', { query: 'example', include_graph: false })
    expect(plain['metadata'].graph_context_included).toBe(false)
    expect(plain['results'].every((each: Answer) => each['graph_context'] === null)).toBe(true)
  })

  it('joins shortcuts with filters, without repeats and in any case', async () => {
    const { call } = await openDuskmantle()
    const answer = await call('km-search', {
      query: 'x',
      symbol: 'Example.method,helper',
      kind: ['METHOD', 'function'],
      lang: 'Python',
      filters: { symbols: ['example.METHOD'], symbol_kinds: ['method'], unknown: 3 },
    })
    expect(answer['metadata'].filters_applied).toEqual({
      symbols: ['example.METHOD', 'helper'],
      symbol_kinds: ['method', 'function'],
      symbol_languages: ['python'],
    })
    expect(idsOf(answer)).toEqual(['src/kasmina/core/handler.py::0'])
    const odd = await call('km-search', { query: 'x', lang: 'klingon' })
    expect(odd['error'].message).toContain("Unsupported symbol language 'klingon'")
    expect(codeOf(await call('km-search', { query: 'x', kind: 'variable' }))).toBe(
      'invalid_request',
    )
  })

  it('filters by subsystem, namespace, tag and time', async () => {
    verifies('duskmantle:search-recency')
    const { call } = await openDuskmantle({
      files: { ...FIXTURE, 'docs/orders.md': 'An OrderMessage is sent.\n' },
      committedDaysAgo: { 'docs/telemetry.md': 40, 'docs/orders.md': 2 },
    })
    const paths = async (filters: Answer) => {
      const { results } = await call('km-search', { query: 'ingest example order', filters })
      return [...new Set(results.map((each: Answer) => each['chunk'].artifact_path))].toSorted()
    }
    expect(await paths({ subsystems: ['CORE'] })).toEqual([
      'docs/telemetry.md',
      'src/kasmina/core/handler.py',
    ])
    expect(await paths({ namespaces: ['Kasmina'] })).toEqual(['src/kasmina/core/handler.py'])
    expect(await paths({ tags: ['ordermessage'] })).toEqual(['docs/orders.md'])
    expect(await paths({ subsystems: ['Core'], artifact_types: ['Doc'] })).toEqual([
      'docs/telemetry.md',
    ])
    expect(await paths({ max_age_days: 30, artifact_types: ['doc'] })).toEqual(['docs/orders.md'])
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const after = { updated_after: daysAgo(60), max_age_days: 30, artifact_types: ['doc'] }
    expect(await paths(after)).toEqual(['docs/orders.md'])
    const both = { updated_after: daysAgo(1), max_age_days: 60, artifact_types: ['doc'] }
    expect(await paths(both)).toEqual([])
    const bare = daysAgo(60).replace('Z', '')
    expect(await paths({ updated_after: bare, artifact_types: ['doc'] })).toEqual([
      'docs/orders.md',
      'docs/telemetry.md',
    ])
  })

  it('enriches the first twenty and says so', async () => {
    const { call } = await openDuskmantle({ files: { ...FIXTURE, ...modules(30) } })
    // However long it takes, the time for it is not over.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const answer = await call('km-search', { query: 'sell part', limit: 25 })
    expect(answer['results']).toHaveLength(25)
    expect(answer['metadata'].warnings).toContain('graph context limited to first 20 results')
    const shown = answer['results'].filter((each: Answer) => each['graph_context'] !== null)
    expect(shown).toHaveLength(20)
    expect(shown[0].graph_context.relationships.length).toBeLessThanOrEqual(10)
  })

  it('shows the first of very many tags with every chunk, and says how many there are', async () => {
    const tags = Array.from({ length: 5_000 }, (_, n) => `tag-${String(n).padStart(4, '0')}`)
    const many = `---\ntags: [${tags.join(', ')}]\n---\n# Kettles\n\nBoil the water.\n`
    const { call } = await openDuskmantle({ files: { ...FIXTURE, 'docs/many.md': many } })
    const answer = await call('km-search', { query: 'boil kettles', limit: 25 })
    const shown = answer['results'].filter(
      ({ chunk }: Answer) => chunk.artifact_path === 'docs/many.md',
    )
    expect(shown.length).toBeGreaterThan(0)
    for (const { chunk } of shown) {
      expect(chunk.tags).toEqual(tags.slice(0, 250))
      expect(chunk.tag_count).toBe(5_000)
    }
    expect(answer['metadata'].warnings).toContain(
      'not every tag of every result is shown; tag_count says how many there are',
    )
    expect(JSON.stringify(answer).length).toBeLessThan(500_000)
    const few = await call('km-search', { query: 'telemetry of a stage', limit: 1 })
    expect(few['results'][0].chunk).not.toHaveProperty('tag_count')
    expect(few['metadata'].warnings).not.toContain(
      'not every tag of every result is shown; tag_count says how many there are',
    )
  })

  it('shows five symbols of a chunk, counts all, and opens them', async () => {
    verifies('duskmantle:search-editor-uri', 'duskmantle:symbol-records')
    const functions = Array.from({ length: 9 }, (_, n) => `def f${n}():\n    pass\n`).join('\n')
    const files = { ...FIXTURE, 'src/kasmina/core/many.py': functions }
    const { call, folder } = await openDuskmantle({
      files,
      settings: { editorUriTemplate: 'x://{abs_path}:{line_start}-{line_end}' },
    })
    const [{ chunk }] = (await call('km-search', { query: 'f3', symbol: 'f3' }))['results']
    expect(chunk.symbols).toHaveLength(5)
    expect(chunk.symbol_count).toBe(10)
    expect(chunk.symbols[0]).toEqual({
      id: 'src/kasmina/core/many.py::f0',
      name: 'f0',
      qualified_name: 'f0',
      kind: 'function',
      language: 'python',
      line_start: 1,
      line_end: 2,
      editor_uri: `x://${folder}/src/kasmina/core/many.py:1-2`,
    })
    const module = await call('km-graph-node', {
      node_id: 'Symbol:src/kasmina/core/many.py::many',
    })
    expect(module['node'].properties).toMatchObject({ kind: 'module', line_start: 1 })
  })

  it('orders by a model where one is there, and by the formula where none can be used', async () => {
    verifies('duskmantle:search-ml')
    const folder = temporaryFolder({})
    const file = join(folder, 'model.json')
    const { call } = await openDuskmantle({
      settings: { scoringMode: 'ml' },
      rankingModel: openRankingModel(file),
    })
    const ask = () => call('km-search', { query: 'ingest pipeline example' })
    const without = await ask()
    expect(without['metadata']).toMatchObject({ scoring_mode: 'heuristic' })
    expect(without['metadata'].warnings[0]).toContain('no usable ranking model')
    expect(without['results'][0].scoring).not.toHaveProperty('model')
    writeFileSync(
      file,
      JSON.stringify({
        feature_names: ['lexical_score', 'signal_path_depth'],
        coefficients: [-2, 0.5],
        intercept: 1,
      }),
    )
    const learned = await ask()
    expect(learned['metadata']).toMatchObject({ scoring_mode: 'ml', warnings: [] })
    for (const { scoring } of learned['results']) {
      const { score, intercept, contributions } = scoring.model
      expect(scoring.mode).toBe('ml')
      expect(scoring.adjusted_score).toBe(score)
      expect(contributions.lexical_score).toBeCloseTo(-2 * scoring.lexical_score, 9)
      expect(score).toBeCloseTo(
        intercept + contributions.lexical_score + contributions.signal_path_depth,
        9,
      )
    }
    const scores = learned['results'].map((each: Answer) => each['scoring'].adjusted_score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    for (const broken of ['{', '[]', '{"feature_names":["x"],"coefficients":[1]}', '{}']) {
      writeFileSync(file, broken)
      expect((await ask())['metadata'].scoring_mode).toBe('heuristic')
    }
  })

  it.each([
    ['Core', 'the CORE of it', 1],
    ['Core', 'scores', 0.5],
    ['Core', 'co re', 0.5],
    ['UI', 'gui', 0.5],
    ['Core', 'billing', 0],
    [undefined, 'core', 0],
  ])('takes %s for %j with an affinity of %d', (subsystem, query, affinity) => {
    const evidence = {
      text: 'nothing of it',
      vectorScore: 0.5,
      criticality: undefined,
      coverageRatio: 1,
      related: [],
    }
    const { adjusted, signals } = scoreChunk({ ...evidence, subsystem, query }, PROFILES.default)
    expect(signals.subsystemAffinity).toBe(affinity)
    const lexical = query === 'the CORE of it' ? (0.25 * 2) / 3 : 0
    expect(adjusted).toBeCloseTo(0.5 + lexical + 0.28 * affinity, 6)
  })

  it('weighs by each profile, and by nothing of the graph without it', () => {
    const evidence = {
      text: 'Core handler implementation',
      query: 'core handler',
      vectorScore: 0.85,
      subsystem: 'core',
      criticality: 'high',
      coverageRatio: 0.9,
    }
    const related = ['DesignDoc', 'DesignDoc', 'DesignDoc', 'TestCase', 'SourceFile']
    const scores = Object.values(PROFILES).map(
      (weights) => scoreChunk({ ...evidence, related }, weights).adjusted,
    )
    const base = 0.85 + 0.25 * (2 / 3)
    const expected = [
      [0.28, 0.05, 0.09, 0.15, 0.12],
      [0.38, 0.1, 0.08, 0.18, 0.18],
      [0.22, 0.08, 0.06, 0.28, 0.1],
      [0.26, 0.04, 0.22, 0.12, 0.08],
    ].map(([s, r, p, c, k]) => base + s! + 5 * r! * 0.1 + 0.5 * p! - c! * 0.1 + 0.8 * k!)
    for (const [at, score] of scores.entries()) expect(score).toBeCloseTo(expected[at]!, 6)
    const alone = scoreChunk({ ...evidence, related: undefined }, PROFILES.default)
    expect(alone.adjusted).toBeCloseTo(base, 6)
  })

  it('makes vectors without meaning as the contract says', () => {
    const sum = 97 + 98
    const expected = Array.from({ length: 8 }, (_, i) => (sum % (i + 2)) / (i + 2))
    expect([...dummyVector('ab')]).toEqual(expected)
    expect([...dummyVector('')]).toEqual(Array.from({ length: 8 }, (_, i) => 1 / (i + 2)))
    expect(dummySimilarity('ab')({ text: 'xabx' }, 1, 3)).toBeCloseTo(1, 9)
  })
})

describe('the graph', () => {
  it('knows every label, with spaces and colons in keys', async () => {
    verifies('duskmantle:node-labels', 'duskmantle:message-names')
    const { call } = await openDuskmantle({
      files: {
        ...FIXTURE,
        'src/kasmina/core/events.py': 'class OrderMessage:\n    channel = TelemetryLatency\n',
        'settings.toml': 'a = 1\n',
        'docs/a:b c.md': 'Colons.\n',
        'src/kasmina/_generated/api.py': 'x = 1\n',
      },
    })
    const id = async (node: string) =>
      (await call('km-graph-node', { node_id: node }))['node']?.id ?? 'none'
    for (const node of [
      'Subsystem:Core',
      'DesignDoc:docs/a:b c.md',
      'SourceFile:src/kasmina/_generated/api.py',
      'TestCase:tests/test_handler.py',
      'ConfigFile:settings.toml',
      'Chunk:docs/telemetry.md::2',
      'Symbol:src/kasmina/core/handler.py::Example.method',
      'IntegrationMessage:OrderMessage',
      'TelemetryChannel:TelemetryLatency',
    ]) {
      expect(await id(node)).toBe(node)
    }
    expect(await id(' DesignDoc : docs/telemetry.md ')).toBe('DesignDoc:docs/telemetry.md')
    expect(await id('Doc:docs/telemetry.md')).toBe('DesignDoc:docs/telemetry.md')
    expect(await id('Test:tests/test_handler.py')).toBe('TestCase:tests/test_handler.py')
    expect(await id('Config:settings.toml')).toBe('ConfigFile:settings.toml')
    const message = await call('km-graph-node', {
      node_id: 'IntegrationMessage:OrderMessage',
      relationships: 'incoming',
    })
    expect(message['relationships'].map(({ type, target }: Answer) => [type, target.id])).toEqual([
      ['IMPLEMENTS', 'Subsystem:Core'],
      ['DECLARES', 'SourceFile:src/kasmina/core/events.py'],
    ])
    const [{ chunk }] = (await call('km-search', { query: 'OrderMessage' }))['results']
    expect(chunk.tags).toEqual(['OrderMessage', 'TelemetryLatency'])
  })

  it('says how everything around a subsystem is reached', async () => {
    verifies('duskmantle:subsystem-fields')
    const { call } = await openDuskmantle()
    const { related, artifacts } = await call('km-graph-subsystem', { name: 'Core', depth: 2 })
    const chunk = related.nodes.find(
      (each: Answer) => each['target'].id === 'Chunk:docs/telemetry.md::1',
    )
    expect(chunk).toMatchObject({
      hops: 2,
      relationship: 'DESCRIBES',
      direction: 'IN',
      path: [
        {
          type: 'DESCRIBES',
          direction: 'IN',
          source: 'Subsystem:Core',
          target: 'DesignDoc:docs/telemetry.md',
        },
        {
          type: 'HAS_CHUNK',
          direction: 'OUT',
          source: 'DesignDoc:docs/telemetry.md',
          target: 'Chunk:docs/telemetry.md::1',
        },
      ],
    })
    expect(related.total).toBe(related.nodes.length)
    expect(related.cursor).toBeNull()
    expect(artifacts.map(({ id }: Answer) => id)).toHaveLength(2)
  })
})

describe('runs', () => {
  it('write ledger, reports and history, and tell the newest', async () => {
    verifies('duskmantle:state-files', 'duskmantle:ingest-status', 'duskmantle:coverage-report')
    verifies('duskmantle:ingest-trigger', 'duskmantle:lifecycle-report')
    const { call, base } = await openDuskmantle({ committedDaysAgo: {} })
    expect(await call('km-ingest-status')).toEqual({ status: 'not_found', profile: null })
    expect(codeOf(await call('km-lifecycle-report'))).toBe('not_found')
    const first = await call('km-ingest-trigger', { profile: 'demo' })
    const second = await call('km-ingest-trigger')
    expect(second['profile']).toBe('manual')
    const status = await call('km-ingest-status')
    expect(status['run_id']).toBe(second['run_id'])
    expect((await call('km-ingest-status', { profile: 'demo' }))['run_id']).toBe(first['run_id'])
    expect(Object.keys(status).toSorted()).toEqual([
      'artifact_counts',
      'chunk_count',
      'chunks_written',
      'duration_seconds',
      'profile',
      'repo_head',
      'run',
      'run_id',
      'started_at',
      'status',
      'success',
    ])
    expect(status['repo_head']).toMatch(/^[0-9a-f]{40}$/)
    const read = (path: string) => JSON.parse(readFileSync(join(base.state, path), 'utf8'))
    const entry = read('reports/artifact_ledger.json').artifacts['docs/telemetry.md']
    expect(Object.keys(entry).toSorted()).toEqual([
      'artifact_type',
      'chunk_count',
      'coverage_ratio',
      'digest',
      'git_commit',
      'git_timestamp',
      'last_seen',
      'subsystem',
    ])
    const coverage = await call('km-coverage-summary')
    expect(coverage).toMatchObject({
      status: 'ok',
      run: { run_id: second['run_id'], profile: 'manual', repo_head: status['repo_head'] },
      include_patterns: [],
      freshness: { threshold_seconds: 86_400, stale: false },
    })
    expect(Object.keys(coverage['artifacts'][0]).toSorted()).toEqual([
      'artifact_type',
      'chunk_count',
      'content_digest',
      'coverage_ratio',
      'git_commit',
      'git_timestamp',
      'path',
      'skipped',
      'subsystem',
      'subsystem_criticality',
    ])
    expect(read('reports/coverage_report.json').run.run_id).toBe(second['run_id'])
    expect(read('reports/lifecycle_report.json')).toMatchObject({ thresholds: { stale_days: 30 } })
    for (let run = 0; run < 11; run++) await call('km-ingest-trigger')
    expect(readdirSync(join(base.state, 'reports/history'))).toHaveLength(5)
    expect(readdirSync(join(base.state, 'reports/lifecycle_history'))).toHaveLength(10)
  })

  it('write nothing when they only try', async () => {
    verifies('duskmantle:ingest-dry-run')
    const { call, base } = await openDuskmantle()
    const run = await call('km-ingest-trigger', { dry_run: true })
    expect(run).toMatchObject({ status: 'success', artifact_counts: { doc: 2, code: 1, test: 1 } })
    expect(await call('km-ingest-status')).toMatchObject({ status: 'not_found' })
    expect(existsSync(join(base.state, 'reports/artifact_ledger.json'))).toBe(false)
    expect(existsSync(join(base.state, 'audit'))).toBe(false)
  })

  it('happen one at a time', async () => {
    verifies('duskmantle:ingest-one-at-a-time')
    const { call } = await openDuskmantle()
    const [one, other] = await Promise.all([call('km-ingest-trigger'), call('km-ingest-trigger')])
    expect([one['status'], other['status']]).toEqual(['success', 'error'])
    expect(other['error']).toMatchObject({ code: 'upstream_error' })
    expect(other['error'].message).toContain('already running')
    expect((await call('km-ingest-trigger'))['status']).toBe('success')
  })

  it('are recorded when they fail', async () => {
    verifies('duskmantle:ingest-failure')
    const { call, base } = await openDuskmantle()
    mkdirSync(join(base.state, 'reports/coverage_report.json'), { recursive: true })
    const failed = await call('km-ingest-trigger', { profile: 'demo' })
    expect(failed['error']).toMatchObject({ code: 'upstream_error' })
    const status = await call('km-ingest-status', { profile: 'demo' })
    expect(status).toMatchObject({ status: 'ok', success: false })
    expect(status['run'].error).not.toBe('')
    expect(base.bugs).toHaveLength(1)
  })

  it('take a ledger that is damaged for an empty one', async () => {
    const { call, base } = await openDuskmantle()
    await call('km-ingest-trigger')
    writeFileSync(join(base.state, 'reports/artifact_ledger.json'), '{"artifacts": {"docs')
    const run = await call('km-ingest-trigger')
    expect(run).toMatchObject({ status: 'success', chunks_written: 5 })
  })
})

describe('a catalogue', () => {
  it.each([
    '[]',
    'null',
    '"text"',
    '{"A": null, "B": [], "C": 7}',
    '{"A": {"paths": [1, null, {}], "dependencies": {"x": 1}, "criticality": {}, "tags": "one"}}',
    '{"A": {"criticality": "urgent", "paths": ["{{{[[[", "**/**/**/x", ""]}}',
    '{"__proto__": {"paths": ["docs"]}, "constructor": {"depends_on": ["toString"]}}',
    '{"A": {"depends_on": ["A", "A", "B"]}, "B": {"depends_on": ["C"]}, "C": {"depends_on": ["A"]}}',
    `{"A": {"paths": ["${'{a,b}'.repeat(40)}"]}}`,
  ])('that says %s costs nobody an answer', async (text) => {
    const { call, base } = await openDuskmantle({
      files: { ...FIXTURE, '.metadata/subsystems.json': text },
    })
    expect((await call('km-ingest-trigger'))['status']).toBe('success')
    expect((await call('km-search', { query: 'ingest pipeline' }))['status']).toBe('ok')
    const { results } = await call('km-graph-search', { term: 'a', limit: 50 })
    for (const { id, label } of results.filter((each: Answer) => each['label'] === 'Subsystem')) {
      expect((await call('km-graph-node', { node_id: id }))['node'].labels).toEqual([label])
      const name = id.slice('Subsystem:'.length)
      const around = await call('km-graph-subsystem', { name, depth: 5, limit: 100 })
      expect(around['related'].nodes).toHaveLength(around['related'].total)
    }
    expect(base.bugs).toEqual([])
  })
})

describe('what is an artifact', () => {
  it('is text that nobody ignores and no secret', async () => {
    verifies('duskmantle:discovery')
    const { call } = await openDuskmantle({
      files: {
        ...FIXTURE,
        'package.json': '{}',
        '.gitignore': 'ignored/\n',
        'ignored/x.py': 'x = 1\n',
        '.env': 'PASSWORD=1\n',
        'node_modules/a/index.js': 'x\n',
        'big.py': `# ${'x '.repeat(600_000)}\n`,
        'binary.md': 'a\0b',
        'schema.sql': 'create table a (b int);\n',
      },
    })
    await call('km-ingest-trigger')
    const { artifacts } = await call('km-coverage-summary')
    expect(artifacts.map(({ path }: Answer) => path)).toEqual([
      'docs/empty.md',
      'docs/telemetry.md',
      'package.json',
      'schema.sql',
      'src/kasmina/core/handler.py',
      'tests/test_handler.py',
    ])
  })

  it('is of a type by its folder, else by its name', async () => {
    verifies('duskmantle:artifact-types')
    const types = {
      'docs/notes.py': 'doc',
      'tests/data.json': 'test',
      'src/a/b.py': 'code',
      'src/a/_generated/c.py': 'proto',
      'src/a/d.test.ts': 'test',
      'lib/e.go': 'code',
      'lib/e_test.go': 'test',
      'api/f.proto': 'proto',
      'g.md': 'doc',
      'h.yaml': 'config',
      'i/test_j.py': 'test',
      'k/l.rst': 'doc',
    }
    const files = Object.fromEntries(Object.keys(types).map((path) => [path, 'x = 1\n']))
    const { call } = await openDuskmantle({ files: { ...files, 'package.json': '{}' } })
    await call('km-ingest-trigger')
    const { artifacts } = await call('km-coverage-summary')
    const found = artifacts.map((each: Answer) => [each['path'], each['artifact_type']])
    expect(Object.fromEntries(found)).toEqual({ ...types, 'package.json': 'config' })
  })

  it('belongs to a subsystem by package, catalogue or front matter', async () => {
    verifies('duskmantle:subsystem-inference')
    const { call } = await openDuskmantle({
      files: {
        'pyproject.toml': '[project]\nname = "till"\n',
        'till/pay/card.py': 'x = 1\n',
        'till/main.py': 'x = 1\n',
        'src/shop/cart/a.py': 'x = 1\n',
        'src/shop/B.py': 'x = 1\n',
        'src/shop/billing/c.py': 'x = 1\n',
        'ops/deploy/run.sh': 'true\n',
        'docs/x.md': '---\nsubsystem: Cart\ntags: [release]\n---\n\nHello.\n',
        'README.md': 'Hello.\n',
        '.metadata/subsystems.json':
          '{"BILLING":{"labels":["money"]},"Ops":{"includes":["ops/**"]},"Other":{"paths":"ops"}}',
      },
    })
    await call('km-ingest-trigger')
    const { artifacts } = await call('km-coverage-summary')
    const found = artifacts.map((each: Answer) => [each['path'], each['subsystem']])
    expect(Object.fromEntries(found)).toEqual({
      'README.md': null,
      'docs/x.md': 'Cart',
      'ops/deploy/run.sh': 'Ops',
      'pyproject.toml': null,
      'src/shop/B.py': 'Shop',
      'src/shop/billing/c.py': 'BILLING',
      'src/shop/cart/a.py': 'Cart',
      'till/main.py': 'Till',
      'till/pay/card.py': 'Pay',
    })
    const hit = async (subsystem: string) =>
      (await call('km-search', { query: 'x', filters: { subsystems: [subsystem] } }))['results']
    const [money] = await hit('billing')
    expect(money.chunk.tags).toEqual(['money'])
    const note = (await hit('cart')).find((each: Answer) => each['chunk'].artifact_type === 'doc')
    expect(note.chunk.tags).toEqual(['release'])
  })
})

describe('what belongs together', () => {
  /** A program without `src/` and without a catalogue, whose tests lie apart from it. */
  const PROGRAM = {
    'package.json': '{}',
    'pay/card.ts': 'export const card = 1\n',
    'pay/bank.ts': "import { card } from './card.ts'\nexport const bank = card\n",
    'cart/cart.ts': 'export const cart = 1\n',
    'idle/idle.ts': 'export const idle = 1\n',
    'main.ts': "import { cart } from './cart/cart.ts'\nimport { bank } from './pay/bank.ts'\n",
    'lonely.ts': 'export const lonely = 1\n',
    'tests/card.test.ts': "import { card } from '../pay/card.ts'\nit('pays', () => card)\n",
    'tests/all.test.ts':
      "import { card } from '../pay/card.ts'\nimport { cart } from '../cart/cart.ts'\nit('all', () => card + cart)\n",
    'docs/paying.md': '# Paying\n\nA card is read in `pay/card.ts`.\n',
    'docs/tour.md': '# Tour\n\nSee `pay/card.ts` and `cart/cart.ts`.\n',
    'docs/alone.md': '# Alone\n\nNothing of the kind.\n',
  }

  it('is joined to no subsystem and to no other file where it is isolated', async () => {
    verifies('duskmantle:lifecycle-edges')
    const { call } = await openDuskmantle({ files: PROGRAM })
    await call('km-ingest-trigger')
    const { isolated, missing_tests, summary } = await call('km-lifecycle-report')
    const paths = (label: string) => isolated[label]?.map((each: Answer) => each['path'])
    expect(paths('DesignDoc')).toEqual(['docs/alone.md'])
    expect(paths('SourceFile')).toEqual(['lonely.ts'])
    expect(paths('TestCase')).toBeUndefined()
    expect(summary.isolated_nodes).toBe(2)
    // Tests are elsewhere, and put files of the other two to the test.
    expect(missing_tests).toEqual([{ subsystem: 'Idle', source_files: 1, test_cases: 0 }])
  })

  it('is a folder where nobody names subsystems', async () => {
    verifies('duskmantle:folder-subsystems')
    const subsystems = async (files: Record<string, string>) => {
      const { call } = await openDuskmantle({ files })
      await call('km-ingest-trigger')
      const { artifacts } = await call('km-coverage-summary')
      return Object.fromEntries(
        artifacts.map((each: Answer) => [each['path'], each['subsystem']]),
      ) as Record<string, string | null>
    }
    expect(await subsystems(PROGRAM)).toMatchObject({
      'pay/bank.ts': 'Pay',
      'cart/cart.ts': 'Cart',
      'main.ts': null,
      'tests/card.test.ts': null,
      'docs/tour.md': null,
    })
    // One folder that holds everything is the program itself.
    const one = { 'gateway/mcp/a.py': 'x = 1\n', 'gateway/main.py': 'x = 1\n', 'setup.py': '' }
    expect(await subsystems(one)).toMatchObject({
      'gateway/mcp/a.py': 'Mcp',
      'gateway/main.py': 'Gateway',
    })
    const many = { 'packages/api/a.ts': 'x\n', 'packages/api/lib/b.ts': 'x\n', 'web/c.ts': 'x\n' }
    expect(await subsystems({ ...many, 'package.json': '{}' })).toMatchObject({
      'packages/api/a.ts': 'Api',
      'packages/api/lib/b.ts': 'Api',
      'web/c.ts': 'Web',
    })
  })

  it('is not whatever a file of a subsystem is named by, or names among others', async () => {
    verifies('duskmantle:search-filters')
    const { call } = await openDuskmantle({ files: PROGRAM })
    const filters = { subsystems: ['pay'] }
    const { results } = await call('km-search', { query: 'card', filters, limit: 25 })
    const paths = new Set(results.map((each: Answer) => each['chunk'].artifact_path))
    expect([...paths].toSorted()).toEqual([
      'docs/paying.md',
      'pay/bank.ts',
      'pay/card.ts',
      'tests/card.test.ts',
    ])
  })
})

describe('the size of an answer', () => {
  /** A file that everything imports, with a test and a document; and one that imports it all. */
  const parts = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/shop/part${at}/part.ts`,
      `import { all } from '../all.ts'\nexport const part${at} = all\n${'// Sells.\n'.repeat(300)}`,
    ]),
  )
  const files = {
    'package.json': '{}',
    ...parts,
    'src/shop/all.ts': 'export const all = 1\n',
    'src/shop/till.ts': `${Object.keys(parts)
      .map((path, at) => `import { part${at} } from './${path.slice(9)}'`)
      .join('\n')}\n// The till adds up what is sold.\nexport class Till {}\n`,
    'src/shop/till.test.ts': "import { Till } from './till.ts'\nit('adds up', () => new Till())\n",
    'docs/till.md': '# Till\n\nThe till is in `src/shop/till.ts`.\n',
  }

  it('shows of many edges those that tell, of every kind some', async () => {
    verifies('duskmantle:telling-edges')
    const { call } = await openDuskmantle({ files })
    const { results } = await call('km-search', { query: 'till adds up', limit: 25 })
    const till = results.find((each: Answer) => each['chunk'].artifact_path === 'src/shop/till.ts')
    const { relationships } = till.graph_context
    expect(relationships).toHaveLength(10)
    const kinds = new Set(
      relationships.map((each: Answer) => `${each['type']} ${each['direction']}`),
    )
    expect([...kinds]).toEqual([
      'BELONGS_TO OUT',
      'IMPORTS OUT',
      'EXERCISES IN',
      'MENTIONS IN',
      'DECLARES_SYMBOL OUT',
    ])
    const node_id = 'SourceFile:src/shop/till.ts'
    const node = await call('km-graph-node', { node_id, relationships: 'all', limit: 8 })
    expect(node['relationships_total']).toBeGreaterThan(40)
    expect(node['relationships'].map((each: Answer) => each['type'])).toEqual(
      expect.arrayContaining(['BELONGS_TO', 'EXERCISES', 'MENTIONS', 'HAS_CHUNK']),
    )
    // What all import tells less of a file than what it alone imports.
    const part = await call('km-graph-node', {
      node_id: 'SourceFile:src/shop/part1/part.ts',
      relationships: 'all',
      limit: 4,
    })
    expect(part['relationships'].map((each: Answer) => each['target'].id)).toContain(node_id)
  })

  it('does not repeat the edges of a file with each of its chunks', async () => {
    verifies('duskmantle:telling-edges')
    const { call } = await openDuskmantle({ files })
    const answer = await call('km-search', {
      query: 'part7 sells',
      filters: { subsystems: ['part7'] },
    })
    const [first, second] = answer['results'].map((each: Answer) => each['graph_context'])
    expect(first.relationships.length).toBeGreaterThan(1)
    expect(first).not.toHaveProperty('shown_with')
    expect(second).toMatchObject({
      primary_node: { id: first.primary_node.id },
      relationships: [],
      neighbor_subsystems: ['Part7'],
      shown_with: answer['results'][0].chunk.chunk_id,
    })
  })

  it('is such that a model can read it', async () => {
    verifies('duskmantle:telling-edges')
    const { call } = await openDuskmantle({ files })
    const sizeOf = async (tool: string, args: object) =>
      JSON.stringify(await call(tool, args)).length
    expect(await sizeOf('km-search', { query: 'what sells' })).toBeLessThan(40_000)
    expect(await sizeOf('km-graph-subsystem', { name: 'Shop' })).toBeLessThan(10_000)
  })
})

describe('a coverage report', () => {
  it('gives a list of very many files page by page', async () => {
    verifies('duskmantle:coverage-pages')
    const { call } = await openDuskmantle({ files: { ...FIXTURE, ...modules(300) } })
    await call('km-ingest-trigger')
    const first = await call('km-coverage-summary')
    expect(first).toMatchObject({ artifacts: [], artifacts_omitted: 304 })
    const paths: string[] = []
    let cursor = first['artifacts_cursor']
    for (let page = 0; page < 10 && cursor; page++) {
      const next = await call('km-coverage-summary', { cursor })
      paths.push(...next['artifacts'].map((each: Answer) => each['path']))
      cursor = next['artifacts_cursor']
    }
    expect(new Set(paths).size).toBe(304)
    const some = await call('km-coverage-summary', { limit: 3 })
    expect(some['artifacts']).toHaveLength(3)
    expect(some['artifacts_omitted']).toBe(301)
  })

  it('names every text file that is no artifact, and says why', async () => {
    verifies('duskmantle:left-out')
    const { call } = await openDuskmantle({
      files: {
        ...FIXTURE,
        'package.json': '{}',
        Makefile: 'all:\n',
        'notes.strange': 'Words\n',
        'data/huge.sql': `${'select 1;\n'.repeat(120_000)}`,
        'dist/made.js': 'x\n',
        'dist/more/made.js': 'x\n',
        '.gitignore': 'out/\n',
        'out/secret.md': 'x\n',
        '.hidden.md': 'x\n',
      },
    })
    await call('km-ingest-trigger')
    const { artifacts, left_out: left } = await call('km-coverage-summary')
    const paths = artifacts.map((each: Answer) => each['path'])
    expect(paths).toEqual(expect.arrayContaining(['Makefile', 'package.json']))
    expect(left).toMatchObject({
      files: [
        { path: 'data/huge.sql', reason: expect.stringContaining('1 MiB') },
        { path: 'dist/', reason: expect.stringContaining('machine') },
        { path: 'notes.strange', reason: expect.stringContaining('read') },
      ],
      files_total: 3,
      by_rule: { 'out/ (.gitignore)': 1 },
    })
  })
})

it('tells the shapes of requests and answers of every tool', async () => {
  verifies('duskmantle:spec-shapes')
  const { call, surface } = await openDuskmantle()
  const { spec } = await call('km-help', { include_spec: true })
  const shapes = spec.slice(spec.indexOf('## Shapes'))
  for (const { name } of surface.tools()) {
    expect(shapes).toMatch(
      new RegExp(`^${name}\\nrequest: \\{"properties".*\\nresponse: .*\\{`, 'm'),
    )
  }
  expect(shapes).toContain('"node_id"')
  expect(shapes).toContain('chunk_id, artifact_path')
})

it('says of a run that failed why, wherever runs are told', async () => {
  verifies('duskmantle:ingest-failure')
  const { call, folder } = await openDuskmantle()
  rmSync(folder, { recursive: true })
  expect(await call('km-ingest-trigger')).toMatchObject({ status: 'failure', success: false })
  const status = await call('km-ingest-status')
  expect(status).toMatchObject({ success: false, error: expect.stringContaining('cannot be read') })
  expect(status['run'].error).toBe(status['error'])
})
