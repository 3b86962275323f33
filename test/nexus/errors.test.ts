/** What a client is told when something is wrong: the table of the contract, line by line. */
import { describe, expect, it } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, openNexusServer } from './open-nexus.ts'

const TOOL_NOT_FOUND = "Missing 'tool' field: tool not found"

it.each<[string, string]>([
  ['invalid json', 'Invalid JSON body'],
  ['', 'Invalid JSON body'],
  ['null', 'Invalid JSON body'],
  ['7', 'Invalid JSON body'],
  ['"text"', 'Invalid JSON body'],
  ['[]', 'Invalid JSON body'],
  ['[{"tool":"list_pages"}]', 'Invalid JSON body'],
  ['{"tool":"list_pages"', 'Invalid JSON body'],
  [`${'['.repeat(100_000)}`, 'Invalid JSON body'],
  [`{"tool":"list_pages","input":${'{"a":'.repeat(300)}1${'}'.repeat(301)}`, 'Invalid JSON body'],
])('a body that is no object is 400: %.40s', async (body, error) => {
  verifies('nexus:check-12-bad-json', 'nexus:error-json', 'nexus:error-shape')
  const { send, bugs } = await openNexusServer()
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const { status, json } = await send('POST', '/api/mcp', {
      body,
      headers: { 'content-type': type },
    })
    expect([status, json]).toEqual([400, { error }])
  }
  expect(bugs).toEqual([])
})

it.each<[unknown, string]>([
  [{ input: {} }, TOOL_NOT_FOUND],
  [{ tool: '', input: {} }, TOOL_NOT_FOUND],
  [{ tool: null }, TOOL_NOT_FOUND],
  [{ tool: 7 }, TOOL_NOT_FOUND],
  [{ tool: ['list_pages'] }, TOOL_NOT_FOUND],
  [{}, TOOL_NOT_FOUND],
  [{ jsonrpc: '1.0', method: 'tools/list' }, TOOL_NOT_FOUND],
  [{ tool: 'nope', input: {} }, 'Unknown tool: nope (tool not found)'],
  [{ tool: 'constructor' }, 'Unknown tool: constructor (tool not found)'],
  [{ tool: '__proto__' }, 'Unknown tool: __proto__ (tool not found)'],
  [{ tool: 'get_page', input: {} }, 'Missing required parameter: slug'],
  [{ tool: 'get_page' }, 'Missing required parameter: slug'],
  [{ tool: 'get_page', input: null }, 'Missing required parameter: slug'],
  [{ tool: 'get_page', input: 'alpha' }, 'Missing required parameter: slug'],
  [{ tool: 'get_page', input: { slug: 7 } }, 'Missing required parameter: slug'],
  [{ tool: 'get_page', input: { slug: '' } }, 'Missing required parameter: slug'],
  [{ tool: 'get_page', input: { slug: null } }, 'Missing required parameter: slug'],
  [{ tool: 'get_page', input: { slug: { toString: 'x' } } }, 'Missing required parameter: slug'],
  [{ tool: 'get_connections', input: { slug: ['alpha'] } }, 'Missing required parameter: slug'],
  [{ tool: 'search', input: {} }, 'Missing required parameter: query'],
  [{ tool: 'search', input: { query: ' \n ' } }, 'Missing required parameter: query'],
  [{ tool: 'ask', input: { question: true } }, 'Missing required parameter: question'],
])('%j is 400', async (body, error) => {
  verifies('nexus:check-13-bad-tool', 'nexus:error-tool', 'nexus:error-parameter')
  const { send } = await openNexusServer()
  const { status, json } = await send('POST', '/api/mcp', { body })
  expect([status, json]).toEqual([400, { error }])
})

describe('a store that throws', () => {
  const broken = () =>
    openNexusServer(FIXTURE, {
      change: ({ store }) => ({
        store: new Proxy(store, {
          get: (target, key) =>
            key === 'stamps'
              ? () => Promise.reject(new Error('secret-path /home/x/index.db'))
              : Reflect.get(target, key, target),
        }),
      }),
    })

  it.each<[string, object]>([
    ['list_pages', {}],
    ['get_page', { slug: 'alpha' }],
    ['search', { query: 'needle' }],
    ['get_connections', { slug: 'alpha' }],
  ])('gives nothing away through %s', async (tool, input) => {
    verifies('nexus:check-14-internal-error', 'nexus:error-internal')
    const { call, bugs } = await broken()
    const { status, text, json } = await call(tool, input)
    expect([status, json]).toEqual([500, { error: 'Internal server error' }])
    expect(text).not.toContain('secret-path')
    expect(String(bugs[0])).toContain('secret-path')
  })

  it('gives nothing away through the notes either', async () => {
    const { send } = await broken()
    const calls = [
      send('GET', '/api/notes'),
      send('GET', '/api/notes/alpha'),
      send('POST', '/api/notes', { body: { title: 'New' } }),
      send('PUT', '/api/notes/alpha', { body: { title: 'New' } }),
      send('DELETE', '/api/notes/alpha'),
      send('POST', '/api/search', { body: { query: 'x' } }),
      send('GET', '/api/export'),
    ]
    for (const { status, json } of await Promise.all(calls)) {
      expect([status, json]).toEqual([500, { error: 'Internal server error' }])
    }
  })
})

it('allows the methods it has and names them', async () => {
  const { send } = await openNexusServer()
  const check = async (method: string, path: string, allow: string) => {
    const { status, json, headers } = await send(method, path)
    expect([method, path, status, json]).toEqual([
      method,
      path,
      405,
      { error: 'Method not allowed' },
    ])
    expect(headers.get('allow')).toBe(allow)
  }
  await check('PUT', '/api/mcp', 'GET, POST, OPTIONS')
  await check('DELETE', '/api/mcp', 'GET, POST, OPTIONS')
  await check('PATCH', '/api/mcp/', 'GET, POST, OPTIONS')
  await check('PATCH', '/api/notes/alpha', 'GET, PUT, DELETE, OPTIONS')
  await check('GET', '/api/search', 'POST, OPTIONS')
  await check('GET', '/api/import', 'POST, OPTIONS')
  await check('POST', '/api/export', 'GET, OPTIONS')
  const head = await send('HEAD', '/api/mcp')
  expect([head.status, head.text]).toEqual([200, ''])
  expect((await send('GET', '/api/mcpx')).status).toBe(404)
  expect((await send('GET', '/api')).status).toBe(404)
})

describe('pages of other origins', () => {
  const APP = 'https://app.example'

  it('may read where they are named, and nowhere else', async () => {
    const { send } = await openNexusServer(FIXTURE, { http: { allowedOrigins: [APP] } })
    const plain = await send('OPTIONS', '/api/mcp')
    expect([plain.status, plain.headers.get('access-control-allow-origin')]).toEqual([204, null])
    const preflight = await send('OPTIONS', '/api/mcp', { headers: { origin: APP } })
    expect(preflight.status).toBe(204)
    const said = (name: string) => preflight.headers.get(`access-control-allow-${name}`)
    expect([said('origin'), said('methods'), said('headers')]).toEqual([
      APP,
      'GET, POST, OPTIONS',
      'Content-Type',
    ])
    const read = await send('GET', '/api/mcp', { headers: { origin: APP } })
    expect(read.headers.get('access-control-allow-origin')).toBe(APP)
    const foreign = await send('GET', '/api/mcp', { headers: { origin: 'https://evil.example' } })
    expect([foreign.status, typeof foreign.json.error]).toEqual([403, 'string'])
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('change no notes, not even those of another server on this machine', async () => {
    const { send, url } = await openNexusServer(FIXTURE, { http: { allowedOrigins: [APP] } })
    const from = (origin: string) =>
      send('POST', '/api/notes', { body: { title: origin }, headers: { origin } })
    expect((await from('http://localhost:5173')).status).toBe(403)
    expect((await from('https://evil.example')).status).toBe(403)
    expect((await from(APP)).status).toBe(201)
    expect((await from(url)).status).toBe(201)
  })
})

it('is not there when it is turned off', async () => {
  const { send } = await openNexusServer(FIXTURE, {
    settings: { tools: false, search: false, importExport: false },
  })
  for (const [method, path] of [
    ['GET', '/api/mcp'],
    ['POST', '/api/mcp'],
    ['OPTIONS', '/api/mcp'],
    ['POST', '/api/search'],
    ['POST', '/api/import'],
    ['GET', '/api/export'],
  ] as const) {
    const { status, json } = await send(method, path)
    expect([path, status, json]).toEqual([path, 404, { error: 'Not found' }])
  }
  expect((await send('GET', '/api/notes')).status).toBe(200)
})

it('says in its own words that a body is too long or that it does not know the caller', async () => {
  verifies('nexus:error-shape')
  const { send } = await openNexusServer(FIXTURE, {
    http: { auth: { kind: 'apikey', keys: ['k'] } },
  })
  const nobody = await send('GET', '/api/mcp')
  expect([nobody.status, nobody.json]).toEqual([401, { error: 'Unauthorized' }])
  const headers = { 'x-api-key': 'k', 'content-type': 'application/json' }
  expect((await send('GET', '/api/mcp', { headers })).status).toBe(200)
  const long = await send('POST', '/api/mcp', { body: ' '.repeat(4 * 1024 * 1024 + 1), headers })
  expect([long.status, typeof long.json.error]).toEqual([413, 'string'])
})
