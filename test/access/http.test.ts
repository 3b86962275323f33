/** Who may do what over HTTP: every kind of caller at every kind of door. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tokensOf } from '../../src/serve/wiring/access.ts'
import { startServer } from '../../src/serve/wiring/start-server.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { NEXUS_DEFAULTS } from '../../src/vocabularies/nexus/settings.ts'
import type { FlagValue } from '../../src/serve/config/config.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { untilReady } from './world.ts'

const FILES = {
  'public/tea.md': '# Tea\nA kettle, and [[plan]].\n',
  'secret/plan.md': '# Plan\nThe kettle is ours. #hidden\n',
}

const TOKENS = {
  reader: { may: ['read'], see: [], hide: [] },
  writer: { may: ['read', 'write'], see: [], hide: [] },
  nobody: { may: [], see: [], hide: [] },
  operator: { may: ['read', 'maintain'], see: [], hide: [] },
  guest: { may: ['read', 'write'], see: [], hide: ['notes/secret'] },
} as const

async function configFor(flags: Record<string, FlagValue> = {}) {
  const folder = temporaryFolder(FILES)
  const { config } = await loadConfig({
    folders: [`notes=${folder}`],
    configFile: undefined,
    flags: {
      port: 0,
      'log-level': 'silent',
      surface: ['native', 'nexus', 'roux', 'acdc'],
      ...flags,
    },
    env: {},
    cwd: folder,
    home: folder,
  })
  return config
}

async function serve() {
  const config = await configFor()
  const tokens = tokensOf(config)
  const made = Object.fromEntries(
    Object.entries(TOKENS).map(([name, grant]) => [name, tokens.create(name, grant).token]),
  ) as Record<keyof typeof TOKENS, string>
  const server = await startServer(config, { transport: 'http' })
  onTestFinished(() => server.close())
  await untilReady(server.url!)
  const connect = async (token: string, path = '/mcp') => {
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${token}` }
    const url = new URL(path, server.url)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    onTestFinished(() => client.close())
    return client
  }
  const send = async (path: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(new URL(path, server.url), init)).status
  return { tokens, made, connect, send, state: config.state, url: server.url! }
}

const json = { 'content-type': 'application/json' }

it('lets nobody in without a token, at any door but the one that says it lives', async () => {
  const { send, made, url } = await serve()
  const doors = [
    '/mcp',
    '/mcp/native',
    '/mcp/roux',
    '/api/mcp',
    '/api/notes',
    '/api/export',
    '/sse',
    '/nowhere',
    '/',
    '/web/read/anything',
    '/llms.txt',
    '/llms/notes/tea.md',
  ]
  const wrong = [{}, { authorization: 'Bearer nonsense' }, { 'x-api-key': `${made.reader}x` }]
  for (const path of doors) {
    for (const headers of wrong) {
      expect([path, await send(path, { headers: headers as Record<string, string> })]).toEqual([
        path,
        401,
      ])
    }
    expect([path, await send(`${path}?token=${made.writer}`)]).toEqual([path, 401])
  }
  expect(await send('/health')).toBe(200)
  const refused = await fetch(url)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="cairn", Basic realm="cairn"')
})

it('takes a token as bearer, as API key and as a password', async () => {
  const { send, made } = await serve()
  const token = made.reader
  const ways: readonly Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { authorization: `Basic ${Buffer.from(`ann:${token}`).toString('base64')}` },
    { 'x-api-key': token },
  ]
  for (const headers of ways) {
    expect(await send('/api/notes', { headers })).toBe(200)
  }
})

it('offers each caller what they may do, and does nothing else for them', async () => {
  const { connect, made } = await serve()
  const writing = ['write', 'delete', 'history']
  const named = async (token: string) =>
    (await (await connect(token)).listTools()).tools.map(({ name }) => name)
  expect(await named(made.reader)).not.toEqual(expect.arrayContaining(['write']))
  expect(await named(made.reader)).toContain('search')
  expect(await named(made.writer)).toEqual(expect.arrayContaining(writing))
  expect(await named(made.nobody)).toEqual([])
  const create = {
    name: 'write',
    arguments: { action: 'create', id: 'notes/public/new.md', content: 'x' },
  }
  const refused: any = await (await connect(made.reader)).callTool(create)
  expect([refused.isError, refused.content[0].text]).toEqual([
    true,
    expect.stringContaining('forbidden'),
  ])
  const done: any = await (await connect(made.writer)).callTool(create)
  expect(done.isError).toBeFalsy()
  const log: any = await (await connect(made.writer)).callTool({ name: 'history', arguments: {} })
  expect(log.content[0].text).toContain('token:writer')
})

it('shows a guest nothing of what is hidden, and no other way to it', async () => {
  const { connect, made, url } = await serve()
  const headers = { authorization: `Bearer ${made.guest}`, ...json }
  const guest = await connect(made.guest)
  const text = async (name: string, args: object) => {
    const { content }: any = await guest.callTool({
      name,
      arguments: args as Record<string, unknown>,
    })
    return String(content[0].text)
  }
  const answers = await Promise.all([
    text('search', { query: 'kettle plan' }),
    text('list', {}),
    text('neighbors', { id: 'notes/public/tea.md' }),
    text('insights', { report: 'overview' }),
    text('insights', { report: 'tags' }),
    text('insights', { report: 'orphans' }),
  ])
  for (const answer of answers) expect(answer).not.toMatch(/secret|hidden/)
  // What is hidden and what is not there are one and the same.
  const hidden = await text('fetch', { id: 'notes/secret/plan.md' })
  const missing = await text('fetch', { id: 'notes/secret/none.md' })
  expect(hidden.replaceAll('plan', 'none')).toBe(missing)
  const { resources } = await guest.listResources()
  expect(resources.map(({ uri }) => uri).join()).not.toContain('secret')
  // Other words and plain routes hide the same; hidden.test.ts asks them everything.
  for (const path of ['/api/notes', '/api/export', '/api/mcp']) {
    const response = await fetch(new URL(path, url), { headers })
    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).not.toMatch(/secret|hidden|The kettle is ours/)
  }
})

it('lets a client find out where to sign in, and sign in there', async () => {
  const config = await configFor({ 'public-url': 'https://kb.example' })
  const access = {
    anyone: false,
    signIn: true,
    issuer: undefined,
    audience: undefined,
    keysUrl: undefined,
  }
  const server = await startServer({ ...config, access }, { transport: 'http' })
  onTestFinished(() => server.close())
  const refused = await fetch(server.url!, { method: 'POST', headers: json, body: '{}' })
  const how = refused.headers.get('www-authenticate')
  expect([refused.status, how]).toEqual([
    401,
    'Bearer resource_metadata="https://kb.example/.well-known/oauth-protected-resource/mcp", scope="read", Basic realm="cairn"',
  ])
  const read = async (path: string) =>
    (await fetch(new URL(path, server.url))).json() as Promise<any>
  // A client compares the resource with the address that it was given.
  for (const path of ['', '/mcp', '/mcp/roux']) {
    const said = await read(`/.well-known/oauth-protected-resource${path}`)
    expect([said.authorization_servers, said.resource]).toEqual([
      ['https://kb.example'],
      `https://kb.example${path}`,
    ])
  }
  expect((await fetch(new URL('/.well-known/oauth-protected-resources', server.url))).status).toBe(
    401,
  )
  const { registration_endpoint: register } = await read('/.well-known/oauth-authorization-server')
  const registered = await fetch(new URL(new URL(register).pathname, server.url), {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ redirect_uris: ['https://client.example/'] }),
  })
  expect(registered.status).toBe(201)
})

it('counts calls for the operator, and writes down who changed something or was refused', async () => {
  const { connect, made, send, url, state } = await serve()
  const writer = await connect(made.writer)
  const create = { action: 'create', id: 'notes/public/new.md', content: 'x' }
  await writer.callTool({ name: 'write', arguments: create })
  await writer.callTool({ name: 'search', arguments: { query: 'tea' } })
  await send('/mcp')
  const metrics = (token: string) =>
    fetch(new URL('/metrics', url), { headers: { authorization: `Bearer ${token}` } })
  expect([(await metrics(made.reader)).status, await send('/metrics')]).toEqual([403, 401])
  const text = await (await metrics(made.operator)).text()
  expect(text).toContain('cairn_calls_total{surface="native",tool="search",outcome="ok"} 1')
  expect([await send('/healthz'), [200, 503].includes(await send('/readyz'))]).toEqual([200, true])
  const [month = ''] = readdirSync(join(state, 'audit'))
  const lines = readFileSync(join(state, 'audit', month), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(
    lines.map(({ kind, tool, principal, status }) => [kind, tool ?? status, principal]),
  ).toEqual([
    ['call', 'write', 'token:writer'],
    ['refused', 401, undefined],
    ['refused', 401, undefined],
  ])
})

it('offers the tools that the operator leaves', async () => {
  const config = await configFor({ surface: ['native'], tools: ['search', 'fetch'] })
  const server = await startServer(config, { transport: 'http' })
  onTestFinished(() => server.close())
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url!)))
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'fetch'])
  await expect(client.callTool({ name: 'list', arguments: {} })).rejects.toThrow('no tool')
  const wrong = await configFor({ surface: ['native'], 'exclude-tools': ['serach'] })
  await expect(startServer(wrong, { transport: 'http' })).rejects.toThrow('no tool "serach"')
})

it('lets a reader change nothing over plain routes', async () => {
  const { made, send, state } = await serve()
  const post = (token: string) =>
    send('/api/notes', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...json },
      body: JSON.stringify({ title: 'New' }),
    })
  expect([await post(made.reader), await post(made.writer)]).toEqual([403, 201])
  const [month = ''] = readdirSync(join(state, 'audit'))
  const lines = readFileSync(join(state, 'audit', month), 'utf8')
    .trim()
    .split('\n')
  const calls = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'call')
  expect(calls.map(({ tool, principal }) => [tool, principal])).toEqual([
    ['POST /api/notes', 'token:writer'],
  ])
})

it('leaves a tool out over every wire', async () => {
  const config = await configFor({ surface: ['nexus'], 'exclude-tools': ['ask'] })
  const server = await startServer(config, { transport: 'http' })
  onTestFinished(() => server.close())
  const url = new URL('/api/mcp', server.url)
  const { tools } = (await (await fetch(url)).json()) as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).not.toContain('ask')
  const body = JSON.stringify({ tool: 'ask', input: { question: 'Tea?' } })
  const asked = await fetch(url, { method: 'POST', headers: json, body })
  expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining('Unknown tool')])
})

it('leaves a tool of the gateway out of its routes', async () => {
  const config = await configFor({ surface: ['duskmantle'], 'exclude-tools': ['km-search'] })
  const server = await startServer(config, { transport: 'http' })
  onTestFinished(() => server.close())
  await untilReady(server.url!)
  const post = async (path: string) => {
    const init = { method: 'POST', headers: json, body: '{"query":"kettle"}' }
    const response = await fetch(new URL(path, server.url), init)
    return [path, response.status, (await response.text()).includes('kettle')]
  }
  for (const path of ['/api/v1/search', '/api/v1/tools/km-search']) {
    expect(await post(path)).toEqual([path, 404, false])
  }
  expect(await post('/api/v1/tools/km-help')).toEqual(['/api/v1/tools/km-help', 200, false])
})

it('lets who may write in a part write nowhere else through the gateway and recipes', async () => {
  const flags = { surface: ['native', 'duskmantle'], tools: ['+admin'] }
  const config = await configFor(flags)
  const recipes = join(config.state, 'recipes')
  mkdirSync(recipes, { recursive: true })
  const step =
    '{id: store, tool: km-storetext, params: {content: x, title: x, destination: public/x.md}}'
  writeFileSync(join(recipes, 'store.yaml'), `version: 1\nname: store\nsteps:\n  - ${step}\n`)
  const grant = { may: ['read', 'write', 'maintain'], see: [], hide: [] } as const
  const tokens = tokensOf(config)
  const inbox = tokens.create('inbox', { ...grant, write: ['notes/inbox'] }).token
  const server = await startServer(config, { transport: 'http' })
  onTestFinished(() => server.close())
  await untilReady(server.url!)
  const headers = { authorization: `Bearer ${inbox}`, ...json }
  const body = JSON.stringify({ content: 'x', title: 'x', destination: 'public/x.md' })
  const url = new URL('/api/v1/tools/km-storetext', server.url)
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(403)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  const run = { action: 'recipe', name: 'store' }
  const { isError } = await client.callTool({ name: 'admin', arguments: run })
  expect([isError, existsSync(join(config.sources[0]!.path, 'public/x.md'))]).toEqual([true, false])
})

it('knows clients behind a proxy that was named, and believes nobody else', async () => {
  const serveBehind = async (trustedProxies: readonly string[]) => {
    const config = await configFor({ surface: ['nexus'], 'allow-host': ['kb.example'] })
    const http = { ...config.http, trustedProxies, perMinute: 1 }
    const access = { ...config.access!, issuer: 'https://login.example', audience: 'x' }
    const server = await startServer({ ...config, http, access }, { transport: 'http' })
    onTestFinished(() => server.close())
    const ask = async (client: string) =>
      fetch(new URL('/api/notes', server.url), {
        headers: {
          'x-forwarded-for': `198.51.100.1, ${client}`,
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'kb.example',
        },
      })
    const answers = [await ask('203.0.113.1'), await ask('203.0.113.2'), await ask('203.0.113.1')]
    const [month = ''] = readdirSync(join(config.state, 'audit'))
    const lines = readFileSync(join(config.state, 'audit', month), 'utf8')
      .trim()
      .split('\n')
    return {
      statuses: answers.map(({ status }) => status),
      told: answers[0]!.headers.get('www-authenticate')?.includes('https://kb.example/'),
      peers: lines.map((line) => JSON.parse(line).peer),
    }
  }
  expect(await serveBehind(['127.0.0.0/8'])).toEqual({
    statuses: [401, 401, 429],
    told: true,
    peers: ['203.0.113.1', '203.0.113.2'],
  })
  expect(await serveBehind(['10.0.0.0/8'])).toEqual({
    statuses: [401, 429, 429],
    told: false,
    peers: ['127.0.0.1'],
  })
})

it('lets nobody use the session of somebody else, nor a token that was taken back', async () => {
  const { made, url, tokens } = await serve()
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    },
  }
  const post = (token: string, body: object, session?: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...json,
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    })
  const session = (await post(made.writer, initialize)).headers.get('mcp-session-id')!
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
  expect((await post(made.writer, ping, session)).status).toBe(200)
  expect((await post(made.reader, ping, session)).status).toBe(404)
  tokens.revoke('writer')
  expect((await post(made.writer, ping, session)).status).toBe(401)
  // A token that was made anew under the name has what it has now, not what the session had.
  const { token } = tokens.create('writer', TOKENS.reader)
  expect((await post(token, ping, session)).status).toBe(404)
})

it('does not listen to other machines unless callers are asked, or anyone may', async () => {
  const config = await configFor({ host: '0.0.0.0', 'allow-host': ['kb.example'] })
  await expect(startServer(config, { transport: 'http' })).rejects.toThrow('would let others')
  const open = await startServer(await configFor({ host: '0.0.0.0', 'allow-anyone': true }), {
    transport: 'http',
  })
  onTestFinished(() => open.close())
  tokensOf(config).create('laptop', TOKENS.reader)
  const closed = await startServer(config, { transport: 'http' })
  onTestFinished(() => closed.close())
})

it('takes a token as well as the password of nexus, and asks nobody for both', async () => {
  const config = await configFor({ surface: ['nexus'] })
  const { token } = tokensOf(config).create('reader', TOKENS.reader)
  const nexus = {
    settings: NEXUS_DEFAULTS,
    password: { password: 'open sesame', open: [] },
    allowedOrigins: [],
  }
  const server = await startServer(config, { transport: 'http', nexus })
  onTestFinished(() => server.close())
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(new URL(path, server.url), { headers })).status
  expect(await status('/api/notes')).toBe(401)
  expect(await status('/api/notes', { authorization: `Bearer ${token}` })).toBe(200)
  const said = await fetch(new URL('/api/auth', server.url), {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ password: 'open sesame' }),
  })
  const [cookie = ''] = said.headers.getSetCookie()
  expect(await status('/api/notes', { cookie: cookie.split(';')[0]! })).toBe(200)
  // What is about the server is for tokens that may look after it.
  expect(await status('/metrics', { cookie: cookie.split(';')[0]! })).toBe(403)
  expect(await status('/metrics', { authorization: `Bearer ${token}` })).toBe(403)
})
