import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearPattern, literalPattern } from './linear-pattern.ts'

describe('a pattern of linear time', () => {
  it.each([
    ['roll(ing)? back', 'rolling back', true],
    ['roll(ing)? back', 'rolled back', false],
    ['^# ', '# Title', true],
    ['^# ', 'a # b', false],
    ['end$', 'the end', true],
    ['end$', 'ends', false],
    ['\\bcat\\b', 'a cat sat', true],
    ['\\bcat\\b', 'concat', false],
    ['[A-Z]{2,3}-\\d+', 'see AB-12', true],
    ['[^a-z]+', 'abc', false],
    ['a|b|c$', 'xxc', true],
    ['(?i)straße', 'STRASSE Straße', true],
    ['\\p{L}+é', 'café', true],
    ['x{2}', 'axxb', true],
    ['x{2}', 'axb', false],
    ['x{0,2}y', 'y', true],
    ['[]]', 'a]b', true],
    ['.', '🗝', true],
    ['^.$', '🗝', true],
    ['\\.md\\)', '(a.md)', true],
  ])('%s on %s: %s', (source, line, found) => {
    expect(linearPattern(source).test(line)).toBe(found)
  })

  it.each(['(a', 'a)', '[a', '*a', 'a{3,1}', '(?=a)', '(a)\\1', '\\q', 'a\\', '\\p{Nothing}', ''])(
    'refuses %s and says what to write',
    (source) => {
      expect(() => linearPattern(source)).toThrow(
        expect.objectContaining({ code: 'invalid', hint: expect.stringMatching(/./) }),
      )
    },
  )

  it('refuses what would take more memory than it is worth', () => {
    expect(() => linearPattern('((a{500}){500}){500}')).toThrow(/more than 5000 parts/)
    expect(() => linearPattern('a'.repeat(2_000))).toThrow(/longer/)
    expect(() => linearPattern(`${'('.repeat(200)}a${')'.repeat(200)}`)).toThrow(/nested/)
  })

  it('finds a text of any length as it stands, and says where', () => {
    const long = 'a.b '.repeat(250_000)
    expect(literalPattern(long).test(`x${long}`)).toBe(true)
    expect(literalPattern(long).test(long.slice(1))).toBe(false)
    expect(literalPattern('a.').spans('a.a.xa. aaa')).toEqual([
      [0, 2],
      [2, 4],
      [5, 7],
    ])
    expect(() => literalPattern(long, { ignoreCase: true })).toThrow(/longer than 4000/)
    const most = 'a'.repeat(4_000)
    expect(literalPattern(most, { ignoreCase: true }).test(most)).toBe(true)
  })

  it('says which repetition is too large, and which is the largest', () => {
    for (const source of [
      'a{1,30000}',
      'a{30000}',
      'a{30000,}',
      'a{0,2001}',
      'a{99999999999999}',
    ]) {
      expect(() => linearPattern(source), source).toThrow(
        expect.objectContaining({
          code: 'invalid',
          message: expect.stringContaining(`${source.slice(1)} repeats more than 2000 times`),
          hint: expect.stringContaining('{2000}'),
        }),
      )
    }
    expect(linearPattern('^a{1,2000}$').test('a'.repeat(2_000))).toBe(true)
    expect(linearPattern('^a{1,2000}$').test('a'.repeat(2_001))).toBe(false)
    expect(linearPattern('^a{2000,}$').test('a'.repeat(2_001))).toBe(true)
    // What counts nothing is what it says.
    expect(linearPattern('a{,3}').test('a{,3}')).toBe(true)
    expect(linearPattern('{n}').test('{n}')).toBe(true)
  })

  it('takes patterns in its stride that others never finish', () => {
    const line = `${'a'.repeat(20_000)}!`
    for (const source of ['^(a+)+$', '^(a|aa)+$', '^(a*)*b', '(.*)(.*)(.*)x$']) {
      expect(linearPattern(source).test(line)).toBe(false)
    }
  })

  it('agrees with the engine of the language where both know the pattern', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab)',
      '\\w',
      'c?',
      'a*',
      'b+',
      'a{1,2}',
    )
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(['', ''], ['^', ''], ['', '$'], ['^', '$'], ['\\b', '']),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 12 }),
        (parts, [before, behind], line) => {
          const source = `${before}${parts.join('')}${behind}`
          expect(linearPattern(source).test(line)).toBe(new RegExp(source, 'u').test(line))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('looks for a text as it stands', () => {
    expect(literalPattern('a.b(').test('xa.b(y')).toBe(true)
    expect(literalPattern('a.b(').test('aXb(')).toBe(false)
    expect(literalPattern('Tea', { ignoreCase: true }).test('TEA')).toBe(true)
    expect(literalPattern('tea', { wholeWord: true }).test('steam')).toBe(false)
    expect(literalPattern('tea', { wholeWord: true }).test('a tea!')).toBe(true)
  })
})
