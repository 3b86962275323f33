/** Every command of the README, run as it stands there, and what a person gets for a mistake. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  CAIRN,
  ROOT,
  cairnJson,
  cleanEnvironment,
  handbookCopy,
  runCairn,
} from '../support/cairn-process.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

describe('commands', () => {
  it('print for a person and, with --json, for a program', async () => {
    const folder = handbookCopy()
    const from = ['--folder', folder]
    const table: [words: string[], shown: RegExp, key: string][] = [
      [['index', folder], /^33 documents \(33 indexed\) in [\d.]+ s\n$/, 'documents'],
      [
        ['search', 'how do we roll back a release', ...from],
        /^ 1\. Roll back a release\n    handbook\/runbooks\/roll-back-a-release\.md:\d+ · /,
        'results',
      ],
      [
        ['fetch', 'handbook/glossary.md', ...from],
        /^---\ntitle: Glossary\n[^]*air pressure\.\n$/,
        'text',
      ],
      [['fetch', 'glossary', 'rollback', ...from], /==> handbook\/glossary\.md <==/, 'items'],
      [['list', '--tag', 'runbook', ...from], /handbook\/runbooks\/release\.md/, 'items'],
      [
        ['neighbors', 'handbook/index.md', '--direction', 'out', ...from],
        /-> handbook\/glossary\.md +Glossary/,
        'neighbors',
      ],
      [['path', 'handbook/index.md', 'glossary', ...from], /Glossary/, 'path'],
      [['insights', ...from], /documents: +33/, 'summary'],
      [['insights', 'broken-links', ...from], /capacity/, 'items'],
      [['insights', 'coverage', ...from], /indexed/, 'items'],
      [['status', folder], /documents: +33/, 'documents'],
      [['doctor', folder], /^ok +The index file is sound\.\n/, 'findings'],
      [['config', 'show', folder], /^sources +handbook=/, 'settings'],
    ]
    for (const [words, shown, key] of table) {
      const plain = await runCairn(words, { cwd: dirname(folder) })
      expect([words[0], plain.code]).toEqual([words[0], 0])
      expect(plain.stdout).toMatch(shown)
      const { code, stdout, stderr } = await runCairn([...words, '--json'])
      expect([words[0], code]).toEqual([words[0], 0])
      expect(JSON.parse(stdout)).toHaveProperty(key)
      // Notes, progress and counts are for people.
      expect(stderr).toBe(words[0] === 'index' ? 'Indexing…\n' : '')
    }
  })

  it('work as the README shows them', async () => {
    const readme = readFileSync(resolve(ROOT, 'README.md'), 'utf8')
    const [, command] = /^npx (cairn search ".*)$/m.exec(readme)!
    const words = [...command!.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word!,
    )
    const state = temporaryFolder()
    const { code, stdout } = await runCairn([...words.slice(1), '--state', state])
    expect(code).toBe(0)
    expect(stdout.split('\n')[0]).toBe(' 1. Roll back a release')
  })

  it('read what changed since, unless told not to', async () => {
    const folder = temporaryFolder({ 'tea.md': 'A kettle.\n' })
    const search = (...more: string[]) =>
      cairnJson(['search', 'kettle samovar', '-f', `notes=${folder}`, ...more])
    expect((await search()).results).toHaveLength(1)
    writeFiles(folder, { 'urn.md': 'A samovar.\n' })
    expect((await search('--no-refresh')).results).toHaveLength(1)
    expect((await search()).results).toHaveLength(2)
  })

  it('keep the index out of git, and in the state folder when there is one', async () => {
    const folder = handbookCopy()
    await cairnJson(['index', folder])
    expect(readFileSync(join(folder, '.cairn/.gitignore'), 'utf8')).toBe('*\n')
    const other = handbookCopy()
    const state = join(temporaryFolder(), 'deep/er')
    await cairnJson(['index', other], { env: { CAIRN_STATE: state } })
    expect([existsSync(join(state, 'index.db')), existsSync(join(other, '.cairn'))]).toEqual([
      true,
      false,
    ])
  })
})

describe('several folders', () => {
  it('are named sources', async () => {
    const root = temporaryFolder({
      'a/tea.md': 'Needs a [[kettle]].\n',
      'b/kettle.md': '# Kettle\n\nBoils.\n',
    })
    const words = [`drinks=${join(root, 'a')}`, `tools=${join(root, 'b')}`]
    const { documents } = await cairnJson(['index', ...words])
    expect(documents).toBe(2)
    const folders = words.flatMap((word) => ['-f', word])
    const { items } = await cairnJson(['list', ...folders])
    expect(items).toMatchObject([{ id: 'drinks/tea.md' }, { id: 'tools/kettle.md' }])
    expect(await cairnJson(['list', '--source', 'tools', ...folders])).toMatchObject({ total: 1 })
    const { neighbors } = await cairnJson(['neighbors', 'tea', ...folders])
    expect(neighbors).toMatchObject([{ id: 'tools/kettle.md', direction: 'out' }])
    const same = await runCairn(['index', `x=${join(root, 'a')}`, `x=${join(root, 'b')}`])
    expect([same.code, same.stdout]).toEqual([2, ''])
  })

  it('may be named in cairn.yaml', async () => {
    const root = temporaryFolder({
      'cairn.yaml':
        'sources:\n  - ./notes\n  - name: docs\n    path: ./documentation\n    exclude: ["drafts/**"]\nstate: ./state\n',
      'notes/tea.md': 'A kettle.\n',
      'documentation/api.md': 'A kettle as a service.\n',
      'documentation/drafts/idea.md': 'A kettle, perhaps.\n',
    })
    const { results } = await cairnJson(['search', 'kettle'], { cwd: root })
    expect(results.map(({ id }: { id: string }) => id).toSorted()).toEqual([
      'docs/api.md',
      'notes/tea.md',
    ])
    expect(readdirSync(join(root, 'state')).some((name) => /^index-.*\.db$/.test(name))).toBe(true)
    const elsewhere = { cwd: temporaryFolder(), env: { CAIRN_CONFIG: join(root, 'cairn.yaml') } }
    expect((await cairnJson(['list'], elsewhere)).total).toBe(2)

    writeFileSync(join(root, 'cairn.yaml'), 'sources: [./notes]\nprot: 80\n')
    const typo = await runCairn(['list'], { cwd: root })
    expect([typo.code, typo.stdout]).toEqual([2, ''])
    expect(typo.stderr).toContain('prot')
  })
})

describe('mistakes', () => {
  it('are explained on stderr, with nothing on stdout', async () => {
    const root = temporaryFolder({ 'file.md': 'text', 'notes/tea.md': 'text' })
    mkdirSync(join(root, 'notes/inner'))
    const notes = join(root, 'notes')
    const table: [code: number, said: RegExp, ...words: string[]][] = [
      [2, /There is no folder/, 'index', join(root, 'nope')],
      [2, /There is no folder/, 'serve', join(root, 'nope')],
      [2, /is a file, not a folder/, 'index', join(root, 'file.md')],
      [2, /is a file, not a folder/, 'search', 'x', '-f', join(root, 'file.md')],
      [2, /./, 'index', notes, join(notes, 'inner')],
      [2, /--forse.*--force/s, 'index', notes, '--forse'],
      [2, /./, 'search', '-f', notes],
      [2, /./, 'search', 'tea', '-f', notes, '--limit', '-1'],
      [2, /./, 'search', 'tea', '-f', notes, '--limit', 'many'],
      [2, /./, 'search', 'tea', '-f', notes, '--detail', 'wordy'],
      [2, /./, 'search', ' ', '-f', notes],
      [1, /There is no document/, 'fetch', 'coffee', '-f', notes],
      [2, /\.\./, 'fetch', '../file.md', '-f', notes],
      [2, /./, 'path', 'tea', '-f', notes],
      [2, /REPORT must be one of/, 'insights', 'gossip', '-f', notes],
      [2, /serach.*search/s, 'serach', 'tea'],
      [2, /--http/, 'serve', notes, '--port', '8080'],
      [2, /network/, 'serve', notes, '--http', '0', '--host', '0.0.0.0'],
      [2, /./, 'serve', notes, '--http', '99999'],
      [2, /./, 'index'],
      [2, /cairn/],
    ]
    for (const [code, said, ...words] of table) {
      // A folder without a configuration, so that no folder is implied.
      const result = await runCairn(words, { cwd: root })
      expect([words.join(' '), result.code, result.stdout]).toEqual([words.join(' '), code, ''])
      expect(result.stderr).toMatch(said)
      expect(result.stderr).not.toMatch(/\n\s+at |inside Cairn/)
    }
    // A program that asked for JSON can read the mistake too.
    const asked = await runCairn(['fetch', 'coffee', '-f', notes, '--json'])
    expect([asked.code, asked.stdout]).toEqual([1, ''])
    expect(JSON.parse(asked.stderr).error).toMatchObject({ code: 'not_found' })
    // Nothing was made where there was nothing to index.
    expect(existsSync(join(root, '.cairn'))).toBe(false)
  })
})

it('gives advice that works', async () => {
  const folder = temporaryFolder({
    'tea.md': 'See [[kettle]].\n',
    'binary.md': new Uint8Array([0, 255]),
    'large.md': 'x'.repeat(2_000),
  })
  const base = ['-f', `notes=${folder}`, '--max-file-bytes', '1000']
  await cairnJson(['index', ...base])
  const { ok, findings } = await cairnJson(['doctor', ...base])
  expect(ok).toBe(true)
  const commands: string[] = findings.flatMap(({ fix }: { fix?: string }) =>
    fix?.startsWith('cairn ') ? [fix] : [],
  )
  expect(commands.length).toBeGreaterThanOrEqual(2)
  for (const command of commands) {
    const limits = ['--max-file-bytes', '1000']
    const { code, stdout } = await runCairn([...command.split(' ').slice(1), ...limits])
    expect([command, code]).toEqual([command, 0])
    expect(stdout).toMatch(/kettle|large\.md/)
  }
})

it('ends quietly when nobody reads on', async () => {
  const folder = temporaryFolder(
    Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [
        `n${n}.md`,
        `# Note ${n}\n\n${'tide '.repeat(2_000)}`,
      ]),
    ),
  )
  const ids = Array.from({ length: 20 }, (_, n) => `n${n}.md`)
  for (const words of [
    ['fetch', ...ids],
    ['list', '--limit', '400'],
  ]) {
    const child = spawn(process.execPath, [CAIRN, ...words, '-f', folder], {
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text))
    // As `| head -c 1` does.
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((settle) => child.on('close', settle))
    expect([words[0], code]).toEqual([words[0], 0])
    expect(err).not.toMatch(/EPIPE|\n\s+at /)
  }
})

it('prints a document with a very long line to its end', async () => {
  const folder = temporaryFolder()
  const text = `# Long\n\n${'word and word '.repeat(30_000)}the end\n\nAfter it.\n`
  writeFiles(folder, { 'notes/long.md': text })
  const { code, stdout } = await runCairn(['fetch', 'long', '--folder', join(folder, 'notes')])
  expect(code).toBe(0)
  expect(stdout.length).toBe(text.length)
  expect(stdout === text).toBe(true)
})
