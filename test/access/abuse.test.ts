/** What somebody does who means no good, over the doors of a server with every surface. */
import { readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { acdcTools } from '../../src/vocabularies/acdc/tools.ts'
import { cortexTools } from '../../src/vocabularies/cortex/tools.ts'
import { duskmantleTools } from '../../src/vocabularies/duskmantle/tools.ts'
import { PAGE_INPUTS } from '../../src/explorer/surface/open-explorer.ts'
import { nativeTools } from '../../src/serve/native/tools.ts'
import { nexusTools } from '../../src/vocabularies/nexus/tools.ts'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import type { ToolDescription } from '../../src/serve/door/tool.ts'
import { serveHttp } from '../../src/serve/transports/http/serve-http.ts'
import { raw } from '../transports/http-raw.ts'
import { smallSurface } from '../transports/small-surface.ts'
import { callsOf } from './probes.ts'
import { bearer, messageOf, serveWorld, SURFACES } from './world.ts'
import type { Credentials, SurfaceWord, World } from './world.ts'

const SOURCES = {
  notes: { 'tea.md': '# Tea\nA kettle.\n' },
  brain: { 'knowledge/entities/concepts.jsonl': '' },
}
const TABLES: Readonly<Record<SurfaceWord, readonly ToolDescription[]>> = {
  native: nativeTools,
  roux: rouxTools,
  nexus: nexusTools,
  acdc: acdcTools,
  cortex: cortexTools,
  duskmantle: duskmantleTools,
}

async function open() {
  const world = await serveWorld({ sources: SOURCES, surfaces: SURFACES })
  return { world, who: bearer(world.token('all', { may: ['read', 'write', 'maintain'] })) }
}

const DOORS = [
  '/mcp',
  '/mcp/roux',
  '/api/mcp',
  '/api/notes',
  '/api/export',
  '/sse',
  '/metrics',
].concat(['/', '/web/graph', '/web/read/facts', '/health', '/readyz', '/nowhere'])

it('answers no page that has pointed its own name here, at any door', async () => {
  const { world, who } = await open()
  for (const path of DOORS) {
    const fakes: Record<string, string>[] = [
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of fakes) {
      const { status, text } = await raw(world.url, {
        method: 'GET',
        path,
        headers: { ...who, ...headers },
      })
      expect([path, headers, status]).toEqual([path, headers, 403])
      expect(text).not.toContain('kettle')
    }
  }
})

it('takes no token out of an address', async () => {
  const { world, who } = await open()
  const token = who['authorization']!.slice('Bearer '.length)
  for (const path of DOORS.filter((door) => !['/health', '/readyz'].includes(door))) {
    for (const name of ['token', 'access_token', 'api_key', 'authorization']) {
      const { status } = await world.fetch(`${path}?${name}=${token}`)
      expect([path, name, status]).toEqual([path, name, 401])
    }
  }
})

it('lets nobody in by a way round through what anybody may ask', async () => {
  const access = { issuer: 'https://login.example', audience: 'https://kb.example', signIn: true }
  const flags = { 'public-url': 'https://kb.example' }
  const world = await serveWorld({ sources: SOURCES, surfaces: SURFACES, access, flags })
  const open = ['/.well-known/oauth-protected-resource', '/oauth/token', '/sign-in', '/health']
  const steps = ['..', '%2e%2e', '.%2E'].flatMap((up) => [`/${up}/${up}`, `/x\\${up}/${up}/${up}`])
  const doors = DOORS.filter((door) => !['/', '/health', '/readyz'].includes(door))
  for (const door of doors) {
    for (const path of open.flatMap((each) => steps.map((up) => `${each}${up}${door}`))) {
      const { status, text } = await raw(world.url, {
        method: 'GET',
        path,
        headers: { 'x-cairn': '1' },
      })
      expect([path, status]).toEqual([path, 401])
      expect(text).not.toContain('kettle')
    }
  }
}, 30_000)

it('begins sessions of its own, and gives nobody another one’s', async () => {
  const { world, who } = await open()
  const other = bearer(world.token('other', { may: ['read'] }))
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    },
  })
  const post = (headers: Record<string, string>, body: string, path = '/mcp') =>
    world.fetch(path, { method: 'POST', headers: { ...json, ...headers }, body })
  // An id that was thought up beforehand begins nothing.
  const fixed = await post({ ...who, 'mcp-session-id': 'chosen-by-me' }, initialize)
  expect(fixed.status).toBe(404)
  const begun = await post(who, initialize)
  const id = begun.headers.get('mcp-session-id')!
  await begun.body?.cancel()
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })
  expect((await post({ ...other, 'mcp-session-id': id }, ping)).status).toBe(404)
  const removed = await world.fetch('/mcp', {
    method: 'DELETE',
    headers: { ...other, 'mcp-session-id': id },
  })
  expect(removed.status).toBe(404)
  expect((await post({ ...who, 'mcp-session-id': id }, ping)).status).toBe(200)
  // The same over the older wire, whose id is part of an address.
  const stream = await world.fetch('/sse', { headers: who })
  const reader = stream.body!.getReader()
  onTestFinished(() => reader.cancel())
  const first = Buffer.from((await reader.read()).value!).toString()
  const address = /data: (\S+)/.exec(first)![1]!
  expect((await post(other, ping, address)).status).toBe(404)
  expect((await post(who, ping, address)).status).toBe(202)
})

it('refuses what is too long, too deep or packed, at every door that takes something', async () => {
  const { world, who } = await open()
  const json = { ...who, 'content-type': 'application/json', 'x-cairn': '1' }
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '))
  const doors = [
    '/mcp',
    '/mcp/roux',
    '/api/mcp',
    '/api/notes',
    '/api/search',
    '/web/read/note',
  ].concat('/web/call/search')
  // What is sent there may be a file.
  const wide = ['/api/v1/search', '/api/v1/tools/km-search']
  for (const path of wide) {
    const nested = await raw(world.url, { path, headers: json, body: deep })
    expect([path, nested.status]).toEqual([path, 422])
    const long = await raw(world.url, { path, headers: json, body: 'x'.repeat(17 * 1024 * 1024) })
    expect([path, long.status]).toEqual([path, 413])
  }
  for (const path of doors) {
    const send = (body: string | Buffer, headers = {}) =>
      raw(world.url, { path, headers: { ...json, ...headers }, body })
    const long = await send(`"${'x'.repeat(5 * 1024 * 1024)}"`)
    expect([path, long.status]).toEqual([path, 413])
    const nested = await send(deep)
    expect([path, nested.status]).toEqual([path, 400])
    const packed = await send(bomb, { 'content-encoding': 'gzip' })
    expect([path, packed.status]).toEqual([path, 415])
  }
})

it('lets go of who never finishes asking, and answers others meanwhile', async () => {
  const server = await serveHttp({
    surfaces: [{ path: '/mcp', surface: smallSurface() }],
    port: 0,
    // On a busy machine an honest request takes its time to arrive as well.
    arriveMs: 3_000,
  })
  onTestFinished(() => server.close())
  const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const ways = [
    ['', ''],
    [`${head}X-Slow: `, 'a'],
    [`${head}Content-Length: 100000\r\n\r\n`, ' '],
    [`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ] as const
  const slow = Array.from({ length: 100 }, (_, number) => {
    const [first, more] = ways[number % ways.length]!
    const socket = connect(server.port, '127.0.0.1')
    const trickle = setInterval(() => socket.write(more), 50)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.write(first)
    return closed.finally(() => clearInterval(trickle))
  })
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  await Promise.all(slow)
})

it('follows a thousand resources for a session, and no ten thousand', async () => {
  const { world, who } = await open()
  const json = {
    ...who,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const post = (body: object, session?: string) =>
    world.fetch('/mcp', {
      method: 'POST',
      headers: { ...json, ...(session !== undefined && { 'mcp-session-id': session }) },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  const begun = await post({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    },
  })
  const id = begun.headers.get('mcp-session-id')!
  await begun.body?.cancel()
  await post({ method: 'notifications/initialized' }, id)
  const follow = async (n: number) => {
    const uri = `kb://notes/${n}.md`
    return messageOf(await post({ id: n + 1, method: 'resources/subscribe', params: { uri } }, id))
  }
  const answers: any[] = []
  for (let n = 0; n < 1_005; n++) answers.push(await follow(n))
  expect(answers.filter(({ error }) => error).length).toBe(5)
  const long = {
    id: 2_000,
    method: 'resources/subscribe',
    params: { uri: `kb://${'x'.repeat(10_000)}` },
  }
  expect((await messageOf(await post(long, id))).error.message).toContain('characters long')
  // Of the newer revision one request names them all.
  const listen = async (uris: readonly string[]) => {
    const stream = await world.rpc('native', who, 'subscriptions/listen', {
      notifications: { resourceSubscriptions: uris },
    })
    await stream.body?.cancel()
    return stream.status
  }
  const uris = Array.from({ length: 10_000 }, (_, n) => `kb://notes/${n}.md`)
  expect(await listen(uris)).toBe(400)
  expect(await listen([`kb://${'x'.repeat(10_000)}`])).toBe(400)
  expect(await listen(uris.slice(0, 1_000))).toBe(200)
  expect((await world.rpc('native', who, 'tools/list')).status).toBe(200)
})

it('puts nothing of a request into the headers of an answer', async () => {
  const { world, who } = await open()
  for (const path of ['/mcp', '/api/notes/', '/web/read/', '/nowhere/']) {
    const answer = await raw(world.url, {
      method: 'GET',
      path: `${path}%0d%0aset-cookie:%20a=1?x=%0d%0aset-cookie:%20b=1`,
      headers: who,
    })
    expect([path, answer.headers['set-cookie']]).toEqual([path, undefined])
  }
  const said = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (part) => (text += part.toString()))
    socket.on('close', () => resolve(text))
    socket.write(
      'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: b\nSet-Cookie: c=1\r\n\u0000: d\r\n\r\n',
    )
  })
  expect(said).toMatch(/^HTTP\/1\.1 400 /)
})

/** Every tool with a text in every place where one goes, by MCP and where there is another way. */
async function* answersTo(world: World, who: Credentials, probe: string) {
  const json = { ...who, 'content-type': 'application/json', 'x-cairn': '1' }
  for (const surface of SURFACES) {
    for (const row of TABLES[surface]) {
      for (const args of callsOf(row, probe, true)) {
        const call = { name: row.name, arguments: args }
        const said = `${surface} ${row.name} ${JSON.stringify(args)}`.slice(0, 300)
        yield [said, await world.rpc(surface, who, 'tools/call', call)] as const
      }
    }
  }
  const routes: [string, string, object?][] = [
    ...nexusTools.map((row): [string, string, object] => [
      'POST',
      '/api/mcp',
      { tool: row.name, input: [...callsOf(row, probe, false)].at(-1) },
    ]),
    ...duskmantleTools.map((row): [string, string, object] => [
      'POST',
      `/api/v1/tools/${row.name}`,
      { ...[...callsOf(row, probe, false)].at(-1) },
    ]),
    ...Object.keys(PAGE_INPUTS).map((name): [string, string, object] => [
      'POST',
      `/web/read/${name}`,
      { id: probe, query: probe, path: probe, tags: [probe], types: [probe], sources: [probe] },
    ]),
    ['POST', '/web/call/fetch', { id: probe }],
    ['POST', '/api/search', { query: probe }],
    ['POST', '/api/notes', { title: probe, slug: probe, content: probe }],
    ['POST', '/api/v1/search', { query: probe, filters: { namespaces: [probe] } }],
  ]
  const inPaths = ['/api/notes/', '/web/assets/', '/web/file/notes/', '/web/call/', '/web/read/']
  const ofGateway = ['graph/nodes/', 'graph/subsystems/', 'graph/search?q=', 'tools/']
  const encoded = encodeURIComponent(probe)
  for (const path of [...inPaths, ...ofGateway.map((each) => `/api/v1/${each}`)]) {
    for (const end of [encoded, probe, `DesignDoc:${encoded}`, `a.png?from=${encoded}`]) {
      routes.push(['GET', encodeURI(`${path}${end}`).replaceAll('%25', '%')])
    }
  }
  routes.push(
    ['DELETE', `/api/notes/${encoded}`],
    ['PUT', `/api/notes/${encoded}`, { title: 'x' }],
    ['GET', `/api/v1/graph/subsystems/${encoded}/graph`],
    ['GET', `/api/v1/graph/orphans?label=${encoded}&cursor=${encoded}`],
  )
  for (const [method, path, body] of routes) {
    const answer = await raw(world.url, {
      method,
      path,
      headers: json,
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (answer) {
      const { status, text } = answer
      const said = `${method} ${path} ${JSON.stringify(body ?? '')}`.slice(0, 300)
      yield [said, new Response(text, { status: status < 200 ? 500 : status })] as const
    }
  }
  const form = new FormData()
  form.append('files', new Blob(['x']), probe)
  const imported = await world
    .fetch('/api/import', { method: 'POST', headers: who, body: form })
    .catch(() => undefined)
  if (imported) yield ['POST /api/import', imported] as const
  const schemes = ['', 'kb://notes/', 'kb://entities/', 'acdc://notes/', 'knowledge://entities/']
  for (const surface of ['native', 'acdc', 'cortex'] as const) {
    for (const scheme of schemes) {
      for (const end of [probe, encoded]) {
        const uri = `${scheme}${end}`
        yield [uri, await world.rpc(surface, who, 'resources/read', { uri })] as const
      }
    }
    const complete = {
      ref: { type: 'ref/resource', uri: 'kb://{source}/{+path}' },
      argument: { name: 'path', value: probe },
    }
    yield ['complete', await world.rpc(surface, who, 'completion/complete', complete)] as const
    const prompt = { name: probe, arguments: { topic: probe } }
    yield ['prompt', await world.rpc(surface, who, 'prompts/get', prompt)] as const
  }
}

/** What takes for ever where a pattern is tried one way after the other. */
const NASTY = [
  `${'*a'.repeat(40)}*b`,
  `${'{a,b}'.repeat(30)}c`,
  `${'(a+)+'.repeat(20)}$`,
  `${'(a|aa)+'.repeat(10)}b`,
  `${'**/a/'.repeat(50)}x`,
  `"${'a '.repeat(1_000)}"`,
  `${'['.repeat(500)}`,
  `title:${'+'.repeat(500)}"`,
]

it('answers patterns that would take for ever, at every place that takes a text', async () => {
  const letters = 'a'.repeat(200)
  const world = await serveWorld({
    // Something for every pattern to be tried on: long names, long lines, deep folders.
    sources: {
      notes: {
        [`${letters}.md`]: `---\naliases: [${letters}]\ntags: [${letters}]\n---\n# ${letters}\n${letters.repeat(20)}\n`,
        [`${'a/'.repeat(60)}${letters}.md`]: `# ${letters} ${letters}\n[[${letters}]]\n`,
      },
      brain: SOURCES.brain,
    },
  })
  const who = bearer(world.token('all', { may: ['read', 'write', 'maintain'] }))
  let answered = 0
  for (const pattern of NASTY) {
    for await (const [said, response] of answersTo(world, who, pattern)) {
      expect([said, response.status >= 500 && response.status !== 501]).toEqual([said, false])
      await response.body?.cancel()
      answered++
    }
  }
  expect(answered).toBeGreaterThan(1_000)
})

const WAYS_OUT = [
  '../outside.md',
  'notes/../../outside.md',
  '..%2f..%2foutside.md',
  'kb://notes/..%2f..%2foutside.md',
  '..\\..\\outside.md',
  'tea.md\u0000/../../outside.md',
]

it('stays inside, whatever path is said at whatever place', async () => {
  const { world, who } = await open()
  const outside = join(world.root, 'outside.md')
  writeFileSync(outside, '# Outside\nCANARY\n')
  const told: string[] = []
  let asked = 0
  for (const way of [...WAYS_OUT, outside, `file://${outside}`]) {
    for await (const [said, response] of answersTo(world, who, way)) {
      if ((await response.text()).includes('CANARY')) told.push(said)
      asked++
    }
  }
  expect(told).toEqual([])
  expect(asked).toBeGreaterThan(1_000)
  expect(readdirSync(world.root).toSorted()).toEqual(['brain', 'notes', 'outside.md', 'state'])
  // Nothing that was written or fetched on the way holds what stands outside.
  const search = { name: 'search', arguments: { query: 'CANARY', match: 'text' } }
  const found = await (await world.rpc('native', who, 'tools/call', search)).text()
  expect(found).not.toContain('# Outside')
})
