/** `cairn connect` against the settings files of every client, with content of others in them. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { parse as parseToml } from 'smol-toml'
import { CLIENTS } from '../../src/keep/clients/clients.ts'
import type { Client, Places } from '../../src/keep/clients/client.ts'
import { readJsonc } from '../../src/keep/clients/edit-jsonc.ts'
import { NO_INPUT } from '../../src/serve/cli/input.ts'
import type { Input } from '../../src/serve/cli/input.ts'
import { LAUNCHER } from '../../src/serve/cli/package-files.ts'
import { app } from '../../src/serve/cli/plug-in.ts'
import { run } from '../../src/serve/cli/run.ts'
import { openTerminal } from '../../src/serve/cli/terminal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let home: string
let notes: string
let project: string

beforeEach(() => {
  home = temporaryFolder()
  notes = join(home, 'my notes')
  project = join(home, 'project')
  mkdirSync(notes)
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(project, 'docs'))
})

async function cairn(
  words: readonly string[],
  input: Input = NO_INPUT,
  env: Record<string, string> = {},
) {
  const seen = { out: '', err: '' }
  const terminal = openTerminal(
    { write: (text) => (seen.out += text) },
    { write: (text) => (seen.err += text) },
    {},
  )
  const cwd = join(project, 'docs')
  const code = await run(words, { app, terminal, input, env, cwd, home, onStop() {} })
  return { code, ...seen }
}

const places = (): Places => ({
  platform: process.platform,
  home,
  env: {},
  project,
  exists: existsSync,
})

/** What somebody may have in such a file already: remarks, other servers, other settings. */
const SAMPLES: Record<Client['format'], (client: Client) => string> = {
  jsonc: (client) => `// Mine, all mine
{
    "theme": "dark", /* keep */
    "${client.container('')[0]}": {
        "other": {
            "command": "uvx",
            "args": ["mcp-server-git"], // from the docs
            "env": { "KEY": "\\u0041\\"b" }
        }
    },
    "list": [1, 2.50, null]
}
`,
  toml: () => `# Mine, all mine
model = "o5"   # best

[mcp_servers.other]
command = "uvx"
args = [
  "mcp-server-git", # from the docs
]

[profiles.work]
approval = 'never'
`,
  yaml: () => `# Mine, all mine
GOOSE_MODEL: claude   # best
extensions:
  developer:
    type: builtin
    enabled: true

  other:   # from the docs
    type: stdio
    args: [a, b]
GOOSE_MODE: auto
`,
}

function read(client: Client, text: string): any {
  if (client.format === 'toml') return parseToml(text)
  return client.format === 'yaml' ? parseYaml(text) : readJsonc(text)
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

describe.each(CLIENTS.map((client) => [client.id, client] as const))('%s', (id, client) => {
  const scopes = (['user', 'project'] as const).filter((scope) =>
    client.file(scope, {
      platform: 'linux',
      home: '/h',
      env: {},
      project: '/p',
      exists: () => false,
    }),
  )

  it.each(scopes)('gets a file of its own (%s), which goes again', async (scope) => {
    const file = client.file(scope, places())!
    const from = ['--folder', scope === 'user' ? notes : join(project, 'docs'), '--scope', scope]
    const added = await cairn(['connect', id, '--yes', ...from])
    expect(added).toMatchObject({ code: 0 })
    expect(added.out).toContain('+')
    const said = JSON.stringify(read(client, readFileSync(file, 'utf8')))
    if (scope === 'user') {
      expect(said).toContain(JSON.stringify(LAUNCHER))
      expect(said).toContain(JSON.stringify(`my-notes=${notes}`))
      expect(statSync(file).mode & 0o777).toBe(0o600)
    } else {
      expect(said).toContain('"npx","-y","cairn-kb"'.replace('"npx",', ''))
      expect(said).toMatch(/"(\.|\$\{workspaceFolder\})\/docs"/)
    }
    expect(await cairn(['connect', id, '--yes', ...from])).toMatchObject({ code: 0, out: '' })
    expect(await cairn(['connect', id, '--remove', '--yes', '--scope', scope])).toMatchObject({
      code: 0,
    })
    expect(existsSync(file)).toBe(false)
    expect(existsSync(`${file}.before-cairn`)).toBe(false)
  })

  it.each(scopes)('keeps everything else in a file that is there (%s)', async (scope) => {
    const file = client.file(scope, places())!
    const before = SAMPLES[client.format](client)
    put(file, before)
    chmodSync(file, 0o640)
    const from = ['--folder', notes, '--scope', scope]
    expect(await cairn(['connect', id, '--yes', ...from])).toMatchObject({ code: 0 })
    const added = readFileSync(file, 'utf8')
    const now = read(client, added)
    const { cairn: entry, ...others } = now[client.container('')[0]!]
    expect(JSON.stringify(entry)).toContain(notes)
    expect({ ...now, [client.container('')[0]!]: others }).toEqual(read(client, before))
    // Every line of before is still there, as it was but for a comma.
    const lines = new Set(added.split('\n').map((line) => line.replace(/,$/, '')))
    for (const line of before.split('\n')) expect(lines).toContain(line.replace(/,$/, ''))
    expect(readFileSync(`${file}.before-cairn`, 'utf8')).toBe(before)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(await cairn(['connect', id, '--remove', '--yes', '--scope', scope])).toMatchObject({
      code: 0,
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(existsSync(`${file}.before-cairn`)).toBe(false)
  })

  it('is changed in its place, with what a person added to the entry', async () => {
    const file = client.file('user', places())!
    put(file, SAMPLES[client.format](client))
    await cairn(['connect', id, '--yes', '--folder', notes])
    const changed = readFileSync(file, 'utf8')
      .replace('"cairn": {', '"cairn": {\n            "mine": 7,')
      .replace('[mcp_servers.cairn]\n', '[mcp_servers.cairn]\nmine = 7\n')
      .replace('  cairn:\n', '  cairn:\n    mine: 7\n')
    writeFileSync(file, changed)
    const moved = ['--name', 'cairn', '--folder', join(project, 'docs')]
    const again = await cairn(['connect', id, '--yes', ...moved])
    expect(again).toMatchObject({ code: 0 })
    const entry = read(client, readFileSync(file, 'utf8'))[client.container('')[0]!].cairn
    expect(entry).toMatchObject({ mine: 7 })
    expect(JSON.stringify(entry)).toContain(join(project, 'docs'))
    expect(JSON.stringify(entry)).not.toContain(notes)
    await cairn(['connect', id, '--remove', '--yes'])
    expect(read(client, readFileSync(file, 'utf8'))).toEqual(
      read(client, SAMPLES[client.format](client)),
    )
  })

  it('keeps the first base when a second one is connected, and takes both out again', async () => {
    const file = client.file('user', places())!
    const before = SAMPLES[client.format](client)
    put(file, before)
    const entries = () => read(client, readFileSync(file, 'utf8'))[client.container('')[0]!]
    await cairn(['connect', id, '--yes', '--folder', notes])
    const first = entries().cairn
    const second = await cairn(['connect', id, '--yes', '--folder', join(project, 'docs')])
    expect(second).toMatchObject({ code: 0, err: expect.stringContaining('as cairn-docs') })
    expect(entries().cairn).toEqual(first)
    expect(JSON.stringify(entries()['cairn-docs'])).toContain(join(project, 'docs'))
    // Each is known again, and the copy is from before the first.
    for (const folder of [notes, join(project, 'docs')]) {
      const again = await cairn(['connect', id, '--yes', '--folder', folder])
      expect(again).toMatchObject({ code: 0, out: '' })
    }
    expect(readFileSync(`${file}.before-cairn`, 'utf8')).toBe(before)
    await cairn(['connect', id, '--remove', '--yes'])
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(existsSync(`${file}.before-cairn`)).toBe(false)
  })

  it('leaves a malformed file alone and says what is wrong', async () => {
    const file = client.file('user', places())!
    const broken = { jsonc: '{ "a": 1\n  "b" }\n', toml: 'a = = 1\n', yaml: 'a: [1\nb: 2\n' }
    put(file, broken[client.format])
    const { code, err } = await cairn(['connect', id, '--yes', '--folder', notes])
    expect(code).toBe(1)
    expect(err).toContain(file)
    expect(err).toContain('left as it is')
    expect(readFileSync(file, 'utf8')).toBe(broken[client.format])
    expect(existsSync(`${file}.before-cairn`)).toBe(false)
  })

  it('may connect to a server that runs, where it can', async () => {
    const url = 'http://127.0.0.1:7331/mcp'
    const { code, out, err } = await cairn(['connect', id, '--print', '--url', url])
    if (id === 'claude-desktop') expect([code, err]).toEqual([2, expect.stringContaining('--url')])
    else expect([code, out]).toEqual([0, expect.stringContaining(url)])
    expect(existsSync(client.file('user', places())!)).toBe(false)
  })
})

it('writes nothing before somebody has agreed', async () => {
  const file = join(home, '.cursor', 'mcp.json')
  const words = ['connect', 'cursor', '--folder', notes]
  const silent = await cairn(words)
  expect([silent.code, existsSync(file)]).toEqual([1, false])
  expect(silent.out).toContain('+    "cairn"')
  expect(silent.err).toContain('--yes')
  const answering = (answer: string): Input => ({
    isTerminal: true,
    text: async () => '',
    bytes: async () => new Uint8Array(),
    ask: async () => answer,
  })
  await cairn(words, answering('no'))
  expect(existsSync(file)).toBe(false)
  await cairn(words, answering('y'))
  expect(existsSync(file)).toBe(true)
})

it('finds the clients that are there, and tells where none is', async () => {
  const none = await cairn(['connect', '--yes', '--folder', notes])
  expect(none).toMatchObject({ code: 1, out: '' })
  expect(none.err).toContain('cairn connect claude-code')
  mkdirSync(join(home, '.cursor'))
  put(join(home, '.codex', 'config.toml'), 'a = = 1\n')
  const some = await cairn(['connect', '--yes', '--json', '--folder', notes])
  expect(some.code).toBe(1)
  expect(JSON.parse(some.out)).toMatchObject([
    { client: 'cursor', action: 'add', written: true },
    { client: 'codex', error: { code: 'invalid' }, written: false },
  ])
})

it('finds clients on the PATH that were never started', async () => {
  const bin = join(home, 'bin')
  for (const name of ['qwen', 'copilot', 'codex', 'node']) put(join(bin, name), '#!/bin/sh\n')
  const found = await cairn(['connect', '--yes', '--json', '--folder', notes], NO_INPUT, {
    PATH: `/nowhere:${bin}`,
  })
  expect(JSON.parse(found.out)).toMatchObject([
    { client: 'codex', file: join(home, '.codex', 'config.toml'), written: true },
    { client: 'qwen', file: join(home, '.qwen', 'settings.json'), written: true },
    { client: 'copilot', file: join(home, '.copilot', 'mcp-config.json'), written: true },
  ])
})

describe('where settings are', () => {
  const fileOf = (id: string, env: Places['env'], there: string[] = []) =>
    CLIENTS.find((client) => client.id === id)!.file('user', {
      platform: 'linux',
      home: '/h',
      env,
      project: '/p',
      exists: (path) => there.includes(path),
    })
  const own = '/h/.cline/data/settings/cline_mcp_settings.json'
  const inVsCode = '/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev'

  it.each<[string, string, Places['env'], string[], string]>([
    ['has a file of its own', 'cline', {}, [], own],
    ['has it beside the one in VS Code', 'cline', {}, ['/h/.cline', inVsCode], own],
    [
      'has the one in VS Code where there is no other',
      'cline',
      {},
      [inVsCode],
      `${inVsCode}/settings/cline_mcp_settings.json`,
    ],
    ['may be told', 'cline', { CLINE_MCP_SETTINGS_PATH: '/x.json' }, [], '/x.json'],
    [
      'may be told a folder',
      'cline',
      { CLINE_DIR: '/c' },
      [],
      '/c/data/settings/cline_mcp_settings.json',
    ],
    ['is in its home', 'copilot', {}, [], '/h/.copilot/mcp-config.json'],
    ['is where its home is', 'copilot', { COPILOT_HOME: '/c' }, [], '/c/mcp-config.json'],
    [
      'moves with its configuration',
      'claude-code',
      { CLAUDE_CONFIG_DIR: '/c' },
      [],
      '/c/.claude.json',
    ],
  ])('%s: %s', (_, id, env, there, file) => {
    expect(fileOf(id, env, there)).toBe(file)
  })
})

it('says that /mcp lists it only where it does', async () => {
  const listing = CLIENTS.filter(({ after }) => after.includes('/mcp')).map(({ id }) => id)
  expect(listing).toEqual(['claude-code', 'codex', 'gemini', 'qwen', 'copilot'])
  const said = async (...words: string[]) =>
    (await cairn(['connect', 'claude-code', '--yes', '--folder', notes, ...words])).err
  expect(await said()).toContain('/mcp lists it')
  expect(await said('--scope', 'project')).toContain('approve it; /mcp lists it then')
})

it('follows a link to where the settings really are', async () => {
  const real = join(home, 'dotfiles', 'mcp.json')
  put(real, '{}\n')
  mkdirSync(join(home, '.cursor'))
  symlinkSync(real, join(home, '.cursor', 'mcp.json'))
  await cairn(['connect', 'cursor', '--yes', '--folder', notes])
  expect(lstatSync(join(home, '.cursor', 'mcp.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toContain(LAUNCHER)
})

it('takes the entry out of a file that others have changed since', async () => {
  const file = join(home, '.cursor', 'mcp.json')
  put(file, '{\n  "mcpServers": {}\n}\n')
  await cairn(['connect', 'cursor', '--yes', '--folder', notes])
  const changed = readFileSync(file, 'utf8').replace('"cairn"', '"new": {},\n    "cairn"')
  writeFileSync(file, changed)
  await cairn(['connect', 'cursor', '--remove', '--yes'])
  expect(readFileSync(file, 'utf8')).toBe('{\n  "mcpServers": {\n    "new": {}\n  }\n}\n')
})

describe('the copy from before the first change', () => {
  const BEFORE = '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n'

  it('is never overwritten, and goes when nothing of ours is left', async () => {
    const file = join(home, '.cursor', 'mcp.json')
    const copy = `${file}.before-cairn`
    put(file, BEFORE)
    await cairn(['connect', 'cursor', '--yes', '--folder', notes])
    // Somebody takes the entry out by hand, and comes back.
    writeFileSync(file, '{\n  "theme": "light"\n}\n')
    await cairn(['connect', 'cursor', '--yes', '--folder', notes])
    expect(readFileSync(copy, 'utf8')).toBe(BEFORE)
    await cairn(['connect', 'cursor', '--yes', '--name', 'mine', '--folder', project])
    expect(readFileSync(copy, 'utf8')).toBe(BEFORE)
    await cairn(['connect', 'cursor', '--remove', '--yes'])
    expect(readFileSync(copy, 'utf8')).toBe(BEFORE)
    await cairn(['connect', 'cursor', '--remove', '--yes', '--name', 'mine'])
    expect(existsSync(copy)).toBe(false)
    expect(readJsonc(readFileSync(file, 'utf8'))).toEqual({ theme: 'light' })
  })

  it('is made of no file that Cairn made itself', async () => {
    const file = join(home, '.cursor', 'mcp.json')
    for (const folder of [notes, project]) {
      await cairn(['connect', 'cursor', '--yes', '--folder', folder])
    }
    expect(existsSync(`${file}.before-cairn`)).toBe(false)
    await cairn(['connect', 'cursor', '--remove', '--yes'])
    expect(existsSync(file)).toBe(false)
  })

  it('goes also where others have changed the file since', async () => {
    const file = join(home, '.cursor', 'mcp.json')
    put(file, BEFORE)
    await cairn(['connect', 'cursor', '--yes', '--folder', notes])
    writeFileSync(file, readFileSync(file, 'utf8').replace('dark', 'light'))
    await cairn(['connect', 'cursor', '--remove', '--yes'])
    expect(readJsonc(readFileSync(file, 'utf8'))).toEqual({ theme: 'light' })
    expect(existsSync(`${file}.before-cairn`)).toBe(false)
  })
})

it('takes the place of a base that is no more', async () => {
  const file = join(home, '.cursor', 'mcp.json')
  put(
    file,
    JSON.stringify({
      mcpServers: { cairn: { command: 'node', args: ['cairn.js', 'serve', join(home, 'gone')] } },
    }),
  )
  await cairn(['connect', 'cursor', '--yes', '--folder', notes])
  const { mcpServers } = readJsonc(readFileSync(file, 'utf8')) as { mcpServers: object }
  expect(Object.keys(mcpServers)).toEqual(['cairn'])
  expect(JSON.stringify(mcpServers)).toContain(notes)
})

it.each(CLIENTS.map(({ id }) => id))('%s is not said to list what was taken out', async (id) => {
  await cairn(['connect', id, '--yes', '--folder', notes])
  const { err } = await cairn(['connect', id, '--remove', '--yes'])
  expect(err).toContain('removed. It is gone when')
  expect(err).not.toMatch(/lists it|Enable|Switch|Start it/)
})

it('keeps servers of the second opencode where it has them', async () => {
  const file = join(project, 'opencode.jsonc')
  put(
    file,
    '{\n  "mcp": {\n    "servers": {\n      "a": { "type": "local", "command": ["x"] }\n    }\n  }\n}\n',
  )
  await cairn(['connect', 'opencode', '--scope', 'project', '--yes', '--folder', notes])
  expect(readJsonc(readFileSync(file, 'utf8'))).toMatchObject({
    mcp: {
      servers: {
        a: {},
        cairn: { type: 'local', command: ['npx', '-y', 'cairn-kb', 'serve', expect.any(String)] },
      },
    },
  })
})

it.each([
  [['connect', 'curser'], 'Did you mean cursor?'],
  [['connect', 'windsurf', '--scope', 'project'], 'Leave --scope project out'],
  [['connect', 'cursor', '--name', 'a b'], 'letters, digits'],
  [['connect', 'cursor', '--url', 'ftp://x'], 'http://127.0.0.1'],
])('explains %j', async (words, hint) => {
  const { code, out, err } = await cairn([...words, '--folder', notes])
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(hint)
})
