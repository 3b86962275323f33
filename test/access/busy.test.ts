/** A server that has as much to do as it may: every route that is work says so, and when to come back. */
import { expect, it, vi } from 'vitest'
import { noteRoutes } from '../../src/vocabularies/nexus/routes/note-routes.ts'
import { bearer, serveWorld } from './world.ts'

vi.mock('../../src/serve/transports/http/limit.ts', () => ({
  createLimit: () => ({ run: async () => undefined }),
}))

const SPOKEN = ['native', 'roux', 'nexus', 'duskmantle'] as const

it('asks everybody to come back who wants something done, and nobody who looks after it', async () => {
  const world = await serveWorld({ sources: { notes: { 'tea.md': '# Tea\n' } }, surfaces: SPOKEN })
  const who = bearer(world.token('all', { may: ['read', 'write', 'maintain'] }))
  const headers = { ...who, 'content-type': 'application/json', 'x-cairn': '1' }
  const ask = async (method: string, path: string) => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{"tool":"list_pages"}' }
    const response = await world.fetch(path, { method, headers, ...body })
    await response.body?.cancel()
    return [method, path, response.status, response.headers.get('retry-after') !== null]
  }
  const work: [string, string][] = [
    ...Object.entries(noteRoutes).flatMap(([path, routes]) =>
      routes.map(({ method }): [string, string] => [method, path.replace('*', 'tea')]),
    ),
    ['POST', '/mcp'],
    ['POST', '/mcp/roux'],
    ['POST', '/api/mcp'],
    ['POST', '/api/v1/search'],
    ['GET', '/api/v1/coverage'],
    ['POST', '/api/v1/tools/km-search'],
    ['POST', '/web/call/search'],
    ['POST', '/web/read/note'],
    ['GET', '/web/graph'],
    ['GET', '/web/file/notes/a.png'],
  ]
  for (const [method, path] of work)
    expect(await ask(method, path)).toEqual([method, path, 503, true])
  for (const path of ['/health', '/healthz', '/readyz', '/metrics', '/']) {
    expect(await ask('GET', path)).toEqual(['GET', path, 200, false])
  }
})
