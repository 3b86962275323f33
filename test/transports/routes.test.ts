/** Which routes a server has: those of the surfaces that were named, and no others. */
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { serveFolder } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function serve(...surface: string[]) {
  const folder = temporaryFolder({ 'tea.md': '# Tea\n' })
  const server = await serveFolder(folder, surface.length > 0 ? { surface } : {})
  const send = async (path: string, body: unknown): Promise<number> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const url = new URL(path, server.url)
    return (await fetch(url, { ...init, body: JSON.stringify(body) })).status
  }
  return { folder, send }
}

const NOTE = { title: 'Kettle' }
const CALL = { tool: 'list_pages', input: {} }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

it('takes no notes over routes of a surface that nobody named', async () => {
  const { folder, send } = await serve()
  expect(await send('/api/notes', NOTE)).toBe(404)
  expect(await send('/api/mcp', CALL)).toBe(404)
  expect(await send('/mcp/nexus', {})).toBe(404)
  expect(await send('/messages', {})).toBe(404)
  expect(readdirSync(folder).filter((name) => name.endsWith('.md'))).toEqual(['tea.md'])
})

it('has the routes of the one that was named', async () => {
  const { folder, send } = await serve('roux', 'nexus')
  expect(await send('/api/notes', NOTE)).toBe(201)
  expect(await send('/api/mcp', CALL)).toBe(200)
  expect(readdirSync(folder)).toContain('kettle.md')
  const accept = await Promise.all(
    ['/mcp', '/mcp/roux', '/mcp/nexus', '/mcp/native'].map((path) => send(path, INITIALIZE)),
  )
  // Not acceptable: the client must take event streams too.
  expect(accept).toEqual([406, 406, 406, 404])
})
