import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseText } from './analyser.ts'
import { MAX_SPAN } from './scan.ts'

/** Parts as `term`, wholes as `*term`; the positions of parts just count. */
function termsOf(text: string): string {
  return analyseText(text)
    .map(({ term, kind }) => (kind === 'whole' ? `*${term}` : term))
    .join(' ')
}

const CASES: readonly (readonly [text: string, terms: string])[] = [
  ['', ''],
  ['… — !?', ''],
  ['The kettles boiled', 'the kettl boil'],
  // spelling
  ['Café CAFÉ cafe', 'cafe cafe cafe'],
  ['naïve Straße Øre', 'naiv strass ore'],
  ['ｆｕｌｌ ﬁne', 'full fine'],
  ['İstanbul', 'istanbul'],
  ['йод ёлка', 'йод елк'],
  ["don't user’s", "don't user"],
  ['soft\u00adhyphen', 'softhyphen'],
  // identifiers
  ['getUserById', '*getuserbyid get user by id'],
  ['snake_case', '*snakecas snake case'],
  ['kebab-case', '*kebabcas kebab case'],
  ['HTTPServer2', '*httpserver2 http server 2'],
  ['XMLHttpRequest', '*xmlhttprequest xml http request'],
  ['_private', 'privat'],
  ['e-mail', '*email e mail'],
  ['p53 mp3 x86', 'p53 mp3 x86'],
  ['python3', '*python3 python 3'],
  ['iPhone', '*iphon i phone'],
  ['--flag -x', 'flag x'],
  ['a-b-c-d-e-f-g-h-i', 'a b c d e f g h i'],
  // numbers, versions, paths
  ['3.14 v1.2.3 1,000', '*3.14 3 14 *v1.2.3 v1 2 3 *1000 1 000'],
  ['end.Next 5. done', 'end next 5 done'],
  ['https://example.com/a/b.md', 'https exampl com a b md'],
  // scripts without spaces
  ['東京都', '東京 京都 都'],
  ['カフェ', 'カフ フェ ェ'],
  ['안녕', '안녕 녕'],
  ['สวัส', 'สว วั ัส ส'],
  ['𠀋𠀌', '𠀋𠀌 𠀌'],
  ['Go言語', 'go 言語 語'],
]

it.each(CASES)('%s', (text, terms) => {
  expect(termsOf(text)).toBe(terms)
})

describe('positions', () => {
  it('count the parts; a whole lies above its first part', () => {
    expect(analyseText('call getUser now').map(({ term, position }) => [term, position])).toEqual([
      ['call', 0],
      ['getus', 1],
      ['get', 1],
      ['user', 2],
      ['now', 3],
    ])
  })

  it('tell where a term stands in the text', () => {
    const text = 'a  Kettle!'
    const [, kettle] = analyseText(text)
    expect(text.slice(kettle!.start, kettle!.end)).toBe('Kettle')
  })
})

it('cuts overlong words and splits overlong chains between words', () => {
  expect(termsOf(`${'x'.repeat(500)} y`)).toBe(`${'x'.repeat(MAX_SPAN)} y`)
  const chain = Array.from({ length: 60 }, (_, i) => `part${String.fromCharCode(97 + (i % 26))}`)
  expect(
    termsOf(chain.join('-'))
      .split(' ')
      .filter((term) => term.startsWith('part')).length,
  ).toBe(60)
})

it('takes any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const { term, start, end } of analyseText(text)) {
        expect(term).not.toBe('')
        expect(start).toBeLessThan(end)
      }
    }),
  )
})

it('says the same about a text however it is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZ9 -_éÜñşйЁåὰ') }), (text) => {
      const composed = termsOf(text.normalize('NFC'))
      expect(termsOf(text.normalize('NFD'))).toBe(composed)
    }),
  )
})
