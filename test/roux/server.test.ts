/** The roux server as people and clients start it: `cairn roux`, standard streams and HTTP. */
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { VERSION } from '../../src/core/kit/version.ts'
import { loadRouxConfig } from '../../src/vocabularies/roux/start/roux-config.ts'
import { CAIRN } from '../support/cairn-process.ts'
import { runCairn } from '../support/run-cairn.ts'
import { serveFolder } from '../support/serve-folder.ts'
import { SOON } from '../support/soon.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { callTool, GRAPH } from './open-roux.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const STORE = 'providers: { store: { type: docstore } }\n'

async function connect(cwd: string, ...words: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const args = [CAIRN, ...words]
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd,
    stderr: 'ignore',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

function until<Value>(ask: () => Promise<Value>, good: (value: Value) => boolean): Promise<Value> {
  return vi.waitFor(async () => {
    const value = await ask()
    if (!good(value)) throw new Error(`not yet: ${JSON.stringify(value)}`)
    return value
  }, SOON)
}

describe('cairn roux init', () => {
  it('writes roux.yaml and .roux, and adds itself to .mcp.json', async () => {
    const folder = temporaryFolder({
      'a.md': 'x',
      '.mcp.json': '{"mcpServers": {"other": {"command": "x"}}, "more": [1]}',
    })
    const first = await runCairn(folder, 'roux', 'init')
    expect([first.code, first.out]).toEqual([
      0,
      `Initialized Roux in ${folder}\n  Config: ${join(folder, 'roux.yaml')}\n`,
    ])
    expect(readFileSync(join(folder, 'roux.yaml'), 'utf8')).toContain(
      'providers:\n  store:\n    type: docstore\n',
    )
    expect(existsSync(join(folder, '.roux'))).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, '.mcp.json'), 'utf8'))).toEqual({
      mcpServers: {
        roux: { command: 'node', args: [CAIRN, 'roux', 'serve', '.'] },
        other: { command: 'x' },
      },
      more: [1],
    })
    const before = readFileSync(join(folder, '.mcp.json'), 'utf8')
    const second = await runCairn(folder, 'roux', 'init')
    const already = `Already initialized: ${join(folder, 'roux.yaml')}\n`
    expect([second.code, second.out]).toEqual([0, already])
    expect(readFileSync(join(folder, '.mcp.json'), 'utf8')).toBe(before)
  })

  it('makes a folder that is not there yet, and replaces an entry that is old', async () => {
    verifies('roux:init-again', 'roux:command-texts')
    const folder = temporaryFolder()
    expect((await runCairn(folder, 'roux', 'init', 'new/notes')).code).toBe(0)
    expect(existsSync(join(folder, 'new/notes/roux.yaml'))).toBe(true)
    const own = '{"mcpServers":{"roux":{"command":"mine"}}}'
    const other = temporaryFolder({ '.mcp.json': own, 'roux.yaml': `# mine\n${STORE}` })
    expect((await runCairn(other, 'roux', 'init')).out).toMatch(/^Already initialized: /)
    expect(existsSync(join(other, '.roux'))).toBe(true)
    const { mcpServers } = JSON.parse(readFileSync(join(other, '.mcp.json'), 'utf8'))
    expect(mcpServers.roux.args.slice(-3)).toEqual(['roux', 'serve', '.'])
    expect(readFileSync(join(other, 'roux.yaml'), 'utf8')).toMatch(/^# mine/)
  })

  it.each(['.mcp.json', 'roux.yaml', '.roux'])(
    'writes nothing where a %s that is a link leads',
    async (name) => {
      const folder = temporaryFolder({ 'clone/a.md': 'x', 'mine.json': '{"mine": 1}' })
      const clone = join(folder, 'clone')
      const kept = () => [readdirSync(folder).toSorted(), readdirSync(clone).toSorted()]
      for (const target of ['mine.json', 'nowhere']) {
        symlinkSync(join(folder, target), join(clone, name))
        const before = kept()
        const { code, err } = await runCairn(clone, 'roux', 'init')
        expect([code, err]).toEqual([1, expect.stringContaining('symbolic link')])
        expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toBe('{"mine": 1}')
        expect(kept()).toEqual(before)
        rmSync(join(clone, name))
      }
    },
  )

  it('changes nothing when .mcp.json cannot be added to', async () => {
    const folder = temporaryFolder({ '.mcp.json': '{ not json' })
    const { code, err } = await runCairn(folder, 'roux', 'init')
    expect(code).toBe(1)
    expect(err).toContain('.mcp.json')
    expect(existsSync(join(folder, 'roux.yaml'))).toBe(false)
    expect(readFileSync(join(folder, '.mcp.json'), 'utf8')).toBe('{ not json')
  })
})

describe('roux.yaml', () => {
  it('of anybody’s leads out of its folder only if the user stands behind it', async () => {
    const folder = temporaryFolder({ 'mine/diary.md': '# Diary\n', 'clone/a.md': 'x' })
    const clone = join(folder, 'clone')
    const status = async (text: string) => {
      writeFileSync(join(clone, 'roux.yaml'), `${STORE}${text}`)
      const { code, err } = await runCairn(clone, 'roux', 'status')
      return [code, err.includes(`cairn trust ${join(clone, 'roux.yaml')}`)]
    }
    expect(await status('source: { path: ../mine }\n')).toEqual([1, true])
    expect(await status('cache: { path: ../mine }\n')).toEqual([1, true])
    symlinkSync(join(folder, 'mine'), join(clone, '.roux'))
    expect(await status('')).toEqual([1, true])
    expect(readdirSync(join(folder, 'mine'))).toEqual(['diary.md'])
    rmSync(join(clone, '.roux'))
    expect(await status('')).toEqual([0, false])
  })

  it.each(['serve', 'status', 'viz'])('is needed by %s', async (command) => {
    const folder = temporaryFolder({ 'a.md': 'x' })
    const { code, out, err } = await runCairn(folder, 'roux', command)
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toContain("Directory not initialized. Run 'roux init' first.")
  })

  it.each([
    ['', 'providers.store.type must be docstore'],
    ['providers: {}\n', 'providers.store.type must be docstore'],
    ['providers: { store: { type: other } }\n', 'providers.store.type must be docstore'],
    [`${STORE}source: { include: 7 }\n`, 'source.include'],
    [`${STORE}system: { on_model_change: never }\n`, 'system.on_model_change'],
    ['providers: { store: { type: docstore }, embedding: { type: x } }\n', 'providers.embedding'],
    ['a: [\n', 'not valid YAML'],
  ])('is refused as %j', async (yaml, message) => {
    const folder = temporaryFolder({ 'roux.yaml': yaml, 'a.md': 'x' })
    const { code, err } = await runCairn(folder, 'roux', 'status')
    expect(code).not.toBe(0)
    expect(err).toContain(message)
  })

  it('heeds .cairnignore and not .gitignore', async () => {
    verifies('roux:no-gitignore')
    const folder = temporaryFolder({
      'roux.yaml': STORE,
      '.git/info/exclude': 'private.md',
      '.gitignore': '*.md\n',
      '.cairnignore': 'secret.md\n',
      'a.md': '[[b]]',
      'deep/b.md': '',
      'deep/.gitignore': 'b.md',
      'private.md': '',
      'secret.md': '',
    })
    const { out } = await runCairn(folder, 'roux', 'status')
    expect(out).toContain('  Nodes: 3\n  Edges: 1\n')
  })

  it('names the embedder, and sends notes only where the user stands behind it', async () => {
    verifies('roux:configured-embedder')
    const load = async (embedding: string) => {
      const yaml = `providers: { store: { type: docstore }, embedding: ${embedding} }\n`
      const folder = temporaryFolder({ 'roux.yaml': yaml, 'a.md': 'x' })
      const around = { folders: [], configFile: undefined, flags: {}, env: {}, home: folder }
      return loadRouxConfig({ ...around, cwd: folder })
    }
    const of = async (embedding: string) => (await load(embedding)).config.embedding
    expect(await of('{ type: local }')).toMatchObject({ provider: 'corpus' })
    expect(await of('{ type: ollama }')).toMatchObject({
      provider: 'openai',
      baseUrl: 'http://localhost:11434/v1',
      model: 'nomic-embed-text',
      apiKeyEnv: undefined,
      timeoutMs: 30_000,
    })
    expect(
      await of('{ type: ollama, model: bge, endpoint: "http://127.0.0.1:7/", timeout: 500 }'),
    ).toMatchObject({ baseUrl: 'http://127.0.0.1:7/v1', model: 'bge', timeoutMs: 500 })
    expect(await of('{ type: openai }')).toMatchObject({
      provider: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      model: 'text-embedding-3-small',
      apiKeyEnv: 'OPENAI_API_KEY',
    })
    const elsewhere = await load('{ type: openai, endpoint: "https://elsewhere.example/v1" }')
    expect(elsewhere.config.embedding.provider).toBe('corpus')
    expect(elsewhere.warnings.join()).toContain('cairn trust')
    await expect(load('{ type: ollama, endpoint: nonsense }')).rejects.toThrow('no address')
  })

  it('says which files are nodes, and where the index is', async () => {
    const folder = temporaryFolder({
      'set/roux.yaml': `${STORE}source: { path: ../vault, exclude: [drafts, "*.tmp.md", "a/b/**"] }\ncache: { path: ../cache }\nnewer: true\n`,
      'vault/one.md': '[[two]]',
      'vault/deep/er/two.md': '',
      'vault/.hidden/three.md': '',
      'vault/x.txt': '',
      'vault/drafts/no.md': '',
      'vault/deep/drafts/no.md': '',
      'vault/deep/no.tmp.md': '',
      'vault/a/b/no.md': '',
      'vault/.obsidian/no.md': '',
      'vault/node_modules/no.md': '',
      'set/no.md': '',
    })
    await runCairn(folder, 'trust', 'set/roux.yaml')
    const { code, out } = await runCairn(folder, 'roux', 'status', 'set')
    // The other two have no text to be understood.
    expect([code, out]).toEqual([
      0,
      'Graph Status:\n  Nodes: 3\n  Edges: 1\n  Embeddings: 1/3\n  Coverage: 33.3%\n',
    ])
    expect(readdirSync(join(folder, 'cache'))).toContainEqual(
      expect.stringMatching(/^index.*\.db$/),
    )
    expect(existsSync(join(folder, 'vault/.cairn'))).toBe(false)
    const json = JSON.parse((await runCairn(folder, 'roux', 'status', 'set', '--json')).out)
    expect(json).toEqual({ nodes: 3, edges: 1, embeddings: 1, coverage: 100 / 3 })
  })
})

it('another source in roux.yaml is served, and the one before again', async () => {
  const yaml = (path: string) => `${STORE}source: { path: ${path} }\n`
  const folder = temporaryFolder({
    'roux.yaml': yaml('one'),
    'one/a.md': '[[b]]',
    'one/b.md': 'x',
    'two/c.md': 'x',
  })
  for (const [path, nodes] of [
    ['one', 2],
    ['two', 1],
    ['one', 2],
    ['.', 3],
    ['two', 1],
  ] as const) {
    writeFileSync(join(folder, 'roux.yaml'), yaml(path))
    const { code, out, err } = await runCairn(folder, 'roux', 'status')
    expect([path, code, err]).toEqual([path, 0, ''])
    expect(out).toContain(`  Nodes: ${nodes}\n`)
  }
  // A write goes to the source of now, and what people look for stays where it was.
  const client = await connect(folder, 'roux', 'serve')
  await callTool(client, 'create_node', { title: 'New', content: 'y' })
  expect(existsSync(join(folder, 'two/new.md'))).toBe(true)
  expect((await runCairn(folder, 'roux', 'viz')).code).toBe(0)
  expect(existsSync(join(folder, '.roux/graph.html'))).toBe(true)
})

it.each([
  ['roux', '--version'],
  ['roux', '-V'],
  ['roux', 'serve', '--version'],
])('%s %s tells the version', async (...words) => {
  const { code, out } = await runCairn(temporaryFolder(), ...words)
  expect([code, out]).toEqual([0, `${VERSION}\n`])
})

it('a root that is not there yet is an empty graph', async () => {
  const folder = temporaryFolder({ 'roux.yaml': `${STORE}source: { path: later }\n` })
  const { code, out, err } = await runCairn(folder, 'roux', 'status')
  expect([code, out]).toEqual([
    0,
    'Graph Status:\n  Nodes: 0\n  Edges: 0\n  Embeddings: 0/0\n  Coverage: 100.0%\n',
  ])
  expect(err).toContain('warning:')
  const client = await connect(folder, 'roux', 'serve')
  expect((await callTool(client, 'get_hubs')).value).toEqual([])
  expect((await callTool(client, 'random_node')).value).toBe(null)
})

describe('search', () => {
  const tools = async (yaml: string) => {
    const folder = temporaryFolder({ ...GRAPH, 'roux.yaml': yaml })
    const client = await connect(folder, 'roux', 'serve', '--no-watch')
    return (await client.listTools()).tools.map(({ name }) => name)
  }

  it('is there unless roux.yaml says that nothing embeds', async () => {
    verifies('roux:check-1-exposure', 'roux:search-exposed', 'roux:error-not-exposed')
    const all = await tools(STORE)
    expect(all).toHaveLength(13)
    expect(all[0]).toBe('search')
    const none = 'providers: { store: { type: docstore }, embedding: { type: none } }\n'
    expect(await tools(none)).toEqual(all.slice(1))
  })
})

it('an embedder that is down from the start is an error of search, and of nothing else', async () => {
  verifies('roux:configured-embedder', 'roux:search-failure', 'roux:error-provider')
  const down = '{ type: ollama, endpoint: "http://127.0.0.1:1", timeout: 1000 }'
  const yaml = `providers: { store: { type: docstore }, embedding: ${down} }\n`
  const folder = temporaryFolder({ ...GRAPH, 'roux.yaml': yaml })
  const client = await connect(folder, 'roux', 'serve', '--no-watch')
  const { error } = await callTool(client, 'search', { query: 'text' })
  expect(error?.code).toBe('PROVIDER_ERROR')
  expect((await callTool(client, 'get_node', { id: 'a.md' })).value.id).toBe('a.md')
})

describe('cairn roux viz', () => {
  it('writes one page, into .roux unless told otherwise', async () => {
    const folder = temporaryFolder({ ...GRAPH, 'roux.yaml': STORE })
    const first = await runCairn(folder, 'roux', 'viz')
    const said = 'Generated visualization: 6 nodes, 5 edges\n'
    const place = `  Output: ${join(folder, '.roux/graph.html')}\n`
    expect([first.code, first.out]).toEqual([0, said + place])
    expect(readFileSync(join(folder, '.roux/graph.html'), 'utf8')).toContain('notes/lemon.md')
    const second = await runCairn(folder, 'roux', 'viz', '-o', 'out/graph.html', '--json')
    const file = join(folder, 'out/graph.html')
    expect(JSON.parse(second.out)).toEqual({ file, nodes: 6, edges: 5 })
    expect(existsSync(file)).toBe(true)
  })
})

describe('over standard input and output', () => {
  it('serves a folder, and tells once about a file that was broken meanwhile', async () => {
    verifies('roux:transport-stdio', 'roux:official-sdk', 'roux:check-13-warning-buffer')
    verifies('roux:warnings-buffered', 'roux:synchronous-writes')
    const folder = temporaryFolder({ ...GRAPH, 'roux.yaml': STORE })
    const client = await connect(folder, 'roux', 'serve')
    expect(client.getServerVersion()).toMatchObject({ name: 'roux', version: '0.1.0' })
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } })
    const call = (name: string, args = {}) => callTool(client, name, args)
    const hubs = await until(
      () => call('get_hubs'),
      ({ value }) => value.length === 6,
    )
    expect(hubs.value[0]).toMatchObject({ id: 'e.md', score: 2 })
    await until(
      () => call('get_node', { id: 'a.md' }),
      ({ value }) => value !== null,
    )
    // The first look through the files is over when a change is noticed.
    writeFileSync(join(folder, 'f.md'), 'fine [[e]]')
    await until(
      () => call('get_node', { id: 'f.md' }),
      ({ value }) => value !== null,
    )

    writeFileSync(join(folder, 'c.md'), '---\ntitle: [broken\n---\ntext')
    const told = await until(
      () => call('get_hubs'),
      ({ warnings }) => warnings.length > 0,
    )
    expect(told.warnings).toEqual([expect.stringMatching(/^Sync: parse error in c\.md/)])
    expect((await call('get_hubs')).warnings).toEqual([])

    const made = await call('create_node', { title: 'New', content: '[[nobody]]' })
    expect(made.warnings).toEqual(['Broken link: [[nobody]]'])
    expect((await call('get_node', { id: 'new.md' })).value.content).toBe('[[nobody]]')
    // A later change is noticed and told: nothing was said about our own write before.
    writeFileSync(join(folder, 'later.md'), '[[nowhere]]')
    const later = await until(
      () => call('get_hubs'),
      ({ warnings }) => warnings.length > 0,
    )
    expect(later.warnings).toEqual(['Sync: broken link [[nowhere]] in later.md'])
    rmSync(join(folder, 'new.md'))
    await until(
      () => call('get_node', { id: 'new.md' }),
      ({ value }) => value === null,
    )
  })

  it('shows the same notes to whoever names the surface', async () => {
    verifies('roux:no-gitignore')
    const files = {
      ...GRAPH,
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': 'ignored.md\n',
      '.cairnignore': 'private.md\n',
      'ignored.md': 'x',
      'private.md': 'x',
      '.drafts/hidden.md': 'x',
      'latin.md': Buffer.from('caf\u00e9', 'latin1'),
    }
    const listed = async (extra: Record<string, string>, ...words: string[]) => {
      const client = await connect(temporaryFolder({ ...files, ...extra }), ...words)
      const { value } = await until(
        () => callTool(client, 'list_nodes'),
        ({ value: found }) => found.total > 0,
      )
      return value.nodes.map(({ id }: { id: string }) => id).toSorted()
    }
    const own = await listed({ 'roux.yaml': STORE }, 'roux', 'serve')
    expect(own).toEqual(
      [...Object.keys(GRAPH), 'ignored.md', '.drafts/hidden.md', 'latin.md']
        .map((id) => id.toLowerCase())
        .toSorted(),
    )
    expect(await listed({}, 'serve', '.', '--surface', 'roux')).toEqual(own)
    // Beside another surface the rules of notes hold for both.
    const both = await listed({}, 'serve', '.', '--surface', 'native', '--surface', 'roux')
    expect(both).toEqual(
      Object.keys(GRAPH)
        .map((id) => id.toLowerCase())
        .toSorted(),
    )
  })

  it('is one of several surfaces of a server', async () => {
    const folder = temporaryFolder(GRAPH)
    const words = ['serve', folder, '--surface', 'native', '--surface', 'roux', '--read-only']
    const client = await connect(folder, ...words)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(client.getServerVersion()?.name).toBe('cairn')
    expect(names.slice(0, 2)).toEqual(['search', 'fetch'])
    expect(names).toContain('roux_search')
    expect(names).toContain('get_node')
    expect(names).not.toContain('create_node')
    expect(new Set(names).size).toBe(names.length)
    const { value } = await until(
      () => callTool(client, 'get_node', { id: 'a.md' }),
      ({ value: node }) => node !== null,
    )
    expect(value.id).toBe('a.md')
  })
})

describe('over HTTP', () => {
  it('stands beside the native surface, each at an address of its own', async () => {
    const folder = temporaryFolder(GRAPH)
    const server = await serveFolder(folder, { surface: ['native', 'roux'] })
    const named = async (path: string) => {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(path, server.url)))
      onTestFinished(() => client.close())
      const { tools } = await client.listTools()
      return [client.getServerVersion()?.name, ...tools.map(({ name }) => name)]
    }
    const roux = await named('/mcp/roux')
    expect(roux[0]).toBe('roux')
    expect(roux).toContain('get_neighbors')
    const native = await named('/mcp')
    expect(native[0]).toBe('cairn')
    expect(native).not.toContain('get_neighbors')
    expect(await named('/mcp/native')).toEqual(native)
  })
})
