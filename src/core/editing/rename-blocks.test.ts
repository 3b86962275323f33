import { expect, it } from 'vitest'
import { renameBlocks } from './rename-blocks.ts'

it.each([
  ['One. ^a\n\nTwo. ^b\n', 'Other. ^a\n', 'One. ^a-2\n\nTwo. ^b\n'],
  ['- One ^a  \r\n- Two ^a-2\r\n', '- x ^a\n', '- One ^a-3  \r\n- Two ^a-2\r\n'],
  ['Text\n\n^a\n', 'Text ^a', 'Text\n\n^a-2\n'],
  // No marks: code, powers, footnotes, and what stands within a line.
  ['```\nx ^a\n```\n\ny ^a', 'z ^a', '```\nx ^a\n```\n\ny ^a-2'],
  ['It is 10 ^3\n', 'Or 5 ^3\n', 'It is 10 ^3\n'],
  ['See [^a]\nand ^a here', 'x ^a', 'See [^a]\nand ^a here'],
  ['One ^a', 'None.', 'One ^a'],
])('makes of %j beside %j %j', (text, other, expected) => {
  expect(renameBlocks(text, other, new Set()).text).toBe(expected)
})

it('renames what looks like a power where somebody links to it', () => {
  const { text, names } = renameBlocks('Ten ^3', 'Five ^3', new Set(['^3']))
  expect(text).toBe('Ten ^3-2')
  expect([...names]).toEqual([['^3', '^3-2']])
})

it('takes its time in proportion to the text', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `x ^a-${at}`).join('\n')
  expect(renameBlocks(many, many, new Set()).names.size).toBe(20_000)
})
