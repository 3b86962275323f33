import { expect, it } from 'vitest'
import { appendText } from './add-text.ts'

it.each([
  ['a new paragraph behind a paragraph', 'One.\n', 'Two.', 'One.\n\nTwo.\n'],
  ['a paragraph behind a list', '- one\n', 'Two.', '- one\n\nTwo.\n'],
  ['the next item of a list', '- one\n', '- two', '- one\n- two\n'],
  ['the next item of a list without a last line end', '- one', '- two', '- one\n- two'],
  ['the next numbered item', '1. one\n', '2. two', '1. one\n2. two\n'],
  ['the next task', '- [x] one\n', '- [ ] two', '- [x] one\n- [ ] two\n'],
  ['an item behind one of several lines', '- one\n  more\n', '- two', '- one\n  more\n- two\n'],
  ['an item behind a loose one', '- one\n\n  more\n', '- two', '- one\n\n  more\n- two\n'],
  ['a list behind a paragraph', 'One.\n', '- two', 'One.\n\n- two\n'],
  ['a paragraph behind a heading', '# One\n', 'Two.', '# One\nTwo.\n'],
  ['a list behind a heading', '# One\n', '- two', '# One\n- two\n'],
  ['a heading behind a paragraph', 'One.\n', '## Two', 'One.\n\n## Two\n'],
  ['a row of a table', '| a |\n| - |\n', '| b |', '| a |\n| - |\n| b |\n'],
  ['a paragraph behind a table', '| a |\n', 'Two.', '| a |\n\nTwo.\n'],
  ['a paragraph behind a quote', '> one\n', 'Two.', '> one\n\nTwo.\n'],
  ['a paragraph behind code', '```\nx\n```\n', 'Two.', '```\nx\n```\nTwo.\n'],
  ['a rule that would make a heading', 'One.\n', '---', 'One.\n\n---\n'],
  ['behind a blank line', 'One.\n\n', 'Two.', 'One.\n\nTwo.\n'],
  ['what brings its own blank line', 'One.\n', '\nTwo.', 'One.\n\nTwo.\n'],
  ['with the line ends of the file', 'One.\r\n', 'Two.\nThree.', 'One.\r\n\r\nTwo.\r\nThree.\r\n'],
  ['a lone CR inside of it', 'One.\n', 'Two\rmore', 'One.\n\nTwo\rmore\n'],
  ['a lone CR at its end, which stays one', 'One.\n', 'Two.\r', 'One.\n\nTwo.\r'],
  ['a lone CR before a CR LF', 'One.\n', 'Two.\r\r\nThree.', 'One.\n\nTwo.\r\r\nThree.\n'],
  ['behind a lone CR, which stays one', 'One.\rTwo.\r', 'Three.', 'One.\rTwo.\r\rThree.'],
  ['an item behind a lone CR', '- one\r', '- two', '- one\r- two'],
  ['a lone CR to lines with CR LF', 'One.\r\n', 'Two.\r', 'One.\r\n\r\nTwo.\r'],
  ['to nothing', '', 'Two.', 'Two.'],
  ['behind front matter', '---\na: b\n---\n', 'Two.', '---\na: b\n---\nTwo.\n'],
])('appends %s', (_what, text, content, expected) => {
  expect(appendText(text, content)).toBe(expected)
})

it('appends lines to what is no Markdown as they are', () => {
  expect(appendText('One.\n', 'Two.', { blocks: false })).toBe('One.\nTwo.\n')
})
