import fc from 'fast-check'
import picomatch from 'picomatch'
import { describe, expect, it } from 'vitest'
import { compileGlob, literalFolderOf } from './compile-glob.ts'

function check(pattern: string, yes: readonly string[], no: readonly string[]): void {
  it(pattern, () => {
    const matches = compileGlob(pattern)
    expect(yes.filter((path) => !matches(path))).toEqual([])
    expect(no.filter(matches)).toEqual([])
  })
}

describe('matches', () => {
  check('*.md', ['a.md', 'A.MD', '.md'], ['a/b.md', 'a.txt'])
  check('**/*.md', ['a.md', 'a/b.md', 'a/b/c.md'], ['a.txt'])
  check('a/**', ['a/b', 'a/b/c'], ['b/a', 'ab'])
  check('**/2026-*.md', ['2026-a.md', 'x/2026-.md'], ['x2026-a.md', '2026-a/b.md'])
  check('a?c', ['abc'], ['ac', 'a/c'])
  check('[a-c]x[!0-9]', ['axe', 'CXy'], ['dxe', 'ax1', 'ax/'])
  check('{a,b}/*.{md,txt}', ['a/x.md', 'b/y.txt'], ['c/x.md', 'a/x.mdx'])
  check('a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab'])
  check('meeting (old)/*', ['meeting (old)/a.md'], ['meeting old/a.md'])
  check('🦦?', ['🦦x', '🦦🦦'], ['🦦'])
})

it('says where a pattern is tied to', () => {
  expect(['a/b/*.md', 'a/b*', '*', 'a/b', 'a/{b,c}/d'].map(literalFolderOf)).toEqual([
    'a/b/',
    'a/',
    '',
    undefined,
    'a/',
  ])
})

it('agrees with another implementation', () => {
  const part = fc.constantFrom('a', 'b', '/', '*', '?', '**/', 'ab', '[ab]', '.')
  const path = fc.array(fc.constantFrom('a', 'b', '.', 'ab', '/a', '/b'), { maxLength: 8 })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), path, (parts, names) => {
      const pattern = `x${parts.join('')}`.replace(/\/+/g, '/')
      // There `a/**` means `a` as well, which is a folder and so never asked for.
      fc.pre(!pattern.includes('***') && !/\/\*\*?$|\/$/.test(pattern))
      const text = `x${names.join('')}`
      expect([pattern, text, compileGlob(pattern)(text)]).toEqual([
        pattern,
        text,
        picomatch.isMatch(text, pattern, { nocase: true, dot: true }),
      ])
    }),
    { numRuns: 1_000 },
  )
})

it('takes no time for a pattern made to take all of it', () => {
  for (const pattern of ['*n'.repeat(20), '*?'.repeat(200), '**/'.repeat(100), '(n+)+'.repeat(9)]) {
    expect(compileGlob(`${pattern}x`)(`${'n/'.repeat(30)}${'n'.repeat(200)}.md`)).toBe(false)
  }
})
