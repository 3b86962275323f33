/** How an acdc server is started: settings, config file, and what ends a start. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { originOf } from '../../src/vocabularies/acdc/start/start-acdc.ts'
import {
  ACDC_SETTINGS,
  describeSettings,
  loadAcdcSettings,
} from '../../src/vocabularies/acdc/start/acdc-settings.ts'
import { runCairn } from '../support/run-cairn.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE, openAcdc } from './open-acdc.ts'

const DEFAULTS = {
  config: 'x',
  isFolder: false,
  transport: 'stdio',
  host: '0.0.0.0',
  port: 8080,
  maxResults: 10,
  boosts: { keywords: 3, name: 2, content: 1 },
  resultMode: 'references',
  uriScheme: 'acdc',
  auth: { kind: 'none' },
  warnings: [],
}

function load(
  flags: Record<string, string>,
  env: Record<string, string> = {},
  dotenv?: string,
): ReturnType<typeof loadAcdcSettings> {
  const cwd = temporaryFolder(dotenv === undefined ? {} : { '.env': dotenv })
  return loadAcdcSettings({ flags: { config: 'x', ...flags }, env, cwd })
}

function complaint(flags: Record<string, string>, env: Record<string, string> = {}): string {
  try {
    load(flags, env)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('settings', () => {
  it('have defaults', () => {
    verifies('acdc:settings')
    expect(load({})).toEqual(DEFAULTS)
  })

  it('have flags, short flags and variables', () => {
    verifies('acdc:settings')
    expect(ACDC_SETTINGS.map(({ flag, short, variable }) => [flag, short, variable])).toEqual([
      ['config', 'c', 'ACDC_MCP_CONFIG'],
      ['content-dir', undefined, 'ACDC_MCP_CONTENT_DIR'],
      ['transport', 't', 'ACDC_MCP_TRANSPORT'],
      ['host', 'H', 'ACDC_MCP_HOST'],
      ['port', 'p', 'ACDC_MCP_PORT'],
      ['search-max-results', 'm', 'ACDC_MCP_SEARCH_MAX_RESULTS'],
      ['search-keywords-boost', undefined, 'ACDC_MCP_SEARCH_KEYWORDS_BOOST'],
      ['search-name-boost', undefined, 'ACDC_MCP_SEARCH_NAME_BOOST'],
      ['search-title-boost', undefined, 'ACDC_MCP_SEARCH_TITLE_BOOST'],
      ['search-heading-boost', undefined, 'ACDC_MCP_SEARCH_HEADING_BOOST'],
      ['search-path-boost', undefined, 'ACDC_MCP_SEARCH_PATH_BOOST'],
      ['search-content-boost', undefined, 'ACDC_MCP_SEARCH_CONTENT_BOOST'],
      ['search-result-mode', undefined, 'ACDC_MCP_SEARCH_RESULT_MODE'],
      ['search-in-memory', undefined, 'ACDC_MCP_SEARCH_IN_MEMORY'],
      ['uri-scheme', 's', 'ACDC_MCP_URI_SCHEME'],
      ['cross-ref', undefined, 'ACDC_MCP_CROSS_REF'],
      ['auth-type', 'a', 'ACDC_MCP_AUTH_TYPE'],
      ['auth-basic-username', 'u', 'ACDC_MCP_AUTH_BASIC_USERNAME'],
      ['auth-basic-password', 'P', 'ACDC_MCP_AUTH_BASIC_PASSWORD'],
      ['auth-api-keys', 'k', 'ACDC_MCP_AUTH_API_KEYS'],
    ])
  })

  it.each([
    ['host', 'host', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['port', 'port', ['1', '2', '3'], [1, 2, 3]],
    ['transport', 'transport', ['sse', 'stdio', 'sse'], ['sse', 'stdio', 'sse']],
    ['search-max-results', 'search.max_results', ['3', '5', '7'], [3, 5, 7]],
  ] as const)('%s: flag, then environment, then .env', (flag, key, given, expected) => {
    verifies('acdc:precedence', 'acdc:check-8-cap')
    const variable = `ACDC_MCP_${flag.replaceAll('-', '_').toUpperCase()}`
    const field = flag === 'search-max-results' ? 'maxResults' : flag
    const [first, second, third] = given
    const dotenv = `${variable}=${third}\n`
    expect(load({ [flag]: first }, { [variable]: second }, dotenv)[field]).toBe(expected[0])
    expect(load({}, { [variable]: second }, dotenv)[field]).toBe(expected[1])
    expect(load({}, { [variable]: '' }, dotenv)[field]).toBe(expected[2])
    expect(load({}, {}, `${key}=${third}\n`)[field]).toBe(expected[2])
    expect(load({}, {}, 'HOST=other\nPORT=9\n')).toEqual(DEFAULTS)
  })

  it('take numbers as people write them', () => {
    const boosts = (text: string) => load({ 'search-name-boost': text }).boosts.name
    expect(['2', '2.50', '.5', '3.', '1e2', '5000'].map(boosts)).toEqual([
      2, 2.5, 0.5, 3, 100, 5000,
    ])
    expect(load({ 'search-max-results': '100000' }).maxResults).toBe(100_000)
  })

  it('are those of later versions too', () => {
    const { boosts } = load({ 'search-title-boost': '5', 'search-heading-boost': '0' })
    expect(boosts).toEqual({ keywords: 3, name: 5, content: 1, heading: 0 })
    expect(load({ 'search-in-memory': 'false' })).toEqual(DEFAULTS)
    expect(load({}, { ACDC_MCP_CROSS_REF: 'true' }).warnings).toEqual([
      expect.stringContaining('cross-ref is not done'),
    ])
  })

  it('are not guessed when .env cannot be read', () => {
    const cwd = temporaryFolder({ 'x/.env/bin/python': '' })
    expect(loadAcdcSettings({ flags: { config: 'x' }, env: {}, cwd: join(cwd, 'x') })).toEqual(
      DEFAULTS,
    )
    symlinkSync('.env', join(cwd, '.env'))
    expect(() => loadAcdcSettings({ flags: { config: 'x' }, env: {}, cwd })).toThrow(
      'failed to read .env',
    )
  })

  it('take credentials from anywhere', () => {
    verifies('acdc:authentication', 'acdc:settings')
    const keys = load({ 'auth-type': 'apikey' }, { ACDC_MCP_AUTH_API_KEYS: ' k1, ,k2 ' })
    expect(keys.auth).toEqual({ kind: 'apikey', keys: ['k1', 'k2'] })
    const twice = loadAcdcSettings({
      flags: { config: 'x', 'auth-type': 'apikey', 'auth-api-keys': ['a,b', 'c'] },
      env: {},
      cwd: temporaryFolder({}),
    })
    expect(twice.auth).toEqual({ kind: 'apikey', keys: ['a', 'b', 'c'] })
    const dotenv = 'auth.type=basic\nauth.basic.username=ann\nauth.basic.password="p w"\n'
    expect(load({}, {}, dotenv).auth).toEqual({ kind: 'basic', username: 'ann', password: 'p w' })
  })

  it.each([
    [{ transport: 'http' }, "transport must be 'stdio' or 'sse', got: http"],
    [{ 'auth-api-keys': 'x' }, "auth-type 'none' is incompatible with auth credentials"],
    [{ 'auth-type': 'none', 'auth-basic-username': 'x' }, 'is incompatible with auth credentials'],
    [{ 'auth-type': 'basic', 'auth-api-keys': 'x' }, 'mutually exclusive'],
    [{ 'auth-type': 'basic', 'auth-basic-username': 'x' }, 'requires both username and password'],
    [{ 'auth-type': 'apikey', 'auth-basic-password': 'x' }, 'mutually exclusive'],
    [{ 'auth-type': 'apikey' }, 'requires at least one API key'],
    [{ 'auth-type': 'apikey', 'auth-api-keys': ' , ' }, 'requires at least one API key'],
    [{ 'auth-type': 'magic' }, 'unknown auth-type: magic'],
    [{ config: '' }, 'config file is required (--config or ACDC_MCP_CONFIG)'],
    [{ port: 'x' }, 'port must be a whole number from 0 to 65535, got: x'],
    [{ port: '65536' }, 'port must be'],
    [{ port: '-1' }, 'port must be'],
    [{ 'search-max-results': '0' }, 'search-max-results must be'],
    [{ 'search-max-results': '1.5' }, 'search-max-results must be'],
    [{ 'search-name-boost': '-1' }, 'search-name-boost must be'],
    [{ 'search-name-boost': 'NaN' }, 'search-name-boost must be'],
    [{ 'search-name-boost': '1e400' }, 'search-name-boost must be'],
    [{ 'search-name-boost': '1,5' }, 'search-name-boost must be'],
    [
      {
        'search-name-boost': '0',
        'search-keywords-boost': '0.0',
        'search-content-boost': '0',
      },
      'at least one search boost must be above 0',
    ],
  ])('%j is refused', (flags, message) => {
    expect(complaint(flags as Record<string, string>)).toContain(message)
  })

  it('are logged without secrets', () => {
    const basic = load({
      'auth-type': 'basic',
      'auth-basic-username': 'ann',
      'auth-basic-password': 'hush',
    })
    expect(describeSettings(basic)).toContain('auth-basic-username=ann auth-basic-password=****')
    expect(describeSettings(basic)).not.toContain('hush')
    const keys = load({ 'auth-type': 'apikey', 'auth-api-keys': 'hush,hush2' })
    expect(describeSettings(keys)).toContain('auth-api-keys=2 configured')
    expect(describeSettings(keys)).not.toContain('hush')
  })
})

describe('cairn acdc', () => {
  const config = FIXTURE['cfg/mcp-metadata.yaml']!
  const withConfig = (text: string) => ({ ...FIXTURE, 'cfg/mcp-metadata.yaml': text })

  it.each<[string, Record<string, string>, string[], string]>([
    ['no config', FIXTURE, [], 'config file is required'],
    ['no such file', FIXTURE, ['-c', 'nope.yaml'], 'failed to read metadata file'],
    ['an empty file', withConfig(''), [], 'metadata validation failed: it is not a mapping'],
    [
      'a location that is a text',
      withConfig(`${config.split('content')[0]!}content: [docs]\n`),
      [],
      'metadata validation failed: every entry of content needs name, description and path',
    ],
    [
      'a tool that is a text',
      withConfig(`${config}tools: [search]\n`),
      [],
      'metadata validation failed: every entry of tools needs name and description',
    ],
    [
      'two keys alike',
      withConfig(`${config}content: []\n`),
      [],
      'failed to parse metadata: Map keys',
    ],
    ['bad YAML', withConfig('server: [\n'), [], 'failed to parse metadata'],
    ['no mapping', withConfig('- x\n'), [], 'metadata validation failed: it is not a mapping'],
    [
      'empty instructions',
      withConfig(config.replace('Use search first', '""')),
      [],
      'metadata validation failed: server.instructions is required',
    ],
    ['no name', withConfig(config.replace('name: KB, ', '')), [], 'server.name is required'],
    ['no content', withConfig(config.split('content')[0]!), [], 'content is required'],
    [
      'empty content',
      withConfig(`${config.split('content')[0]!}content: []\n`),
      [],
      'content needs at least one location',
    ],
    [
      'two of a name',
      withConfig(config.replace('name: ops', 'name: docs')),
      [],
      'duplicate content name: docs',
    ],
    [
      'a bad name',
      withConfig(config.replace('name: ops', 'name: "o/p"')),
      [],
      'content.name must be',
    ],
    [
      'no resources',
      {
        ...FIXTURE,
        'bare/mcp-prompts/x.md': '',
        ...withConfig(config.replace('../ops-src', '../bare')),
      },
      [],
      "content location 'ops': there is no directory",
    ],
    [
      'two descriptions of a tool',
      withConfig(
        `${config}tools: [{ name: search, description: X }, { name: search, description: Y }]\n`,
      ),
      [],
      'duplicate tool name: search',
    ],
    ['a bad transport', FIXTURE, ['-t', 'http'], "must be 'stdio' or 'sse'"],
    ['idle keys', FIXTURE, ['-a', 'none', '-k', 'x'], 'incompatible with auth credentials'],
    ['idle keys, said shortly', FIXTURE, ['-a=', '-k=x'], 'incompatible with auth credentials'],
    ['empty keys', FIXTURE, ['-a', 'apikey', '--auth-api-keys='], 'requires at least one API key'],
    ['a bad port', FIXTURE, ['-t', 'sse', '-p', 'x'], 'port must be'],
  ])('does not start with %s', async (what, files, words, message) => {
    verifies('acdc:check-11-start-failures', 'acdc:check-10-description-override')
    verifies('acdc:content-names', 'acdc:resources-folder', 'acdc:config-file')
    const folder = temporaryFolder(files)
    const config = what === 'no config' ? [] : ['-c', 'cfg/mcp-metadata.yaml']
    const { code, out, err } = await runCairn(folder, 'acdc', ...config, ...words)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(message)
    expect(err).not.toContain('Usage')
  })

  it('prints its version', async () => {
    const { code, out } = await runCairn('/', 'acdc', '-v')
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/)])
  })

  it('does not start from a file that is no text', async () => {
    const folder = temporaryFolder({})
    writeFileSync(join(folder, 'x.yaml'), Buffer.from('server: { name: caf\xe9 }\n', 'latin1'))
    const { code, err } = await runCairn(folder, 'acdc', '-c', 'x.yaml')
    expect([code, err]).toEqual([1, expect.stringContaining('failed to parse metadata')])
  })

  it('keeps what the config file says as text', async () => {
    verifies('acdc:config-file')
    const { client, log } = await openAcdc({
      ...FIXTURE,
      'cfg/mcp-metadata.yaml': `server: { name: 2024, version: 1.10, instructions: true }
content: [{ name: 1, description: 007, path: ../docs-src }, { name: ops, description: ~, path: ../ops-src }]
---
another: document
`,
    })
    expect(client.getServerVersion()).toMatchObject({ name: '2024', version: '1.10' })
    expect(client.getInstructions()).toBe('true')
    expect((await client.listTools()).tools[0]?.description).toContain('- 1: 007\n- ops')
    expect(log).toContain('warn: content ops has no description')
  })

  it('serves the example of its help', async () => {
    const config = new URL('../../examples/curated/mcp-metadata.yaml', import.meta.url)
    const { client, names, log } = await openAcdc({}, { flags: { config: fileURLToPath(config) } })
    expect(log.filter((line) => line.startsWith('warn'))).toEqual([])
    expect(await names('restarting')).toHaveLength(1)
    expect((await client.listPrompts()).prompts).toHaveLength(1)
  })

  it('finds content by absolute paths too', async () => {
    verifies('acdc:content-path')
    const elsewhere = temporaryFolder({
      'mcp-resources/x.md': '---\nname: X\ndescription: Y\n---\n',
    })
    const { client } = await openAcdc({
      ...FIXTURE,
      'cfg/mcp-metadata.yaml': config.replace('../ops-src', join(elsewhere)),
    })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('acdc://ops/x')
  })
})

it('says the address that is listened on, for others as well', () => {
  verifies('acdc:true-address')
  expect(originOf('0.0.0.0', '8080')).toBe('http://0.0.0.0:8080')
  expect(originOf('::', '1')).toBe('http://[::]:1')
  expect(originOf('127.0.0.1', '1')).toBe('http://127.0.0.1:1')
})
