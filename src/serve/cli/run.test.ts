import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'
import type { App, CliBase, RunningServer } from './base.ts'
import { allCommands } from './commands.ts'
import { app as realApp } from './plug-in.ts'
import { NO_INPUT } from './input.ts'
import { run } from './run.ts'
import { openTerminal } from './terminal.ts'

const { tools } = realApp
const COMMANDS = (await allCommands({ tools })).filter(({ hidden }) => !hidden)

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-cli-'))
  mkdirSync(join(folder, 'notes'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Answer = Record<string, unknown>
type Answers = Partial<Record<string, Answer | ((args: Answer) => Answer)>>

const REPORT = {
  indexed: 3,
  unchanged: 24,
  removed: 0,
  skipped: 1,
  failed: 0,
  documents: 27,
  durationMs: 120,
  warnings: [{ message: 'broken link', ref: 'notes/a.md', line: 4 }],
}

/** Runs a command line against a base that answers from a table and remembers what it was asked. */
async function cairn(
  line: string[],
  {
    answers = {},
    tty = false,
    env = {},
  }: { answers?: Answers; tty?: boolean; env?: Record<string, string> } = {},
) {
  const seen = {
    out: '',
    err: '',
    calls: [] as unknown[],
    closed: 0,
    config: undefined as Config | undefined,
  }
  let stop: (() => void) | undefined
  const base: CliBase = {
    async call(tool, args) {
      seen.calls.push([tool, args])
      const given = answers[tool] ?? {}
      const structured = typeof given === 'function' ? given(args) : given
      return { structured, isError: 'error' in structured }
    },
    async index({ onProgress, force }) {
      seen.calls.push(['index', { force }])
      onProgress({ done: 1, total: 2, phase: 'words' })
      return REPORT
    },
    async status() {
      return { documents: 27, sources: [{ name: 'notes', documents: 27 }] }
    },
    async *texts() {
      yield { id: 'notes/a.md', text: 'one\ntwo', secrets: [] }
    },
    async ids() {
      return ['notes/a.md']
    },
    async graph() {
      return { nodes: [{ id: 'a.md', title: 'A', tags: [] }], edges: [], embedded: 0 }
    },
    async doctor({ repair }) {
      seen.calls.push(['doctor', { repair }])
      return {
        ok: false,
        findings: [{ level: 'error', what: 'The index is torn.', fix: 'cairn index --force' }],
      }
    },
    async backup(request) {
      seen.calls.push(['backup', request])
      return {
        path: '/backups/a.tgz',
        relative: undefined,
        bytes: 1_000,
        files: 2,
        documents: 1,
        removed: [],
        durationMs: 1,
      }
    },
    backups: async () => [],
    async exporter(to, options) {
      const report = { written: [], removed: [], unchanged: 0, conflicts: [] }
      seen.calls.push(['export', { to, ...options }])
      return { all: async () => report, news: async () => undefined }
    },
    async importFiles(from, options) {
      seen.calls.push(['import', { from, ...options }])
      return { source: 'notes', created: [], replaced: [], unchanged: 0, conflicts: [] }
    },
    async add({ bytes, ...file }) {
      seen.calls.push(['add', { ...file, text: Buffer.from(bytes).toString() }])
      return { id: `notes/inbox/${file.name}`, operation: 'o1', warnings: [] }
    },
    async feedbackReport() {
      return { votes: 0, positive: 0, negative: 0, active: false, needed: 20, questions: [] }
    },
    async pruneHistory(options) {
      seen.calls.push(['pruneHistory', options])
      return { operations: 3, bytes: 4_000, kept: 2 }
    },
    async close() {
      seen.closed++
    },
  }
  const app: App = {
    tools,
    survey: async () => [],
    askServer: async () => undefined,
    recall: async (_, { prompt }) => (prompt === '' ? '' : `recalled ${prompt}`),
    async openBase(config) {
      seen.config = config
      return base
    },
    async startServer(config, { transport }): Promise<RunningServer> {
      seen.config = config
      seen.calls.push(['serve', { transport }])
      const { promise, resolve } = Promise.withResolvers<void>()
      const close = async () => {
        seen.closed++
        resolve()
      }
      setTimeout(() => stop?.(), 5)
      const url = `http://${config.http.host}:${config.http.port}/mcp`
      const replaceWith = (next: Config) => app.startServer(next, { transport })
      const idle = async (): Promise<void> => {}
      return { ...(transport === 'http' && { url }), done: promise, idle, close, replaceWith }
    },
  }
  const terminal = openTerminal(
    { write: (text) => (seen.out += text), isTTY: tty, columns: 60 },
    { write: (text) => (seen.err += text), isTTY: tty },
    env,
  )
  const code = await run(line, {
    app,
    terminal,
    env,
    cwd: folder,
    home: folder,
    input: NO_INPUT,
    onStop: (listener) => (stop = listener),
  })
  return { code, ...seen }
}

const RESULT = {
  id: 'notes/tea.md',
  title: 'Tea',
  url: 'kb://notes/tea.md',
  kind: 'document',
  source: 'notes',
  snippet: 'Boil the\n kettle \u001b[31mfirst\u001b[0m.',
  heading: 'Drinks › Tea',
  lines: '12-14',
  score: 1,
}

describe('help', () => {
  it('opens with a sentence and a runnable example, for every command', async () => {
    for (const { name, summary, example } of COMMANDS) {
      const { code, out, err } = await cairn([...name.split(' '), '--help'])
      expect([code, err]).toEqual([0, ''])
      expect(out.startsWith(`${summary}\n\n  ${example}\n`)).toBe(true)
      expect(out).toContain('--json')
      expect(`${example} `.startsWith(`cairn ${name} `)).toBe(true)
    }
  })

  it('lists every command', async () => {
    for (const line of [['--help'], ['-h'], ['help']]) {
      const { code, out } = await cairn(line)
      expect(code).toBe(0)
      const width = Math.max(...COMMANDS.map(({ name }) => name.length))
      for (const { name, summary } of COMMANDS)
        expect(out).toContain(`${name.padEnd(width)}  ${summary}`)
    }
    expect((await cairn(['help', 'search'])).out).toContain('Usage: cairn search QUERY...')
    expect((await cairn(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('explains a bare call on stderr', async () => {
    expect(await cairn([])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Find and read:'),
    })
    expect(await cairn(['config'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('config show'),
    })
  })

  it('gives no option of a command the name of a setting that is something else', () => {
    const settings = new Map(SETTINGS.map((row) => [row.flag as string, row.summary as string]))
    // acdc has flags of its own that cannot be named otherwise, and cortex is started like it.
    // status draws its picture again, which is another way to watch.
    const own = new Set(['acdc', 'cortex serve', 'status'])
    for (const { options } of COMMANDS.filter(({ name }) => !own.has(name))) {
      for (const [name, row] of Object.entries(options)) {
        if (settings.has(name)) expect(row.summary).toBe(settings.get(name))
      }
    }
  })
})

describe('usage mistakes', () => {
  it.each([
    [['serach', 'x'], 'Did you mean search?'],
    [['search', 'x', '--lmit', '3'], 'Did you mean --limit?'],
    [['search', 'x', '--no-refesh'], 'Did you mean --no-refresh?'],
    [['search', 'x', '-z'], 'has no option "-z".\nPut "--" before'],
    [['search'], 'needs QUERY'],
    [['search', ''], 'needs QUERY'],
    [['path', 'a'], 'needs TO'],
    [['path', 'a', 'b', 'c'], 'does not take "c"'],
    [['search', 'x', '--limit', '-1'], 'at least 1, not "-1"'],
    [['search', 'x', '--limit', 'ten'], 'whole number'],
    [['search', 'x', '--limit'], '--limit needs a value'],
    [['search', 'x', '--state', '--json'], '--state needs a value'],
    [['search', 'x', '--json=yes'], '--json takes no value'],
    [['search', 'x', '--detail', 'consise'], 'Did you mean concise?'],
    [['search', 'x', '--__proto__', 'y'], 'has no option'],
    [['list', 'x'], 'does not take "x"'],
    [['search', 'x'], 'No folder was given'],
    [['search', 'x', '-f', 'nowhere'], 'There is no folder'],
    [['--verison'], 'Did you mean --version?'],
    [['serve', 'notes', '--json'], 'only with --http'],
    [['serve', 'notes', '--port', '80'], 'only together with --http'],
  ])('%j', async (line, message) => {
    const { code, out, err } = await cairn(line)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })

  it('are JSON too when JSON was asked for', async () => {
    const { err } = await cairn(['search', '--json'])
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'invalid' } })
  })
})

it.each([
  ['ls', 'cairn list'],
  ['get', 'cairn fetch ID'],
  ['edit', 'cairn open ID'],
  ['version', 'cairn --version'],
  ['rm', 'cairn delete ID'],
  ['serach', 'search'],
])('says what %j is called here', async (word, meant) => {
  const { code, err } = await cairn([word, 'x'])
  expect(code).toBe(2)
  expect(err).toContain(meant)
})

describe('reading commands', () => {
  it('search shows rank, title, place, heading and snippet', async () => {
    const answers = {
      search: {
        results: [RESULT, { ...RESULT, heading: undefined, lines: undefined }],
        next_cursor: 'abc',
      },
    }
    const { code, out, err, calls, closed } = await cairn(
      ['search', 'kettle', 'first', '-f', 'notes', '-n', '2', '--tag', 'a', '--tag=b'],
      { answers },
    )
    expect(out).toBe(
      [
        ' 1. Tea',
        '    notes/tea.md:12 · Drinks › Tea',
        '    Boil the',
        '    kettle first.',
        '',
        ' 2. Tea',
        '    notes/tea.md',
        '    Boil the',
        '    kettle first.',
        '',
      ].join('\n'),
    )
    expect(err).toContain('--page 2')
    expect(calls).toEqual([
      ['index', {}],
      ['search', { query: 'kettle first', limit: 2, tags: ['a', 'b'] }],
    ])
    expect([code, closed]).toEqual([0, 1])
  })

  it('search colours on a terminal only, and honours NO_COLOR', async () => {
    const answers = { search: { results: [RESULT] } }
    const line = ['search', 'kettle', '-f', 'notes', '--no-refresh']
    expect((await cairn(line, { answers, tty: true })).out).toContain(
      '\u001b[1mkettle\u001b[22m first',
    )
    expect((await cairn(line, { answers, tty: true, env: { NO_COLOR: '1' } })).out).not.toContain(
      '\u001b',
    )
  })

  it('search without a look at the files says when there is no index to search', async () => {
    const line = ['search', 'x', '-f', 'notes', '--no-refresh']
    const ask = (total: number) =>
      cairn(line, { answers: { search: { results: [], relevant: false }, list: { total } } })
    expect((await ask(0)).err).toContain('Leave --no-refresh out once.')
    expect((await ask(3)).err).toBe('Nothing found.\n')
  })

  it('search says honestly that nothing fits', async () => {
    const none = await cairn(['search', 'x', '-f', 'notes'], {
      answers: { search: { results: [], relevant: false } },
    })
    expect(none).toMatchObject({ code: 1, out: '', err: 'Nothing found.\n' })
    const weak = await cairn(['search', 'x', '-f', 'notes'], {
      answers: { search: { results: [RESULT], relevant: false } },
    })
    expect(weak.err).toContain('Nothing clearly relevant')
  })

  it('--json prints the answer as it is, without raw controls', async () => {
    const answer = { results: [{ ...RESULT, snippet: 'a\u009b31mb\u202e' }] }
    const { out } = await cairn(['search', 'x', '-f', 'notes', '--json'], {
      answers: { search: answer },
    })
    expect(out).not.toMatch(/[\u009b\u202e]/)
    expect(JSON.parse(out)).toEqual(answer)
  })

  it('fetch prints the text as it is into a pipe, and cleaned on a terminal', async () => {
    const answers = {
      fetch: {
        id: 'notes/a.md',
        title: 'A',
        text: 'one\r\n\u001b]0;title\u0007two\u0000',
        url: '',
        metadata: {},
        digest: '',
      },
    }
    const line = ['fetch', 'a', '-f', 'notes', '--section', 'Top']
    const piped = await cairn(line, { answers })
    expect(piped.out).toBe('one\r\n\u001b]0;title\u0007two\u0000\n')
    expect(piped.calls[1]).toEqual(['fetch', { id: 'a', section: 'Top' }])
    expect((await cairn(line, { answers, tty: true })).out).toBe('one\ntwo\n')
  })

  it('fetch prints several documents with their names, and what is missing', async () => {
    const answers = {
      fetch: {
        items: [
          { id: 'notes/a.md', text: 'A' },
          { id: 'notes/b.md', text: 'B\n' },
        ],
        missing: [{ id: 'c', reason: 'There is no document "c".' }],
      },
    }
    const { out, err, calls } = await cairn(['fetch', 'a', 'b', 'c', '-f', 'notes'], { answers })
    expect(out).toBe('==> notes/a.md <==\nA\n==> notes/b.md <==\nB\n')
    expect(err).toBe('Not printed: c: There is no document "c".\n')
    expect(calls[1]).toEqual(['fetch', { ids: ['a', 'b', 'c'] }])
  })

  it('fetch reads a long document to its end, unless it was told where to stop', async () => {
    const pieces: Record<string, Record<string, unknown>> = {
      start: {
        id: 'notes/a.md',
        text: 'one\n',
        next: 'Cut. Read on with fetch(id="notes/a.md", lines="2-3").',
      },
      '2-3': {
        id: 'notes/a.md',
        text: 'two\n',
        next: 'Cut. Read on with fetch(id="notes/a.md", lines="3-3").',
      },
      '3-3': { id: 'notes/a.md', text: 'three\n' },
    }
    const answer = (args: Record<string, unknown>) => pieces[String(args['lines'] ?? 'start')]!
    const all = await cairn(['fetch', 'a', '-f', 'notes'], { answers: { fetch: answer } })
    expect([all.out, all.err]).toEqual(['one\ntwo\nthree\n', ''])
    const cut = await cairn(['fetch', 'a', '-f', 'notes', '--max-tokens', '50'], {
      answers: { fetch: answer },
    })
    expect([cut.out, cut.err]).toEqual(['one\n', 'notes/a.md is longer; the text was cut here.\n'])
  })

  it('list aligns its columns', async () => {
    const items = [
      { id: 'notes/a.md', title: 'A', updated: '2026-01-02T03:04:05Z' },
      { id: 'notes/longer.md', title: 'B', updated: '2026-01-01T00:00:00Z' },
    ]
    const { out, err } = await cairn(['list', '-f', 'notes'], {
      answers: { list: { items, total: 9 } },
    })
    expect(out).toBe('2026-01-02  notes/a.md       A\n2026-01-01  notes/longer.md  B\n')
    expect(err).toBe('2 of 9 documents\n')
  })

  it('list shows a table of properties', async () => {
    const items = [
      { id: 'notes/a.md', title: 'A', properties: { status: 'draft', tags: ['x', 'y'] } },
      { id: 'notes/longer.md', title: 'B', properties: { tags: { deep: 1 } } },
    ]
    const words = ['list', '-f', 'notes', '--column', 'status', '--column', 'tags']
    const { out, calls } = await cairn(words, { answers: { list: { items, total: 2 } } })
    expect(out).toBe(
      'path             status  tags\nnotes/a.md       draft   x, y\nnotes/longer.md          {"deep":1}\n',
    )
    expect(calls).toContainEqual(['list', { columns: ['status', 'tags'] }])
  })

  it('outline shows headings with their lines', async () => {
    const headings = [
      { level: 1, text: 'A', line: 1 },
      { level: 2, text: 'B', line: 12 },
    ]
    const items = [{ id: 'notes/a.md', title: 'A', lines: 20, headings }]
    const { out, calls } = await cairn(['outline', 'a.md', '-f', 'notes'], {
      answers: { list: { items, total: 1 } },
    })
    expect(out).toBe('A  notes/a.md\n     1  A\n    12    B\n')
    expect(calls).toContainEqual(['list', { of: 'outline', path: 'a.md' }])
  })

  it('search answers several questions one after the other', async () => {
    const result = (id: string) => ({ id, title: id, snippet: 'text', score: 1 })
    const answers = [
      { query: 'tea', results: [result('notes/a.md')], relevant: true },
      { query: 'ink', results: [], relevant: false },
    ]
    const { out, err, calls } = await cairn(['search', 'tea', '--also', 'ink', '-f', 'notes'], {
      answers: { search: { results: [result('notes/a.md')], relevant: true, answers } },
    })
    expect(out).toMatch(/^# tea\n 1\. notes\/a\.md[^]*\n# ink\n$/)
    expect(err).toContain('Nothing found.')
    expect(calls).toContainEqual(['search', { query: 'tea', also: ['ink'] }])
  })

  it('neighbors shows which way the links point', async () => {
    const answer = {
      neighbors: [
        { id: 'notes/b.md', title: 'B', direction: 'out', hops: 1 },
        { id: 'notes/c.md', title: 'C', direction: 'in', hops: 2 },
      ],
    }
    const { out } = await cairn(['neighbors', 'a', '-f', 'notes', '--depth', '2'], {
      answers: { neighbors: answer },
    })
    expect(out).toBe('->  notes/b.md B\n<-- notes/c.md C\n')
  })

  it('path shows the steps', async () => {
    const answer = {
      found: true,
      length: 1,
      path: [
        { id: 'notes/a.md', title: 'A' },
        { id: 'notes/b.md', title: 'B', via: 'links to' },
      ],
    }
    const { out } = await cairn(['path', 'a', 'b', '-f', 'notes', '--directed'], {
      answers: { path: answer },
    })
    expect(out).toBe('A  notes/a.md\n-> B  notes/b.md  (links to)\n')
    const none = await cairn(['path', 'a', 'b', '-f', 'notes'], {
      answers: { path: { found: false, path: [], length: 0 } },
    })
    expect(none).toMatchObject({ code: 1, out: '', err: 'No path.\n' })
  })

  it('insights shows any report', async () => {
    const answer = {
      report: 'broken_links',
      total: 1,
      items: [{ from: 'notes/a.md', target: 'x', line: 3 }],
    }
    const { out, calls } = await cairn(['insights', 'broken-links', '-f', 'notes'], {
      answers: { insights: answer },
    })
    expect(out).toBe(
      'report:  broken_links\ntotal:   1\nitems:\n  from        target  line\n  notes/a.md  x       3\n',
    )
    expect(calls[1]).toEqual(['insights', { report: 'broken_links' }])
  })

  it('turns a tool error into a message and exit code', async () => {
    const error = {
      code: 'not_found',
      message: 'There is no document "x".',
      hint: 'Did you mean notes/y.md?',
    }
    const { code, out, err, closed } = await cairn(['fetch', 'x', '-f', 'notes'], {
      answers: { fetch: { error } },
    })
    expect([code, out, err, closed]).toEqual([1, '', `error: ${error.message}\n${error.hint}\n`, 1])
    const invalid = await cairn(['fetch', 'x', '-f', 'notes'], {
      answers: { fetch: { error: { ...error, code: 'invalid' } } },
    })
    expect(invalid.code).toBe(2)
  })
})

describe('index', () => {
  it('reports in a line, with warnings on stderr', async () => {
    const { code, out, err, calls } = await cairn(['index', 'notes', '--force'])
    expect(code).toBe(0)
    expect(out).toBe('27 documents (3 indexed, 24 unchanged, 1 skipped) in 0.1 s\n')
    expect(err).toBe('Indexing…\nwarning: notes/a.md:4: broken link\n')
    expect(calls).toEqual([['index', { force: true }]])
  })

  it('draws a bar on a terminal and takes it away', async () => {
    const { err } = await cairn(['index', 'notes'], { tty: true, env: { NO_COLOR: '1' } })
    expect(err).toContain('words 1 of 2  [############------------]')
    expect(err).toContain('\r\u001b[Kwarning:')
  })

  it('prints the whole report as JSON', async () => {
    expect(JSON.parse((await cairn(['index', 'notes', '--json'])).out)).toEqual(REPORT)
  })
})

it('status shows facts, doctor findings and their fix', async () => {
  expect((await cairn(['status', 'notes'])).out).toBe(
    'documents:  27\nsources:\n  name   documents\n  notes  27\n',
  )
  const { code, out, calls } = await cairn(['doctor', 'notes', '--repair'])
  expect(code).toBe(1)
  expect(out).toBe('error   The index is torn.\n        fix: cairn index --force --folder notes\n')
  expect(calls).toEqual([['doctor', { repair: true }]])
})

it('backup takes a base as the other commands do', async () => {
  const { code, out, calls, config } = await cairn(['backup', 'notes', '--keep', '2'])
  expect([code, out, calls]).toEqual([0, '/backups/a.tgz\n', [['backup', { keep: 2 }]]])
  expect(config).toMatchObject({ sources: [{ name: 'notes' }] })
  expect((await cairn(['backup', 'list', '--folder', 'notes'])).calls).toEqual([])
})

describe('serve', () => {
  it('keeps stdout clean on stdio', async () => {
    const { code, out, calls, closed, config } = await cairn(['serve', 'notes', '--no-watch'])
    expect([code, out, closed]).toEqual([0, '', 1])
    expect(calls).toEqual([['serve', { transport: 'stdio' }]])
    expect(config).toMatchObject({ watch: false, sources: [{ name: 'notes' }] })
  })

  it.each([
    [['--http'], 7331],
    [['--http', '8080'], 8080],
    [['--http=8081'], 8081],
    [['--http', '--port', '8082'], 8082],
  ])('%j listens on %i and says how to connect', async (flags, port) => {
    const { code, out, err, config } = await cairn(['serve', ...flags, 'notes'])
    expect([code, out, config?.http.port]).toEqual([0, '', port])
    expect(err).toContain(`claude mcp add --transport http cairn http://127.0.0.1:${port}/mcp`)
    expect(err).toContain('"mcpServers"')
  })

  it('--json tells a script where the server is', async () => {
    const { out } = await cairn(['serve', 'notes', '--http', '--json'])
    expect(JSON.parse(out)).toMatchObject({ url: 'http://127.0.0.1:7331/mcp' })
  })
})

it('config show tells where every value came from', async () => {
  const env = { CAIRN_HTTP_PORT: '9000' }
  const { code, out } = await cairn(['config', 'show', 'notes', '--read-only'], { env })
  expect(code).toBe(0)
  expect(out).toMatch(/^sources +notes=.*notes +command line$/m)
  expect(out).toMatch(/^http\.port +9000 +environment CAIRN_HTTP_PORT$/m)
  expect(out).toMatch(/^readOnly +true +flag --read-only$/m)
  const json = JSON.parse((await cairn(['config', 'show', '--json'], { env })).out)
  expect(json.settings['http.port']).toEqual({
    value: 9000,
    origin: 'environment',
    from: 'environment CAIRN_HTTP_PORT',
  })
})

it('takes words behind -- as they are', async () => {
  const { calls } = await cairn(['search', '-f', 'notes', '--', 'tea', '-milk', '--json'])
  expect(calls[1]).toEqual(['search', { query: 'tea -milk --json' }])
})

it('passes on what the system said, and calls a bug a bug', async () => {
  const err: string[] = []
  const terminal = openTerminal({ write: () => true }, { write: (text) => err.push(text) }, {})
  const surroundings = {
    terminal,
    env: {},
    cwd: folder,
    home: folder,
    input: NO_INPUT,
    onStop() {},
  }
  const code = await run(['status', '.'], {
    ...surroundings,
    app: { ...unusable(broken), tools },
  })
  expect([code, err.join('')]).toEqual([1, 'error: Something went wrong inside Cairn: boom\n'])
  err.length = 0
  await run(['status', '.'], {
    ...surroundings,
    app: { ...unusable(refused), tools },
  })
  expect(err.join('')).toBe("error: EACCES: permission denied, mkdir 'x'\n")
})

function unusable(fail: () => Promise<never>): Omit<App, 'tools'> {
  return { openBase: fail, survey: fail, startServer: fail, askServer: fail, recall: fail }
}

async function broken(): Promise<never> {
  throw new TypeError('boom')
}

async function refused(): Promise<never> {
  const message = "EACCES: permission denied, mkdir 'x'"
  throw Object.assign(new Error(message), { code: 'EACCES', syscall: 'mkdir' })
}
