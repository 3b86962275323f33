/** Password mode: who may read, who may write, and how one logs in. */
import { expect, it } from 'vitest'
import { raw, rpc } from '../transports/http-raw.ts'
import { FIXTURE, openNexusServer } from './open-nexus.ts'
import type { NexusServer } from './open-nexus.ts'

const PASSWORD = 'open sesame'
const UNAUTHORIZED = [401, { error: 'Unauthorized' }]

async function login({ send }: NexusServer): Promise<Record<string, string>> {
  const { status, json, headers } = await send('POST', '/api/auth', {
    body: { password: PASSWORD },
  })
  expect([status, json]).toEqual([200, { authenticated: true }])
  const [cookie] = headers.getSetCookie()
  expect(cookie).toMatch(/^nexus_auth_session=.+; HttpOnly; .*Max-Age=86400/)
  return { cookie: cookie!.split(';')[0]! }
}

it('asks for the password where reading is not public', async () => {
  const server = await openNexusServer(FIXTURE, { password: { password: PASSWORD, open: [] } })
  const { send, url } = server
  const form = new FormData()
  form.append('files', new File(['x'], 'x.md'))
  const routes = [
    ['GET', '/api/mcp', undefined, 200],
    ['POST', '/api/mcp', { tool: 'list_pages' }, 200],
    ['PUT', '/api/mcp', undefined, 405],
    ['GET', '/api/notes', undefined, 200],
    ['POST', '/api/notes', { title: 'New' }, 201],
    ['GET', '/api/notes/alpha', undefined, 200],
    ['PUT', '/api/notes/alpha', { tags: ['x'] }, 200],
    ['DELETE', '/api/notes/alpha', undefined, 200],
    ['POST', '/api/search', { query: 'x' }, 200],
    ['POST', '/api/import', form, 200],
    ['GET', '/api/export', undefined, 200],
  ] as const
  const strangers: Record<string, string>[] = [{}, { cookie: 'nexus_auth_session=guess' }]
  for (const headers of strangers) {
    for (const [method, path, body] of routes) {
      const { status, json } = await send(method, path, { body, headers })
      expect([method, path, status, json]).toEqual([method, path, ...UNAUTHORIZED])
    }
  }
  const mcp = await raw(url, { path: '/api/mcp', body: rpc('tools/list') })
  expect([mcp.status, mcp.json]).toEqual(UNAUTHORIZED)
  expect((await send('GET', '/api/auth')).json).toEqual({ authenticated: false, required: true })
  expect((await send('GET', '/health')).status).toBe(200)

  const headers = await login(server)
  expect((await send('GET', '/api/auth', { headers })).json.authenticated).toBe(true)
  for (const [method, path, body, expected] of routes) {
    const { status } = await send(method, path, { body, headers })
    expect([method, path, status]).toEqual([method, path, expected])
  }
  const bearer = { authorization: `Bearer ${PASSWORD}` }
  expect((await send('GET', '/api/mcp', { headers: bearer })).status).toBe(200)

  const bye = await send('DELETE', '/api/auth', { headers })
  expect(bye.headers.getSetCookie()[0]).toMatch(/^nexus_auth_session=; .*Max-Age=0/)
  const after = await send('GET', '/api/notes', { headers })
  expect([after.status, after.json]).toEqual(UNAUTHORIZED)
})

it('lets everybody read and nobody write where that is set', async () => {
  const password = { password: PASSWORD, open: ['read'] as const }
  const server = await openNexusServer(FIXTURE, { password })
  const { send, call } = server
  expect((await call('list_pages')).status).toBe(200)
  expect((await send('GET', '/api/export')).status).toBe(200)
  const refused = await send('POST', '/api/notes', { body: { title: 'New' } })
  expect([refused.status, refused.json]).toEqual(UNAUTHORIZED)
  const headers = await login(server)
  expect((await send('POST', '/api/notes', { body: { title: 'New' }, headers })).status).toBe(201)
})

it('refuses wrong passwords, and too many of them', async () => {
  const { send } = await openNexusServer(FIXTURE, { password: { password: PASSWORD, open: [] } })
  const attempt = async (body: unknown) => {
    const { status, json, headers } = await send('POST', '/api/auth', { body })
    return [status, json.error, headers.getSetCookie().length]
  }
  for (const body of [{}, { password: '' }, { password: 7 }, null, []]) {
    expect(await attempt(body)).toEqual([400, 'Password is required', 0])
  }
  for (let tries = 0; tries < 10; tries++) {
    expect(await attempt({ password: `guess ${tries}` })).toEqual([401, 'Invalid password', 0])
  }
  expect(await attempt({ password: PASSWORD })).toEqual([429, 'Too many attempts', 0])
  const waiting = await send('POST', '/api/auth', { body: { password: PASSWORD } })
  expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0)
  const form = await send('POST', '/api/auth', {
    body: `password=${PASSWORD}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(form.status).toBe(415)
})

it('needs nobody to log in without a password', async () => {
  const { send } = await openNexusServer()
  expect((await send('GET', '/api/auth')).json).toEqual({ authenticated: true, required: false })
  for (const method of ['POST', 'DELETE']) {
    const { status, json } = await send(method, '/api/auth')
    expect([status, json]).toEqual([404, { error: 'Password login is not enabled' }])
  }
  expect((await send('PUT', '/api/auth')).status).toBe(405)
})
