/** What a monitor and a log are told of calls, over real HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openKmMetrics } from '../../src/vocabularies/duskmantle/start/km-metrics.ts'
import { summarize } from '../../src/vocabularies/duskmantle/telemetry.ts'
import { duskmantleTools } from '../../src/vocabularies/duskmantle/tools.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, serveDuskmantle } from './open-duskmantle.ts'

const TOKENS = { KM_READER_TOKEN: 'reader-secret-1', KM_ADMIN_TOKEN: 'admin-secret-2' }

async function serve() {
  const folder = temporaryFolder(FIXTURE)
  const lines: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text))
    return true
  })
  onTestFinished(() => spy.mockRestore())
  const server = await serveDuskmantle(folder, TOKENS, { flags: { 'log-level': 'info' } })
  const headers = { authorization: `Bearer ${TOKENS.KM_ADMIN_TOKEN}` }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp/duskmantle', server.url), {
      requestInit: { headers },
    }),
  )
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, any>
  const metrics = async () => (await fetch(new URL('/metrics', server.url), { headers })).text()
  const logged = () =>
    lines
      .filter((line) => line.startsWith('cairn: info: {'))
      .map((line) => JSON.parse(line.slice('cairn: info: '.length)))
  return { call, metrics, lines, logged }
}

it('counts every tool from the start, and every call', async () => {
  verifies('duskmantle:metrics-names')
  verifies('duskmantle:check-15-metrics')
  verifies('duskmantle:log-line')
  const { call, metrics, logged, lines } = await serve()
  const before = await metrics()
  for (const { name } of duskmantleTools) {
    for (const result of ['success', 'error']) {
      expect(before).toContain(`km_mcp_requests_total{tool="${name}",result="${result}"} 0\n`)
    }
    expect(before).toContain(`km_mcp_request_seconds_bucket{tool="${name}",le="+Inf"} 0\n`)
  }
  await call('km-ingest-trigger', { profile: 'demo' })
  await call('km-recipe-run', { recipe: 'stale-audit', vars: { password: 'hunter2' } })
  await call('km-search', { query: 'ingest\npipeline', symbol: 'Example.method' })
  await call('km-storetext', { content: 'my private words', title: 'T' })
  await call('km-storetext', { content: 'my private words', title: 'T' })
  await call('km-graph-node', { node_id: 'garbage', api_token: 'zzz-token' })
  const after = await metrics()
  for (const line of [
    'km_mcp_requests_total{tool="km-recipe-run",result="success"} 1',
    'km_mcp_requests_total{tool="km-lifecycle-report",result="success"} 1',
    'km_mcp_request_seconds_count{tool="km-recipe-run"} 1',
    'km_mcp_failures_total{tool="km-graph-node",error="invalid_identifier"} 1',
    'km_mcp_storetext_total{result="success"} 1',
    'km_mcp_storetext_total{result="error"} 1',
    'km_search_requests_total{status="success"} 1',
    'km_search_symbol_filters_total{filter_type="symbols"} 1',
    'km_ingest_duration_seconds_count{profile="demo",status="success"} 1',
    'km_ingest_last_run_status 1',
    'km_ingest_artifacts_total 4',
    'km_coverage_missing_artifacts 1',
    'km_lifecycle_subsystems_missing_tests 1',
  ]) {
    expect(after.split('\n')).toContain(line)
  }
  expect(after).toMatch(/km_search_graph_cache_events_total\{status="miss"\} [1-9]/)
  expect(after).toMatch(/km_search_graph_lookup_seconds_count [1-9]/)
  // The one door counts it under our own name too.
  expect(after).toMatch(
    /cairn_calls_total\{surface="duskmantle",tool="km-recipe-run",outcome="ok"\} 1/,
  )
  // Every line is a sample, a help or a type.
  for (const line of after.trim().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? -?[\d.e+-]+)$/)
  }
  const calls = logged()
  expect(calls.map(({ tool }) => tool)).toEqual([
    'km-ingest-trigger',
    'km-lifecycle-report',
    'km-recipe-run',
    'km-search',
    'km-storetext',
    'km-storetext',
    'km-graph-node',
  ])
  expect(calls[2]).toMatchObject({
    parameters: { recipe: 'stale-audit', vars: { keys: ['password'] } },
  })
  expect(calls[3]).toMatchObject({
    parameters: { query: 'ingest pipeline' },
    result: 'success',
    warnings: [],
  })
  expect(calls[4]).toMatchObject({ parameters: { content: '16 characters', title: 'T' } })
  expect(calls[6]).toMatchObject({
    error: 'invalid_identifier',
    parameters: { unknown_parameters: 1 },
  })
  const all = lines.join('') + after
  for (const secret of [...Object.values(TOKENS), 'hunter2', 'private words', 'zzz-token']) {
    expect(all).not.toContain(secret)
  }
})

describe('cardinality', () => {
  it('stays bounded under hostile names and parameters', async () => {
    verifies('duskmantle:metrics-bounded')
    const metrics = openKmMetrics()
    const report = { parameters: {}, durationMs: 1, warnings: [], args: {}, payload: {} }
    const tell = (tool: string | undefined, error: string | undefined, payload = {}) =>
      metrics.call({ ...report, tool, error, payload })
    tell(undefined, 'not_found')
    for (const { name } of duskmantleTools) tell(name, 'x"}\n', { profile: 'first' })
    const before = metrics.text().split('\n').length
    for (let round = 0; round < 1_000; round++) {
      tell(undefined, `code-${round}`)
      tell('km-ingest-trigger', undefined, { profile: `p${round}"\n`, success: true })
      tell('km-search', `e${round}`)
    }
    // One more series: a profile of somebody's own.
    expect(metrics.text().split('\n').length - before).toBeLessThanOrEqual(20)
    expect(metrics.text()).not.toMatch(/p\d+|code-\d+|e\d\d+"/)
  })

  it('counts unknown tools over the wire as one', async () => {
    const { call, metrics } = await serve()
    const count = async () => (await metrics()).split('\n').length
    await call('nope-0').catch(() => {})
    const before = await count()
    for (let round = 1; round < 30; round++) {
      await call(`nope-${round}"}\n`).catch(() => {})
      await call('km-graph-search', { term: `t${round}`, [`p${round}`]: round })
    }
    const after = await metrics()
    expect(after).toContain('km_mcp_requests_total{tool="unknown",result="error"} 30')
    expect((await count()) - before).toBeLessThan(30)
    expect(after).not.toContain('nope')
  })
})

it.each([
  [{ query: 'a'.repeat(100) }, { query: `${'a'.repeat(80)}…` }],
  [{ query: 'a\u001b[31m\nb' }, { query: 'a [31m b' }],
  [{ note: 'secret words' }, { note: '12 characters' }],
  [{ query: `who has AKIA${'JQ7WZK3M5XN2PV4T'}?` }, { query: 'who has [masked AWS key]?' }],
  [{ admin_token: 'x' }, { admin_token: '***' }],
  [
    { filters: { tags: ['a'] }, list: [1, 2] },
    { filters: { keys: ['tags'] }, list: '2 values' },
  ],
  [{ other: 1, more: 2 }, { unknown_parameters: 2 }],
  [undefined, {}],
])('writes %j down as %j', (args, summary) => {
  expect(summarize(args, ['query', 'note', 'admin_token', 'filters', 'list'])).toEqual(summary)
})
