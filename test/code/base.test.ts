/** Source files as documents of a base, through the native tools. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestBase } from '../support/open-test-base.ts'

const REPOSITORY = {
  'package.json': '{ "name": "shop" }\n',
  'README.md':
    '# Shop\n\nHeaders are read by `parseHttpHeader`, orders kept by `src/orders.ts`.\nNothing is said of `missingThing`.\n',
  'src/headers.ts':
    '/** Reads headers. */\nexport function parseHttpHeader(line: string): string[] {\n  return line.split(":")\n}\n',
  'src/orders.ts':
    "import { parseHttpHeader } from './headers.ts'\n\n/** Keeps orders. */\nexport class OrderBook {\n  add(order: string) {\n    return parseHttpHeader(order)\n  }\n}\n",
  'src/orders.test.ts':
    "import { OrderBook } from './orders.ts'\n\nit('adds', () => new OrderBook().add('a:b'))\n",
  'py/__init__.py': '',
  'py/http_header.py': 'def parse_http_header(line):\n    return line.split(":")\n',
  'py/use.py':
    'from .http_header import parse_http_header\nfrom . import http_header\nimport json\n',
}

const ids = (answer: Record<string, any>): string[] =>
  answer['results'].map((result: { id: string }) => result.id)

describe('search', () => {
  it.each([
    ['parseHttpHeader', 'notes/src/headers.ts'],
    ['parse_http_header', 'notes/py/http_header.py'],
    ['OrderBook', 'notes/src/orders.ts'],
    ['OrderBook.add', 'notes/src/orders.ts'],
    ['order book', 'notes/src/orders.ts'],
    ['symbol:OrderBook', 'notes/src/orders.ts'],
    ['symbol:book', 'notes/src/orders.ts'],
  ])('finds the definition of %s first', async (query, expected) => {
    const { call } = await openTestBase(REPOSITORY)
    expect(ids(await call('search', { query }))[0]).toBe(expected)
  })

  it('finds a class before its constructor, and names with a question mark', async () => {
    const { call } = await openTestBase({
      'arena.h': 'namespace db {\nclass Arena {\n public:\n  Arena();\n};\n}\n',
      'arena.cc':
        '#include "arena.h"\nnamespace db {\nArena::Arena() { /* Arena, an arena */ }\nArena* make() { return new Arena(); }\n}\n',
      'post.rb': 'class Post\n  def draft?\n    true\n  end\nend\n',
      'drafts.md': '# Drafts\n\nIs it a draft? A draft is a draft. What a draft? Draft!\n',
    })
    expect(ids(await call('search', { query: 'Arena' }))[0]).toBe('notes/arena.h')
    expect(ids(await call('search', { query: 'draft?' }))[0]).toBe('notes/post.rb')
  })

  it('keeps symbol: to what source files define', async () => {
    const { call } = await openTestBase({
      'a.md': '# Header\n\ntext',
      'b.py': 'def header(): pass\n',
      'c.py': 'print(header)\n',
    })
    expect(ids(await call('search', { query: 'symbol:header' }))).toEqual(['notes/b.py'])
  })

  it('shows the symbol a passage belongs to, and its lines', async () => {
    const { call } = await openTestBase(REPOSITORY)
    const [first] = (await call('search', { query: 'OrderBook' }))['results']
    expect(first).toMatchObject({ title: 'orders.ts', heading: 'OrderBook', lines: '1-8' })
  })

  it('takes what a function is called for more than what others say of it', async () => {
    const { call } = await openTestBase({
      'use.py': `# ${'Headers are kept. Somebody has to merge. '.repeat(3)}\nprint(1)\n`,
      'join.py': `def merge_headers(one, other):\n${'    one.update(other)\n'.repeat(40)}    return one\n`,
    })
    expect(ids(await call('search', { query: 'merge of all headers' }))[0]).toBe('notes/join.py')
  })

  it('knows in which language a file is written, though nobody says so in it', async () => {
    const { call } = await openTestBase({
      'a.py': 'def read_table(path):\n    return open(path).read()\n',
      'b.go': 'package b\n\nfunc ReadTable(path string) string {\n\treturn open(path)\n}\n',
      'c.py': 'PYTHON = "python"\n# python, python\n',
    })
    expect(ids(await call('search', { query: 'python read a table' }))[0]).toBe('notes/a.py')
    expect(ids(await call('search', { query: 'golang read a table' }))[0]).toBe('notes/b.go')
  })

  it('leaves the first place to a note of that name', async () => {
    const { call } = await openTestBase({
      'tea.md': '# Tea\n\nHow to brew tea.',
      'scripts/tea.py': 'def tea():\n    """Brew tea, more tea, tea."""\n    return tea\n',
    })
    expect(ids(await call('search', { query: 'tea' }))[0]).toBe('notes/tea.md')
  })
})

describe('links', () => {
  it('lead from imports to files, from tests to what they exercise, from notes to what they name', async () => {
    const { call } = await openTestBase(REPOSITORY)
    const edges = async (id: string, types?: string[]) =>
      (await call('neighbors', { id, direction: 'out', types }))['neighbors']
        .map((each: { id: string; types: string[] }) => `${each.types} ${each.id}`)
        .toSorted()
    expect(await edges('src/orders.ts')).toEqual(['IMPORTS notes/src/headers.ts'])
    expect(await edges('src/orders.test.ts')).toEqual(['EXERCISES notes/src/orders.ts'])
    expect(await edges('py/use.py')).toEqual(['IMPORTS notes/py/http_header.py'])
    expect(await edges('README.md')).toEqual([
      'MENTIONS notes/src/headers.ts',
      'MENTIONS notes/src/orders.ts',
    ])
    expect(await edges('README.md', ['LINKS_TO'])).toEqual([])
    const { path } = await call('path', { from: 'src/orders.test.ts', to: 'README.md' })
    expect(path.map((each: { id: string }) => each.id)).toEqual([
      'notes/src/orders.test.ts',
      'notes/src/orders.ts',
      'notes/README.md',
    ])
    const { items } = await call('insights', { report: 'broken_links' })
    expect(items).toEqual([])
  })

  it('lead from a test to what it tests, though it need not bring that in', async () => {
    const { call } = await openTestBase({
      'go.mod': 'module shop\n',
      'till/till.go': 'package till\n\nfunc Count() int { return 1 }\n',
      'till/till_test.go': 'package till\n\nfunc TestCount(t *testing.T) { Count() }\n',
      'src/main/java/shop/Cart.java': 'package shop;\n\nclass Cart {}\n',
      'src/test/java/shop/CartTest.java': 'package shop;\n\nclass CartTest {}\n',
      'app/models/user.rb': 'class User\nend\n',
      'spec/models/user_spec.rb': "require 'spec_helper'\n",
    })
    const tested = async (id: string) =>
      (await call('neighbors', { id, direction: 'out' }))['neighbors'].map(
        (each: { id: string; types: string[] }) => `${each.types} ${each.id}`,
      )
    expect(await tested('till/till_test.go')).toEqual(['EXERCISES notes/till/till.go'])
    expect(await tested('src/test/java/shop/CartTest.java')).toEqual([
      'EXERCISES notes/src/main/java/shop/Cart.java',
    ])
    expect(await tested('spec/models/user_spec.rb')).toEqual(['EXERCISES notes/app/models/user.rb'])
  })

  it('heal when the file they mean appears', async () => {
    const { call, folder, sync } = await openTestBase({
      'package.json': '{}',
      'a.ts': "import { b } from './b'\n",
    })
    writeFileSync(join(folder, 'b.ts'), 'export const b = 1\n')
    await sync()
    expect((await call('neighbors', { id: 'b.ts' }))['neighbors'][0]).toMatchObject({
      id: 'notes/a.ts',
    })
  })
})

describe('what is read', () => {
  it('leaves hostile files out and says why', async () => {
    const { call } = await openTestBase({
      'package.json': '{}',
      'min.js': `var a=${'1+'.repeat(30_000)}1`,
      'deep.js': `${'['.repeat(2_000)}${']'.repeat(2_000)}\n`,
      'long.py': `x = "${'a'.repeat(5_000_000)}"\n`,
      'good.py': 'def fine(): pass\n',
    })
    const { items, summary } = await call('insights', { report: 'coverage', state: 'skipped' })
    expect(summary).toMatchObject({ indexed: 2, skipped: 3, failed: 0 })
    const reasons = Object.fromEntries(
      items.map(({ file, reason }: { file: string; reason: string }) => [file, reason]),
    )
    expect(reasons).toEqual({
      'notes/deep.js': 'brackets nested more than 500 deep',
      'notes/long.py': 'more than 1 MiB of source code in one file',
      'notes/min.js': 'minified or generated: a line of 60007 characters',
    })
  })

  it('takes settings for knowledge in a repository only', async () => {
    const files = { 'a.md': 'x', 'deploy.yaml': 'replicas: 3\n' }
    const notes = await openTestBase(files)
    expect(ids(await notes.call('search', { query: 'replicas' }))).toEqual([])
    const repository = await openTestBase({ ...files, 'go.mod': 'module x\n' })
    expect(ids(await repository.call('search', { query: 'replicas' }))).toEqual([
      'notes/deploy.yaml',
    ])
  })

  it('never shows settings that may hold passwords', async () => {
    const { call } = await openTestBase({
      'package.json': '{}',
      'nexus.config.yaml': 'password: hunter2\n',
      'cairn.yaml': 'token: hunter2\n',
      'deploy/Secrets.prod.json': '{"key": "hunter2"}',
      'deploy/values.yaml': 'replicas: 3\n',
    })
    expect(ids(await call('search', { query: 'hunter2' }))).toEqual([])
    expect(ids(await call('search', { query: 'replicas' }))).toEqual(['notes/deploy/values.yaml'])
  })

  it('keeps a broken file and warns', async () => {
    const { call, sync } = await openTestBase({ 'a.py': 'def kept(): pass\n\ndef (((\n' })
    const { warnings } = await sync({ force: true })
    expect(warnings).toMatchObject([{ kind: 'syntax', ref: 'notes/a.py' }])
    expect(ids(await call('search', { query: 'kept' }))).toEqual(['notes/a.py'])
  })

  it('fetches one symbol of a file as a section', async () => {
    const { call } = await openTestBase(REPOSITORY)
    const { text } = await call('fetch', { id: 'src/orders.ts', section: 'OrderBook' })
    expect(text).toMatch(/^\/\*\* Keeps orders/)
  })

  it('refuses to edit code as if it were a note', async () => {
    const { call } = await openTestBase(REPOSITORY)
    const edit = { action: 'set_metadata', id: 'src/orders.ts', tags: ['a'] }
    expect((await call('write', edit))['error']).toMatchObject({ code: 'unsupported' })
  })
})

describe('search for code alone', () => {
  const FILES = {
    'header.md': '# Header\n\nA header of a page.',
    'src/header.ts': 'export class HttpHeader {\n  parse() {}\n}\n',
    'py/header.py': 'def parse_header():\n    pass\n',
  }

  it('keeps to source files, and to a language', async () => {
    const { call } = await openTestBase(FILES)
    const code = ids(await call('search', { query: 'header', in: 'code' }))
    expect(code.toSorted()).toEqual(['notes/py/header.py', 'notes/src/header.ts'])
    expect(ids(await call('search', { query: 'header', language: 'python' }))).toEqual([
      'notes/py/header.py',
    ])
    const { error } = await call('search', { query: 'header', language: 'klingon' })
    expect(error.code).toBe('invalid')
  })

  it('finds symbols by name, by parts and by kind', async () => {
    const { call } = await openTestBase(FILES)
    const symbols = async (args: Record<string, unknown>) =>
      (await call('search', { in: 'symbols', ...args }))['results'].map(
        (each: { symbol: string; kind: string }) => `${each.kind} ${each.symbol}`,
      )
    expect(await symbols({ query: 'HttpHeader.parse' })).toEqual([
      'method HttpHeader.parse',
      'class HttpHeader',
      'function parse_header',
    ])
    expect((await symbols({ query: 'http header' }))[0]).toBe('class HttpHeader')
    expect(await symbols({ query: 'header', types: ['function'] })).toEqual([
      'function parse_header',
    ])
    expect(await symbols({ query: 'parse', language: 'typescript' })).toEqual([
      'method HttpHeader.parse',
    ])
    expect(await symbols({ query: 'nothing' })).toEqual([])
  })
})

describe('search in subsystems', () => {
  const SHOP = {
    ...REPOSITORY,
    'docs/subsystems.json':
      '{"Shop":{"description":"What customers buy","paths":["src/","README"]},"Snake":{"paths":["py/"]}}',
  }

  it('finds them by name, by what they say of themselves and by their files', async () => {
    const { call } = await openTestBase(SHOP)
    const found = async (query: string) =>
      (await call('search', { query, in: 'subsystems' }))['results'].map(
        ({ subsystem }: { subsystem: string }) => subsystem,
      )
    expect((await found('snake'))[0]).toBe('Snake')
    expect((await found('what do customers buy'))[0]).toBe('Shop')
    expect((await found('order book'))[0]).toBe('Shop')
    expect(await found('zeppelin')).toEqual([])
    const { results } = await call('search', { query: 'OrderBook', in: 'subsystems' })
    expect(results[0]).toMatchObject({
      subsystem: 'Shop',
      source_files: 2,
      tests: 1,
      documents: 1,
      description: 'What customers buy',
    })
    expect(results[0].files).toContain('notes/src/orders.ts')
  })

  it('says what a blank query and a base without a program lack', async () => {
    const { call } = await openTestBase(SHOP)
    expect((await call('search', { query: ' ', in: 'subsystems' }))['error'].code).toBe('invalid')
    const notes = await openTestBase({ 'a.md': 'x' })
    const { error } = await notes.call('search', { query: 'x', in: 'subsystems' })
    expect(error.code).toBe('unsupported')
  })

  it('keeps to files that define a kind of symbol', async () => {
    const { call } = await openTestBase(SHOP)
    const classes = await call('search', { query: 'header order', kind: 'class' })
    expect(ids(classes)).toEqual(['notes/src/orders.ts'])
    const symbols = await call('search', { query: 'header', in: 'symbols', kind: 'Function' })
    expect(symbols['results'].every(({ kind }: { kind: string }) => kind === 'function')).toBe(true)
    expect(symbols['results'].length).toBeGreaterThan(0)
    const { error } = await call('search', { query: 'header', kind: 'gadget' })
    expect(error).toMatchObject({ code: 'invalid' })
  })
})

describe('insights on a program', () => {
  it('says how far the base has fallen into disorder', async () => {
    const { call } = await openTestBase({
      'a.md': '[[b]] and [[nowhere]]',
      'b.md': 'x',
      'c.md': 'same',
      'd.md': 'same',
    })
    const { items, summary } = await call('insights', { report: 'entropy' })
    expect(summary).toMatchObject({ documents: 4, links: 1, stale_days: 365 })
    expect(items).toEqual([
      { report: 'orphans', count: 2, share: 0.5 },
      { report: 'broken_links', count: 1, share: 0.5 },
      { report: 'duplicates', count: 1, share: 0.25 },
      { report: 'stale', count: 0, share: 0 },
    ])
  })

  it('names the subsystems that lack tests or documents', async () => {
    const { call } = await openTestBase({
      ...REPOSITORY,
      'docs/subsystems.json': '{"Shop":{"paths":["src/","README"]},"Snake":{"paths":["py/"]}}',
    })
    const { items, summary } = await call('insights', { report: 'lifecycle' })
    expect(items).toEqual([{ subsystem: 'Snake', source_files: 3, tests: 0, documents: 0 }])
    expect(summary).toMatchObject({ subsystems: 2, stale_documents: 0 })
    const notes = await openTestBase({ 'a.md': 'x' })
    const { error } = await notes.call('insights', { report: 'lifecycle' })
    expect(error.code).toBe('unsupported')
  })
})
