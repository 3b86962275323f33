/** Clients that mean harm or do not know better, against a real server that must stay up. */
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { raw } from '../transports/http-raw.ts'
import { FIXTURE, openNexusServer } from './open-nexus.ts'

const MIB = 1024 * 1024

it('bounds what is sent to it', async () => {
  const { url, call } = await openNexusServer()
  const json = { 'content-type': 'application/json' }
  for (const chunked of [false, true]) {
    const body = JSON.stringify({ title: 'x', content: 'x'.repeat(4 * MIB) })
    const long = await raw(url, { path: '/api/notes', headers: json, body, chunked })
    expect([long.status, typeof long.json.error]).toEqual([413, 'string'])
  }
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const upload = await raw(url, {
    path: '/api/import',
    headers,
    body: Buffer.alloc(32 * MIB + 1),
  })
  expect(upload.status).toBe(413)
  const within = await raw(url, { path: '/api/import', headers, body: Buffer.alloc(5 * MIB) })
  expect([within.status, within.json]).toEqual([400, { error: 'Invalid form data' }])
  expect((await call('list_pages')).status).toBe(200)
})

it('knows its paths and nothing beside them', async () => {
  const { url, base } = await openNexusServer()
  const statuses: [string, number][] = [
    ['/api/mcp', 200],
    ['/api/mcp/', 200],
    ['/api/mcp?x=/api/notes', 200],
    ['//api/mcp', 404],
    ['/API/mcp', 404],
    ['/api/notes/../mcp', 200],
    ['/api/mcp/sub', 404],
    ['/api/notes/..%2f..%2fetc%2fpasswd', 404],
    ['/api/notes/%2e%2e', 404],
    ['/api/notes/alpha%00', 404],
    ['/api/notes/alpha/x', 404],
    ['/api/notes/%ff', 404],
    ['/api/notes/alpha.md', 404],
    ['/api/notes/.cairn', 404],
  ]
  for (const [path, status] of statuses) {
    // A web address cannot say all of these, so they are written as they are.
    const answer = await plain(url, `GET ${path} HTTP/1.1`)
    expect([path, Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])]).toEqual([path, status])
    expect(answer).not.toContain(base.folder)
  }
})

it('answers to names it has, and to no page that borrowed one', async () => {
  const { url } = await openNexusServer()
  const get = (headers: Record<string, string>) =>
    raw(url, { method: 'GET', path: '/api/notes', headers })
  expect((await get({ host: 'evil.example' })).status).toBe(403)
  expect((await get({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await get({ origin: 'null' })).status).toBe(403)
  expect((await get({})).status).toBe(200)
})

it('survives everything at once', async () => {
  const { send, call, base, bugs } = await openNexusServer()
  const odd = [
    undefined,
    null,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    [],
    {},
    true,
    '🍵'.repeat(9_999),
  ]
  const tools = [
    'list_pages',
    'get_page',
    'search',
    'ask',
    'get_connections',
    '\ud800',
    'x'.repeat(9_999),
  ]
  const calls = tools.flatMap((tool) =>
    odd.flatMap((value) => [
      call(tool, value),
      call(tool, { slug: value, query: value, question: value, title: value }),
    ]),
  )
  const writes = odd.map((value) =>
    send('POST', '/api/notes', {
      body: { title: value, content: value, tags: value, slug: value },
    }),
  )
  const answers = await Promise.all([...calls, ...writes])
  for (const { status, json, text } of answers) {
    expect([200, 400, 404, 503]).toContain(status)
    if (status !== 200) expect(Object.keys(json)).toEqual(['error'])
    expect(text).not.toContain(base.folder)
  }
  expect(bugs).toEqual([])
  expect(readdirSync(base.folder).toSorted()).toEqual(Object.keys(FIXTURE))
  expect((await call('list_pages')).json.result).toHaveLength(3)
})

/** One request as it is written, and what comes back. */
function plain(url: string, line: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname, () => {
    socket.write(`${line}\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
  })
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => (text += part))
  socket.once('error', reject)
  socket.once('close', () => resolve(text))
  return promise
}
