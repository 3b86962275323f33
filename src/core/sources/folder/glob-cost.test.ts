import { describe, expect, it } from 'vitest'
import { quickIgnoreLine } from './glob-cost.ts'
import { compileRules, IgnoreRules } from './rules.ts'

const NAME = 'a'.repeat(250)
const DEEP = `${'a/'.repeat(500)}a.md`

/** Each would take minutes to hours if every way were tried. */
describe('patterns that others wrote', () => {
  it.each([
    `${'*a'.repeat(20)}*b.md`,
    `${'**/a/'.repeat(10)}**/b.md`,
    `${'?*'.repeat(30)}b.md`,
    `{a,aa}${'*a'.repeat(20)}b.md`,
  ])('tries %s in no time', (glob) => {
    for (const options of [{ include: [glob] }, { exclude: [glob] }]) {
      const rules = compileRules({ ...options, extensions: ['md'] })
      for (const path of [`${NAME}.md`, DEEP]) {
        const offered = rules.offersFile(path, path.slice(path.lastIndexOf('/') + 1))
        expect([path.length, offered]).toEqual([path.length, 'exclude' in options])
      }
    }
  })

  it('still means what it says', () => {
    const { excludes } = compileRules({
      exclude: ['**/*draft*of*2026*.md', '**/a/**/b/**/c/**/d'],
      extensions: ['md'],
    })
    expect(excludes('x/the-draft-of-may-2026-b.md')).toBe(true)
    expect(excludes('x/the-draft-of-may.md')).toBe(false)
    expect(excludes('a/b/c/d')).toBe(true)
    expect(excludes('a/1/b/2/c/3/d/within.md')).toBe(true)
    expect(excludes('a/b/d')).toBe(false)
  })

  it.each([`${'{a,aa}'.repeat(40)}b`, '+(a|aa)b', '*(a|a*)', `${'x'.repeat(2_000)}`])(
    'refuses %s',
    (glob) => {
      expect(() => compileRules({ exclude: [glob], extensions: ['md'] })).toThrow(/pattern/)
    },
  )

  it('answers for an ignore file of many stars', () => {
    const lines = [`${'*a'.repeat(30)}*b`, `${'**/a/'.repeat(20)}b`, `${'**/'.repeat(20)}x*y*z*`]
    const rules = IgnoreRules.at('').withFile('', '.gitignore', lines.join('\n'))
    expect([rules.ignoresFile(NAME), rules.ignoresFile(DEEP)]).toEqual([false, false])
  })

  it.each([
    ['**/node_modules/**/dist', '**/node_modules/**/dist'],
    ['/a/**/b/**/c/**', '/a/**/b/**/c/**'],
    ['/a/**/b/**/c/**/d', '/a/**/d'],
    ['!/a/**/b/**/c/**/d', undefined],
    ['**/**/a/**/*', '**/a/**/*'],
    ['!**/**/**/a/**/**/b', '!**/a/**/b'],
  ])('reads %s as %s', (line, quick) => {
    expect(quickIgnoreLine(line)).toBe(quick)
  })
})
