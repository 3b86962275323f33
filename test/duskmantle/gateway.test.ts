/** The gateway's HTTP interface on a real server, and the tools of a real process that uses it. */
import { createServer } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { remoteGateway } from '../../src/vocabularies/duskmantle/start/duskmantle-settings.ts'
import { openRemoteSurface } from '../../src/vocabularies/duskmantle/open-remote-surface.ts'
import { DUSKMANTLE_DEFAULTS } from '../../src/vocabularies/duskmantle/settings.ts'
import { CAIRN, startCairn } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, serveDuskmantle } from './open-duskmantle.ts'

const ADMIN = 'admin-secret'
const READER = 'reader-secret'

async function serve(env: Record<string, string> = {}) {
  const folder = temporaryFolder(FIXTURE)
  const all = { KM_READER_TOKEN: READER, KM_ADMIN_TOKEN: ADMIN, ...env }
  const server = await serveDuskmantle(folder, all)
  const origin = new URL(server.url!).origin
  const ask = async (
    path: string,
    { token = ADMIN, ...init }: RequestInit & { token?: string } = {},
  ) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...init.headers }
    const response = await fetch(`${origin}${path}`, { ...init, headers })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: JSON.parse(text) }
  }
  const post = (path: string, value: unknown, init: RequestInit & { token?: string } = {}) =>
    ask(path, { method: 'POST', body: JSON.stringify(value), ...init })
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200)
  return { folder, origin, ask, post, state: server.config.state }
}

describe('/api/v1', () => {
  it('answers what the tools answer', async () => {
    verifies('duskmantle:gateway-routes')
    const { ask, post } = await serve()
    await post('/api/v1/tools/km-ingest-trigger', { profile: 'demo' })
    const found = await post(
      '/api/v1/search',
      { query: 'ingest pipeline' },
      { headers: { 'x-request-id': 'my-id.1' } },
    )
    expect(found.status).toBe(200)
    expect(found.headers.get('x-request-id')).toBe('my-id.1')
    expect(found.body.metadata.request_id).toBe('my-id.1')
    const [{ chunk }] = found.body.results
    expect(chunk.chunk_id).toBe('docs/telemetry.md::0')
    const vote = { request_id: 'my-id.1', chunk_id: chunk.chunk_id, vote: 1 }
    expect((await post('/api/v1/tools/km-feedback-submit', vote)).body.known).toBe(true)
    expect((await ask('/api/v1/search/weights')).body).toMatchObject({
      weight_profile: 'default',
      hybrid_weights: { vector: 1, lexical: 0.25 },
    })
    const node = await ask(
      `/api/v1/graph/nodes/${encodeURIComponent('DesignDoc:docs/telemetry.md')}?relationships=all`,
    )
    expect(node.body.node.id).toBe('DesignDoc:docs/telemetry.md')
    const plain = await ask('/api/v1/graph/nodes/DesignDoc:docs/telemetry.md')
    expect(plain.body.node.id).toBe('DesignDoc:docs/telemetry.md')
    expect(
      (await ask('/api/v1/graph/subsystems/Core?depth=2&limit=1')).body.related.nodes,
    ).toHaveLength(1)
    const graph = await ask('/api/v1/graph/subsystems/Core/graph')
    expect(Object.keys(graph.body)).toEqual(['subsystem', 'nodes', 'edges', 'artifacts'])
    expect(graph.body.edges.length).toBeGreaterThan(0)
    expect((await ask('/api/v1/graph/search?q=handler')).body.results[0].label).toBe('SourceFile')
    const orphans = await ask('/api/v1/graph/orphans?label=DesignDoc&limit=1')
    expect(orphans.body).toMatchObject({
      nodes: [{ path: 'docs/empty.md' }],
      cursor: null,
      total: 1,
    })
    expect((await ask('/api/v1/coverage')).body.summary.artifact_total).toBe(4)
    expect((await ask('/api/v1/lifecycle')).body.summary).toHaveProperty('stale_docs')
    expect((await ask('/api/v1/lifecycle/history')).body.history).toHaveLength(1)
    const audit = await ask('/api/v1/audit/history?limit=999')
    expect(audit.headers.get('x-km-audit-limit')).toBe('100')
    expect(audit.body.runs).toMatchObject([{ profile: 'demo', success: true }])
    expect((await ask('/healthz')).body).toMatchObject({
      status: 'ok',
      checks: { index: 'ready' },
      timestamp: expect.stringMatching(/Z$/),
    })
  })

  it('takes no call from a page of another server of this machine, whatever it pretends to be', async () => {
    const { origin, post } = await serve()
    for (const path of ['/api/v1/tools/km-ingest-trigger', '/api/v1/search', '/search']) {
      const from = async (page: string, type: string) =>
        (await post(path, {}, { headers: { origin: page, 'content-type': type } })).status
      expect([path, await from('http://localhost:5173', 'text/plain')]).toEqual([path, 403])
      expect([path, await from('http://127.0.0.1:1', 'application/json')]).toEqual([path, 403])
      expect([path, await from(origin, 'application/json')]).not.toEqual([path, 403])
    }
  })

  it('says what is wrong with a request, in its own words', async () => {
    verifies('duskmantle:gateway-errors')
    const { ask, post } = await serve()
    const status = async (answer: Promise<{ status: number; body: any }>) => {
      const { status: code, body } = await answer
      expect(typeof body.detail).toBe('string')
      return code
    }
    expect(await status(ask('/api/v1/coverage', { token: '' }))).toBe(401)
    expect(await status(ask('/api/v1/coverage', { token: 'wrong' }))).toBe(403)
    expect(await status(ask('/api/v1/lifecycle', { token: READER }))).toBe(403)
    expect(await status(ask('/api/v1/audit/history', { token: READER }))).toBe(403)
    expect(await status(post('/api/v1/graph/cypher', {}, { token: READER }))).toBe(403)
    expect(await status(post('/api/v1/graph/cypher', {}))).toBe(501)
    expect(await status(ask('/api/v1/coverage'))).toBe(404)
    expect(await status(ask('/api/v1/graph/nodes/garbage'))).toBe(400)
    expect(await status(ask('/api/v1/graph/subsystems/Nope'))).toBe(404)
    expect(await status(ask('/api/v1/nope'))).toBe(404)
    expect(await status(post('/api/v1/tools/km-nope', {}))).toBe(404)
    expect(await status(post('/api/v1/search', { query: ' ' }))).toBe(400)
    expect(await status(ask('/api/v1/search', { method: 'POST', body: '[1' }))).toBe(422)
    const odd = await ask('/api/v1/search/weights', { headers: { 'x-request-id': 'a b"c' } })
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect((await post('/api/v1/search', { query: 'x' }, { token: READER })).status).toBe(200)
    const missing = await ask('/api/v1/coverage', { token: '' })
    expect(missing.body).toEqual({ detail: 'Missing credentials' })
  })

  it('lets nobody ask too often', async () => {
    verifies('duskmantle:gateway-rate')
    const { ask } = await serve({ KM_RATE_LIMIT_REQUESTS: '40', KM_RATE_LIMIT_WINDOW: '3600' })
    const statuses = async (path: string, times: number, token = ADMIN) => {
      const seen: number[] = []
      for (let time = 0; time < times; time++) seen.push((await ask(path, { token })).status)
      return seen
    }
    const weights = await statuses('/api/v1/search/weights', 45)
    expect([weights.indexOf(429), weights.at(-1)]).toEqual([expect.any(Number), 429])
    const over = await ask('/api/v1/search/weights')
    expect([over.body, over.headers.get('retry-after')]).toEqual([
      { detail: 'Rate limit exceeded' },
      expect.stringMatching(/^\d+$/),
    ])
    // Another caller has an allowance of its own.
    expect(await statuses('/api/v1/search/weights', 1, READER)).toEqual([200])
  })
})

describe('remote mode', () => {
  it('calls the gateway with the right token, from a process of its own', async () => {
    verifies('duskmantle:remote-tokens')
    verifies('duskmantle:tokens-hidden')
    const { origin, folder } = await serve()
    const logs: string[] = []
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CAIRN, 'duskmantle'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        KM_GATEWAY_URL: origin,
        KM_READER_TOKEN: READER,
        KM_ADMIN_TOKEN: ADMIN,
      },
      stderr: 'pipe',
    })
    transport.stderr?.on('data', (text) => logs.push(String(text)))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent as Record<string, any>
    expect((await client.listTools()).tools).toHaveLength(14)
    expect((await call('km-help'))['tools']).toHaveProperty('km-search')
    const run = await call('km-ingest-trigger', { profile: 'demo' })
    expect(run).toMatchObject({ status: 'success', artifact_counts: { doc: 2, code: 1, test: 1 } })
    expect(await call('km-ingest-status', { profile: 'demo' })).toMatchObject({
      run_id: run['run_id'],
    })
    const found = await call('km-search', { query: 'ingest pipeline', limit: 2 })
    expect(found['results'][0].chunk.chunk_id).toBe('docs/telemetry.md::0')
    const vote = {
      request_id: found['metadata'].request_id,
      chunk_id: 'docs/telemetry.md::0',
      vote: 1,
    }
    expect(await call('km-feedback-submit', vote)).toMatchObject({ status: 'ok', known: true })
    expect(
      (await call('km-graph-node', { node_id: 'Code:src/kasmina/core/handler.py' }))['node'].id,
    ).toBe('SourceFile:src/kasmina/core/handler.py')
    expect((await call('km-graph-subsystem', { name: 'Core' }))['subsystem'].id).toBe(
      'Subsystem:Core',
    )
    expect((await call('km-graph-search', { term: 'handler' }))['results'].length).toBeGreaterThan(
      0,
    )
    expect((await call('km-coverage-summary'))['summary'].artifact_total).toBe(4)
    expect(await call('km-lifecycle-report')).toHaveProperty('summary')
    expect(await call('km-recipe-run', { recipe: 'stale-audit' })).toMatchObject({ success: true })
    expect((await call('km-backup-trigger'))['archive']).toMatch(/km-backup-/)
    expect(await call('km-storetext', { content: 'Words', title: 'T' })).toMatchObject({
      relative_path: 'docs/t.md',
    })
    const mine = join(temporaryFolder({}), 'mine.md')
    writeFileSync(mine, '# Mine\n')
    expect(await call('km-upload', { source_path: mine })).toMatchObject({
      relative_path: 'docs/mine.md',
    })
    expect(readFileSync(join(folder, 'docs/mine.md'), 'utf8')).toBe('# Mine\n')
    const codes = async (...calls: [string, Record<string, unknown>][]) =>
      Promise.all(calls.map(async ([name, args]) => (await call(name, args))['error'].code))
    expect(
      await codes(
        ['km-search', { query: ' ' }],
        ['km-graph-node', { node_id: 'garbage' }],
        ['km-graph-node', { node_id: 'DesignDoc:nope' }],
        ['km-recipe-run', { recipe: 'nope' }],
        ['km-ingest-trigger', { paths: ['docs'] }],
        ['km-upload', { source_path: '/nope.md' }],
      ),
    ).toEqual([
      'invalid_request',
      'invalid_identifier',
      'not_found',
      'recipe_not_found',
      'unsupported_operation',
      'invalid_request',
    ])
    await expect.poll(() => logs.join('')).toContain('"tool":"km-recipe-run"')
    for (const secret of [ADMIN, READER]) expect(logs.join('')).not.toContain(secret)
  })

  const NOTHING = { signal: new AbortController().signal, progress: () => {} }
  const open = (env: Record<string, string>) => {
    const surface = openRemoteSurface({
      gateway: remoteGateway(env)!,
      uploads: DUSKMANTLE_DEFAULTS.uploads,
      version: '0',
      log: () => {},
    })
    return async (name: string, args = {}) =>
      (await surface.call(name, args, NOTHING)).structured as Record<string, any>
  }

  it('shows each tool the token it needs, and says which is missing', async () => {
    const seen: (string | undefined)[] = []
    let answer = { status: 200, body: '{}' }
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      request.resume()
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const KM_GATEWAY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`
    const both = open({ KM_GATEWAY_URL, KM_READER_TOKEN: 'r', KM_ADMIN_TOKEN: 'a' })
    await both('km-coverage-summary')
    await both('km-lifecycle-report')
    const admin = open({ KM_GATEWAY_URL, KM_ADMIN_TOKEN: 'a' })
    await admin('km-coverage-summary')
    const none = open({ KM_GATEWAY_URL, KM_AUTH_ENABLED: 'false' })
    await none('km-coverage-summary')
    expect(seen).toEqual(['Bearer r', 'Bearer a', 'Bearer a', undefined])
    const reader = open({ KM_GATEWAY_URL, KM_READER_TOKEN: 'r' })
    expect((await reader('km-backup-trigger'))['error'].code).toBe('forbidden')
    const nobody = open({ KM_GATEWAY_URL })
    expect((await nobody('km-coverage-summary'))['error'].code).toBe('unauthorized')
    expect(seen).toHaveLength(4)
    verifies('duskmantle:remote-errors')
    for (const [status, code] of [
      [400, 'invalid_request'],
      [422, 'invalid_request'],
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [429, 'upstream_error'],
      [500, 'upstream_error'],
      [302, 'upstream_error'],
    ] as const) {
      answer = { status, body: '{"detail":"because of Bearer"}' }
      expect([status, (await both('km-coverage-summary'))['error'].code]).toEqual([status, code])
    }
    answer = { status: 200, body: 'no JSON' }
    expect((await both('km-coverage-summary'))['error'].code).toBe('upstream_error')
    server.closeAllConnections()
    server.close()
    expect((await both('km-coverage-summary'))['error'].code).toBe('upstream_error')
    expect(() => remoteGateway({ KM_GATEWAY_URL: 'file:///etc' })).toThrow(/KM_GATEWAY_URL/)
  })
})

describe('as the quick start of the original shows', () => {
  it('refuses a wrong token, and asks for one that is missing', async () => {
    verifies('duskmantle:wrong-token')
    const { ask } = await serve()
    const wrong = await ask('/api/v1/coverage', { token: 'nobody-has-this' })
    expect([wrong.status, wrong.body]).toEqual([403, { detail: 'Invalid credentials' }])
    const none = await ask('/api/v1/coverage', { token: '' })
    expect([none.status, none.body]).toEqual([401, { detail: 'Missing credentials' }])
  })

  it('answers without /api/v1 too', async () => {
    verifies('duskmantle:short-routes')
    const { ask, post } = await serve()
    await post('/api/v1/tools/km-ingest-trigger', {})
    expect((await ask('/coverage')).body.summary.artifact_total).toBe(4)
    expect((await ask('/lifecycle')).body.summary).toHaveProperty('stale_docs')
    expect((await ask('/audit/history')).body.runs).toHaveLength(1)
    expect((await ask('/graph/subsystems/Core')).body.subsystem.id).toBe('Subsystem:Core')
    expect((await post('/search', { query: 'ingest pipeline' })).body.results).not.toEqual([])
    expect((await ask('/coverage', { token: 'wrong' })).status).toBe(403)
    expect((await ask('/ui/lifecycle/report')).body).toHaveProperty('stale_docs')
    const ui = await ask('/ui/')
    expect([ui.status, ui.body.detail]).toEqual([404, expect.stringContaining('cairn serve')])
  })

  it('leads from /ui to the page, where there is one', async () => {
    verifies('duskmantle:short-routes')
    const flags = { surface: ['duskmantle', 'native'] }
    const { url } = await serveDuskmantle(temporaryFolder(FIXTURE), {}, { strict: false, flags })
    const response = await fetch(new URL('/ui/search', url), { redirect: 'manual' })
    expect(response.status).toBe(302)
    expect(new URL(response.headers.get('location')!).pathname).toBe('/')
    expect((await fetch(new URL('/graph', url))).headers.get('content-type')).toContain('html')
  })

  it('gives scripts the whole list of very many files', async () => {
    verifies('duskmantle:coverage-pages')
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, at) => [`docs/n${at}.md`, `Note ${at}\n`]),
    )
    const { url } = await serveDuskmantle(
      temporaryFolder({ ...FIXTURE, ...many }),
      {},
      { strict: false },
    )
    const ask = async (path: string, init?: RequestInit) =>
      (await fetch(new URL(path, url), init)).json() as Promise<Record<string, any>>
    await ask('/api/v1/tools/km-ingest-trigger', { method: 'POST', body: '{}' })
    const whole = await ask('/api/v1/coverage')
    expect(whole['artifacts']).toHaveLength(254)
    expect(whole).not.toHaveProperty('artifacts_omitted')
    expect((await ask('/api/v1/coverage?limit=5'))['artifacts']).toHaveLength(5)
  })

  it('holds clients of MCP to KM_RATE_LIMIT_* as well', async () => {
    verifies('duskmantle:rate-everywhere')
    const { origin } = await serve({ KM_RATE_LIMIT_REQUESTS: '8', KM_RATE_LIMIT_WINDOW: '3600' })
    const headers = { authorization: `Bearer ${ADMIN}` }
    const statuses: number[] = []
    for (let at = 0; at < 10; at++) {
      const answer = await fetch(`${origin}/mcp`, { method: 'POST', body: '{}', headers })
      statuses.push(answer.status)
      await answer.text()
    }
    expect(statuses.at(-1)).toBe(429)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  })

  it('takes --transport, and says which repository it serves', async () => {
    verifies('duskmantle:start-lines')
    const folder = temporaryFolder(FIXTURE)
    const env = { KM_ADMIN_TOKEN: 'a', KM_STATE_PATH: temporaryFolder({}) }
    const words = ['duskmantle', folder, '--transport', 'http', '--port', '0']
    const server = startCairn(words, { env })
    await expect.poll(server.stderr, SOON).toMatch(/Serving .* at http:\/\/127\.0\.0\.1:\d+\/mcp/)
    expect(server.stderr()).toContain(folder)
    const piped = startCairn(['duskmantle', folder, '--transport', 'stdio'], {
      env: { ...env, KM_STATE_PATH: temporaryFolder({}), KM_MCP_TRANSPORT: 'http' },
    })
    await expect.poll(piped.stderr, SOON).toContain(`Serving ${folder} over standard input`)
  })

  it('says what to do where KM_GATEWAY_URL points at nobody', async () => {
    verifies('duskmantle:gateway-nobody')
    const gateway = remoteGateway({ KM_GATEWAY_URL: 'http://127.0.0.1:9', KM_ADMIN_TOKEN: 'a' })!
    const { uploads } = DUSKMANTLE_DEFAULTS
    const surface = openRemoteSurface({ gateway, uploads, version: '0', log: () => {} })
    const { signal } = new AbortController()
    const { structured } = await surface.call(
      'km-search',
      { query: 'x' },
      { signal, progress: () => {} },
    )
    expect(structured).toMatchObject({ error: { code: 'upstream_error' } })
    expect(JSON.stringify(structured)).toMatch(
      /Nobody answers at http:\/\/127\.0\.0\.1:9.*correct KM_GATEWAY_URL/,
    )
  })
})
