/** Paths that must not work, on every tool that takes one. Nothing appears outside the root. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'
import { openTestBase, openTestBaseAt } from '../support/open-test-base.ts'
import type { TestBase } from '../support/open-test-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LONG = 'a'.repeat(300)

const BAD_PATHS = [
  '../out.md',
  'a/../../out.md',
  'notes/../../out.md',
  '/etc/out.md',
  '//server/out.md',
  '..\\out.md',
  'C:\\out.md',
  'C:/out.md',
  '%2e%2e/out.md',
  '%2e%2e%2fout.md',
  'kb://notes/%2e%2e/out.md',
  'kb://notes/..%2fout.md',
  './../out.md',
  'link/out.md',
  'inner/deep/out.md',
  '.git/config.md',
  '.GIT/hooks.md',
  'git~1/x.md',
  '.cairn/x.md',
  '.g\u200cit/x.md',
  '.obsidian/x.md',
  'node_modules/x.md',
  '.hidden.md',
  'a\0.md',
  'CON.md',
  'nul',
  'aux.txt',
  'com1.md',
  'dir./x.md',
  'x /y.md',
  'a:b.md',
  'a|b.md',
  'a*.md',
  `${LONG}.md`,
  `${'d/'.repeat(2500)}x.md`,
  '',
  '/',
  '.',
  '..',
  'x.exe',
  'tea.md/x.md',
  'fifo.md',
  'dangling.md',
  'escape.md',
  '\ud800.md',
]

async function openVault(): Promise<TestBase & { outside: string }> {
  const around = temporaryFolder({ 'outside/secret.md': 'secret\n', 'outside/deep/x.md': 'x\n' })
  const folder = join(around, 'vault')
  const outside = join(around, 'outside')
  mkdirSync(folder)
  writeFileSync(join(folder, 'tea.md'), '# Tea\n')
  symlinkSync(outside, join(folder, 'link'))
  mkdirSync(join(folder, 'inner'))
  symlinkSync(join(outside, 'deep'), join(folder, 'inner/deep'))
  symlinkSync(join(outside, 'secret.md'), join(folder, 'escape.md'))
  symlinkSync(join(folder, 'nowhere.md'), join(folder, 'dangling.md'))
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'fifo.md')])
  const base = await openTestBaseAt(folder)
  await base.sync()
  return Object.assign(base, { outside })
}

function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
}

const CALLS: Record<string, (path: string) => readonly [string, Record<string, unknown>]> = {
  'write create': (id) => ['write', { action: 'create', id, content: 'x' }],
  'write replace': (id) => ['write', { action: 'replace', id, content: 'x' }],
  'write append': (id) => ['write', { action: 'append', id, content: 'x' }],
  'write prepend': (id) => ['write', { action: 'prepend', id, content: 'x' }],
  'write edit_section': (id) => [
    'write',
    { action: 'edit_section', id, section: 'Tea', content: '' },
  ],
  'write find_replace': (id) => ['write', { action: 'find_replace', id, find: 'e', replace: 'x' }],
  'write set_metadata': (id) => ['write', { action: 'set_metadata', id, metadata: { a: 1 } }],
  'write move from': (id) => ['write', { action: 'move', id, to: 'elsewhere.md' }],
  'write move to': (to) => ['write', { action: 'move', id: 'tea.md', to: to === '/' ? '//' : to }],
  delete: (id) => ['delete', { id }],
  'history restore': (id) => ['history', { action: 'restore', id }],
  fetch: (id) => ['fetch', { id }],
}

describe('a path that leads elsewhere is refused, and nothing is written', () => {
  for (const [name, call] of Object.entries(CALLS)) {
    it(`by ${name}`, async () => {
      const base = await openVault()
      const before = [treeOf(base.folder), treeOf(base.outside)]
      const admitted: string[] = []
      for (const path of BAD_PATHS) {
        const [tool, args] = call(path)
        const { error } = await base.call(tool, args)
        if (!error) admitted.push(path)
      }
      expect(admitted).toEqual([])
      expect([treeOf(base.folder), treeOf(base.outside)]).toEqual(before)
      expect(readFileSync(join(base.folder, 'tea.md'), 'utf8')).toBe('# Tea\n')
      expect(readFileSync(join(base.outside, 'secret.md'), 'utf8')).toBe('secret\n')
      expect(base.bugs).toEqual([])
    })
  }
})

it('writes through a link to a file inside the root, and keeps its mode', async () => {
  const base = await openVault()
  mkdirSync(join(base.folder, 'real'))
  writeFileSync(join(base.folder, 'real/file.md'), 'old\n', { mode: 0o640 })
  symlinkSync('real/file.md', join(base.folder, 'alias.md'))
  await base.sync()
  await base.call('write', { action: 'append', id: 'alias.md', content: 'new' })
  expect(readFileSync(join(base.folder, 'real/file.md'), 'utf8')).toBe('old\n\nnew\n')
  expect(lstatSync(join(base.folder, 'alias.md')).isSymbolicLink()).toBe(true)
  expect(statSync(join(base.folder, 'real/file.md')).mode & 0o777).toBe(0o640)
})

describe('a file that is not served', () => {
  const LEFT_OUT = {
    '.env': 'KEY=1\n',
    '.mcp.json': '{}\n',
    'tea.sqlite': 'all\n',
    'drafts/secret.md': '# Secret\n',
    '.cairnignore': 'drafts/\n',
  }
  const CHANGES = Object.entries(CALLS).filter(([name]) => !/create|move to|fetch/.test(name))

  for (const [name, call] of CHANGES) {
    it(`is neither changed nor shown by ${name}`, async () => {
      const base = await openTestBase({ ...LEFT_OUT, 'tea.md': '# Tea\n' })
      symlinkSync('.env', join(base.folder, 'env.md'))
      for (const path of [...Object.keys(LEFT_OUT), 'env.md']) {
        const [tool, args] = call(path)
        const { error } = await base.call(tool, args)
        expect([path, error?.code]).toEqual([path, 'not_found'])
      }
      for (const [path, text] of Object.entries(LEFT_OUT)) {
        expect(readFileSync(join(base.folder, path), 'utf8')).toBe(text)
      }
    })
  }
})

it('takes no second way to a folder through a link', async () => {
  const base = await openTestBase({ 'real/tea.md': '# Tea\n' })
  symlinkSync('real', join(base.folder, 'again'))
  const made = await base.call('write', { action: 'create', id: 'again/new.md', content: 'x' })
  expect(made['error'].code).toBe('invalid')
  const added = await base.call('write', { action: 'append', id: 'again/tea.md', content: 'x' })
  expect(added['error'].code).toBe('not_found')
  const { items } = await base.call('list', {})
  expect(items.map(({ id }: { id: string }) => id)).toEqual(['notes/real/tea.md'])
})

it('puts a new document into the folder that exists in other letters', async () => {
  const base = await openVault()
  mkdirSync(join(base.folder, 'Notes'))
  const { id } = await base.call('write', { action: 'create', id: 'vault.md', content: 'x' })
  expect(id).toBe('notes/vault.md')
  const made = await base.call('write', { action: 'create', id: 'notes/NOTES/one', content: 'x' })
  expect(made['id']).toBe('notes/Notes/one.md')
  const twin = await base.call('write', { action: 'create', id: 'Notes/ONE.md', content: 'x' })
  expect(twin['error'].code).toBe('exists')
})

describe('a folder that is swapped for a link while it is used', () => {
  it.skipIf(process.platform !== 'linux')(
    'never leads out, for reading or for writing',
    { timeout: 600_000 },
    async () => {
      const around = temporaryFolder({ 'outside/a.md': 'secret\n', 'vault/sub/a.md': 'inside\n' })
      const vault = join(around, 'vault')
      const source = openFolderSource({ name: 'notes', extensions: ['md'], root: vault })
      const swapping = spawn(
        process.execPath,
        [
          '-e',
          `const { renameSync, symlinkSync } = require('node:fs')
           symlinkSync('../outside', 'link')
           for (;;) {
             renameSync('sub', 'away')
             renameSync('link', 'sub')
             renameSync('sub', 'link')
             renameSync('away', 'sub')
           }`,
        ],
        { cwd: vault, stdio: 'ignore' },
      )
      const ended = once(swapping, 'exit')
      onTestFinished(async () => {
        swapping.kill('SIGKILL')
        await ended
      })
      const writer = source.writer!
      const seen = new Set<string>()
      let written = 0
      for (let round = 0; round < 3_000; round++) {
        const [content] = await source.read(['sub/a.md'])
        if (content?.kind === 'text') seen.add(content.text)
        try {
          const file = await writer.load('sub/a.md')
          if (file) seen.add(Buffer.from(file.bytes).toString())
          if (!file || round % 10 > 0) continue
          await writer.apply([{ path: 'sub/a.md', expect: file.digest, bytes: file.bytes }], 'x')
          await writer.apply(
            [{ path: `sub/${round}.md`, expect: undefined, bytes: file.bytes }],
            'x',
          )
          written++
        } catch {
          // Refused, or not there at that moment.
        }
      }
      console.log(`${written} writes while the folder was swapped`)
      expect([...seen]).toEqual(['inside\n'])
      expect(readdirSync(join(around, 'outside'))).toEqual(['a.md'])
      expect(readFileSync(join(around, 'outside/a.md'), 'utf8')).toBe('secret\n')
    },
  )
})
