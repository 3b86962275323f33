import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { KnowledgeError } from '../domain/error.ts'
import { replaceLines } from './replace-lines.ts'

function check(name: string, text: string, lines: string, content: string, expected: string): void {
  it(name, () => {
    expect(replaceLines('a.md', text, { lines, content })).toBe(expected)
  })
}

describe('replaceLines', () => {
  check('one line', 'a\nb\nc\n', '2', 'B', 'a\nB\nc\n')
  check('one line, its end given', 'a\nb\nc\n', '2', 'B\n', 'a\nB\nc\n')
  check('several by more', 'a\nb\nc\n', '1-2', 'x\ny\nz\n', 'x\ny\nz\nc\n')
  check('to the end', 'a\nb\nc\n', '2-', 'x\n', 'a\nx')
  check('to the last that has an end', 'a\nb\nc\n', '2-3', 'x\n', 'a\nx\n')
  check('taken away', 'a\nb\nc\n', '2', '', 'a\nc\n')
  check('taken away at the end', 'a\nb\nc', '2-3', '', 'a')
  check('all taken away', 'a\nb', '1-2', '', '')
  check('an empty line', 'a\nb\n', '1', '\n', '\nb\n')
  check('the last without an end stays so', 'a\nb', '2', 'B\n', 'a\nB')
  check('an end is added', 'a\nb', '2', 'b\n\n', 'a\nb\n')
  check('the end is taken away', 'a\nb\n', '2-3', 'b\n', 'a\nb')
  check('of nothing', '', '1', 'a\n\n', 'a\n')
  check('line ends of the file', 'a\r\nb\r\nc\r\n', '2', 'x\ny\n', 'a\r\nx\r\ny\r\nc\r\n')
  check('line ends of the file, taken away', 'a\r\nb\r\nc', '2-3', '', 'a')
  check('other line ends elsewhere stay', 'a\nb\r\nc\nd\n', '4', 'D', 'a\nb\r\nc\nD\n')

  check(
    'line ends of both kinds stay where lines stay',
    'a\nb\r\nc\nd\r\ne\n',
    '1-5',
    'A\nb\nc\nd\nnew\nE\n',
    'A\nb\r\nc\nd\r\nnew\nE\n',
  )
  check('a last line that is the last no more', 'a\r\nb\nc', '2-3', 'b\nc\nd', 'a\r\nb\nc\r\nd')
  check('a return alone is no line end', 'a\rb\r\nc\r\n', '2', 'x\ry', 'a\rb\r\nx\ry\r\n')

  it.each(['0', '3-2', 'x', '1,2', '-3', '4', '2-9'])('refuses %s', (lines) => {
    expect(() => replaceLines('a.md', 'a\nb\n', { lines, content: 'x' })).toThrow(KnowledgeError)
  })

  it('is what splitting, replacing and joining would be', () => {
    const line = fc.constantFrom('', 'a', 'b c', '# x')
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat(),
        (before, given, one, other) => {
          const from = Math.min(one % before.length, other % before.length)
          const to = Math.max(one % before.length, other % before.length)
          const edit = { lines: `${from + 1}-${to + 1}`, content: `${given.join('\n')}\n` }
          const expected = [...before.slice(0, from), ...given, ...before.slice(to + 1)].join('\n')
          expect(replaceLines('a.md', before.join('\n'), edit)).toBe(expected)
        },
      ),
    )
  })
})
