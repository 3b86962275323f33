import { expect, it } from 'vitest'
import { proseOf } from './prose.ts'

it.each([
  ['front matter', '---\nrole: NAME\n---\nSaid.'],
  ['a heading', 'Said.\n\n## NAME\n\nSaid.'],
  ['an underlined heading', 'Said.\n\nNAME\n====\n'],
  ['fenced code', 'Said.\n\n```js\nNAME\n```\n'],
  ['code that is never closed', 'Said.\n\n~~~\nNAME\n'],
  ['code in a line', 'Said `NAME` here.'],
  ['indented code', 'Said.\n\n    NAME = 1\n'],
  ['a wiki link', 'Said [[NAME|it]] here.'],
  ['a link', 'Said [NAME](there.md) here.'],
  ['an address', 'Said https://example.org/NAME here.'],
  ['a tag', 'Said #NAME here.'],
  ['a formula', 'Said $NAME_1$ here.'],
  ['a comment', 'Said <!-- NAME --> here.'],
])('takes out %s, and leaves all else in its place', (_, text) => {
  const prose = proseOf(text)
  expect(prose).not.toContain('NAME')
  expect(prose).toHaveLength(text.length)
  expect(prose.indexOf('Said')).toBe(text.indexOf('Said', text.startsWith('---') ? 5 : 0))
})

it('keeps what is said in lists, quotes and tables', () => {
  const text = '- one NAME\n    - two NAME\n\n> three NAME\n\n| four NAME |\n'
  expect(proseOf(text)).toBe(text)
})

it.each(['[', '`', '$', '[[', '{{', '<!--'])('reads a megabyte of %j at once', (sign) => {
  const text = sign.repeat(1_000_000 / sign.length)
  expect(proseOf(text)).toHaveLength(text.length)
})
