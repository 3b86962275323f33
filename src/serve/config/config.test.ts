import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KnowledgeError } from '../../core/domain/error.ts'
import { SETTINGS } from './settings.ts'
import { describeOrigin } from './config.ts'
import { loadConfig, readSettings } from './load-config.ts'
import type { ConfigInput } from './config.ts'

let home: string

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-config-')))
  mkdirSync(join(home, 'notes/sub'), { recursive: true })
  mkdirSync(join(home, 'work/notes'), { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function input(overrides: Partial<ConfigInput> = {}): ConfigInput {
  return { folders: [], configFile: undefined, flags: {}, env: {}, cwd: home, home, ...overrides }
}

function file(path: string, text: string): string {
  const full = join(home, path)
  writeFileSync(full, text)
  return full
}

async function failure(overrides: Partial<ConfigInput>): Promise<string> {
  try {
    await loadConfig(input(overrides))
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    expect(error.code).toBe('invalid')
    return `${error.message} ${error.hint}`
  }
  throw new Error('expected a failure')
}

async function stateOf(overrides: Partial<ConfigInput>): Promise<string> {
  return (await loadConfig(input({ folders: ['notes'], ...overrides }))).config.state
}

async function names(folders: readonly string[]): Promise<string[]> {
  const { config } = await loadConfig(input({ folders }))
  return config.sources.map((source) => source.name)
}

describe('precedence', () => {
  const cases: [
    key: string,
    flag: string | boolean | string[] | undefined,
    env: string,
    yaml: string,
    values: unknown[],
  ][] = [
    // key, flag, environment, file; then the value from each, and the default
    ['http.port', '1001', '1002', 'http: { port: 1003 }', [1001, 1002, 1003, 7331]],
    [
      'http.host',
      '::1',
      '127.0.0.2',
      'http: { host: localhost }',
      ['::1', '127.0.0.2', 'localhost', '127.0.0.1'],
    ],
    [
      'http.allowedHosts',
      ['a'],
      'b, c',
      'http: { allowedHosts: [d] }',
      [['a'], ['b', 'c'], ['d'], []],
    ],
    [
      'http.allowedOrigins',
      ['https://a'],
      'https://b',
      'http: { allowedOrigins: [https://c] }',
      [['https://a'], ['https://b'], ['https://c'], []],
    ],
    [
      'http.publicUrl',
      'https://a',
      'https://b',
      'http: { publicUrl: https://c }',
      ['https://a', 'https://b', 'https://c', undefined],
    ],
    ['watch', true, 'off', 'watch: false', [true, false, false, true]],
    ['readOnly', false, 'yes', 'readOnly: true', [false, true, true, false]],
    ['protect', ['a'], 'b,c', 'protect: [d]', [['a'], ['b', 'c'], ['d'], []]],
    ['callSeconds', undefined, '5', 'callSeconds: 6', [undefined, 5, 6, 120]],
    ['logFormat', 'json', 'pretty', 'logFormat: json', ['json', 'pretty', 'json', 'pretty']],
    [
      'tracing.endpoint',
      undefined,
      'https://a.example',
      'tracing: { endpoint: "https://b.example" }',
      [undefined, 'https://a.example', 'https://b.example', undefined],
    ],
    [
      'http.trustedProxies',
      undefined,
      '10.0.0.1,10.1.0.0/16',
      'http: { trustedProxies: ["::1"] }',
      [undefined, ['10.0.0.1', '10.1.0.0/16'], ['::1'], []],
    ],
    ['http.atOnce', undefined, '5', 'http: { atOnce: 6 }', [undefined, 5, 6, 64]],
    ['http.sessions', undefined, '5', 'http: { sessions: 6 }', [undefined, 5, 6, 1000]],
    ['http.subscriptions', undefined, '5', 'http: { subscriptions: 6 }', [undefined, 5, 6, 1000]],
    [
      'tools.sets',
      ['search'],
      'graph,write',
      'tools: { sets: [more] }',
      [['search'], ['graph', 'write'], ['more'], []],
    ],
    ['web', true, 'off', 'web: false', [true, false, false, true]],
    ['chat', true, 'on', 'chat: true', [true, true, true, false]],
    ['live', true, 'off', 'live: false', [true, false, false, true]],
    ['liveArguments', true, 'on', 'liveArguments: true', [true, true, true, false]],
    ['governor', true, 'off', 'governor: false', [true, false, false, true]],
    ['text', 'json', 'plain', 'text: json', ['json', 'plain', 'json', 'auto']],
    ['maxFileBytes', '5', '6', 'maxFileBytes: 7', [5, 6, 7, 10485760]],
    ['inbox', undefined, 'in', 'inbox: new/notes', [undefined, 'in', 'new/notes', 'inbox']],
    [
      'history.keep.age',
      undefined,
      '90d',
      'history: { keep: { age: 1y } }',
      [undefined, '90d', '1y', undefined],
    ],
    [
      'history.keep.size',
      undefined,
      '5MB',
      'history: { keep: { size: 2GB } }',
      [undefined, '5MB', '2GB', '1GB'],
    ],
    ['http.perMinute', undefined, '5', 'http: { perMinute: 6 }', [undefined, 5, 6, 0]],
    ['tools.only', ['a'], 'b,c', 'tools: { only: [d] }', [['a'], ['b', 'c'], ['d'], []]],
    ['tools.exclude', ['a'], 'b', 'tools: { exclude: [d] }', [['a'], ['b'], ['d'], []]],
    ['access.anyone', true, 'yes', 'access: { anyone: true }', [true, true, true, false]],
    ['access.signIn', undefined, 'yes', 'access: { signIn: true }', [undefined, true, true, false]],
    [
      'access.issuer',
      undefined,
      'https://a.example',
      'access: { issuer: "https://b.example" }',
      [undefined, 'https://a.example', 'https://b.example', undefined],
    ],
    [
      'access.audience',
      undefined,
      'a',
      'access: { audience: b }',
      [undefined, 'a', 'b', undefined],
    ],
    [
      'access.keysUrl',
      undefined,
      'https://a.example/k',
      'access: { keysUrl: "https://b.example/k" }',
      [undefined, 'https://a.example/k', 'https://b.example/k', undefined],
    ],
    ['logLevel', 'debug', 'warn', 'logLevel: error', ['debug', 'warn', 'error', 'info']],
    [
      'surfaces',
      ['native,roux', 'acdc'],
      'native, roux',
      'surfaces: [native]',
      [['native', 'roux', 'acdc'], ['native', 'roux'], ['native'], ['native']],
    ],
    [
      'embedding.provider',
      'openai',
      'none',
      'embedding: onnx',
      ['openai', 'none', 'onnx', 'corpus'],
    ],
    [
      'embedding.baseUrl',
      undefined,
      'http://a/v1',
      'embedding: { baseUrl: http://b/v1 }',
      [undefined, 'http://a/v1', 'http://b/v1', 'https://api.openai.com/v1'],
    ],
    [
      'embedding.model',
      undefined,
      'a',
      'embedding: { model: b }',
      [undefined, 'a', 'b', 'text-embedding-3-small'],
    ],
    [
      'embedding.apiKeyEnv',
      undefined,
      'A_KEY',
      'embedding: { apiKeyEnv: B_KEY }',
      [undefined, 'A_KEY', 'B_KEY', 'OPENAI_API_KEY'],
    ],
    [
      'embedding.dimensions',
      undefined,
      '256',
      'embedding: { dimensions: 512 }',
      [undefined, 256, 512, undefined],
    ],
    ['embedding.batch', undefined, '8', 'embedding: { batch: 9 }', [undefined, 8, 9, 64]],
    [
      'embedding.timeoutMs',
      undefined,
      '100',
      'embedding: { timeoutMs: 200 }',
      [undefined, 100, 200, 60_000],
    ],
    [
      'embedding.queryPrefix',
      undefined,
      'query: ',
      'embedding: { queryPrefix: "q: " }',
      [undefined, 'query: ', 'q: ', ''],
    ],
    [
      'embedding.passagePrefix',
      undefined,
      'passage: ',
      'embedding: { passagePrefix: "p: " }',
      [undefined, 'passage: ', 'p: ', ''],
    ],
    [
      'embedding.modelPath',
      undefined,
      '/models/a',
      'embedding: { modelPath: /models/b }',
      [undefined, '/models/a', '/models/b', undefined],
    ],
    [
      'store',
      'postgres://a:secret@b/c',
      'postgres://b',
      'store: postgres://c',
      ['postgres://a:***@b/c', 'postgres://b', 'postgres://c', undefined],
    ],
    [
      'answerer.provider',
      'openai',
      'anthropic',
      'answerer: gemini',
      ['openai', 'anthropic', 'gemini', 'none'],
    ],
    ['answerer.model', undefined, 'a', 'answerer: { model: b }', [undefined, 'a', 'b', undefined]],
    [
      'answerer.baseUrl',
      undefined,
      'http://a/v1',
      'answerer: { baseUrl: http://b/v1 }',
      [undefined, 'http://a/v1', 'http://b/v1', undefined],
    ],
    [
      'answerer.apiKeyEnv',
      undefined,
      'A_KEY',
      'answerer: { apiKeyEnv: B_KEY }',
      [undefined, 'A_KEY', 'B_KEY', undefined],
    ],
    [
      'answerer.timeoutMs',
      undefined,
      '100',
      'answerer: { timeoutMs: 200 }',
      [undefined, 100, 200, 15_000],
    ],
    [
      'answerer.maxTokens',
      undefined,
      '100',
      'answerer: { maxTokens: 200 }',
      [undefined, 100, 200, 2_000],
    ],
  ]

  it.each(cases)('%s', async (key, flag, env, yaml, [fromFlag, fromEnv, fromFile, byDefault]) => {
    const row = SETTINGS.find((setting) => setting.key === key)!
    const configFile = file('settings.yaml', yaml)
    const look = async (overrides: Partial<ConfigInput>) => {
      const { settings } = await readSettings(input({ folders: ['notes'], ...overrides }))
      const { value, origin } = settings.find((setting) => setting.key === key)!
      return [value, describeOrigin(origin)]
    }
    const variables = { [row.env]: env }
    if (row.flag !== undefined && flag !== undefined) {
      const flags = { [row.flag]: flag }
      expect(await look({ flags, env: variables, configFile })).toEqual([
        fromFlag,
        `flag --${row.flag}`,
      ])
    }
    expect(await look({ env: variables, configFile })).toEqual([fromEnv, `environment ${row.env}`])
    expect(await look({ configFile })).toEqual([fromFile, configFile])
    expect(await look({})).toEqual([byDefault, 'default'])
  })

  it('covers every setting but the state folder, which has tests of its own', () => {
    expect(cases.map(([key]) => key).toSorted()).toEqual(
      SETTINGS.map((row) => row.key)
        .filter((key) => key !== 'state')
        .toSorted(),
    )
  })

  it('resolves the state folder against the place it was written in', async () => {
    const configFile = file('work/settings.yaml', 'state: index')
    expect(await stateOf({ flags: { state: 'x' }, env: { CAIRN_STATE: 'y' }, configFile })).toBe(
      join(home, 'x'),
    )
    expect(await stateOf({ env: { CAIRN_STATE: '~/y' }, configFile })).toBe(join(home, 'y'))
    expect(await stateOf({ configFile })).toBe(join(home, 'work/index'))
    expect(await stateOf({})).toBe(join(home, 'notes/.cairn'))
  })

  it('treats an empty variable as not set', async () => {
    const { config } = await loadConfig(input({ folders: ['notes'], env: { CAIRN_HTTP_PORT: '' } }))
    expect(config.http.port).toBe(7331)
  })
})

describe('sources', () => {
  it('names folders after themselves, each differently', async () => {
    mkdirSync(join(home, 'My Notes (old)'))
    mkdirSync(join(home, 'Überblick'))
    mkdirSync(join(home, '___'))
    expect(await names(['notes', 'work/notes', 'My Notes (old)', 'Überblick'])).toEqual([
      'notes',
      'notes-2',
      'my-notes-old',
      'überblick',
    ])
    expect(await names(['___'])).toEqual(['notes'])
    expect(await names(['notes', 'notes=work/notes'])).toEqual(['notes-2', 'notes'])
  })

  it('expands a tilde, also behind a name', async () => {
    const { config } = await loadConfig(input({ folders: ['n=~/notes', '~/work'], cwd: '/' }))
    expect(config.sources.map(({ name, path }) => [name, path])).toEqual([
      ['n', join(home, 'notes')],
      ['work', join(home, 'work')],
    ])
  })

  it('takes an equals sign in a path for what it is', async () => {
    mkdirSync(join(home, 'a=b'))
    const { config } = await loadConfig(input({ folders: ['./a=b'] }))
    expect(config.sources[0]).toMatchObject({ name: 'a-b', path: join(home, 'a=b') })
  })

  it('reads them from the environment', async () => {
    const { config } = await loadConfig(input({ env: { CAIRN_SOURCES: 'a=notes,work' } }))
    expect(config.sources.map((source) => source.name)).toEqual(['a', 'work'])
  })

  it.each([
    [['nowhere'], 'There is no folder'],
    [['n='], 'names no folder'],
    [['x=notes', 'x=work'], 'Two sources are named "x"'],
    [['x=notes', 'X=work'], 'Two sources are named "X"'],
    [['reports=notes'], 'reserved'],
    [['notes', './notes/'], 'given twice'],
    [['notes', 'notes/sub'], '"sub/**"'],
    [['notes/sub', 'notes'], 'lies inside'],
  ])('refuses %j', async (folders, message) => {
    expect(await failure({ folders })).toContain(message)
  })

  it('refuses a file, and a folder reached twice through a link', async () => {
    file('a.md', '')
    expect(await failure({ folders: ['a.md'] })).toContain('is a file, not a folder')
    symlinkSync(join(home, 'notes'), join(home, 'alias'))
    expect(await failure({ folders: ['notes', 'alias'] })).toContain('given twice')
  })

  it('accepts a folder inside another one that excludes it', async () => {
    const configFile = file(
      'c.yaml',
      'sources:\n  - { path: notes, exclude: [sub/**] }\n  - notes/sub\n',
    )
    const { config } = await loadConfig(input({ configFile }))
    expect(config.sources.map((source) => source.name)).toEqual(['notes', 'sub'])
  })

  it('reads a folder for its entities too where it has some, unless told otherwise', async () => {
    mkdirSync(join(home, 'notes/sub/knowledge/entities'), { recursive: true })
    const kinds = async (text: string) => {
      const { config } = await loadConfig(input({ configFile: file('c.yaml', text) }))
      return config.sources.map(({ name, kind }) => [name, kind])
    }
    expect(await kinds('sources: [notes/sub]')).toEqual([['sub', 'both']])
    expect(await kinds('sources: [{ path: notes/sub, kind: notes }]')).toEqual([['sub', 'notes']])
    expect(await kinds('sources: [notes]')).toEqual([['notes', undefined]])
    // A graph has no files that could count twice.
    expect(await kinds('sources: [notes, { name: brain, path: notes/sub, kind: graph }]')).toEqual([
      ['notes', undefined],
      ['brain', 'graph'],
    ])
    expect(await kinds('sources: [notes/sub, { name: g, path: notes/sub, kind: graph }]')).toEqual([
      ['sub', undefined],
      ['g', 'graph'],
    ])
    expect(
      await failure({ configFile: file('c.yaml', 'sources: [{ path: notes, kind: x }]') }),
    ).toContain('sources.0.kind must be notes, graph, both or database')
  })

  it("reads a memory server's file as a graph, with the index beside it", async () => {
    const { config } = await loadConfig(input({ folders: [file('memory.json', '')] }))
    expect(config.sources).toMatchObject([{ name: 'memory-json', kind: 'graph' }])
    expect(config.state).toBe(join(home, '.cairn'))
  })

  it('says what to do when there is nothing to serve', async () => {
    expect(await failure({})).toContain('cairn init')
  })

  it('refuses a state folder that is a source', async () => {
    expect(await failure({ folders: ['notes'], flags: { state: 'notes' } })).toContain(
      'is a source',
    )
  })
})

describe('cairn.yaml', () => {
  it('is found in the current folder, with paths relative to itself', async () => {
    file('cairn.yaml', 'sources:\n  - notes\n  - name: job\n    path: ./work\n    hidden: true\n')
    const { config, file: read } = await loadConfig(input())
    expect(read).toBe(join(home, 'cairn.yaml'))
    expect(config.sources).toMatchObject([
      { name: 'notes', path: join(home, 'notes'), hidden: false },
      { name: 'job', path: join(home, 'work'), hidden: true },
    ])
  })

  it('lies with a single folder that is served, before the current folder', async () => {
    const bytesOf = async (overrides: Partial<ConfigInput>) =>
      (await loadConfig(input(overrides))).config.maxFileBytes
    file('cairn.yaml', 'maxFileBytes: 1')
    file('notes/cairn.yaml', 'maxFileBytes: 2')
    expect(await bytesOf({ folders: ['n=notes'] })).toBe(2)
    expect(await bytesOf({ folders: ['work'] })).toBe(1)
    expect(await bytesOf({ folders: ['notes', 'work'] })).toBe(1)
    expect(await bytesOf({ folders: ['notes'], env: { CAIRN_CONFIG: 'cairn.yaml' } })).toBe(1)
    expect(
      await bytesOf({
        folders: ['work'],
        configFile: 'notes/cairn.yaml',
        env: { CAIRN_CONFIG: 'cairn.yaml' },
      }),
    ).toBe(2)
  })

  it('keeps its rules for a folder that is named on the command line as well', async () => {
    file('notes/cairn.yaml', 'sources: [{ name: mine, path: ., exclude: [secret/**] }]')
    const { config } = await loadConfig(input({ folders: ['notes'] }))
    expect(config.sources).toMatchObject([{ name: 'mine', exclude: ['secret/**'] }])
  })

  it('does not lend its state folder to other sources', async () => {
    file('cairn.yaml', 'sources: [notes]\nstate: index\n')
    const other = await loadConfig(input({ folders: ['work'] }))
    expect(other.config.state).toBe(join(home, 'work/.cairn'))
    expect(other.warnings.join()).toContain('"state"')
    expect((await loadConfig(input({ folders: ['notes'] }))).config.state).toBe(join(home, 'index'))
  })

  it.each([
    ['soruces: []', 'Did you mean sources?'],
    ['http: { prot: 1 }', 'Did you mean port?'],
    ['sources: [{ path: notes, exlude: [] }]', 'Did you mean exclude?'],
    ['sources: [{ name: x }]', 'sources.0.path must be text'],
    ['sources: notes', 'must be a list of folders'],
    ['sources: [7]', 'must be a path'],
    ['http: 5', 'http must be a mapping'],
    ['http: { port: "80" }', 'must be a whole number'],
    ['watch: maybe', 'must be true or false'],
    ['logLevel: loud', 'silent, error, warn, info or debug, not "loud"'],
    ['surfaces: [naitve]', 'must be native'],
    ['surfaces: []', 'at least one'],
    ['history: { keep: { age: soon } }', 'must be a time'],
    ['history: { keep: { size: lots } }', 'must be a size'],
    ['- a', 'must be a mapping'],
    ['a: [', 'c.yaml:1 is not valid YAML'],
    ['http: { publicUrl: "ftp://x" }', 'http or https'],
    ['access: { rules: staff }', 'must be a list of rules'],
    ['access: { rules: [{ claim: groups }] }', 'must have both "claim" and "value"'],
    ['access: { rules: [{ claims: groups, value: a }] }', 'Did you mean claim?'],
    ['access: { rules: [{ may: [raed] }] }', 'must be read, write or maintain, not "raed"'],
    ['embedding: korpus', 'must be corpus, openai, onnx or none, not "korpus"'],
    ['embedding: 5', 'or a mapping with "provider"'],
    ['embedding: { apiKey: sk-1 }', 'Did you mean apiKeyEnv?'],
    ['embedding: { dimensions: 0 }', 'from 1 to 4096'],
    ['embedding: { baseUrl: localhost }', 'must be an http or https address'],
    ['embedding: { baseUrl: "http://h/v1?key=1" }', 'without user name, password'],
    ['answerer: claude', 'must be anthropic, openai, gemini or none, not "claude"'],
    ['answerer: { apiKey: sk-1 }', 'Did you mean apiKeyEnv?'],
    ['answerer: { maxTokens: 1 }', 'from 16 to 100000'],
  ])('explains %j', async (yaml, message) => {
    const configFile = file('c.yaml', yaml)
    const said = await failure({ folders: ['notes'], configFile })
    expect(said).toContain(message)
    expect(said).toContain('c.yaml')
  })

  it('may be empty', async () => {
    file('cairn.yaml', '# nothing yet\n')
    expect((await loadConfig(input({ folders: ['notes'] }))).config.sources).toHaveLength(1)
  })

  it('must exist when it was named', async () => {
    expect(await failure({ configFile: 'nope.yaml' })).toContain('--config')
    expect(await failure({ env: { CAIRN_CONFIG: 'nope.yaml' } })).toContain('CAIRN_CONFIG')
  })
})

it.each([
  [
    { env: { CAIRN_HTTP_PORT: 'abc' } },
    'http.port must be a whole number from 0 to 65535 (environment CAIRN_HTTP_PORT)',
  ],
  [{ flags: { port: 70000 } }, '(flag --port)'],
  [{ env: { CAIRN_WATCH: 'perhaps' } }, 'watch must be true or false (environment CAIRN_WATCH)'],
  [{ flags: { 'max-file-bytes': 0 } }, 'at least 1 (flag --max-file-bytes)'],
])('names the place of a bad value: %j', async (overrides, message) => {
  expect(await failure({ folders: ['notes'], ...overrides })).toContain(message)
})

it('takes rules for the tokens of an issuer, and none without one', async () => {
  const rules = '[{ claim: groups, value: staff, hide: [notes/pay] }, { may: [read] }]'
  const issuer = 'issuer: "https://login.example", audience: a'
  const configFile = file('r.yaml', `access: { ${issuer}, rules: ${rules} }`)
  const { config } = await loadConfig(input({ folders: ['notes'], configFile }))
  expect(config.access?.rules).toEqual([
    { claim: 'groups', values: ['staff'], see: [], hide: ['notes/pay'], write: [] },
    { values: [], may: ['read'], see: [], hide: [], write: [] },
  ])
  const without = file('w.yaml', `access: { rules: ${rules} }`)
  const said = await failure({ folders: ['notes'], configFile: without })
  expect(said).toContain('none was named')
})

it('warns about a mistyped variable', async () => {
  const { warnings } = await readSettings(input({ env: { CAIRN_STAET: 'x' } }))
  expect(warnings).toEqual([
    'The environment variable CAIRN_STAET means nothing to Cairn. Did you mean CAIRN_STATE?',
  ])
})

it('shows settings even when there is nothing to serve', async () => {
  const { settings } = await readSettings(input())
  expect(settings.map((setting) => setting.key)).toEqual([
    'sources',
    ...SETTINGS.map((row) => row.key),
  ])
})

describe('the embedder', () => {
  const embeddingOf = async (overrides: Partial<ConfigInput>) =>
    (await loadConfig(input({ folders: ['notes'], ...overrides }))).config.embedding

  it('is one word in the file, or a mapping', async () => {
    file('cairn.yaml', 'embedding: none')
    expect((await embeddingOf({})).provider).toBe('none')
    // A flag changes the provider and keeps what else the file says.
    const configFile = file('c.yaml', 'embedding: { provider: none, model: nomic }')
    const { provider, model } = await embeddingOf({ flags: { embedding: 'openai' }, configFile })
    expect([provider, model]).toEqual(['openai', 'nomic'])
  })

  it('finds its folder from the place it was written in, and needs one for onnx', async () => {
    const configFile = file('work/c.yaml', 'embedding: { provider: onnx, modelPath: ./minilm }')
    expect((await embeddingOf({ configFile })).modelPath).toBe(join(home, 'work/minilm'))
    const env = { CAIRN_EMBEDDING_MODEL_PATH: '~/minilm' }
    expect((await embeddingOf({ configFile, env })).modelPath).toBe(join(home, 'minilm'))
    expect(await failure({ folders: ['notes'], flags: { embedding: 'onnx' } })).toContain(
      'embedding.modelPath is missing',
    )
  })

  it('never shows a key or a password that was written in the wrong place', async () => {
    const key = 'sk-proj-123'
    for (const yaml of [`apiKeyEnv: ${key}`, `baseUrl: "http://me:${key}@h/v1"`]) {
      const configFile = file('c.yaml', `embedding: { ${yaml} }`)
      expect(await failure({ folders: ['notes'], configFile })).not.toContain(key)
    }
    const env = { OPENAI_API_KEY: key, CAIRN_EMBEDDING: 'openai' }
    expect(JSON.stringify(await readSettings(input({ env })))).not.toContain(key)
    expect(JSON.stringify(await loadConfig(input({ folders: ['notes'], env })))).not.toContain(key)
  })
})

describe('answerer', () => {
  const look = async (overrides: Partial<ConfigInput>) => {
    const { config, warnings } = await loadConfig(input({ folders: ['notes'], ...overrides }))
    return { answerer: config.answerer, warnings: warnings.join(' ') }
  }
  const keys = { ANTHROPIC_API_KEY: 'sk-1', OPENAI_API_KEY: 'sk-2', GEMINI_API_KEY: 'sk-3' }

  it('is nobody, whatever keys the environment holds, until one is asked for', async () => {
    expect(await look({ env: keys })).toEqual({ answerer: undefined, warnings: '' })
  })

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY', 'https://api.anthropic.com'],
    ['openai', 'OPENAI_API_KEY', 'https://api.openai.com/v1'],
    ['gemini', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta'],
  ])('knows where %s is', async (provider, apiKeyEnv, baseUrl) => {
    const env = { ...keys, CAIRN_ANSWERER: provider }
    const { answerer } = await look({ env })
    expect(answerer).toMatchObject({ provider, apiKeyEnv, baseUrl, model: expect.any(String) })
  })

  it('says that a key is missing, except where none may be needed', async () => {
    const missing = await look({ flags: { answerer: 'anthropic' } })
    expect(missing.answerer).toBeUndefined()
    expect(missing.warnings).toContain('ANTHROPIC_API_KEY is not set')
    const env = { CAIRN_ANSWERER: 'openai', CAIRN_ANSWERER_BASE_URL: 'http://localhost:11434/v1' }
    expect(await look({ env })).toMatchObject({ answerer: { provider: 'openai' }, warnings: '' })
  })

  it('never shows a key', async () => {
    const loaded = await loadConfig(
      input({ folders: ['notes'], env: { ...keys, CAIRN_ANSWERER: 'openai' } }),
    )
    expect(JSON.stringify(loaded)).not.toContain('sk-2')
  })
})
