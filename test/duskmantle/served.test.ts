/** The surface as it is started: by name, and by its own command with its environment. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadDuskmantleSettings } from '../../src/vocabularies/duskmantle/start/duskmantle-settings.ts'
import { openSession } from '../support/stdio-session.ts'
import { verifies } from '../support/verifies.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { FIXTURE, serveDuskmantle, openDuskmantle } from './open-duskmantle.ts'

describe('the environment', () => {
  const load = (env: Record<string, string>, strict = true) =>
    loadDuskmantleSettings({ env, strict })

  it.each([
    [{}, true, undefined],
    [{}, false, 'maintainer'],
    [{ KM_AUTH_ENABLED: 'false' }, true, 'maintainer'],
    [{ KM_READER_TOKEN: 'r' }, false, 'reader'],
    [{ KM_READER_TOKEN: 'r', KM_ADMIN_TOKEN: 'a' }, true, 'maintainer'],
    [{ KM_AUTH_ENABLED: 'true' }, false, undefined],
  ])('%j (strict: %s) makes the caller %s', (env, strict, scope) => {
    expect(load(env, strict).scope).toBe(scope)
  })

  it('chooses weights by profile and one by one, clamped', () => {
    expect(load({ KM_SEARCH_WEIGHT_PROFILE: 'analysis' })).toMatchObject({
      weightProfile: 'analysis',
      weights: { subsystem: 0.38, vector: 1, lexical: 0.25 },
    })
    const own = load({ KM_SEARCH_W_SUPPORT: '7', KM_SEARCH_LEXICAL_WEIGHT: '0.5' })
    expect(own.weightProfile).toBe('default+overrides')
    expect(own.weights).toMatchObject({ support: 1, lexical: 0.5, subsystem: 0.28 })
    expect(load({ KM_LIFECYCLE_STALE_DAYS: '9999' }).staleDays).toBe(365)
    expect(load({ KM_INGEST_WINDOW: '500', KM_INGEST_OVERLAP: '600' }).windows).toEqual({
      size: 500,
      overlap: 499,
    })
  })

  it.each([
    { KM_SEARCH_WEIGHT_PROFILE: 'best' },
    { KM_AUTH_ENABLED: 'perhaps' },
    { KM_INGEST_WINDOW: 'wide' },
  ])('refuses %j', (env) => {
    expect(() => load(env as unknown as Record<string, string>)).toThrow(/KM_/)
  })

  it('never repeats a token', async () => {
    verifies('duskmantle:tokens-hidden')
    const settings = load({ KM_READER_TOKEN: 'secret-reader' })
    expect(JSON.stringify(settings)).not.toContain('secret')
    const { call } = await openDuskmantle({ settings })
    expect(JSON.stringify(await call('km-ingest-trigger'))).not.toContain('secret')
  })
})

describe('while the first index is being built', () => {
  const found = { status: 'ok', results: [{ chunk: { artifact_path: 'docs/telemetry.md' } }] }
  const NODE = 'DesignDoc:docs/telemetry.md'

  it('answers the very first call over standard input and output', async () => {
    verifies('duskmantle:first-index')
    const { call } = await openSession([temporaryFolder(FIXTURE), '--surface', 'duskmantle'])
    const [search, node] = await Promise.all([
      call('km-search', { query: 'ingest pipeline', limit: 1 }),
      call('km-graph-node', { node_id: NODE }),
    ])
    expect(search).toMatchObject(found)
    expect(node).toMatchObject({ status: 'ok', node: { id: NODE } })
  })

  it('answers the very first request to the gateway', async () => {
    verifies('duskmantle:first-index')
    const { url } = await serveDuskmantle(temporaryFolder(FIXTURE), {}, { strict: false })
    const ask = async (path: string, init?: RequestInit) =>
      (await fetch(new URL(`/api/v1/${path}`, url), init)).json()
    const body = JSON.stringify({ query: 'ingest pipeline', limit: 1 })
    const [search, node] = await Promise.all([
      ask('search', { method: 'POST', body }),
      ask(`graph/nodes/${NODE}`),
    ])
    expect(search).toMatchObject(found)
    expect(node).toMatchObject({ status: 'ok', node: { id: NODE } })
  })
})

describe('over HTTP', () => {
  const serve = async (env: Record<string, string>, strict = false) => {
    const flags = { surface: ['native', 'duskmantle'] }
    const server = await serveDuskmantle(temporaryFolder(FIXTURE), env, { strict, flags })
    return new URL('/mcp/duskmantle', server.url)
  }
  const connect = async (url: URL, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    onTestFinished(() => client.close())
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name: string, args: Record<string, unknown> = {}) =>
        (await client.callTool({ name, arguments: args })).structuredContent as Record<string, any>,
    }
  }
  const READER = [
    'km-help',
    'km-search',
    'km-graph-node',
    'km-graph-subsystem',
    'km-graph-search',
    'km-coverage-summary',
  ]

  it('is at an address of its own, open where no token was set', async () => {
    const { tools, call } = await connect(await serve({}))
    expect(await tools()).toContain('km-ingest-trigger')
    await expect
      .poll(async () => (await call('km-graph-search', { term: 'telemetry' }))['results'].length)
      .toBeGreaterThan(0)
    expect(await call('km-search', { query: 'ingest pipeline' })).toMatchObject({ status: 'ok' })
    expect(await call('km-ingest-trigger')).toMatchObject({ status: 'success' })
  })

  it('holds every request to the token that it shows', async () => {
    verifies('duskmantle:tokens-per-request', 'duskmantle:scopes-reader')
    const url = await serve({ KM_READER_TOKEN: 'r', KM_ADMIN_TOKEN: 'a' })
    const reader = await connect(url, 'r')
    expect(await reader.tools()).toEqual(READER)
    expect(await reader.call('km-search', { query: 'ingest' })).toMatchObject({ status: 'ok' })
    for (const tool of ['km-ingest-trigger', 'km-ingest-status', 'km-lifecycle-report']) {
      expect(await reader.call(tool)).toMatchObject({
        status: 'error',
        error: { code: 'forbidden' },
      })
    }
    const admin = await connect(url, 'a')
    expect(await admin.tools()).toEqual(expect.arrayContaining([...READER, 'km-ingest-trigger']))
    expect(await admin.call('km-ingest-trigger')).toMatchObject({ status: 'success' })
    expect(await reader.call('km-coverage-summary')).toMatchObject({ status: 'ok' })
    await expect(connect(url)).rejects.toThrow()
    await expect(connect(url, 'ra')).rejects.toThrow()
    const bare = await fetch(url, { method: 'POST', body: '{}' })
    expect(bare.status).toBe(401)
    // The other surfaces of the server are behind the same door.
    expect((await fetch(new URL('/mcp', url), { method: 'POST', body: '{}' })).status).toBe(401)
  })

  it('lets the admin token do what a reader may, and nobody anything', async () => {
    const admin = await connect(await serve({ KM_ADMIN_TOKEN: 'a' }), 'a')
    expect(await admin.call('km-search', { query: 'ingest' })).toMatchObject({ status: 'ok' })
    const nobody = await connect(await serve({}, true))
    expect(await nobody.call('km-search', { query: 'x' })).toMatchObject({
      error: { code: 'unauthorized' },
    })
    const off = { KM_AUTH_ENABLED: 'false', KM_READER_TOKEN: 'r' }
    const lifted = await connect(await serve(off, true))
    expect(await lifted.call('km-ingest-status')).toMatchObject({ status: 'not_found' })
  })
})
