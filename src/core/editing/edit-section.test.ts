import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../parsing/markdown/parse-markdown.ts'
import { replaceSection } from './edit-section.ts'
import type { SectionEdit } from './edit-section.ts'

function edited(text: string, edit: Partial<SectionEdit> & { section: string }): string {
  const { document } = parseMarkdown(text, 'a.md')
  return replaceSection('a.md', text, document, {
    content: 'NEW',
    at: 'whole',
    create: false,
    ...edit,
  })
}

describe('one section is replaced', () => {
  const check = (name: string, text: string, section: string, expected: string) =>
    it(name, () => expect(edited(text, { section })).toBe(expected))

  check('in the middle', '# A\n\none\n\n# B\n\ntwo\n', 'A', '# A\n\nNEW\n\n# B\n\ntwo\n')
  check('at the end', '# A\n\none\n\n# B\n\ntwo\n', 'B', '# A\n\none\n\n# B\n\nNEW\n')
  check('without a last line end', '# A\none', 'A', '# A\nNEW')
  check('that is empty', '# A\n# B\n', 'A', '# A\n\nNEW\n\n# B\n')
  check('that is empty and last', '# A\n\n# B', 'B', '# A\n\n# B\n\nNEW\n')
  check('with its subsections', '# A\nx\n## C\ny\n# B\n', 'A', '# A\nNEW\n# B\n')
  check('by path', '# A\n## C\n1\n# B\n## C\n2\n', 'B > C', '# A\n## C\n1\n# B\n## C\nNEW\n')
  check('at the top, by anchor', '# A\n## B\n1\n# B\n2\n', '> B', '# A\n## B\n1\n# B\nNEW\n')
  check(
    'with Windows line ends',
    '# A\r\n\r\nx\r\n\r\n# B\r\n',
    'A',
    '# A\r\n\r\nNEW\r\n\r\n# B\r\n',
  )
  check('with an underlined heading', 'A\n===\nx\n\nB\n---\ny\n', 'B', 'A\n===\nx\n\nB\n---\nNEW\n')
  check(
    'beside code that looks like a heading',
    '# A\n```\n# B\n```\n# C\nx\n',
    'C',
    '# A\n```\n# B\n```\n# C\nNEW\n',
  )
  check('around a quoted heading', '# A\n> # Q\n\nx\n# B\n', 'A', '# A\nNEW\n# B\n')
  check('whose heading has a separator', '# A > B\nx\n', 'A > B', '# A > B\nNEW\n')
  check('spelled another way', "## What's New?\nx\n", 'what s new', "## What's New?\nNEW\n")
})

describe('lines are added to one section', () => {
  const text = '# Log\n\n- one\n\n# Next\n'
  it('at its end', () =>
    expect(edited(text, { section: 'Log', at: 'end', content: '- two\n' })).toBe(
      '# Log\n\n- one\n- two\n\n# Next\n',
    ))
  it('at its start', () =>
    expect(edited(text, { section: 'log', at: 'start', content: '- zero' })).toBe(
      '# Log\n\n- zero\n- one\n\n# Next\n',
    ))
})

it('does not double a heading that the caller repeats', () => {
  const text = '# T\n\n## Setup\n\nold\n'
  expect(edited(text, { section: 'Setup', content: '## Setup\n\nnew\n' })).toBe(
    '# T\n\n## Setup\n\nnew\n',
  )
})

it('makes a section only when asked', () => {
  const text = '# T\n\n## A\n\nx\n\n## B\n\ny\n'
  expect(() => edited(text, { section: 'C' })).toThrow('no section "C"')
  expect(edited(text, { section: 'C', create: true })).toBe(`${text}\n## C\n\nNEW\n`)
  expect(edited(text, { section: 'A > Sub', create: true })).toBe(
    '# T\n\n## A\n\nx\n\n### Sub\n\nNEW\n\n## B\n\ny\n',
  )
  expect(edited('', { section: 'C', create: true })).toBe('## C\n\nNEW\n')
})

it('refuses a heading that stands for several sections, and lists them', () => {
  const text = '# A\n## N\n1\n# B\n## N\n2\n'
  expect(() => edited(text, { section: 'N' })).toThrow(
    'is the name of 2 sections of a.md: "A > N", "B > N"',
  )
})
