/** Standard streams, SSE and streamable HTTP, with old and new clients and with hostile ones. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Client as ClientV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CAIRN } from '../support/cairn-process.ts'
import { freePort } from '../support/free-port.ts'
import { COMPILED } from '../support/server-process.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, openAcdc, sseClient } from './open-acdc.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const KEYS = { flags: { 'auth-type': 'apikey', 'auth-api-keys': 'k1,k2' }, headers: key('k2') }

function key(value: string): Record<string, string> {
  return { 'x-api-key': value }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
}

/** Reads an event stream until the text has what is looked for. */
async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  wanted: RegExp,
): Promise<string> {
  const decoder = new TextDecoder()
  for (let text = ''; ;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the stream ended: ${text}`)
    text += decoder.decode(value, { stream: true })
    if (wanted.test(text)) return text
  }
}

async function openStream(url: string, headers: Record<string, string>) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(`${url}/sse`, { headers, signal: leaving.signal })
  const reader = response.body!.getReader()
  const first = await readUntil(reader, /\n\n/)
  return { response, reader, first, address: /data: (\S+)/.exec(first)?.[1] ?? '', leaving }
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

describe('SSE', () => {
  it('speaks through /sse and /messages, behind API keys', async () => {
    verifies('acdc:check-12-sse-health', 'acdc:transport-sse', 'acdc:health-public')
    verifies('acdc:authentication')
    const { url } = await openAcdc(FIXTURE, KEYS)
    const health = await fetch(`${url}/health`)
    expect([health.status, await health.text()]).toEqual([200, 'ok'])
    expect(health.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect((await fetch(`${url}/health?from=probe`)).status).toBe(200)
    for (const headers of [{}, key('k3'), key('')]) {
      for (const path of ['/sse', '/mcp', '/messages', '/nothing', '/health/x']) {
        const refused = await fetch(`${url}${path}`, { headers })
        expect([path, refused.status, await refused.text()]).toEqual([path, 401, 'Unauthorized'])
      }
    }
    const { response, reader, first, address } = await openStream(url, key('k2'))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(first).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=[\w-]+\n\n$/)
    expect((await post(`${url}${address}`, INITIALIZE)).status).toBe(401)
    const accepted = await post(`${url}${address}`, INITIALIZE, key('k2'))
    expect(accepted.status).toBe(202)
    expect(await readUntil(reader, /event: message\n/)).toContain('"name":"KB"')
  })

  it('asks for a password', async () => {
    verifies('acdc:check-13-basic-auth', 'acdc:authentication')
    const basic = (text: string) => ({
      authorization: `Basic ${Buffer.from(text).toString('base64')}`,
    })
    const flags = {
      'auth-type': 'basic',
      'auth-basic-username': 'ann',
      'auth-basic-password': 'right',
    }
    const { url, client } = await openAcdc(FIXTURE, { flags, headers: basic('ann:right') })
    const refused = await fetch(`${url}/sse`, { headers: basic('ann:wrong') })
    expect([refused.status, await refused.text()]).toEqual([401, 'Unauthorized'])
    expect(refused.headers.get('www-authenticate')).toBe('Basic realm="Restricted"')
    expect((await client.listResources()).resources).toHaveLength(2)
  })
})

describe('clients', () => {
  it('see the same, old and new, over every wire', async () => {
    verifies('acdc:every-client', 'acdc:transport-stdio')
    const { url, client, folder } = await openAcdc(FIXTURE, KEYS)
    const what = async (each: Pick<ClientV2, 'listResources' | 'listPrompts'>) => ({
      resources: (await each.listResources()).resources,
      prompts: (await each.listPrompts()).prompts,
    })
    const old = await what(client as unknown as ClientV2)
    expect(old.resources).toHaveLength(2)
    for (const mode of ['legacy', 'auto'] as const) {
      const open = async (transport: Parameters<ClientV2['connect']>[0]) => {
        const fresh = new ClientV2({ name: 'new', version: '1' }, { versionNegotiation: { mode } })
        await fresh.connect(transport)
        onTestFinished(() => fresh.close())
        return fresh
      }
      const requestInit = { headers: key('k1') }
      const http = await open(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }),
      )
      const stdio = await open(
        new StdioClientTransport({
          command: process.execPath,
          args: [CAIRN, 'acdc', '-c', join(folder, 'cfg/mcp-metadata.yaml')],
          stderr: 'ignore',
        }),
      )
      for (const fresh of [http, stdio]) {
        expect(await what(fresh)).toMatchObject(old)
        const result = await fresh.callTool({ name: 'search', arguments: { query: 'deploy' } })
        expect(result.structuredContent).toMatchObject({ results: [{ name: 'Ops Start' }] })
      }
    }
  })
})

it('opens no port on stdio, and writes nothing but JSON-RPC', async () => {
  verifies('acdc:check-15-one-transport', 'acdc:one-transport', 'acdc:transport-stdio')
  verifies('acdc:index-at-start')
  const port = await freePort()
  const folder = temporaryFolder(FIXTURE)
  const child = spawn(
    process.execPath,
    [
      CAIRN,
      'acdc',
      '--config=cfg/mcp-metadata.yaml',
      '-p',
      String(port),
      '-a',
      'apikey',
      '-k',
      'x',
    ],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], TMPDIR: folder, NODE_COMPILE_CACHE: COMPILED },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ask = async (id: number, method: string, params: object = {}) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    await vi.waitFor(() => {
      if (!out.includes(`"id":${id}`)) throw new Error(`no answer to ${method}: ${out} ${err}`)
    }, SOON)
  }
  await ask(1, 'initialize', INITIALIZE.params)
  await ask(2, 'resources/list')
  const socket = connect(port, '127.0.0.1')
  const [error] = await once(socket, 'error')
  expect((error as NodeJS.ErrnoException).code).toBe('ECONNREFUSED')
  child.stdin.end()
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  for (const line of out.trim().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  }
  expect(err).toContain('auth-api-keys=1 configured')
  expect(err).toContain('nameless.md')
})

describe('hostile clients', () => {
  it('are told what is wrong', async () => {
    verifies('acdc:hostile')
    const { url } = await openAcdc(FIXTURE, KEYS)
    const { address } = await openStream(url, key('k1'))
    const status = async (response: Promise<Response>) => (await response).status
    const here = `${url}${address}`
    expect(await status(post(`${url}/messages`, INITIALIZE, key('k1')))).toBe(400)
    expect(await status(post(`${url}/messages?sessionId=x`, INITIALIZE, key('k1')))).toBe(404)
    // A session belongs to the key that opened it.
    expect(await status(post(here, INITIALIZE, key('k2')))).toBe(404)
    expect(await status(post(here, '{', key('k1')))).toBe(400)
    expect(await status(post(here, [], key('k1')))).toBe(400)
    expect(await status(post(here, { hello: 1 }, key('k1')))).toBe(400)
    expect(await status(post(here, '['.repeat(100_000), key('k1')))).toBe(400)
    const text = { ...key('k1'), 'content-type': 'text/plain' }
    expect(await status(post(here, INITIALIZE, text))).toBe(415)
    expect(await status(post(here, ' '.repeat(5 * 1024 * 1024), key('k1')))).toBe(413)
    expect(await status(fetch(here, { headers: key('k1') }))).toBe(405)
    expect(await status(post(`${url}/sse`, INITIALIZE, key('k1')))).toBe(405)
    const page = { ...key('k1'), origin: 'https://evil.example' }
    expect(await status(post(here, INITIALIZE, page))).toBe(403)
    expect(await status(post(here, INITIALIZE, key('k1')))).toBe(202)
  })

  it('cannot continue the session of another key', async () => {
    verifies('acdc:hostile', 'acdc:authentication')
    const { url } = await openAcdc(FIXTURE, KEYS)
    const accept = { accept: 'application/json, text/event-stream' }
    const begun = await post(`${url}/mcp`, INITIALIZE, { ...key('k1'), ...accept })
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const again = async (name: string) =>
      (await post(`${url}/mcp`, ping, { ...key(name), ...accept, ...session })).status
    expect([await again('k2'), await again('k1')]).toEqual([404, 200])
  })

  it('may be many and idle', async () => {
    verifies('acdc:hostile')
    const { url, names, close } = await openAcdc()
    const before = process.memoryUsage().rss
    const streams = await Promise.all(Array.from({ length: 500 }, () => openStream(url, {})))
    expect(new Set(streams.map(({ address }) => address)).size).toBe(500)
    expect(await names('deploy')).toEqual(['Ops Start'])
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024)
    await close()
  })

  it('may never read', async () => {
    verifies('acdc:hostile')
    const big = `---\nname: Big\ndescription: Big\n---\n${'word '.repeat(200_000)}`
    const { url, names, close } = await openAcdc({
      ...FIXTURE,
      'docs-src/mcp-resources/big.md': big,
    })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    let head = ''
    while (!/data: \S+\n/.test(head)) head += String((await once(socket, 'data'))[0])
    socket.pause()
    const address = /data: (\S+)/.exec(head)?.[1] ?? ''
    const here = `${url}${address}`
    await post(here, INITIALIZE)
    await post(here, { jsonrpc: '2.0', method: 'notifications/initialized' })
    const read = { name: 'read', arguments: { uri: 'acdc://docs/big' } }
    const before = process.memoryUsage().rss
    const answered: number[] = []
    const posted = Array.from({ length: 130 }, (_, i) =>
      post(here, { jsonrpc: '2.0', id: i + 2, method: 'tools/call', params: read }).then(
        ({ status }) => answered.push(status),
        () => 0,
      ),
    )
    // A megabyte each: what it does not read is not read from disk for it either.
    await vi.waitFor(() => expect(answered).toContain(429), SOON)
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024)
    // Others notice nothing.
    expect(await names('deploy')).toEqual(['Ops Start'])
    const other = await sseClient(url)
    expect((await other.listResources()).resources).toHaveLength(3)
    await close()
    await Promise.all(posted)
    expect(answered).toContain(202)
  })

  it('may ask for long answers, many at once', async () => {
    const long = `---\nname: Long\ndescription: Long\n---\n${'word '.repeat(1_900_000)}`
    const { client } = await openAcdc({ ...FIXTURE, 'docs-src/mcp-resources/long.md': long })
    const read = { name: 'read', arguments: { uri: 'acdc://docs/long' } }
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.callTool(read)))
    const lengths = answers.map(({ content }) => (content as { text: string }[])[0]!.text.length)
    expect(new Set(lengths)).toEqual(new Set([9_500_000]))
  })
})
