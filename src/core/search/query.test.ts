import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planQuery } from './plan-query.ts'
import { parseQuery } from './query.ts'

/** Clauses as `occur kind field:text`, shortened where they are plain. */
function clausesOf(text: string): string[] {
  return parseQuery(text).clauses.map(({ kind, text, occur, field }) => {
    const sign = { any: '', quoted: '', must: '+', not: '-' }[occur]
    const mark = kind === 'phrase' ? `"${text}"` : kind === 'prefix' ? `${text}*` : text
    return `${sign}${field === undefined ? '' : `${field}:`}${mark}`
  })
}

const CASES: readonly (readonly [query: string, clauses: readonly string[]])[] = [
  ['', []],
  ['tea kettle', ['tea', 'kettle']],
  ['"boiling water" tea', ['"boiling water"', 'tea']],
  ['+tea -coffee', ['+tea', '-coffee']],
  ['-"iced tea" tea', ['-"iced tea"', 'tea']],
  ['config*', ['config*']],
  ['title:tea tag:green', ['+title:tea', '+tags:green']],
  ['title:"green tea"', ['+title:"green tea"']],
  ['-path:draft tea', ['-path:draft', 'tea']],
  // plain text that looks like operators
  ['"unbalanced tea', ['unbalanced', 'tea']],
  ['error: not found', ['error:', 'not', 'found']],
  ['https://example.com/x', ['https://example.com/x']],
  ['constructor:x', ['constructor:x']],
  ['well-known', ['well-known']],
  ['C++ a+b', ['C++', 'a+b']],
  ['--help', ['--help']],
  ['-coffee', ['coffee']],
  ['+ - * "" :', []],
  ['*', []],
  ['a*b', ['a*b']],
]

it.each(CASES)('%s', (query, clauses) => {
  expect(clausesOf(query)).toEqual(clauses)
})

function words(query: string): string[] {
  return planQuery(parseQuery(query)).words.map(({ terms }) => terms[0]!)
}

it('drops stop words only when something else is left', () => {
  expect(words('what is the kettle')).toEqual(['kettl'])
  expect(words('to be or not to be')).toEqual(['to', 'be', 'or', 'not'])
  expect(words('getUserById')).toEqual(['getuserbyid', 'get', 'user', 'id'])
  expect(words('東京都')).toEqual(['東京', '京都'])
})

it('lets repeated words weigh', () => {
  const { words } = planQuery(parseQuery('tea teas kettle'))
  expect(words.map(({ terms, weight }) => [terms[0], weight])).toEqual([
    ['tea', 2],
    ['kettl', 1],
  ])
})

it('reads only so much of a pasted page, and says so', () => {
  const page = Array.from({ length: 100_000 }, (_, i) => `word${i.toString(36)}`).join(' ')
  const plan = planQuery(parseQuery(page))
  expect(plan.truncated).toBe(true)
  expect(plan.words.length).toBe(64)
  expect(planQuery(parseQuery('a short question')).truncated).toBe(false)
})

it('looks for the first words of a long phrase, and says so', () => {
  const phrase = (words: number) => planQuery(parseQuery(`"${'tea '.repeat(words)}"`))
  const lengths = ({ required }: ReturnType<typeof phrase>) =>
    required.map((each) => each.kind === 'phrase' && each.terms.length)
  expect(lengths(phrase(4_000))).toEqual([64])
  expect(phrase(4_000).truncated).toBe(true)
  expect(lengths(phrase(64))).toEqual([64])
  expect(phrase(64).truncated).toBe(false)
})

it('takes any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab"+-*: title:東\u0301😀') }), (text) => {
      planQuery(parseQuery(text))
    }),
  )
})
