/** How it starts: its configuration, the command, and beside the other surfaces. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadNexusConfig } from '../../src/vocabularies/nexus/start/nexus-config.ts'
import { trustFile } from '../../src/serve/config/trust.ts'
import { NEXUS_DEFAULTS } from '../../src/vocabularies/nexus/settings.ts'
import { CAIRN, startCairn } from '../support/cairn-process.ts'
import { runCairn } from '../support/run-cairn.ts'
import { serveFolder } from '../support/serve-folder.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { FIXTURE } from './open-nexus.ts'

const FILE = 'nexus.config.yaml'

function load(text: string | undefined, env: Record<string, string> = {}, named = false) {
  const cwd = temporaryFolder(text === undefined ? {} : { [FILE]: text })
  return loadNexusConfig({
    folders: [],
    configFile: named ? FILE : undefined,
    flags: {},
    env,
    cwd,
    home: cwd,
  })
}

describe('nexus.config.yaml', () => {
  it('may be missing', async () => {
    const { settings, password, warnings, file } = await load(undefined)
    expect([settings, password, warnings, file]).toEqual([NEXUS_DEFAULTS, undefined, [], undefined])
  })

  it('is laid over the defaults, group by group', async () => {
    const text = `
site: { title: My Wiki, theme: dark }
features: { ai_search: true, import_export: false, graph: true }
search: { ai: { enabled: true, provider: gemini } }
nexus: { allowedOrigins: ["https://app.example"] }
navigation:
mcp:
`
    const { settings, provider, allowedOrigins } = await load(text, {}, true)
    expect(settings).toEqual({
      title: 'My Wiki',
      tools: true,
      search: true,
      ai: true,
      importExport: false,
    })
    expect([provider, allowedOrigins]).toEqual(['gemini', ['https://app.example']])
  })

  it.each([
    ['features: { ai_search: true }', 'ai', false],
    ['search: { ai: { enabled: true } }', 'ai', false],
    ['mcp: { enabled: false }', 'tools', false],
    ['features: { mcp_server: false }', 'tools', false],
    ['features: { search: false }', 'search', false],
  ] as const)('%s makes %s %s', async (text, key, expected) => {
    expect((await load(text)).settings[key]).toBe(expected)
  })

  it.each(['features: [', '- a', '"just text', 'a: b: c', 'auth: { mdoe: password }'])(
    'that cannot be read opens no door: %j',
    async (text) => {
      await expect(load(text)).rejects.toThrow(/nexus\.config\.yaml/)
      await expect(load(text, { NEXUS_PASSWORD: 'x' })).rejects.toThrow(/nexus\.config\.yaml/)
    },
  )

  it('of the folder that is served comes before the one of the working directory', async () => {
    const cwd = temporaryFolder({
      [FILE]: 'site: { title: Here }\nauth: { mode: none }\n',
      [`wiki/${FILE}`]: 'site: { title: There }\n',
    })
    const env = { NEXUS_PASSWORD: 'x' }
    const input = { folders: ['wiki'], configFile: undefined, flags: {}, env, cwd, home: cwd }
    const { settings, password } = await loadNexusConfig(input)
    expect([settings.title, password?.password]).toEqual(['There', 'x'])
    const here = await loadNexusConfig({ ...input, folders: [] })
    expect([here.settings.title, here.password?.password]).toEqual(['Here', 'x'])
  })

  it('that merely lies there opens nothing and sends nothing anywhere', async () => {
    const text = `
auth: { permissions: { write: public } }
features: { ai_search: true }
search: { ai: { enabled: true, provider: gemini } }
nexus: { allowedOrigins: ["https://evil.example"] }
`
    const cwd = temporaryFolder({ [FILE]: text })
    const env = { NEXUS_PASSWORD: 'x' }
    const input = { folders: [], configFile: undefined, flags: {}, env, cwd, home: cwd }
    const found = await loadNexusConfig(input)
    expect([found.password?.open, found.allowedOrigins, found.provider]).toEqual([
      ['read'],
      [],
      undefined,
    ])
    expect(found.warnings.join()).toContain('nexus.allowedOrigins, auth.permissions.write')
    const named = await loadNexusConfig({ ...input, configFile: FILE })
    expect([named.password?.open, named.provider, named.warnings]).toEqual([
      ['read', 'write'],
      'gemini',
      [],
    ])
    trustFile(input, join(cwd, FILE))
    expect((await loadNexusConfig(input)).allowedOrigins).toEqual(['https://evil.example'])
  })

  it('sets who may do what with the password', async () => {
    const env = { NEXUS_PASSWORD: 'x' }
    const open = async (auth: string) => (await load(`auth: ${auth}`, env, true)).password?.open
    expect(await open('{ mode: password }')).toEqual(['read'])
    expect(await open('{ permissions: { read: authenticated } }')).toEqual([])
    expect(await open('{ permissions: { write: public } }')).toEqual(['read', 'write'])
    // A password that is set is meant, whatever a file says.
    expect(await open('{ mode: none }')).toEqual(['read'])
  })

  it.each([
    ['auth: { mode: password }', 'NEXUS_PASSWORD is not set'],
    ['auth: { mode: supabase }', 'supabase'],
    ['auth: { mode: magic }', 'auth.mode cannot be used'],
    ['features: { search: "yes" }', 'features.search cannot be used'],
  ])('that cannot be kept ends the start: %s', async (text, message) => {
    await expect(load(text)).rejects.toThrow(message)
  })
})

describe('cairn nexus', () => {
  const started = async (words: readonly string[], env: Record<string, string> = {}) => {
    const process = startCairn(['nexus', ...words, '--port', '0', '--json'], { env })
    const line = await vi.waitFor(() => {
      const [first = '', ...rest] = process.stdout().split('\n')
      if (rest.length === 0) throw new Error(`no address yet: ${process.stderr()}`)
      return first
    }, SOON)
    return { url: String(JSON.parse(line).url), process }
  }
  const post = (url: string, body: unknown) =>
    fetch(url, { method: 'POST', body: JSON.stringify(body) })

  it('serves a folder as it is, with its configuration', async () => {
    const folder = temporaryFolder({ ...FIXTURE, [FILE]: 'features: { search: false }\n' })
    const { url } = await started([folder])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/mcp$/)
    const answer = await post(url, { tool: 'list_pages' })
    const { result } = (await answer.json()) as any
    expect(result[0]).toEqual({ slug: 'gamma', title: 'Gamma' })
    expect((await post(new URL('/api/search', url).href, { query: 'a' })).status).toBe(404)
    // Nothing else is served: it would be a door without the password.
    expect((await fetch(new URL('/mcp', url))).status).toBe(404)
    expect((await fetch(new URL('/health', url))).status).toBe(200)
  })

  it('takes the password from the environment', async () => {
    const config = 'auth: { mode: password, permissions: { read: authenticated } }\n'
    const folder = temporaryFolder({ ...FIXTURE, [FILE]: config })
    const { url } = await started([folder], { NEXUS_PASSWORD: 'sesame' })
    expect((await post(url, { tool: 'list_pages' })).status).toBe(401)
    const headers = { authorization: 'Bearer sesame' }
    expect((await fetch(url, { headers })).status).toBe(200)
  })

  it('does not start on a configuration it cannot keep', async () => {
    const folder = temporaryFolder({ ...FIXTURE, 'x.yaml': 'auth: { mode: password }\n' })
    const { code, err } = await runCairn(folder, 'nexus', folder, '--config', 'x.yaml')
    expect([code, err]).toEqual([2, expect.stringContaining('NEXUS_PASSWORD')])
    const missing = await runCairn(folder, 'nexus', folder, '--config', 'y.yaml')
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('y.yaml')])
    const open = await runCairn(folder, 'nexus', folder, '--host', '0.0.0.0')
    expect([open.code, open.err]).toEqual([2, expect.stringContaining('--allow-anyone')])
  })
})

describe('an ordinary server', () => {
  it('has it at /api/mcp and at /mcp/nexus where it is named', async () => {
    const folder = temporaryFolder(FIXTURE)
    const server = await serveFolder(folder, { surface: ['native', 'nexus'] })
    const url = new URL('/api/mcp', server.url)
    const body = JSON.stringify({ tool: 'get_page', input: { slug: 'alpha' } })
    const answer = await fetch(url, { method: 'POST', body })
    const { result } = (await answer.json()) as any
    expect(result.backlinks).toEqual(['beta'])
    for (const path of ['/api/mcp', '/mcp/nexus']) {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(path, server.url)))
      onTestFinished(() => client.close())
      expect([path, client.getServerVersion()?.name]).toEqual([path, 'nexus-mcp'])
    }
  })

  it('writes no notes when it is for reading only', async () => {
    const folder = temporaryFolder(FIXTURE)
    const server = await serveFolder(folder, { surface: ['nexus'], 'read-only': true })
    const { status } = await fetch(new URL('/api/notes/alpha', server.url), { method: 'DELETE' })
    expect(status).toBe(403)
  })

  it('speaks it over standard input and output', async () => {
    const folder = temporaryFolder(FIXTURE)
    const client = new Client({ name: 'test', version: '1' })
    const args = [CAIRN, 'serve', folder, '--surface', 'nexus']
    await client.connect(new StdioClientTransport({ command: process.execPath, args }))
    onTestFinished(() => client.close())
    const { structuredContent } = await client.callTool({ name: 'list_pages', arguments: {} })
    expect((structuredContent as any).pages).toHaveLength(3)
  })
})
