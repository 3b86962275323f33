/** What the HTTP server does with requests no honest client sends, and how it begins and ends. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { KnowledgeError } from '../../src/core/domain/error.ts'
import type { Access } from '../../src/serve/transports/http/authentication.ts'
import {
  type HttpOptions,
  type HttpServer,
  serveHttp,
} from '../../src/serve/transports/http/serve-http.ts'
import { INITIALIZE, beginSession, modern, open, raw, rpc } from './http-raw.ts'
import { type SmallSurface, smallSurface } from './small-surface.ts'
import { SOON } from '../support/soon.ts'

let servers: HttpServer[] = []
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()))
  servers = []
})

async function serve(
  options: Partial<HttpOptions> = {},
): Promise<HttpServer & { readonly surface: SmallSurface }> {
  const surface = smallSurface()
  const surfaces = [{ path: '/mcp', surface }]
  const server = await serveHttp({ surfaces, port: 0, onBug: () => {}, ...options })
  servers.push(server)
  return { ...server, surface }
}

/** As servers of one base have it. */
function sharedSessions(): Pick<HttpOptions, 'sharedSessions'> {
  const key = randomUUID()
  const ended = new Set<string>()
  const shared = {
    key: async () => key,
    hasEnded: async (session: string) => ended.has(session),
    end: async (session: string) => void ended.add(session),
  }
  return { sharedSessions: () => shared }
}

function accessFor(names: Readonly<Record<string, string>>): Access {
  return {
    isNeeded: () => true,
    async callerOf({ authorization = '' }) {
      const principal = names[authorization.replace('Bearer ', '')]
      return principal === undefined ? undefined : { principal, may: ['read'] }
    },
    challenge: () => Response.json('Unauthorized', { status: 401 }),
  }
}

describe('who may ask', () => {
  it.each([
    ['a name that was pointed at this machine', { host: 'evil.example' }],
    ['such a name with our port', { host: 'evil.example:80' }],
    ['a name that begins like ours', { host: 'localhost.evil.example' }],
    ['a host with credentials', { host: 'evil.example@127.0.0.1' }],
    ['a page from elsewhere', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page whose name begins like ours', { origin: 'http://localhost.evil.example' }],
    ['an origin that is none', { origin: 'localhost' }],
  ])('refuses %s', async (_, headers: Record<string, string>) => {
    const { url } = await serve()
    for (const path of ['/mcp', '/health', '/nowhere']) {
      expect((await raw(url, { path, headers, body: INITIALIZE })).status).toBe(403)
    }
  })

  it.each([
    ['localhost', { host: 'localhost' }],
    ['a local page', { origin: 'http://localhost:6274' }],
    ['IPv6 loopback', { host: '[::1]:4040' }],
  ])('answers %s', async (_, headers: Record<string, string>) => {
    const { url } = await serve()
    const answer = await raw(url, { headers, body: INITIALIZE })
    expect(answer.status).toBe(200)
    // Asking is one thing; a page of another local server does not get to read the answer.
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('answers names and origins that were allowed', async () => {
    const { url } = await serve({
      allowedHosts: ['kb.example.com'],
      allowedOrigins: ['https://app.example.com'],
    })
    const host = { host: 'KB.example.com' }
    expect((await raw(url, { headers: host, body: INITIALIZE })).status).toBe(200)
    const own = { ...host, origin: 'https://kb.example.com' }
    expect((await raw(url, { headers: own, body: INITIALIZE })).status).toBe(200)

    const origin = 'https://app.example.com'
    const page = await raw(url, { headers: { origin }, body: INITIALIZE })
    expect(page.headers['access-control-allow-origin']).toBe(origin)
    expect(page.headers['access-control-expose-headers']).toMatch(/mcp-session-id/)
    const preflight = await raw(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'mcp-session-id',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-headers']).toBe('mcp-session-id')
    const insecure = { origin: 'http://app.example.com' }
    expect((await raw(url, { headers: insecure, body: INITIALIZE })).status).toBe(403)
  })

  it('serves other machines only when told to', async () => {
    const refused = serve({ host: '0.0.0.0' })
    await expect(refused).rejects.toMatchObject({ name: 'KnowledgeError', code: 'invalid' })

    const { url } = await serve({ host: '0.0.0.0', allowRemote: true })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    // An address cannot be pointed elsewhere by an attacker; a name can.
    const address = await raw(url, { headers: { host: '192.168.1.5' }, body: INITIALIZE })
    expect(address.status).toBe(200)
    const name = await raw(url, { headers: { host: 'evil.example' }, body: INITIALIZE })
    expect(name.status).toBe(403)
    const foreign = { host: '192.168.1.5', origin: 'http://6.6.6.6' }
    expect((await raw(url, { headers: foreign, body: INITIALIZE })).status).toBe(403)
  })

  it('refuses an allowed origin that is none', async () => {
    const refused = serve({ allowedOrigins: ['app.example.com'] })
    await expect(refused).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('what may be asked', () => {
  it('refuses bodies that are too long, announced or not', async () => {
    const { url } = await serve()
    const body = Buffer.alloc(4 * 1024 * 1024 + 1, 0x20)
    expect((await raw(url, { body })).status).toBe(413)
    expect((await raw(url, { body, chunked: true })).status).toBe(413)
    expect((await raw(url, { method: 'GET', path: '/health' })).status).toBe(200)
  })

  it('says what it did not understand', async () => {
    const { url } = await serve()
    const asText = { 'content-type': 'text/plain' }
    expect((await raw(url, { headers: asText, body: INITIALIZE })).status).toBe(415)
    const cases: [string, number, number][] = [
      ['', 400, -32700],
      ['{', 400, -32700],
      ['\u0000', 400, -32700],
      ['"text"', 400, -32600],
      ['null', 400, -32600],
      ['{}', 400, -32600],
      ['[]', 400, -32600],
      ['['.repeat(100_000), 400, -32700],
      [`{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, 400, -32700],
      [rpc('tools/list'), 400, -32000],
    ]
    for (const [body, status, code] of cases) {
      const answer = await raw(url, { body })
      expect([body.slice(0, 40), answer.status, answer.json.error.code]).toEqual([
        body.slice(0, 40),
        status,
        code,
      ])
    }
    expect((await raw(url, { method: 'PUT', body: INITIALIZE })).status).toBe(405)
    expect((await raw(url, { method: 'PATCH', body: INITIALIZE })).status).toBe(405)
    expect((await raw(url, { method: 'TRACE' })).status).toBe(400)
  })

  it('holds a modern request to its headers', async () => {
    const { url } = await serve()
    const good = modern('tools/call', { name: 'echo', arguments: { text: 'tea' } })
    const answer = await raw(url, good)
    expect([answer.status, answer.json.result.structuredContent.text]).toEqual([200, 'tea'])
    const mismatches: Record<string, string>[] = [
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'slow' },
      { 'mcp-protocol-version': '2025-11-25' },
    ]
    for (const wrong of mismatches) {
      const mismatch = await raw(url, { ...good, headers: { ...good.headers, ...wrong } })
      expect([mismatch.status, mismatch.json.error.code]).toEqual([400, -32020])
    }
    const unknown = await raw(url, modern('no/such'))
    expect([unknown.status, unknown.json.error.code]).toEqual([404, -32601])
  })

  it('names a missing resource as each era does', async () => {
    const { url } = await serve()
    const uri = 'kb://notes/999.md'
    const now = await raw(url, modern('resources/read', { uri }))
    expect(now.json.error).toMatchObject({ code: -32602, data: { uri } })
    const headers = await beginSession(url)
    const then = await raw(url, { headers, body: rpc('resources/read', { uri }) })
    expect(then.json.error).toMatchObject({ code: -32002, data: { uri } })
  })

  it('tells modern clients how long to keep what', async () => {
    const { url } = await serve()
    const tools = await raw(url, modern('tools/list'))
    expect(tools.json.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
    const read = await raw(url, modern('resources/read', { uri: 'kb://notes/1.md' }))
    expect(read.json.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
  })

  it('answers health checks, and helps those who are lost', async () => {
    const { url } = await serve()
    const health = await raw(url, { method: 'GET', path: '/health' })
    expect([health.status, health.json]).toEqual([200, { status: 'ok' }])
    const lost = await raw(url, { method: 'GET', path: '/' })
    expect(lost.status).toBe(404)
    expect(lost.json.error.hint).toContain('/mcp')
  })
})

describe('sessions', () => {
  it('exist only after initialize, until they are deleted', async () => {
    const { url } = await serve()
    const headers = await beginSession(url)
    const ping = { headers, body: rpc('ping') }
    expect((await raw(url, ping)).json.result).toEqual({})

    const unknown = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' }
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? rpc('ping') : undefined
      expect((await raw(url, { method, headers: unknown, body })).status).toBe(404)
      expect((await raw(url, { method, body })).status).toBe(400)
    }
    const again = await raw(url, { headers, body: INITIALIZE })
    expect([again.status, again.json.error.code]).toEqual([400, -32600])

    expect((await raw(url, { method: 'DELETE', headers })).status).toBe(200)
    expect((await raw(url, ping)).status).toBe(404)
  })

  it('do not begin with an initialize that is refused', async () => {
    const { url } = await serve({ maxSessions: 1 })
    for (const params of [{}, { protocolVersion: 5 }]) {
      const answer = await raw(url, { body: rpc('initialize', params) })
      expect(answer.status).toBe(400)
      expect(answer.headers['mcp-session-id']).toBeUndefined()
    }
    const picky = await raw(url, { headers: { accept: 'text/html' }, body: INITIALIZE })
    expect(picky.status).toBe(406)
  })

  it('answer batches, which one old revision had', async () => {
    const { url } = await serve()
    const headers = await beginSession(url)
    const body = `[${rpc('ping', {}, 'a')},${rpc('tools/list', {}, 'b')}]`
    const { status, text } = await raw(url, { headers, body })
    expect(status).toBe(200)
    const ids = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? '').id)
    expect(ids.toSorted()).toEqual(['a', 'b'])
  })

  it('are answered by every server of the base, until their client ends them', async () => {
    const shared = sharedSessions()
    const [one, two, three] = [await serve(shared), await serve(shared), await serve(shared)]
    const headers = await beginSession(one.url)
    const ask = async ({ url }: HttpServer, own = headers, body = rpc('tools/list')) =>
      raw(url, { headers: own, body })
    const listed = (await ask(one)).json.result
    expect(
      (await Promise.all([ask(two), ask(two), ask(two)])).map(({ json }) => json.result),
    ).toEqual([listed, listed, listed])
    const called = rpc('tools/call', { name: 'echo', arguments: { text: 'hello' } })
    expect((await ask(two, headers, called)).json).toEqual((await ask(one, headers, called)).json)
    const again = await ask(two, headers, INITIALIZE)
    expect([again.status, again.json.error.code]).toEqual([400, -32600])

    // Neither a stranger's key, nor a seal of something else, nor another surface.
    const id = headers['mcp-session-id']!
    const [uuid, begun, seal] = id.split('.')
    const forged = [
      `${uuid}.${begun}.${seal!.toUpperCase()}`,
      `${uuid}x.${begun}.${seal}`,
      `${uuid}.${begun!.slice(0, -2)}.${seal}`,
      `${uuid}.${begun}.`,
      '..',
    ]
    for (const each of forged) {
      expect((await ask(two, { ...headers, 'mcp-session-id': each })).status).toBe(404)
    }
    expect((await ask(await serve(sharedSessions()))).status).toBe(404)
    expect((await ask(await serve())).status).toBe(404)

    expect((await raw(two.url, { method: 'DELETE', headers })).status).toBe(200)
    expect((await ask(two)).status).toBe(404)
    expect((await ask(three)).status).toBe(404)
  })

  it('of somebody else are none, at whichever server', async () => {
    const access = accessFor({ 'token-of-ada': 'ada', 'token-of-bob': 'bob' })
    const shared = { ...sharedSessions(), access }
    const [one, two] = [await serve(shared), await serve(shared)]
    const ada = { authorization: 'Bearer token-of-ada' }
    const begun = await raw(one.url, { headers: ada, body: INITIALIZE })
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
    const ask = async (headers: Record<string, string>) =>
      (await raw(two.url, { headers: { ...headers, ...session }, body: rpc('ping') })).status
    expect(await ask({ authorization: 'Bearer token-of-bob' })).toBe(404)
    expect(await ask({})).toBe(401)
    expect(await ask(ada)).toBe(200)
    expect(await ask({ authorization: 'Bearer token-of-bob' })).toBe(404)
  })

  it('begin and go on at one server while what they share is out of reach', async () => {
    const gone = async (): Promise<never> => {
      throw new KnowledgeError('unavailable', 'gone', 'wait')
    }
    const { url } = await serve({
      sharedSessions: () => ({ key: gone, hasEnded: gone, end: gone }),
    })
    const headers = await beginSession(url)
    expect((await raw(url, { headers, body: rpc('ping') })).status).toBe(200)
    const unknown = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' }
    expect((await raw(url, { headers: unknown, body: rpc('ping') })).status).toBe(404)
    expect((await raw(url, { method: 'DELETE', headers })).status).toBe(200)
  })

  it('make room for new ones, longest unused first', async () => {
    const { url } = await serve({ maxSessions: 2 })
    const first = await beginSession(url)
    const second = await beginSession(url)
    const ping = async (headers: Record<string, string>) =>
      (await raw(url, { headers, body: rpc('ping') })).status
    expect(await ping(first)).toBe(200)
    const third = await beginSession(url)
    expect([await ping(first), await ping(second), await ping(third)]).toEqual([200, 404, 200])
  })

  it('that wait for an answer are never ended for a new one', async () => {
    const { url } = await serve({ maxSessions: 1 })
    const headers = await beginSession(url)
    const body = rpc('tools/call', { name: 'slow', arguments: {} })
    const stream = await open(url, { headers, body })
    const refused = await raw(url, { body: INITIALIZE })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10'])
    stream.destroy()
    await vi.waitFor(() => beginSession(url), SOON)
  })

  it('end when nobody uses them', async () => {
    const { url } = await serve({ sessionIdleMs: 500 })
    const idle = await beginSession(url)
    // On a busy machine a session may be over before its stream is open.
    const { followed, stream } = await vi.waitFor(async () => {
      const headers = await beginSession(url)
      const opened = await open(url, { method: 'GET', headers })
      expect(opened.statusCode).toBe(200)
      return { followed: headers, stream: opened }
    }, SOON)
    await vi.waitFor(async () => {
      await delay(700)
      expect((await raw(url, { headers: idle, body: rpc('ping') })).status).toBe(404)
    }, SOON)
    expect((await raw(url, { headers: followed, body: rpc('ping') })).status).toBe(200)
    stream.destroy()
  })

  it('let a client whose stream broke open another at once', async () => {
    const { url } = await serve()
    const headers = await beginSession(url)
    for (let attempt = 0; attempt < 3; attempt++) {
      const stream = await vi.waitFor(async () => {
        const opened = await open(url, { method: 'GET', headers })
        expect(opened.resume().statusCode).toBe(200)
        return opened
      }, SOON)
      const second = await raw(url, { method: 'GET', headers })
      expect(second.status).toBe(409)
      stream.destroy()
    }
  })

  it('end the stream of a call that is cancelled', async () => {
    const { url, surface } = await serve()
    const headers = await beginSession(url)
    const call = raw(url, { headers, body: rpc('tools/call', { name: 'slow' }, 7) }).catch(() => {})
    await vi.waitFor(() => expect(surface.begun).toBe(1), SOON)
    const params = { requestId: 7 }
    const method = 'notifications/cancelled'
    const cancel = await raw(url, {
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', method, params }),
    })
    expect(cancel.status).toBe(202)
    await call
    expect(surface.cancelled).toEqual(['slow'])
  })

  it('are not confused by many clients at once', async () => {
    const { url } = await serve()
    const echo = async (text: string) => {
      const headers = await beginSession(url)
      const body = rpc('tools/call', { name: 'echo', arguments: { text } })
      return (await raw(url, { headers, body })).json.result.structuredContent.text
    }
    const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`)
    expect(await Promise.all(texts.map(echo))).toEqual(texts)
  })
})

describe('beginning and ending', () => {
  it('says clearly why it cannot listen', async () => {
    const { port } = await serve()
    const taken = await serve({ port }).catch((error) => error)
    expect(taken).toBeInstanceOf(KnowledgeError)
    expect(taken).toMatchObject({ code: 'unavailable' })
    expect(taken.message).toContain(String(port))
    expect(await serve({ port: 70_000 }).catch((error) => error.code)).toBe('invalid')
    const nowhere = serve({ host: '203.0.113.7', allowRemote: true })
    await expect(nowhere).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('answers calls in progress before it ends, and ends streams', async () => {
    const { url, surface, close } = await serve({ graceMs: 60_000 })
    const headers = await beginSession(url)
    const events = await open(url, { method: 'GET', headers })
    const listening = await open(url, modern('subscriptions/listen', { notifications: FILTER }))
    const args = { name: 'slow', arguments: { ms: 300 } }
    const calls = [
      raw(url, modern('tools/call', args)),
      raw(url, { headers, body: rpc('tools/call', args) }),
    ]
    await vi.waitFor(() => expect(surface.begun).toBe(2), SOON)
    const closing = close()
    // Who comes meanwhile is not left outside: the port is open, and says when to come back.
    for (const asked of [modern('tools/list'), { path: '/health', method: 'GET' }]) {
      const { status, headers: said } = await raw(url, asked)
      expect([status, said['retry-after']]).toEqual([503, '1'])
    }
    for (const { json } of await Promise.all(calls)) {
      expect(json.result.content).toEqual([{ type: 'text', text: 'finished' }])
    }
    await closing
    await ended(events)
    expect(await ended(listening)).toContain('"resultType":"complete"')
    expect(surface.listeners).toBe(0)
  })

  it('does not wait for ever', async () => {
    const { url, surface, close } = await serve({ graceMs: 100 })
    const call = raw(url, modern('tools/call', { name: 'slow' }))
    await vi.waitFor(() => expect(surface.begun).toBe(1), SOON)
    await close()
    // It would have been finished after a minute.
    const { status, headers, json } = await call
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(json.error.hint).toContain('look before you try again')
    await vi.waitFor(() => expect(surface.cancelled).toEqual(['slow']), SOON)
    await close()
  })

  it('gives its port, open as it is, to the next one, and answers what it was asked', async () => {
    const first = await serve()
    const args = { name: 'slow', arguments: { ms: 300 } }
    const call = raw(first.url, modern('tools/call', args))
    await vi.waitFor(() => expect(first.surface.begun).toBe(1), SOON)
    const second = await serve({ port: first.port, instead: first })
    expect(second.url).toBe(first.url)
    const asked = raw(second.url, modern('tools/call', args))
    await vi.waitFor(() => expect(second.surface.begun).toBe(1), SOON)
    expect(first.surface.begun).toBe(1)
    for (const { json } of await Promise.all([call, asked])) {
      expect(json.result.content).toEqual([{ type: 'text', text: 'finished' }])
    }
    await first.close()
    expect((await raw(second.url, { path: '/health', method: 'GET' })).status).toBe(200)
    // One that cannot begin leaves the port to who has it.
    const mounts = [
      () => {
        throw new Error('no')
      },
    ]
    await expect(serve({ port: first.port, instead: second, mounts })).rejects.toThrow('no')
    expect((await raw(second.url, { path: '/health', method: 'GET' })).status).toBe(200)
    await second.close()
    await expect(raw(second.url, { path: '/health', method: 'GET' })).rejects.toThrow()
  })

  it('stops work nobody waits for', async () => {
    const { url, surface } = await serve()
    const { body, headers } = modern('tools/call', { name: 'slow' })
    const leaving = new AbortController()
    const call = fetch(new URL('/mcp', url), {
      method: 'POST',
      body: body as string,
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      signal: leaving.signal,
    })
    const left = expect(call).rejects.toThrow()
    await vi.waitFor(() => expect(surface.begun).toBe(1), SOON)
    leaving.abort()
    await left
    await vi.waitFor(() => expect(surface.cancelled).toEqual(['slow']), SOON)
  })
})

const FILTER = { resourcesListChanged: true }

async function ended(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
