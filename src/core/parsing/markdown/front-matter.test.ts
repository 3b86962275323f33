import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Properties, PropertyValue } from '../../domain/text.ts'
import { parseFrontMatter, readSimpleYaml, readYaml } from './front-matter.ts'

/** The properties of a front matter with this YAML; the body is `body` and is found. */
function check(yaml: string, properties: Properties): void {
  it(JSON.stringify(yaml), () => {
    const text = `---\n${yaml}\n---\nbody`
    const found = parseFrontMatter(text, 'a.md')
    expect(found).toEqual({ properties, bodyStart: text.length - 4, warnings: [] })
    // The thorough path agrees, whichever path was taken.
    expect(readYaml(`${yaml}\n`).properties).toEqual(properties)
  })
}

function checkValue(text: string, value: PropertyValue): void {
  check(`key: ${text}`, { key: value })
}

describe('values', () => {
  checkValue('3', 3)
  checkValue('-3', -3)
  checkValue('0', 0)
  checkValue('1.5', 1.5)
  checkValue('true', true)
  checkValue('false', false)
  checkValue('null', null)
  checkValue('~', null)
  checkValue('', null)
  checkValue('1.0', '1.0')
  checkValue('01234', '01234')
  checkValue('0x10', '0x10')
  checkValue('1e3', '1e3')
  checkValue('-0', '-0')
  checkValue('.5', '.5')
  checkValue('-moz-x', '-moz-x')
  checkValue('--y', '--y')
  checkValue('1_000', '1_000')
  checkValue('12345678901234567890', '12345678901234567890')
  checkValue('2024-01-15', '2024-01-15')
  checkValue('2021-07-02T21:38:52-04:00', '2021-07-02T21:38:52-04:00')
  checkValue('yes', 'yes')
  checkValue('True', 'True')
  checkValue('"3"', '3')
  checkValue("'true'", 'true')
  checkValue('""', '')
  checkValue('"a: b # c"', 'a: b # c')
  checkValue("'it''s'", "it's")
  checkValue('"tab\\t"', 'tab\t')
  checkValue('plain text, with:no trouble', 'plain text, with:no trouble')
  checkValue('a # comment', 'a')
  checkValue('a#b', 'a#b')
  checkValue('https://example.org/a?b=c#d', 'https://example.org/a?b=c#d')
  checkValue('[a, 2, "c, d", true]', ['a', 2, 'c, d', true])
  checkValue('[]', [])
  checkValue('[a, [b]]', ['a', ['b']])
  checkValue('{ a: 1 }', { a: 1 })
  checkValue('[[Note]]', [['Note']])
  checkValue('"[[Note]]"', '[[Note]]')
  checkValue('größe 日本', 'größe 日本')
  checkValue('😀 smile', '😀 smile')
  checkValue('!custom x', 'x')
})

describe('structures', () => {
  check('title: A\ntags:\n  - a\n  - b\n', { title: 'A', tags: ['a', 'b'] })
  check('tags:\n- a\n- 1.0', { tags: ['a', '1.0'] })
  check('a:\nb: c', { a: null, b: 'c' })
  check('a: |\n  one\n  two\nb: >\n  three\n  four', { a: 'one\ntwo\n', b: 'three four\n' })
  check('a: one\n  two', { a: 'one two' })
  check('a:\n  b:\n    - c: d', { a: { b: [{ c: 'd' }] } })
  check('# comment\na: b', { a: 'b' })
  check('a b: c\n"d e": f\n1: g', { 'a b': 'c', 'd e': 'f', '1': 'g' })
  check('a: &x [1]\nb: *x', { a: [1], b: [1] })
  check('', {})
  check('# only a comment', {})
})

it('defines keys that have a meaning in JavaScript', () => {
  const { properties } = parseFrontMatter('---\n__proto__: a\nconstructor: b\n---\n', 'a.md')
  expect(Object.entries(properties)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ])
  const deep = parseFrontMatter('---\na: {__proto__: {b: 1}}\n---\n', 'a.md').properties
  expect(Object.entries(deep.a as object)).toEqual([['__proto__', { b: 1 }]])
  expect(({} as { b?: number }).b).toBeUndefined()
})

/** What is left as body, and the warnings as `line: message` patterns. */
function checkBody(text: string, body: string, ...warnings: string[]): void {
  it(JSON.stringify(text.slice(0, 60)), () => {
    const found = parseFrontMatter(text, 'a.md')
    expect(text.slice(found.bodyStart)).toBe(body)
    expect(found.warnings.map(({ message, line }) => `${line}: ${message}`)).toEqual(
      warnings.map((warning) => expect.stringMatching(warning)),
    )
  })
}

describe('the block', () => {
  checkBody('---\na: b\n---\nbody', 'body')
  checkBody('\uFEFF---\na: b\n---\nbody', 'body')
  checkBody('\uFEFFbody', 'body')
  checkBody('---\r\na: b\r\n---\r\nbody', 'body')
  checkBody('---  \na: b\n---\t\nbody', 'body')
  checkBody('---\na: b\n...\nbody', 'body')
  checkBody('---\n---\nbody', 'body')
  checkBody('---\na: b\n---', '')
  checkBody('---\na: b\n----\n---\nx', '---\na: b\n----\n---\nx', '^[23]: .*not valid YAML')
  checkBody('body\n---\na: b\n---\n', 'body\n---\na: b\n---\n')
  checkBody(' ---\na: b\n---\n', ' ---\na: b\n---\n')
  checkBody('----\na: b\n---\n', '----\na: b\n---\n')
  checkBody('---\n\nA line across, then text.', '---\n\nA line across, then text.')
  checkBody('---\na: b\nbody', '---\na: b\nbody', '^1: .*not closed')
  checkBody('---\na: b\na: c\n---\nbody', 'body', '^3: .*"a" twice')
  checkBody('---\na: "b\n---\nbody', '---\na: "b\n---\nbody', '^\\d+: .*not valid YAML')
  checkBody('---\na: b\nc: [d\n---\nx', '---\na: b\nc: [d\n---\nx', '^[34]: .*not valid YAML.*line')
  checkBody('---\njust text\n---\nx', '---\njust text\n---\nx', '^2: .*not a list of keys')
  checkBody('---\n- a\n---\nx', '---\n- a\n---\nx', '^2: .*not a list of keys')
  checkBody('---\na: &x [*x]\n---\nx', '---\na: &x [*x]\n---\nx', 'cannot be read')
  const bomb = `a: &a [1]\n${'bcdefghi'.replace(/./g, (key) => `${key}: &${key} [${`*${String.fromCharCode(key.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`
  checkBody(`---\n${bomb}---\nx`, `---\n${bomb}---\nx`, 'repeats itself')
  const long = `a: ${'b'.repeat(70_000)}\n`
  checkBody(`---\n${long}---\nx`, `---\n${long}---\nx`, 'longer than')
})

it('gives values that name the file and the line', () => {
  expect(parseFrontMatter('---\na: b\na: c\n---\n', 'x/y.md').warnings).toEqual([
    {
      kind: 'front_matter',
      message: 'The front matter has the key "a" twice; the last one counts (line 3)',
      ref: 'x/y.md',
      line: 3,
    },
  ])
})

/** Texts that are often simple enough for the fast path, and now and then a trap. */
const word = fc.oneof(
  fc.constantFrom(
    'a',
    'b c',
    '1',
    '1.0',
    '-2',
    'true',
    'null',
    '~',
    '',
    'x: y',
    'x:y',
    'x #y',
    '#z',
  ),
  fc.constantFrom('"q"', "'q'", '"a, b"', '[a, b]', '[a, "b"]', '[]', '[a,]', '[a b: c]', '{a: b}'),
  fc.constantFrom('-', '- a', '?', ':', '|', '>', '&a', '*a', '!t', '%', '@', '`', ',', 'é', '😀'),
  fc.constantFrom(
    '2024-01-01',
    'http://a/b',
    "it's",
    'a"b',
    'a]',
    '[a',
    '...',
    '---',
    '\t',
    'a\tb',
    '<<',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replaceAll('\n', ' ')),
)
const line = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', 'key', 'x-y', 'a b', '1'), word).map(([k, v]) => `${k}: ${v}`),
  fc.tuple(fc.constantFrom('', ' ', '  ', '    '), word).map(([indent, v]) => `${indent}- ${v}`),
  fc.constantFrom('', 'key:', 'list:', '# c', '  more', 'a:b', '\r', ' '),
  word,
)

it('reads simple forms just as the yaml package does', () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const source = `${lines.join('\n')}\n`
      const simple = readSimpleYaml(source)
      if (!simple) return
      accepted++
      expect(simple, source).toEqual(readYaml(source))
    }),
    { numRuns: 5000 },
  )
  expect(accepted).toBeGreaterThan(200)
})

it.each(['<map>', '<xsl:choose>', ':muted', '::after'])(
  'reads %s without the thorough path',
  (title) => {
    expect(readSimpleYaml(`title: ${title}\n`)).toEqual(readYaml(`title: ${title}\n`))
    expect(readSimpleYaml(`title: ${title}\n`)?.properties).toEqual({ title })
  },
)
