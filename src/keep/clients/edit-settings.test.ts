import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from './client.ts'
import { readJsonc, removeFromJsonc, setInJsonc } from './edit-jsonc.ts'
import { readToml, removeFromToml, setInToml } from './edit-toml.ts'
import { readYaml, removeFromYaml, setInYaml } from './edit-yaml.ts'

const ENTRY: Entry = { command: 'node', args: ['/x/cairn.js', 'serve', '/n'] }
const PATH = ['mcpServers', 'cairn']

describe('JSON with comments', () => {
  const table: [name: string, before: string, after: string][] = [
    [
      'an empty file',
      '',
      `{\n  "mcpServers": {\n    "cairn": {\n      "command": "node",\n      "args": ["/x/cairn.js", "serve", "/n"]\n    }\n  }\n}\n`,
    ],
    [
      'an object that has nothing in it',
      '{}\n',
      `{\n  "mcpServers": {\n    "cairn": {\n      "command": "node",\n      "args": ["/x/cairn.js", "serve", "/n"]\n    }\n  }\n}\n`,
    ],
    [
      'other settings, tabs and a remark behind the last one',
      '{\n\t// keep\n\t"theme": "dark" // mine\n}\n',
      `{\n\t// keep\n\t"theme": "dark", // mine\n\t"mcpServers": {\n\t\t"cairn": {\n\t\t\t"command": "node",\n\t\t\t"args": ["/x/cairn.js", "serve", "/n"]\n\t\t}\n\t}\n}\n`,
    ],
    [
      'another server, with commas at the end of lists',
      '{\n  "mcpServers": {\n    "git": { "command": "uvx", },\n  },\n}\n',
      `{\n  "mcpServers": {\n    "git": { "command": "uvx", },\n    "cairn": {\n      "command": "node",\n      "args": ["/x/cairn.js", "serve", "/n"]\n    },\n  },\n}\n`,
    ],
    [
      'one line',
      '{"mcpServers": {"git": {"command": "uvx"}}}',
      `{"mcpServers": {"git": {"command": "uvx"}, "cairn": { "command": "node", "args": ["/x/cairn.js", "serve", "/n"] }}}`,
    ],
    [
      'lines that end as on Windows',
      '{\r\n    "a": 1\r\n}\r\n',
      `{\r\n    "a": 1,\r\n    "mcpServers": {\r\n        "cairn": {\r\n            "command": "node",\r\n            "args": ["/x/cairn.js", "serve", "/n"]\r\n        }\r\n    }\r\n}\r\n`,
    ],
    [
      'a container with nothing but a remark',
      '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
      `{\n  "mcpServers": {\n    // none yet\n    "cairn": {\n      "command": "node",\n      "args": ["/x/cairn.js", "serve", "/n"]\n    }\n  }\n}\n`,
    ],
  ]
  it.each(table)('adds to %s', (_, before, after) => {
    expect(setInJsonc(before, PATH, ENTRY)).toBe(after)
    expect(readJsonc(removeFromJsonc(after, PATH))).toEqual(
      removedFrom(readJsonc(before), 'mcpServers'),
    )
  })

  it('changes an entry in its place and removes it from between others', () => {
    const text = `{ // top\n  "mcpServers": {\n    "a": {}, // first\n    "cairn": { "command": "old" }, // ours\n    // about b\n    "b": {}\n  }\n}\n`
    expect(setInJsonc(text, PATH, { command: 'new' })).toBe(
      text.replace('{ "command": "old" }', '{\n      "command": "new"\n    }'),
    )
    expect(removeFromJsonc(text, PATH)).toBe(
      `{ // top\n  "mcpServers": {\n    "a": {}, // first\n    // about b\n    "b": {}\n  }\n}\n`,
    )
  })

  it('keeps a byte order mark', () => {
    expect(setInJsonc('\uFEFF{}', ['a'], { b: 1 })).toMatch(/^\uFEFF\{/)
  })

  it.each([
    ['{ "a": 1', 'end of the file'],
    ['{ "a" 1 }', 'line 1, column 7'],
    ['{\n  a: 1\n}', 'line 2, column 3'],
    ['{ "a": [1, }', 'column 12'],
    ['{ "a": 01 }', 'column 8'],
    ['{} {}', 'column 4'],
    ['/* open', 'column 1'],
    ['[]', 'no object'],
    ['{ "mcpServers": 3 }', 'no object'],
    [`${'['.repeat(5_000)}`, 'column 202'],
  ])('leaves %j alone', (text, said) => {
    expect(() => setInJsonc(text, PATH, ENTRY)).toThrow(said)
  })

  it('adds and takes away without a trace, whatever else there is', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(0, 2, 4),
        (value, unit) => {
          const servers = { ...value, mcpServers: { other: { command: 'x' } } }
          const text = JSON.stringify(servers, undefined, unit)
          const added = setInJsonc(text, PATH, ENTRY)
          const expected = { ...servers, mcpServers: { ...servers.mcpServers, cairn: ENTRY } }
          expect(JSON.parse(added)).toEqual(JSON.parse(JSON.stringify(expected)))
          expect(removeFromJsonc(added, PATH)).toBe(text)
        },
      ),
    )
  })
})

describe('TOML', () => {
  const path = ['mcp_servers', 'cairn']
  const lines = '[mcp_servers.cairn]\ncommand = "node"\nargs = [ "/x/cairn.js", "serve", "/n" ]\n'

  it.each([
    ['an empty file', '', lines],
    [
      'other tables and remarks',
      '# mine\nmodel = "o" # best\n\n[mcp_servers.git]\ncommand = "uvx"\n',
      `# mine\nmodel = "o" # best\n\n[mcp_servers.git]\ncommand = "uvx"\n\n${lines}`,
    ],
    ['a file without a last line end', 'model = "o"', `model = "o"\n\n${lines}`],
  ])('adds to %s', (_, before, after) => {
    const added = setInToml(before, path, ENTRY)
    expect(added).toBe(after)
    expect(removeFromToml(added, path).trimEnd()).toBe(before.trimEnd())
  })

  it('changes a table in its place, with its sub-tables', () => {
    const text = `[mcp_servers.cairn] # ours\ncommand = "old"\nargs = [\n  "a", # one\n  "]"\n]\n\n[mcp_servers.cairn.env]\nA = "1"\n\n# about git\n[mcp_servers.git]\ncommand = "uvx"\n`
    const changed = setInToml(text, path, { command: 'new', env: { A: '1' } })
    expect(changed).toBe(
      `[mcp_servers.cairn] # ours\ncommand = "new"\nenv = { A = "1" }\n\n\n# about git\n[mcp_servers.git]\ncommand = "uvx"\n`,
    )
    expect(readToml(removeFromToml(text, path))).toEqual({
      mcp_servers: { git: { command: 'uvx' } },
    })
  })

  it('knows the other ways to write a table', () => {
    const dotted = 'mcp_servers.cairn.command = "old"\nmodel = "o"\n'
    expect(removeFromToml(dotted, path)).toBe('model = "o"\n')
    const inLine = '[mcp_servers]\n"cairn" = { command = "old" } # ours\nb = { command = "x" }\n'
    expect(setInToml(inLine, path, { command: 'new' })).toBe(
      '[mcp_servers]\n"cairn" = { command = "new" } # ours\nb = { command = "x" }\n',
    )
    expect(removeFromToml(inLine, path)).toBe('[mcp_servers]\nb = { command = "x" }\n')
  })

  it('is not misled by headers inside texts', () => {
    const text =
      'note = """\n[mcp_servers.cairn]\ncommand = "no"\n"""\nlist = [ "[mcp_servers.cairn]",\n"#" ]\n'
    expect(removeFromToml(text, path)).toBe(text)
    expect(readToml(setInToml(text, path, ENTRY))).toMatchObject({ mcp_servers: { cairn: ENTRY } })
  })

  it('quotes what needs it', () => {
    const entry: Entry = { command: 'C:\\Program Files\\node.exe', args: ['a "b"', 'ü\n'] }
    expect(readToml(setInToml('', ['mcp_servers', 'my notes'], entry))).toEqual({
      mcp_servers: { 'my notes': entry },
    })
  })

  it('leaves a malformed file alone', () => {
    expect(() => readToml('a = [1,\nb = 2')).toThrow(/./)
  })
})

describe('YAML', () => {
  const path = ['extensions', 'cairn']
  const entry: Entry = { enabled: true, cmd: 'node', args: ['serve'], envs: {} }
  const lines =
    '  cairn:\n    enabled: true\n    cmd: node\n    args:\n      - serve\n    envs: {}\n'

  it.each([
    ['an empty file', '', `extensions:\n${lines}`],
    ['a file with other settings', 'MODEL: x # best\n', `MODEL: x # best\nextensions:\n${lines}`],
    [
      'other extensions, with settings below',
      'extensions:\n  developer: # built in\n    type: builtin\n    args: []\n# below\nMODE: auto\n',
      `extensions:\n  developer: # built in\n    type: builtin\n    args: []\n${lines}# below\nMODE: auto\n`,
    ],
    ['an empty mapping', 'extensions: {}\nMODE: auto\n', `extensions:\n${lines}MODE: auto\n`],
    ['a key without a value', 'A: 1\nextensions:\n', `A: 1\nextensions:\n${lines}`],
    [
      'no last line end',
      'extensions:\n  a:\n    type: b',
      `extensions:\n  a:\n    type: b\n${lines}`,
    ],
  ])('adds to %s', (_, before, after) => {
    const added = setInYaml(before, path, entry)
    expect(added).toBe(after)
    expect(readYaml(removeFromYaml(added, path))).toEqual(
      removedFrom(readYaml(before), 'extensions'),
    )
  })

  it('changes and removes one of several, and nothing around it', () => {
    const text = `extensions:\n  a:\n    type: x\n\n  # ours\n  cairn:\n    cmd: old\n  # theirs\n  b:\n    type: y\nMODE: auto\n`
    expect(setInYaml(text, path, { cmd: 'new' })).toBe(text.replace('old', 'new'))
    expect(removeFromYaml(text, path)).toBe(text.replace('  cairn:\n    cmd: old\n', ''))
  })

  it('refuses what it cannot edit safely', () => {
    expect(() => setInYaml('extensions: { a: { type: b } }\n', path, entry)).toThrow(
      'does not edit',
    )
    expect(() => setInYaml('- a\n', path, entry)).toThrow('does not edit')
    expect(() => readYaml('a: [1\nb: 2')).toThrow(/line/)
  })
})

/** Without the container where it held nothing. */
function removedFrom(value: unknown, container: string): unknown {
  const { [container]: held, ...rest } = value as Record<string, unknown>
  const isEmpty = held === undefined || held === null || Object.keys(held as object).length === 0
  return isEmpty ? rest : value
}
