import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../../../test/support/temporary-folder.ts'
import { openFolderSource, type FolderOptions } from './open-folder-source.ts'
import { compileRules } from './rules.ts'
import { scanPaths } from './scan.ts'
import { readableExtensions } from '../../../serve/parts/formats.ts'

type Options = Omit<FolderOptions, 'name' | 'root' | 'extensions'>

function open(root: string, options: Options = {}) {
  return openFolderSource({ name: 'notes', extensions: readableExtensions(), root, ...options })
}

async function offered(root: string, options: Options = {}): Promise<string[]> {
  const { files } = await open(root, options).scan()
  return files.map((file) => file.path)
}

async function reasons(root: string, options: Options = {}): Promise<Record<string, string>> {
  const { skipped } = await open(root, options).scan()
  return Object.fromEntries(skipped.map((file) => [file.path, file.reason]))
}

/** Files with no content worth mentioning. */
function empty(...paths: string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, '']))
}

const hasGit = spawnSync('git', ['--version']).status === 0

/** git without the settings of whoever runs the tests. */
function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', args, { cwd, env, encoding: 'utf8' })
}

describe('what is offered', () => {
  it('lists documents with size and time, in code unit order of whole paths', async () => {
    const root = temporaryFolder({ 'b.md': 'bee', ...empty('a/x.md', 'a-b.md', 'Z.md', 'é.md') })
    const { files, skipped } = await open(root).scan()
    expect(files.map((file) => file.path)).toEqual(['Z.md', 'a-b.md', 'a/x.md', 'b.md', 'é.md'])
    expect(files[3]?.size).toBe(3)
    expect(Math.abs(Date.now() - (files[3]?.modifiedAt ?? 0))).toBeLessThan(60_000)
    expect(skipped).toEqual([])
  })

  it('takes the formats it knows, whatever the case, and says nothing about others', async () => {
    const root = temporaryFolder(
      empty('a.md', 'b.MARKDOWN', 'c.mdx', 'd.txt', 'README.MD', 'e.png', 'md', 'f.md.bak', 'g.'),
    )
    const expected = ['README.MD', 'a.md', 'b.MARKDOWN', 'c.mdx', 'd.txt']
    expect(await offered(root)).toEqual(expected)
    expect(await reasons(root)).toEqual({})
    const pictures = openFolderSource({ name: 'notes', extensions: ['.png'], root })
    expect((await pictures.scan()).files.map(({ path }) => path)).toEqual(['e.png'])
  })

  it('counts what it passes by, by type and by rule', async () => {
    const root = temporaryFolder({
      ...empty('a.md', 'b.PNG', 'c.png', 'LICENSE', '.hidden.md', 'old/x.md', 'dist/y.md', 'z.log'),
      ...empty('docs/draft.md', 'docs/d.md'),
      '.gitignore': 'dist/\n*.log\n',
      'docs/.cairnignore': 'draft*\n',
    })
    const { leftOut } = await open(root, { exclude: ['old'] }).scan()
    expect(leftOut).toEqual({
      types: { '.png': 2, 'no extension': 1 },
      unread: ['LICENSE', 'b.PNG', 'c.png'],
      pictures: ['b.PNG', 'c.png'],
      rules: {
        hidden: 3,
        exclude: 1,
        'dist/ (.gitignore)': 1,
        '*.log (.gitignore)': 1,
        'draft* (docs/.cairnignore)': 1,
      },
    })
  })

  it('says so when a pattern asks for a kind of file that nobody reads', async () => {
    const root = temporaryFolder(empty('docs/a.md', 'docs/b.pdf', 'docs/c.png'))
    expect(await reasons(root, { include: ['docs/**'] })).toEqual({})
    expect(await reasons(root, { include: ['docs/**', '**/*.pdf'] })).toEqual({
      'docs/b.pdf': 'no format reads .pdf files',
    })
    expect(await reasons(root, { include: ['docs/**/*.{md,png}'] })).toEqual({
      'docs/c.png': 'no format reads .png files',
    })
  })

  const TREE = empty(
    'top.md',
    'docs/a.md',
    'docs/deep/b.md',
    'docs/deep/b.draft.md',
    'private/p.md',
    'work/private/q.md',
  )
  it.each<[string, Options, string[]]>([
    [
      'a folder by name',
      { include: ['docs'] },
      ['docs/a.md', 'docs/deep/b.draft.md', 'docs/deep/b.md'],
    ],
    [
      'a folder with slashes',
      { include: ['./docs/deep/'] },
      ['docs/deep/b.draft.md', 'docs/deep/b.md'],
    ],
    ['one level', { include: ['docs/*.md'] }, ['docs/a.md']],
    ['two globs', { include: ['*.md', 'work/**'] }, ['top.md', 'work/private/q.md']],
    ['whatever the case', { include: ['DOCS/A.md'] }, ['docs/a.md']],
    [
      'all but a folder at the top',
      { exclude: ['private', 'docs'] },
      ['top.md', 'work/private/q.md'],
    ],
    ['all but a folder anywhere', { exclude: ['**/private', 'docs/**'] }, ['top.md']],
    [
      'exclude before include',
      { include: ['docs'], exclude: ['**/*.draft.md', 'docs/a.md'] },
      ['docs/deep/b.md'],
    ],
    ['nothing', { include: ['elsewhere/**'] }, []],
  ])('globs: %s', async (_, options, expected) => {
    expect(await offered(temporaryFolder(TREE), options)).toEqual(expected)
  })

  it.each([
    ['include', '!private'],
    ['exclude', '../other'],
    ['include', ' '],
  ])('refuses the %s pattern "%s"', (option, glob) => {
    expect(() => open(temporaryFolder(), { [option]: [glob] })).toThrow(`The ${option} pattern`)
  })

  it("leaves out tools' folders always, and other hidden things unless asked", async () => {
    const root = temporaryFolder(
      empty(
        '.git/a.md',
        '.obsidian/a.md',
        'x/node_modules/a.md',
        '.trash/a.md',
        '.cairn/a.md',
        '.roux/a.md',
        '.github/a.md',
        '.note.md',
        'a.md',
      ),
    )
    expect(await offered(root)).toEqual(['a.md'])
    expect(await offered(root, { hidden: true })).toEqual(['.github/a.md', '.note.md', 'a.md'])
  })

  it('keeps unusual names as they are', async () => {
    const names = [
      'with space.md',
      'line\nbreak.md',
      '🍵 tea.md',
      'cafe\u0301.md',
      'caf\u00e9.md',
      'quote\'s "x".md',
      `${'long'.repeat(62)}.md`,
      '-rf.md',
      '%2e%2e.md',
    ]
    const root = temporaryFolder(empty(...names))
    const paths = await offered(root)
    expect(new Set(paths)).toEqual(new Set(names))
    const contents = await open(root).read(paths)
    expect(contents.map((content) => content.kind)).toEqual(names.map(() => 'text'))
  })
})

describe('ignore files', () => {
  /** [what is shown, files, paths that are left] */
  it.each<[string, Record<string, string>, string[]]>([
    [
      'a name anywhere',
      { '.gitignore': 'draft.md', ...empty('draft.md', 'a/draft.md', 'b.md') },
      ['b.md'],
    ],
    [
      'a path at the root',
      { '.gitignore': '/draft.md', ...empty('draft.md', 'a/draft.md') },
      ['a/draft.md'],
    ],
    [
      'a slash in the middle ties',
      { '.gitignore': 'a/x.md', ...empty('a/x.md', 'b/a/x.md') },
      ['b/a/x.md'],
    ],
    [
      'only folders',
      { '.gitignore': 'out/', ...empty('out/a.md', 'b/out/a.md', 'c/out.md') },
      ['c/out.md'],
    ],
    [
      'stars',
      { '.gitignore': '*.tmp.md\ndoc?/\n', ...empty('a.tmp.md', 'docs/a.md', 'doc/a.md') },
      ['doc/a.md'],
    ],
    [
      'two stars',
      { '.gitignore': 'a/**/z.md', ...empty('a/z.md', 'a/b/c/z.md', 'z.md') },
      ['z.md'],
    ],
    [
      'comments, blanks, CRLF, a mark',
      { '.gitignore': '\uFEFFx.md\r\n# y.md\r\n\r\n', ...empty('x.md', 'y.md') },
      ['y.md'],
    ],
    ['escapes', { '.gitignore': '\\#x.md\n\\!y.md', ...empty('#x.md', '!y.md', 'z.md') }, ['z.md']],
    [
      'the last line wins',
      { '.gitignore': '*.md\n!keep.md', ...empty('a.md', 'b/keep.md') },
      ['b/keep.md'],
    ],
    [
      'no way back into an ignored folder',
      { '.gitignore': 'out/\n!out/keep.md', ...empty('out/keep.md') },
      [],
    ],
    [
      'a deeper file wins',
      { '.gitignore': '*.md', 'a/.gitignore': '!*.md', ...empty('x.md', 'a/x.md', 'a/b/x.md') },
      ['a/b/x.md', 'a/x.md'],
    ],
    [
      'a deeper file brings a folder back',
      { '.gitignore': 'out/', 'a/.gitignore': '!out/', ...empty('out/x.md', 'a/out/x.md') },
      ['a/out/x.md'],
    ],
    [
      'a deeper file holds below its folder only',
      {
        'a/.gitignore': 'x.md\n/y.md',
        ...empty('x.md', 'y.md', 'a/x.md', 'a/y.md', 'a/b/x.md', 'a/b/y.md'),
      },
      ['a/b/y.md', 'x.md', 'y.md'],
    ],
    [
      'deeper escapes',
      { 'a/.gitignore': '\\#x.md\n!\\#x.md\n\\!y.md', ...empty('a/#x.md', 'a/!y.md') },
      ['a/#x.md'],
    ],
    [
      'folders with glob characters in their name',
      { 'a[b]*/.gitignore': 'x.md', ...empty('a[b]*/x.md', 'ab/x.md') },
      ['ab/x.md'],
    ],
    ['cairnignore alone', { '.cairnignore': 'x.md', ...empty('x.md', 'y.md') }, ['y.md']],
    [
      'cairnignore wins beside gitignore',
      { '.gitignore': 'x.md', '.cairnignore': '!x.md\ny.md', ...empty('x.md', 'y.md') },
      ['x.md'],
    ],
    [
      "the repository's private list",
      { '.git/info/exclude': 'x.md\ny.md', '.gitignore': '!y.md', ...empty('x.md', 'y.md') },
      ['y.md'],
    ],
  ])('%s', async (_, files, expected) => {
    expect(await offered(temporaryFolder(files))).toEqual(expected)
  })

  it.runIf(hasGit)('agrees with git', async () => {
    const root = temporaryFolder({
      '.gitignore':
        '*.log.md\n/build\nnode/**\n!node/keep/\n**/cache/*\n!**/cache/keep.md\ntmp*/\n',
      'a/.gitignore': '!b.log.md\nc/*\n!c/d.md\n/e',
      'a/c/.gitignore': 'd.md\n',
      'f/.gitignore': '*\n!*/\n!*.txt',
      ...empty('a.log.md', 'a/b.log.md', 'a/c/d.md', 'a/c/x.md', 'a/e/x.md', 'a/g/e/x.md'),
      ...empty('build/x.md', 'a/build/x.md', 'node/x.md', 'node/keep/x.md', 'cache/x.md'),
      ...empty('z/cache/keep.md', 'z/cache/x.md', 'tmp1/x.md', 'tmp.md', 'f/x.md', 'f/g/x.txt'),
    })
    git(root, 'init', '-q')
    const listed = git(root, 'ls-files', '-z', '--others', '--exclude-standard').split('\0')
    const expected = listed.filter((path) => /\.(?:md|txt)$/.test(path)).toSorted()
    expect(await offered(root)).toEqual(expected)
  })

  it.runIf(hasGit)('agrees with git on random ignore files', async () => {
    const root = temporaryFolder()
    git(root, 'init', '-q')
    const folders = ['', 'a/', 'a/b/', 'a/b/c/', 'b/', 'b/a.x/', 'c.md/']
    const names = ['a.md', 'b.md', 'c.x.md', 'A.md']
    writeFiles(root, empty(...folders.flatMap((folder) => names.map((name) => folder + name))))
    const piece = fc.constantFrom(
      'a',
      'b',
      'c',
      '*',
      '**',
      '?',
      '*.md',
      'b.md',
      'a*',
      '*.x',
      '*.x.md',
      '[ab]',
      'a.md',
      '*.x.*',
    )
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!', '/', '!/', '**/'),
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/', '/**', '/*', ' '),
      )
      .map(([start, pieces, end]) => start + pieces.join('/') + end)
    const file = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join('\n'))
    await fc.assert(
      fc.asyncProperty(file, file, file, async (top, deeper, deepest) => {
        writeFiles(root, { '.gitignore': top, 'a/.gitignore': deeper, 'a/b/.gitignore': deepest })
        const listed = git(root, 'ls-files', '-z', '--others', '--exclude-standard').split('\0')
        const expected = listed.filter((path) => path.endsWith('.md')).toSorted()
        expect(await offered(root)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  it('minds the ignore files of the repository the folder is in', async () => {
    const top = temporaryFolder({
      '.git/info/exclude': 'private.md',
      '.gitignore': '/site/docs/generated/\n/a.md\nb.md\n*.log.md\n',
      'site/.gitignore': 'docs/c.md\n!*.log.md',
      'site/docs/.gitignore': '!b.md\n/d.md',
      ...empty('site/docs/a.md', 'site/docs/b.md', 'site/docs/c.md', 'site/docs/d.md'),
      ...empty('site/docs/generated/x.md', 'site/docs/x/private.md', 'site/docs/x/y.log.md'),
      ...empty('site/docs/x/d.md'),
    })
    const root = join(top, 'site/docs')
    const expected = ['a.md', 'b.md', 'x/d.md', 'x/y.log.md']
    expect(await offered(root)).toEqual(expected)
    const again = await open(root).rescan(['x', 'a.md', 'c.md', 'generated'])
    expect(again.files.map((file) => file.path)).toEqual(['a.md', 'x/d.md', 'x/y.log.md'])
  })

  it('serves a folder that its repository ignores, when asked to', async () => {
    const top = temporaryFolder({ '.git/HEAD': '', '.gitignore': '*', ...empty('notes/deep/a.md') })
    expect(await offered(join(top, 'notes'))).toEqual(['deep/a.md'])
    expect(await offered(top)).toEqual([])
  })

  it('is not hurt by a folder or a link by that name', async () => {
    const root = temporaryFolder(empty('.gitignore/x.md', 'a.md', 'rules'))
    symlinkSync('rules', join(root, '.cairnignore'))
    expect(await offered(root)).toEqual(['a.md'])
  })
})

describe('symbolic links', () => {
  it('follows a link to a file inside, and refuses one that leads out, with a reason', async () => {
    const outside = temporaryFolder({ 'secret.md': 'x' })
    const root = temporaryFolder({ 'a.md': 'tea', '.env': 'KEY', 'key.pem': 'KEY' })
    symlinkSync('a.md', join(root, 'b.md'))
    symlinkSync(join(outside, 'secret.md'), join(root, 'out.md'))
    symlinkSync(outside, join(root, 'out'))
    symlinkSync('nowhere.md', join(root, 'dangling.md'))
    symlinkSync('nowhere', join(root, 'nothing-of-ours'))
    symlinkSync('.env', join(root, 'env.md'))
    symlinkSync('key.pem', join(root, 'key.md'))
    symlinkSync('circle.md', join(root, 'circle.md'))
    expect(await offered(root)).toEqual(['a.md', 'b.md'])
    expect(await reasons(root)).toEqual({
      'circle.md': 'a symbolic link that leads in a circle',
      'dangling.md': 'a symbolic link to something that does not exist',
      'env.md': 'a symbolic link to ".env", which is left out',
      'key.md': 'a symbolic link to "key.pem", which is left out',
      out: 'a symbolic link that leads out of the folder',
      'out.md': 'a symbolic link that leads out of the folder',
    })
    const read = await open(root).read(['b.md', 'out.md', 'out/secret.md', 'env.md', 'dangling.md'])
    expect(read.map((content) => content.kind)).toEqual([
      'text',
      'failed',
      'failed',
      'failed',
      'gone',
    ])
  })

  it('reports a loop and a second way to the same folder once', async () => {
    const root = temporaryFolder(empty('a/x.md', 'a/b/y.md'))
    symlinkSync('..', join(root, 'a/b/up'))
    symlinkSync('.', join(root, 'self'))
    symlinkSync('a', join(root, 'again'))
    expect(await offered(root)).toEqual(['a/b/y.md', 'a/x.md'])
    expect(await reasons(root)).toEqual({
      'a/b/up': 'a symbolic link to "a", which is already included',
      again: 'a symbolic link to "a", which is already included',
      self: 'a symbolic link to the folder itself, which is already included',
    })
  })

  it('follows a link to a folder that is reached in no other way', async () => {
    const root = temporaryFolder(
      empty('docs/a.md', 'packages/api/docs/b.md', 'packages/api/c/d.md'),
    )
    symlinkSync('../packages/api', join(root, 'docs/api'))
    symlinkSync('../packages/api/docs', join(root, 'docs/second'))
    symlinkSync('../../packages', join(root, 'packages/api/c/loop'))
    const options = { include: ['docs'] }
    expect(await offered(root, options)).toEqual([
      'docs/a.md',
      'docs/api/c/d.md',
      'docs/second/b.md',
    ])
    const source = open(root, options)
    const again = await source.rescan(['docs/api/c/d.md', 'docs/second'])
    expect(again.files.map((file) => file.path)).toEqual(['docs/api/c/d.md', 'docs/second/b.md'])
    const [content] = await source.read(['docs/api/c/d.md'])
    expect(content?.kind).toBe('text')
  })
})

describe('trouble', () => {
  it('skips a large file without reading it', async () => {
    const root = temporaryFolder({ 'ok.md': 'x'.repeat(1000), 'big.md': '' })
    truncateSync(join(root, 'big.md'), 50 * 1024 * 1024)
    expect(await offered(root)).toEqual(['ok.md'])
    expect(await reasons(root)).toEqual({ 'big.md': 'larger than the limit of 10 MiB (50 MiB)' })
    expect(await reasons(root, { maxFileBytes: 999 })).toHaveProperty(
      'ok.md',
      'larger than the limit of 999 bytes (1000 bytes)',
    )
  })

  it.skipIf(process.platform === 'win32')('never opens a FIFO', async () => {
    const root = temporaryFolder({ 'a.md': '' })
    execFileSync('mkfifo', [join(root, 'pipe.md')])
    expect(await offered(root)).toEqual(['a.md'])
    expect(await reasons(root)).toEqual({ 'pipe.md': 'not a regular file' })
    const [content] = await open(root).read(['pipe.md'])
    expect(content).toMatchObject({ kind: 'skipped', reason: 'not a regular file' })
  })

  it.skipIf(process.platform === 'win32')('reports names that cannot be spelled', async () => {
    const root = temporaryFolder({ 'a.md': '' })
    writeFileSync(join(root, 'back\\slash.md'), '')
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
      '',
    )
    expect(await offered(root)).toEqual(['a.md'])
    expect(await reasons(root)).toEqual({
      'back\\slash.md': expect.stringContaining('backslash'),
      'caf\uFFFD.md': 'its name is not valid Unicode',
    })
  })

  // root reads everything, so there is nothing to see when the tests run as root.
  it.skipIf(process.getuid?.() === 0)('reports an unreadable folder and goes on', async () => {
    const root = temporaryFolder(empty('a.md', 'locked/b.md'))
    chmodSync(join(root, 'locked'), 0)
    expect(await offered(root)).toEqual(['a.md'])
    expect(await reasons(root)).toEqual({
      locked: 'this folder cannot be read: permission denied',
    })
    chmodSync(join(root, 'locked'), 0o700)
  })

  it('walks very deep folders', async () => {
    const path = 'd/'.repeat(700)
    const root = temporaryFolder(empty(`${path}x.md`))
    expect(await offered(root)).toEqual([`${path}x.md`])
  })

  it('says when the root has gone, instead of offering nothing', async () => {
    const root = temporaryFolder(empty('a.md'))
    const source = open(root)
    rmSync(root, { recursive: true })
    writeFileSync(root, 'a file now')
    await expect(source.scan()).rejects.toMatchObject({ code: 'unavailable' })
    rmSync(root)
    await expect(source.scan()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(source.rescan(['a.md'])).rejects.toMatchObject({ code: 'unavailable' })
    expect(await source.read(['a.md'])).toEqual([{ kind: 'gone', path: 'a.md' }])
  })
})

describe('rescan', () => {
  const FILES = {
    '.gitignore': 'ignored/\n*.tmp.md',
    'a/.gitignore': 'no.md',
    ...empty('a/b/c.md', 'a/b/d.md', 'a/e.md', 'a/no.md', 'a/b/no.md', 'ab.md', 'a.tmp.md'),
    ...empty('ignored/x.md', '.hidden/x.md', 'node_modules/x.md', 'x.png'),
  }
  it.each<[string, string[], string[]]>([
    ['a file', ['a/e.md'], ['a/e.md']],
    ['a folder', ['a'], ['a/b/c.md', 'a/b/d.md', 'a/e.md']],
    [
      'a folder and something in it',
      ['a/b/c.md', 'a', 'ab.md'],
      ['a/b/c.md', 'a/b/d.md', 'a/e.md', 'ab.md'],
    ],
    ['the same twice', ['a/e.md', 'a/e.md'], ['a/e.md']],
    ['everything', [''], ['a/b/c.md', 'a/b/d.md', 'a/e.md', 'ab.md']],
    ['what is gone', ['gone.md', 'gone/x.md', 'a/e.md/x.md'], []],
    [
      'what is left out',
      ['a.tmp.md', 'ignored', 'ignored/x.md', '.hidden/x.md', 'node_modules', 'x.png'],
      [],
    ],
    ['what a deeper file leaves out', ['a/no.md', 'a/b/no.md'], []],
    ['what is not a path', ['../a.md', '/etc', 'a//e.md', 'a\0', 'C:/x.md', 'a\\e.md'], []],
  ])('looks at %s', async (_, paths, expected) => {
    const { files, skipped } = await open(temporaryFolder(FILES)).rescan(paths)
    expect(files.map((file) => file.path)).toEqual(expected)
    expect(skipped).toEqual([])
  })

  it('knows a file by one name only where the file system accepts several', async () => {
    const root = temporaryFolder(empty('a/b.md'))
    const tree = {
      name: 'notes',
      root,
      rules: compileRules({ extensions: readableExtensions() }),
      decode: () => undefined,
      maxFileBytes: 9,
      ignoresCase: true,
      heedsIgnoreFiles: true,
    }
    const { files } = await scanPaths(tree, ['a/b.md', 'a/B.md', 'A/b.md'])
    expect(files.map((file) => file.path)).toEqual(['a/b.md'])
  })

  it('agrees with a full scan for every path there is', async () => {
    const root = temporaryFolder(FILES)
    const source = open(root)
    const { files } = await source.scan()
    const again = await source.rescan(Object.keys(FILES))
    expect(again.files).toEqual(files)
  })
})

describe('opening', () => {
  it('explains a missing folder, a file, and an empty name', () => {
    const root = temporaryFolder({ 'a.md': '' })
    expect(failure(join(root, 'nope'))).toMatchObject({ code: 'not_found' })
    expect(failure('~/nope')).toMatchObject({ hint: expect.stringContaining('expand') })
    expect(failure(join(root, 'a.md'))).toMatchObject({ code: 'invalid' })
    expect(failure(join(root, 'a.md/x'))).toMatchObject({ code: 'invalid' })
    expect(failure('')).toMatchObject({ code: 'invalid' })
  })

  it('resolves links in the root once', async () => {
    const root = temporaryFolder({ 'real/a.md': '' })
    symlinkSync('real', join(root, 'link'))
    const source = open(join(root, 'link'))
    expect(source.root).toBe(join(root, 'real'))
    mkdirSync(join(root, 'other'))
    writeFiles(root, { 'real/b.md': '' })
    expect((await source.scan()).files).toHaveLength(2)
  })
})

function failure(root: string): unknown {
  try {
    return open(root)
  } catch (error) {
    return error
  }
}
