import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
// The build is plain JavaScript: it runs on whatever Node there is.
// @ts-expect-error without types
import { patternsWhenMet as written } from '../../scripts/patterns-when-met.js'

const patternsWhenMet = written as (code: string) => string

/** What a part hands out, before and after. */
function handedOut(code: string): Record<string, unknown> {
  const exports: Record<string, unknown> = {}
  runInNewContext(code, { exports })
  return exports
}

describe('patterns of the built program', () => {
  it('are read when they are met, and are one object from then on', () => {
    const code = `
      const WORD = /\\p{L}+/gu;
      const plain = /a+/;
      exports.words = (text) => text.match(WORD);
      exports.next = (text) => { WORD.lastIndex = 2; return WORD.exec(text)?.[0] };
      exports.table = () => ({ WORD, plain, [WORD.source]: 1 });
      exports.pattern = () => WORD;`
    const written = patternsWhenMet(code)
    expect(written).toContain('/a+/;')
    expect(written).toContain('let WORD$kept;')
    for (const each of [code, written]) {
      const { words, next, table, pattern } = handedOut(each) as Record<
        string,
        (text?: string) => unknown
      >
      expect(words!('où es-tu')).toEqual(['où', 'es', 'tu'])
      expect(next!('abc def')).toBe('c')
      expect(Object.keys(table!() as object)).toEqual(['WORD', 'plain', '\\p{L}+'])
      expect(pattern!()).toBe(pattern!())
    }
  })

  it.each([
    ['a parameter', 'exports.value = ((WORD) => WORD)(1)'],
    ['a part of an object', 'exports.value = (({ WORD }) => WORD)({ WORD: 1 })'],
    ['a part with a default', 'exports.value = (({ WORD = 1 }) => WORD)({})'],
    ['an item', 'exports.value = (([WORD]) => WORD)([1])'],
    ['a variable', 'exports.value = (() => { const WORD = 1; return WORD })()'],
    ['a function', 'exports.value = (() => { function WORD() {} return typeof WORD.name })()'],
    ['what is caught', 'try { throw 1 } catch (WORD) { exports.value = WORD }'],
  ])('are left alone where their name is also that of %s', (_, other) => {
    const code = `const WORD = /\\p{L}+/gu;\nexports.source = WORD.source;\n${other}`
    const written = patternsWhenMet(code)
    expect(written).toBe(code)
    expect(handedOut(written)).toEqual(handedOut(code))
  })

  it('are not taken for what only goes by their name', () => {
    const code = `
      const WORD = /\\p{L}/u;
      class Row { WORD = 2; static of() { return new Row().WORD } }
      exports.value = [{ WORD: 1 }.WORD, Row.of(), WORD.test('x')];`
    const written = patternsWhenMet(code)
    expect(written).not.toBe(code)
    expect(handedOut(written)).toEqual(handedOut(code))
  })
})
