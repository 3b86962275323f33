import { expect, it } from 'vitest'
import { clean, columns, wrap } from './terminal.ts'

it.each([
  ['plain', 'plain'],
  ['tab\tand\nline', 'tab\tand\nline'],
  ['a\r\nb\rc', 'a\nb\nc'],
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u009b31mred', 'red'],
  ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]0;never closed', ''],
  ['\u001bPq#0\u001b\\text', 'text'],
  ['\u001b(Btext\u001bc', 'text'],
  ['back\bspace\u0000 \u007f', 'backspace '],
  ['\u202egnp.exe\u2066', 'gnp.exe'],
  ['\u001b', ''],
  ['日本語 👩‍💻 é', '日本語 👩‍💻 é'],
])('shows %j as %j', (text, shown) => {
  expect(clean(text)).toBe(shown)
})

it('cleans in linear time', () => {
  // Squared, these would take longer than a test may.
  for (const text of ['\u001b]'.repeat(200_000), '\u001b['.repeat(200_000)]) {
    expect(clean(text)).not.toContain('\u001b')
  }
  expect(clean(`\u001b[${'0'.repeat(400_000)}`)).not.toContain('\u001b')
})

it('wraps at spaces and leaves long words whole', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrap('unbreakable', 4)).toEqual(['unbreakable'])
  expect(wrap('', 4)).toEqual([])
})

it('aligns columns', () => {
  expect(
    columns([
      ['a', 'b'],
      ['ccc', 'd'],
    ]),
  ).toEqual(['a    b', 'ccc  d'])
})
