/** What one client does must not keep another one waiting, or out. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { serveHttp } from '../../src/serve/transports/http/serve-http.ts'
import type { HttpOptions, HttpServer } from '../../src/serve/transports/http/serve-http.ts'
import { openNexusServer } from '../nexus/open-nexus.ts'
import { beginSession, INITIALIZE, open, raw, rpc } from './http-raw.ts'
import { smallSurface } from './small-surface.ts'

async function serve(options: Partial<HttpOptions> = {}): Promise<HttpServer> {
  const surfaces = [{ path: '/mcp', surface: smallSurface() }]
  const server = await serveHttp({ surfaces, port: 0, onBug: () => {}, ...options })
  onTestFinished(() => server.close())
  return server
}

it('searches for punctuation as for words', async () => {
  const nexus = await openNexusServer()
  // With a pattern that tries every split, this would take hours.
  const query = `${'!'.repeat(1_000_000)} a`
  expect((await nexus.send('POST', '/api/search', { body: { query } })).status).toBe(200)
})

it('answers requests that were piped into one connection one after the other', async () => {
  const nexus = await openNexusServer({ 'a.md': '# A\n' })
  const { port, hostname } = new URL(nexus.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const request = `GET /api/export HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`
  socket.write(request.repeat(300))
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => (received += text))
  const answered = () => received.split('HTTP/1.1 200 OK').length - 1
  await expect.poll(answered).toBe(300)
})

it('has a session for a newcomer when somebody else holds all of them', async () => {
  const { url } = await serve({ maxSessions: 5 })
  const greedy = await Promise.all(Array.from({ length: 5 }, () => beginSession(url)))
  for (const headers of greedy) {
    // A stream is open, so the session is in use.
    const stream = await open(url, { method: 'GET', headers })
    onTestFinished(() => void stream.destroy())
  }
  expect((await raw(url, { body: INITIALIZE })).status).toBe(200)
})

it('ends a session of the one who has most, not of the one who was quiet longest', async () => {
  const auth = { kind: 'apikey', keys: ['ann', 'bob'] } as const
  const { url } = await serve({ maxSessions: 4, auth })
  const begin = async (key: string) => {
    const { headers } = await raw(url, { headers: { 'x-api-key': key }, body: INITIALIZE })
    return { 'x-api-key': key, 'mcp-session-id': String(headers['mcp-session-id']) }
  }
  const quiet = await begin('ann')
  for (let n = 0; n < 6; n++) await begin('bob')
  const body = rpc('ping')
  expect((await raw(url, { headers: quiet, body })).status).toBe(200)
})

it('asks who asks too often to wait, and nobody else', async () => {
  const auth = { kind: 'apikey', keys: ['ann', 'bob'] } as const
  const { url } = await serve({ perMinute: 2, auth })
  const ask = async (key: string) => {
    const { status, headers } = await raw(url, { headers: { 'x-api-key': key }, body: INITIALIZE })
    return [status, headers['retry-after'] !== undefined]
  }
  expect([await ask('ann'), await ask('ann'), await ask('ann')]).toEqual([
    [200, false],
    [200, false],
    [429, true],
  ])
  expect(await ask('bob')).toEqual([200, false])
})

it('locks nobody out whose address guessed no password', async () => {
  const nexus = await openNexusServer(undefined, { password: { password: 'sesame', open: [] } })
  const { port } = new URL(nexus.url)
  const login = async (localAddress: string, password: string): Promise<string> => {
    const body = JSON.stringify({ password })
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    await once(socket, 'connect')
    socket.end(
      `POST /api/auth HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    let text = ''
    for await (const part of socket.setEncoding('utf8')) text += part
    return text.slice(9, 12)
  }
  for (let n = 0; n < 12; n++) await login('127.0.0.2', `guess ${n}`)
  expect(await login('127.0.0.2', 'sesame')).toBe('429')
  expect(await login('127.0.0.1', 'sesame')).toBe('200')
})
