import { describe, expect, it } from 'vitest'
import type { NamedDocument } from '../store/store.ts'
import { importedFile, mentionedFile } from './resolve-code.ts'

function files(...paths: string[]): NamedDocument[] {
  return paths.map((path, no) => ({
    no,
    source: 'repo',
    path,
    foldedPath: path.toLowerCase(),
    title: path,
    aliases: [],
    pageName: undefined,
  }))
}

const from = (path: string) => ({ source: 'repo', path })

describe('an import', () => {
  it.each([
    ['./b', 'src/a.ts', ['src/b.ts', 'lib/b.ts'], 'src/b.ts'],
    ['./b.js', 'src/a.ts', ['src/b.ts'], 'src/b.ts'],
    ['../x', 'src/deep/a.ts', ['src/x/index.ts'], 'src/x/index.ts'],
    ['@/x/y', 'src/a.ts', ['src/x/y.ts'], 'src/x/y.ts'],
    ['./b', 'src/a.py', ['src/b.py', 'src/b.ts'], 'src/b.py'],
    [
      'web/routes',
      'src/web/app.py',
      ['src/web/routes.py', 'old/web/routes.py'],
      'src/web/routes.py',
    ],
    ['json', 'src/flask/app.py', ['src/flask/json/__init__.py'], undefined],
    ['json', 'src/app.py', ['src/json.py'], 'src/json.py'],
    ['x.org/m/bind', 'main.go', ['bind/form.go', 'bind/bind.go'], 'bind/bind.go'],
    ['net/http', 'main.go', ['http/http.go'], undefined],
    ['x.org/m/many', 'main.go', ['many/a.go', 'many/b.go'], undefined],
    ['./x.h', 'src/a.c', ['include/x.h'], 'include/x.h'],
    ['./gone', 'src/a.ts', ['lib/gone.ts'], undefined],
  ])('of %s in %s', (target, path, paths, expected) => {
    const found = importedFile(target, from(path), files(...paths))
    expect(found === undefined ? undefined : paths[found]).toBe(expected)
  })
})

describe('a mention', () => {
  it.each([
    ['src/b.ts', ['src/b.ts', 'old/src/b.ts'], undefined],
    ['src/b.ts', ['app/src/b.ts'], 'app/src/b.ts'],
    ['parse()', ['src/parse.ts'], 'src/parse.ts'],
    ['Parser', ['src/parser.ts', 'tests/parser.test.ts'], 'src/parser.ts'],
    ['run', ['a/run.ts', 'b/run.ts'], undefined],
  ])('of %s among %j', (target, paths, expected) => {
    const found = mentionedFile(target, from('README.md'), files(...paths))
    expect(found === undefined ? undefined : paths[found]).toBe(expected)
  })
})
