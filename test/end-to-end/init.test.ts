/** `cairn init` in the places where people run it, in the real program. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_INPUT } from '../../src/serve/cli/input.ts'
import type { Input } from '../../src/serve/cli/input.ts'
import { app } from '../../src/serve/cli/plug-in.ts'
import { run } from '../../src/serve/cli/run.ts'
import { openTerminal } from '../../src/serve/cli/terminal.ts'
import { cleanEnvironment, ROOT } from '../support/cairn-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Somebody whose home is not the folder with the notes. */
async function cairn(cwd: string, home: string, words: string[], input: Input = NO_INPUT) {
  const seen = { out: '', err: '' }
  const terminal = openTerminal(
    { write: (text) => (seen.out += text) },
    { write: (text) => (seen.err += text) },
    {},
  )
  const code = await run(words, { app, terminal, input, env: {}, cwd, home, onStop() {} })
  return { code, ...seen }
}

function open(files: Record<string, string>) {
  const home = temporaryFolder()
  const folder = temporaryFolder(files)
  const init = (...words: string[]) => cairn(folder, home, ['init', ...words])
  return { home, folder, init, file: join(folder, 'cairn.yaml') }
}

const answering = (answer: string | undefined, asked: string[] = []): Input => ({
  isTerminal: true,
  text: async () => '',
  bytes: async () => new Uint8Array(),
  ask: async (question) => {
    asked.push(question)
    return answer
  },
})

describe('what is taken', () => {
  it('is the folder, with its docs/ and the vault in it', async () => {
    const { init, file, folder } = open({
      'README.md': '# Read me\n',
      'docs/guide.md': '# Guide\n',
      'journal/today.md': '# Today\n',
      'vault/.obsidian/app.json': '{"userIgnoreFilters": ["Templates/"]}',
      'vault/idea.md': '# Idea\n',
      'vault/Templates/daily.md': '# {{title}}\n',
    })
    const { code, out, err } = await init('--yes')
    expect([code, out]).toEqual([0, expect.stringMatching(/^4 documents \(4 indexed\)/)])
    expect(err).toContain(`  Folder  ${folder}  4 documents\n`)
    expect(readFileSync(file, 'utf8')).toContain('- path: "." # Folder\n')
  })

  it('is said with what is left out, and how many', async () => {
    const { init } = open({
      'a.md': '# A\n',
      'b.doc': '',
      'c.doc': '',
      'd.png': '',
      '.gitignore': 'drafts/\n',
      'drafts/e.md': '# E\n',
    })
    const { err } = await init('--yes')
    expect(err).toContain('Left out: 2 .doc, 1 .png, 1 by drafts/ (.gitignore), 1 hidden\n')
  })

  it('counts as many documents as there are, and not as many as a quick look sees', async () => {
    const { folder, home } = open({ 'a/b/c/d/e/f/g/h/i/j/k.md': '# Deep\n', 'b.md': '# B\n' })
    const { code, err } = await cairn(folder, home, ['init'])
    expect([code, err]).toEqual([1, expect.stringContaining('2 documents\n')])
  })
})

describe('the question', () => {
  it.each([
    ['', true],
    ['y', true],
    ['YES', true],
    ['n', false],
    ['what?', false],
    [undefined, false],
  ])('%j is answered: %s', async (answer, isYes) => {
    const { folder, home, file } = open({ 'a.md': '# A\n' })
    const asked: string[] = []
    const { code } = await cairn(folder, home, ['init'], answering(answer, asked))
    expect([code, existsSync(file)]).toEqual([isYes ? 0 : 1, isYes])
    expect(asked[0]).toMatch(/\[Y\/n\] $/)
  })
})

it('suggests a search that finds something: a title of the base', async () => {
  const { init, folder, home } = open({
    'a.md': '# Index\n',
    'b.md': '# Descale the kettle\n\nWith vinegar.\n',
  })
  const { err } = await init('--yes')
  expect(err).toContain("cairn search 'Descale the kettle'\n")
  const found = await cairn(folder, home, ['search', 'Descale the kettle'])
  expect(found.out).toMatch(/^ 1\. Descale the kettle\n/)
})

describe('a place that is no base', () => {
  it('is a home folder: the folders in it that have notes are named', async () => {
    const home = temporaryFolder({ 'notes/a.md': '', 'notes/b.md': '', 'old stuff/c.txt': '' })
    for (const words of [['init'], ['init', home], ['init', join(home, '..')]]) {
      const { code, err } = await cairn(home, home, [...words, '--yes'])
      expect(code).toBe(2)
      expect(err).toContain('home folder, and not all in it are notes')
      expect(err).toContain(`  cairn init ${home}/notes  # 2 notes\n`)
      expect(err).toContain(`  cairn init '${home}/old stuff'  # 1 note\n`)
    }
    expect(existsSync(join(home, 'cairn.yaml'))).toBe(false)
  })

  it('is an empty home folder, or an empty folder: a command makes a first note', async () => {
    const home = temporaryFolder()
    const empty = temporaryFolder()
    for (const [folder, sentence, made] of [
      [home, 'is your home folder', join(home, 'notes')],
      [empty, 'There is nothing in', empty],
    ] as const) {
      const { code, err } = await cairn(folder, home, ['init', '--yes'])
      expect([code > 0, err]).toEqual([true, expect.stringContaining(sentence)])
      const command = /mkdir -p .*$/m.exec(err)![0].replaceAll('cairn init', 'true')
      expect(spawnSync('sh', ['-c', command]).status).toBe(0)
      expect((await cairn(home, home, ['init', made, '--yes'])).out).toMatch(/^1 document /)
    }
  })

  it('is a single file: its folder is meant', async () => {
    const { init, folder } = open({ 'a.md': '# A\n' })
    const { code, err } = await init('a.md', '--yes')
    expect([code, err]).toEqual([
      2,
      `error: ${folder}/a.md is a file, and a base is a folder.\nTake the folder it is in: cairn init ${folder}\n`,
    ])
  })

  it('is a folder of what is not read: how something is made of it that is', async () => {
    const { init, folder, file } = open({ 'a.doc': '', 'b/c.doc': '', 'd.png': '' })
    const { code, err } = await init('--yes')
    expect(code).toBe(1)
    expect(err).toContain(`${folder} has nothing that Cairn reads: 2 .doc, 1 .png.\n`)
    expect(err).toContain(
      `find ${folder} -name '*.doc' -execdir soffice --convert-to docx {} \\; && cairn init`,
    )
    expect(existsSync(file)).toBe(false)
  })

  // The administrator may write everywhere, so somebody else has to try.
  it.skipIf(process.platform === 'win32')('is read-only: the index goes elsewhere', (test) => {
    const above = temporaryFolder({ 'notes/a.md': '# A kettle\n' })
    const [notes, home] = [join(above, 'notes'), join(above, 'home')]
    mkdirSync(home)
    for (const [folder, mode] of [
      [above, 0o755],
      [home, 0o777],
      [notes, 0o555],
    ] as const) {
      chmodSync(folder, mode)
    }
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const start = (...words: string[]) =>
      spawnSync(process.execPath, [join(ROOT, 'bin/cairn.js'), ...words], {
        ...nobody,
        cwd: notes,
        env: cleanEnvironment({ HOME: home }),
        encoding: 'utf8',
      })
    if (start('--version').status !== 0) return test.skip('nobody else may start the program here')
    const { status, stderr } = start('init', '--yes')
    expect([status, stderr]).toEqual([1, expect.stringContaining('Nothing may be written in')])
    const [, ...index] = /cairn index .*$/m.exec(stderr)![0].split(' ')
    expect(start(...index)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^1 document /),
    })
    const found = start('search', 'kettle', '--folder', ...index.slice(1))
    expect(found.stdout).toMatch(/^ 1\. A kettle\n/)
  })
})
