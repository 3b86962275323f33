/** The surface as it is started: by name, and by its own command with its environment. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/app/start-server.ts'
import { loadConfig } from '../../src/config/config.ts'
import { loadDuskmantleSettings } from '../../src/config/duskmantle-settings.ts'
import { verifies } from '../support/verifies.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { FIXTURE, openDuskmantle } from './open-duskmantle.ts'

describe('the environment', () => {
  const load = (env: Record<string, string>, strict = true) =>
    loadDuskmantleSettings({ env, strict })

  it.each([
    [{}, true, undefined],
    [{}, false, 'maintainer'],
    [{ KM_AUTH_ENABLED: 'false' }, true, 'maintainer'],
    [{ KM_READER_TOKEN: 'r' }, false, 'reader'],
    [{ KM_READER_TOKEN: 'r', KM_ADMIN_TOKEN: 'a' }, true, 'maintainer'],
    [{ KM_AUTH_ENABLED: 'true' }, false, undefined],
  ])('%j (strict: %s) makes the caller %s', (env, strict, scope) => {
    expect(load(env, strict).scope).toBe(scope)
  })

  it('chooses weights by profile and one by one, clamped', () => {
    expect(load({ KM_SEARCH_WEIGHT_PROFILE: 'analysis' })).toMatchObject({
      weightProfile: 'analysis',
      weights: { subsystem: 0.38, vector: 1, lexical: 0.25 },
    })
    const own = load({ KM_SEARCH_W_SUPPORT: '7', KM_SEARCH_LEXICAL_WEIGHT: '0.5' })
    expect(own.weightProfile).toBe('default+overrides')
    expect(own.weights).toMatchObject({ support: 1, lexical: 0.5, subsystem: 0.28 })
    expect(load({ KM_LIFECYCLE_STALE_DAYS: '9999' }).staleDays).toBe(365)
    expect(load({ KM_INGEST_WINDOW: '500', KM_INGEST_OVERLAP: '600' }).windows).toEqual({
      size: 500,
      overlap: 499,
    })
  })

  it.each([
    { KM_SEARCH_WEIGHT_PROFILE: 'best' },
    { KM_AUTH_ENABLED: 'perhaps' },
    { KM_INGEST_WINDOW: 'wide' },
  ])('refuses %j', (env) => {
    expect(() => load(env as unknown as Record<string, string>)).toThrow(/KM_/)
  })

  it('never repeats a token', async () => {
    verifies('duskmantle:tokens-hidden')
    const settings = load({ KM_READER_TOKEN: 'secret-reader' })
    expect(JSON.stringify(settings)).not.toContain('secret')
    const { call } = await openDuskmantle({ settings })
    expect(JSON.stringify(await call('km-ingest-trigger'))).not.toContain('secret')
  })
})

describe('over HTTP', () => {
  it('is at an address of its own, beside the native tools', async () => {
    const folder = temporaryFolder(FIXTURE)
    const { config } = await loadConfig({
      folders: [folder],
      configFile: undefined,
      flags: { port: 0, 'log-level': 'silent', surface: ['native', 'duskmantle'] },
      env: {},
      cwd: folder,
      home: folder,
    })
    const duskmantle = loadDuskmantleSettings({ env: { KM_READER_TOKEN: 'r' }, strict: false })
    const server = await startServer(config, { transport: 'http', duskmantle })
    onTestFinished(() => server.close())
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/duskmantle', server.url)))
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('km-graph-subsystem')
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent as Record<string, any>
    await expect
      .poll(async () => (await call('km-graph-search', { term: 'telemetry' }))['results'].length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0)
    expect((await call('km-ingest-trigger'))['error'].code).toBe('forbidden')
    expect(await call('km-search', { query: 'ingest pipeline' })).toMatchObject({ status: 'ok' })
  })
})
