import { describe, expect, it } from 'vitest'
import { setFrontMatter } from './edit-front-matter.ts'
import type { FrontMatterChange } from './edit-front-matter.ts'

/** `before` and `after` are the lines between the dashes. */
function check(name: string, before: string, change: FrontMatterChange, after: string): void {
  const body = '\n# Body\r\nmixed\n'
  for (const newline of ['\n', '\r\n']) {
    const whole = (yaml: string) => `---\n${yaml}---\n`.replaceAll('\n', newline) + body
    it(`${name}${newline === '\n' ? '' : ', Windows'}`, () => {
      expect(setFrontMatter('a.md', whole(before), change)).toBe(whole(after))
    })
  }
}

describe('a key is set', () => {
  check(
    'plain',
    'a: 1\nb: two # why\nc: 3\n',
    { set: { b: 'three' } },
    'a: 1\nb: three # why\nc: 3\n',
  )
  check('keeping single quotes', "a: 'x'\n", { set: { a: "it's" } }, "a: 'it''s'\n")
  check('keeping double quotes', 'a: "x"  # c\n', { set: { a: 'y"z' } }, 'a: "y\\"z"  # c\n')
  check('quoting what needs it', 'a: x\n', { set: { a: 'yes' } }, 'a: "yes"\n')
  check('quoting a colon', 'a: x\n', { set: { a: 'b: c' } }, 'a: "b: c"\n')
  check('quoting a number that is text', 'a: x\n', { set: { a: '007' } }, 'a: "007"\n')
  check('leaving a date plain', 'a: x\n', { set: { a: '2026-01-31' } }, 'a: 2026-01-31\n')
  check('to a number', 'a: x\n', { set: { a: 5 } }, 'a: 5\n')
  check('to true', 'a: x\n', { set: { a: true } }, 'a: true\n')
  check('where it was empty', 'a:\nb: 1\n', { set: { a: 'x' } }, 'a: x\nb: 1\n')
  check(
    'where it was empty, with a comment',
    'a: # c\nb: 1\n',
    { set: { a: 'x' } },
    'a: x # c\nb: 1\n',
  )
  check(
    'instead of a block text',
    'a: |\n  one\n  two\nb: 1\n',
    { set: { a: 'x' } },
    'a: x\nb: 1\n',
  )
  check(
    'instead of a block list',
    'a:\n  - one\n  - two\nb: 1\n',
    { set: { a: 'x' } },
    'a: x\nb: 1\n',
  )
  check('that is new', '# c\na: 1\n', { set: { b: 'x' } }, '# c\na: 1\nb: x\n')
  check(
    'that is new, a list',
    'a: 1\n',
    { set: { b: ['x', 'y z', 'c,d'] } },
    'a: 1\nb: [x, y z, "c,d"]\n',
  )
  check('with several lines', 'a: 1\n', { set: { a: 'x\ny' } }, 'a: "x\\ny"\n')
  check('to what it is', "a: 'x' # c\n", { set: { a: 'x' } }, "a: 'x' # c\n")
  check(
    'beside a nested map',
    'm:\n  x: 1 # c\n\n# d\na: 1\n',
    { set: { a: 2 } },
    'm:\n  x: 1 # c\n\n# d\na: 2\n',
  )
})

describe('a key is removed', () => {
  check('plain', 'a: 1\nb: 2 # c\nc: 3\n', { remove: ['b'] }, 'a: 1\nc: 3\n')
  check('with its block', 'a:\n  - x\n  - y\n# keep\nb: 2\n', { remove: ['a'] }, '# keep\nb: 2\n')
  check('with its map', 'a:\n  x:\n    y: 1\nb: 2\n', { remove: ['a'] }, 'b: 2\n')
  check('that is the last', 'a: 1\n', { remove: ['a'] }, '')
  check('that is not there', 'a: 1\n', { remove: ['zzz'] }, 'a: 1\n')
})

describe('tags are changed', () => {
  check(
    'added to a flow list',
    'tags: [a, "b"] # c\n',
    { addTags: ['c'] },
    'tags: [a, "b", c] # c\n',
  )
  check(
    'added to a block list',
    'tags:\n  - a # one\n  - b\nx: 1\n',
    { addTags: ['c'] },
    'tags:\n  - a # one\n  - b\n  - c\nx: 1\n',
  )
  check(
    'added to a list without indent',
    'tags:\n- a\nx: 1\n',
    { addTags: ['c'] },
    'tags:\n- a\n- c\nx: 1\n',
  )
  check('added to words with commas', 'tags: a, b\n', { addTags: ['c'] }, 'tags: a, b, c\n')
  check('added to words', 'tags: a b\n', { addTags: ['c'] }, 'tags: a b c\n')
  check('added to one word', 'tags: a\n', { addTags: ['c'] }, 'tags: [a, c]\n')
  check('added where they are', 'tags: [A]\n', { addTags: ['a'] }, 'tags: [A]\n')
  check('removed from a flow list', 'tags: [a, b, c]\n', { removeTags: ['b'] }, 'tags: [a, c]\n')
  check('removed at its end', 'tags: [a, b, c]\n', { removeTags: ['b', 'c'] }, 'tags: [a]\n')
  check('removed at its start', 'tags: [a, b, c]\n', { removeTags: ['a'] }, 'tags: [b, c]\n')
  check(
    'removed from a block list',
    'tags:\n  - a\n  - b # x\n  - c\n',
    { removeTags: ['B'] },
    'tags:\n  - a\n  - c\n',
  )
  check('removed all', 'tags: [a, b]\n', { removeTags: ['a', 'b'] }, 'tags: []\n')
  check('set as a whole', 'x: 1\ntags: [a, b]\n', { tags: ['b', 'z'] }, 'x: 1\ntags: [b, z]\n')
  check('set in another order', 'tags: [a, b]\n', { tags: ['b', 'a'] }, 'tags: [b, a]\n')
  check('set from nothing', 'x: 1\n', { tags: ['b'] }, 'x: 1\ntags: [b]\n')
  check('beside a number', 'tags: [2026, a]\n', { addTags: ['b'] }, 'tags: [2026, a, b]\n')
})

it('makes a front matter where there is none', () => {
  expect(setFrontMatter('a.md', '# A\r\n', { set: { a: 1 }, tags: ['x'] })).toBe(
    '---\r\na: 1\r\ntags: [x]\r\n---\r\n# A\r\n',
  )
  expect(setFrontMatter('a.md', '', { set: { a: 1 } })).toBe('---\na: 1\n---\n')
})

it('refuses what it cannot edit without harm, and says how to go on', () => {
  const refuse = (text: string, change: FrontMatterChange = { set: { a: 2 } }) =>
    expect(() => setFrontMatter('a.md', text, change)).toThrow()
  refuse('---\na: [1\n---\n')
  refuse('---\n{a: 1}\n---\n')
  refuse('---\na: 1\n')
  refuse('---\na: 1\na: 2\n---\n')
  refuse('# A\n', { addTags: ['two words'] })
  refuse('# A\n', { set: { '': 1 } })
  refuse('# A\n', { set: { a: Number.NaN } })
})

it.each<FrontMatterChange>([
  { set: { a: 'x\0y' } },
  { set: { a: ['\ud800'] } },
  { set: { a: { 'b\0': 1 } } },
  { set: { '\udc00': 1 } },
  { tags: ['x\0y'] },
  { addTags: ['\ud800'] },
])('refuses what no text can hold, also where it could be written with an escape: %j', (change) => {
  expect(() => setFrontMatter('a.md', '---\na: 1\n---\n', change)).toThrow(/no document can hold/)
})
