/** The same path for clients of the standard protocol, old and new, and the ordinary server. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeFiles } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { INITIALIZE, modern, raw, rpc } from '../transports/http-raw.ts'
import { DRIVERS } from '../transports/drivers.ts'
import { FIXTURE, openNexusServer } from './open-nexus.ts'

const NAMES = ['list_pages', 'get_page', 'search', 'ask', 'get_connections']
const path = '/api/mcp'

describe.each(DRIVERS)('$name', ({ open, protocol }) => {
  const connect = async () => {
    const server = await openNexusServer()
    const driver = await open({ kind: 'http', url: new URL(`${server.url}/api/mcp`) })
    onTestFinished(() => driver.close())
    return { ...server, client: driver.client }
  }

  it('lists the five tools and calls them', async () => {
    verifies('nexus:check-15-real-mcp', 'nexus:existing-clients', 'nexus:tool-set')
    const { client } = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'nexus-mcp', version: '1.0.0' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args })
    const page = await call('get_page', { slug: 'alpha' })
    expect(page.structuredContent).toMatchObject({ slug: 'alpha', backlinks: ['beta'] })
    expect(JSON.parse((page.content as any)[0].text)).toEqual(page.structuredContent)
    const pages = await call('list_pages')
    expect(JSON.parse((pages.content as any)[0].text)).toHaveLength(3)
    expect((pages.structuredContent as any).pages).toHaveLength(3)
    const found = await call('search', { query: 'needle' })
    expect(found.structuredContent).toEqual({
      results: [{ slug: 'gamma', title: 'Gamma', excerpt: 'Needle in gamma.' }],
    })
    const around = await call('get_connections', { slug: 'beta' })
    expect((around.structuredContent as any).localGraph.edges).toHaveLength(2)
  })

  it('gets a very long page whole, in both forms', async () => {
    const { base, client } = await connect()
    const content = `${'A "long" line,\n\u2028 with 👩‍👩‍👧‍👦 in it. '.repeat(20_000)}The end.`
    writeFiles(base.folder, { 'long.md': content })
    await base.sync()
    const page = await client.callTool({ name: 'get_page', arguments: { slug: 'long' } })
    expect((page.structuredContent as any).content).toBe(content)
    expect(JSON.parse((page.content as any)[0].text)).toEqual(page.structuredContent)
    // What was set aside is sent once, and the next answer has nothing of it.
    const next = await client.callTool({ name: 'get_page', arguments: { slug: 'alpha' } })
    expect(next.structuredContent).toMatchObject({ slug: 'alpha' })
  })

  it('hears of errors in the same words', async () => {
    const { client } = await connect()
    const call = async (name: string, args: Record<string, unknown>) => {
      const { isError, content } = await client.callTool({ name, arguments: args })
      return [isError, (content as any)[0].text]
    }
    expect(await call('get_page', { slug: 'nope' })).toEqual([true, "Page 'nope' not found"])
    expect(await call('search', {})).toEqual([true, 'Missing required parameter: query'])
    expect(await call('ask', { question: 'x' })).toEqual([true, 'AI search is not available'])
    await expect(call('nope', {})).rejects.toMatchObject({ code: -32602 })
    expect(protocol).toMatch(/^20/)
  })
})

it('tells the two forms apart', async () => {
  verifies('nexus:check-15-real-mcp')
  const { url, call } = await openNexusServer()
  const begun = await raw(url, { path, body: INITIALIZE })
  expect([begun.status, begun.json.result.serverInfo.name]).toEqual([200, 'nexus-mcp'])
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
  const listed = await raw(url, { path, headers: session, body: rpc('tools/list') })
  expect(listed.json.result.tools.map(({ name }: any) => name)).toEqual(NAMES)
  // A call of the private form in between, and one of the protocol that has both keys.
  expect((await call('list_pages')).status).toBe(200)
  const both = await raw(url, {
    path,
    headers: session,
    body: JSON.stringify({ ...JSON.parse(rpc('tools/list')), tool: 'list_pages' }),
  })
  expect(both.json.jsonrpc).toBe('2.0')
  const now = await raw(url, {
    path,
    ...modern('tools/call', { name: 'get_page', arguments: { slug: 'alpha' } }),
  })
  expect(now.json.result.structuredContent.slug).toBe('alpha')
  const ended = await raw(url, { method: 'DELETE', path, headers: session })
  expect(ended.status).toBe(200)
  const again = await raw(url, { path, headers: session, body: rpc('tools/list') })
  expect(again.status).toBe(404)
})

it('answers clients that keep no session, as the original does', async () => {
  verifies('nexus:check-15-real-mcp', 'nexus:existing-clients')
  const { url, bugs } = await openNexusServer()
  const send = (body: string) => raw(url, { path, body })
  expect((await send(INITIALIZE)).status).toBe(200)
  const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect((await send(ready)).status).toBe(202)
  const listed = await send(rpc('tools/list'))
  expect(listed.json.result.tools.map(({ name }: any) => name)).toEqual(NAMES)
  const get = { name: 'get_page', arguments: { slug: 'alpha' } }
  const called = await Promise.all([1, 2, 3].map((id) => send(rpc('tools/call', get, id))))
  for (const { json } of called) expect(json.result.structuredContent.slug).toBe('alpha')
  expect(called.map(({ json }) => json.id)).toEqual([1, 2, 3])
  const unknown = await send(rpc('tools/call', { name: 'nope', arguments: {} }))
  expect(unknown.json.error.code).toBe(-32602)
  expect((await send(rpc('no/such/method'))).json.error.code).toBe(-32601)
  expect(bugs).toEqual([])
})

it.each(['application/json', '*/*'])('answers clients that take %s with JSON', async (accept) => {
  verifies('nexus:check-15-real-mcp')
  const { url } = await openNexusServer()
  const headers = { accept }
  const begun = await raw(url, { path, headers, body: INITIALIZE })
  expect([begun.status, begun.headers['content-type']]).toEqual([200, 'application/json'])
  expect(begun.json.result.serverInfo.name).toBe('nexus-mcp')
  expect(begun.headers['mcp-session-id']).toBeUndefined()
  const listed = await raw(url, { path, headers, body: rpc('tools/list') })
  expect(listed.json.result.tools).toHaveLength(5)
})

it('gives a stream to who has a session and a manifest to who takes JSON', async () => {
  const { url } = await openNexusServer()
  const manifest = await raw(url, { method: 'GET', path })
  expect([manifest.status, manifest.json.name]).toEqual([200, 'nexus-mcp'])
  const stream = await raw(url, { method: 'GET', path, headers: { accept: 'text/event-stream' } })
  expect([stream.status, stream.json.jsonrpc]).toEqual([400, '2.0'])
})

it('reads batches as the protocol does', async () => {
  const { url } = await openNexusServer()
  const body = `[${rpc('tools/list')},${rpc('tools/list', {}, 2)}]`
  const { status, json } = await raw(url, { path, body })
  expect(status).toBe(200)
  expect(json.map(({ id, result }: any) => [id, result.tools.length])).toEqual([
    [1, 5],
    [2, 5],
  ])
})

it('says nothing of a bug to a client of the protocol', async () => {
  const { url } = await openNexusServer(FIXTURE, {
    change: ({ store }) => ({
      store: new Proxy(store, {
        get: (target, key) =>
          key === 'stamps'
            ? () => Promise.reject(new Error('secret-path'))
            : Reflect.get(target, key, target),
      }),
    }),
  })
  const { json, text } = await raw(url, {
    path,
    ...modern('tools/call', { name: 'list_pages', arguments: {} }),
  })
  expect(json.result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'Internal server error' }],
  })
  expect(text).not.toContain('secret-path')
})
