import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { isInside, pathProblem, resolveInside } from './paths.ts'

describe('the spelling of paths', () => {
  it.each([
    'a.md',
    'guides/setup.md',
    'with space/🍵.md',
    'line\nbreak.md',
    '...md',
    '..a/b..',
    '%2e%2e/x.md',
    'NUL.md',
    '.git/config',
    `${'n'.repeat(255)}`,
  ])('lets %j be read', (path) => {
    expect(pathProblem(path)).toBeUndefined()
  })

  it.each<[string, string]>([
    ['', 'empty'],
    ['..', '".."'],
    ['../a.md', '".."'],
    ['a/../b.md', '".."'],
    ['a/..', '".."'],
    ['./a.md', '"."'],
    ['a/./b.md', '"."'],
    ['/etc/passwd', 'absolute'],
    ['//server/share', 'absolute'],
    ['a//b.md', 'empty component'],
    ['a/', 'empty component'],
    ['a\\b.md', 'backslash'],
    ['..\\x.md', 'backslash'],
    ['\\\\server\\share', 'backslash'],
    ['a\0.md', 'NUL'],
    ['a\ud800.md', 'Unicode'],
    ['n'.repeat(256), '255 bytes'],
    ['é'.repeat(128), '255 bytes'],
    ['a/'.repeat(3000), 'too long'],
  ])('refuses %j', (path, problem) => {
    expect(pathProblem(path)).toContain(problem)
    expect(pathProblem(path, { forWriting: true })).toContain(problem)
  })

  it.each<[string, string]>([
    ['CON', 'reserved'],
    ['nul.md', 'reserved'],
    ['a/Aux.tar.gz', 'reserved'],
    ['com1', 'reserved'],
    ['LPT9.txt', 'reserved'],
    ['COM¹.md', 'reserved'],
    ['conin$', 'reserved'],
    ['con .md', 'reserved'],
    ['a?.md', 'character'],
    ['a:b.md', 'character'],
    ['C:/x.md', 'character'],
    ['line\nbreak.md', 'character'],
    ['dot.', 'dot'],
    ['space /x.md', 'space'],
    ['.git/hooks/x.md', '.git'],
    ['a/.GIT/x.md', '.git'],
    ['.g\u200cit/x.md', '.git'],
    ['.ｇit/x.md', '.git'],
    ['GIT~1/x.md', 'short name'],
    ['.cairn/x.md', '.cairn'],
    ['.Obsidian/x.md', '.obsidian'],
    ['Node_Modules/x.md', 'node_modules'],
  ])('refuses to write %j', (path, problem) => {
    expect(pathProblem(path, { forWriting: true })).toContain(problem)
  })

  it.each(['console.md', 'com10.md', 'nullable/x.md', '.gitignore', '.github/x.md', 'git/x.md'])(
    'lets %j be written',
    (path) => {
      expect(pathProblem(path, { forWriting: true })).toBeUndefined()
    },
  )

  it('lets nothing out, whatever the characters', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '\0',
      'a',
      '~',
      'C:',
      '%2e',
      ' ',
      '…',
      '.git',
    )
    const path = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.oneof(path, fc.string({ unit: 'binary' })), (path) => {
        if (pathProblem(path) !== undefined) return
        const place = resolve('/srv/notes', path)
        expect(place.startsWith(`${resolve('/srv/notes')}${sep}`)).toBe(true)
        expect(place.split(sep).slice(3).join('/')).toBe(path)
      }),
      { numRuns: 2000 },
    )
  })
})

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', true],
  ['/a/b', '/a/b/..c', true],
  ['/a/b', '/a/bc', false],
  ['/a/b', '/a', false],
  ['/a/b', '/', false],
  ['/', '/x', true],
])('%s contains %s: %s', (root, place, expected) => {
  expect(isInside(root, place)).toBe(expected)
})

describe('resolving', () => {
  it('finds what is there, and where something new would go', () => {
    const root = temporaryFolder({ 'a/b.md': 'tea' })
    const found = resolveInside(root, 'a/b.md')
    expect(found).toMatchObject({ path: 'a/b.md', entry: join(root, 'a/b.md') })
    expect(found.real).toBe(found.entry)
    expect(found.stats?.size).toBe(3)
    const fresh = resolveInside(root, 'new/deep/c.md', { forWriting: true })
    expect(fresh).toMatchObject({ real: join(root, 'new/deep/c.md'), stats: undefined })
  })

  it('goes through links that stay inside and tells where they lead', () => {
    const root = temporaryFolder({ 'a/b.md': 'tea' })
    symlinkSync('a', join(root, 'link'))
    symlinkSync('b.md', join(root, 'a/c.md'))
    expect(resolveInside(root, 'link/b.md').real).toBe(join(root, 'a/b.md'))
    expect(resolveInside(root, 'link/c.md').real).toBe(join(root, 'a/b.md'))
    expect(resolveInside(root, 'link/new.md').real).toBe(join(root, 'a/new.md'))
  })

  it('refuses links that lead out, at the end and in the middle, for reading and writing', () => {
    const outside = temporaryFolder({ 'x.md': '', 'deep/y.md': '' })
    const root = temporaryFolder({ '.git/config': '', 'a.md': '' })
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(join(outside, 'x.md'), join(root, 'x.md'))
    symlinkSync(`${root}/../${outside.split(sep).at(-1)}`, join(root, 'up'))
    symlinkSync('nowhere.md', join(root, 'dangling.md'))
    symlinkSync('.git', join(root, 'innocent'))
    for (const path of ['out', 'out/x.md', 'out/new.md', 'out/deep/new/y.md', 'x.md', 'up/x.md']) {
      for (const forWriting of [false, true]) {
        expect(code(() => resolveInside(root, path, { forWriting }))).toBe('forbidden')
      }
    }
    expect(code(() => resolveInside(root, 'dangling.md', { forWriting: true }))).toBe('invalid')
    expect(code(() => resolveInside(root, 'innocent/hook.md', { forWriting: true }))).toBe(
      'invalid',
    )
    expect(code(() => resolveInside(root, 'a.md/b.md'))).toBe('invalid')
    expect(code(() => resolveInside(root, '../a.md'))).toBe('invalid')
  })

  it('agrees with the file system on random trees of links', () => {
    const outside = temporaryFolder({ 'a/b': '', b: '' })
    const root = temporaryFolder()
    const name = fc.constantFrom('a', 'b', 'c')
    const way = fc.array(fc.oneof(name, fc.constant('..')), { minLength: 1, maxLength: 4 })
    const tree = fc.array(fc.tuple(fc.constantFrom('folder', 'file', 'link', 'out'), way, way), {
      maxLength: 8,
    })
    let no = 0
    fc.assert(
      fc.property(tree, fc.array(name, { minLength: 1, maxLength: 4 }), (steps, asked) => {
        const top = join(root, String(no++))
        mkdirSync(top)
        for (const [kind, to, from] of steps)
          plant(top, kind, from, kind === 'out' ? [outside] : to)
        const path = asked.join('/')
        const real = attempt(() => realpathSync.native(join(top, path)))
        const resolved = attempt(() => resolveInside(top, path))
        if (real === undefined) return
        if (isInside(top, real)) expect(resolved?.real).toBe(real)
        else expect(resolved).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })
})

function plant(top: string, kind: string, from: string[], to: string[]): void {
  const place = join(top, ...from.filter((name) => name !== '..'))
  attempt(() => {
    if (kind === 'folder') mkdirSync(place, { recursive: true })
    else if (kind === 'file') writeFileSync(place, '')
    else symlinkSync(to.join('/'), place)
  })
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function code(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return (error as { code?: string }).code
  }
}
