import { expect, it } from 'vitest'
import { taskBox, tasksIn, withMark } from './find-tasks.ts'

function check(text: string, expected: readonly string[]): void {
  const found = tasksIn('a.md', text)
  expect(
    found.map(
      (task) => `${task.line} ${task.done ? 'done' : 'open'} ${taskBox(task)} ${task.text}`,
    ),
  ).toEqual(expected)
}

it.each([
  ['open and done', '- [ ] a\n- [x] b\n* [X] c', ['1 open [ ] a', '2 done [x] b', '3 done [x] c']],
  ['begun and given up', '- [/] a\n- [-] b', ['1 open [/] a', '2 done [-] b']],
  ["with a theme's marks", '- [!] a\n1. [?] b', ['1 open [!] a', '2 open [?] b']],
  ['of Logseq', '- TODO a\n- DONE b', ['1 open [ ] a', '2 done [x] b']],
  ['with line ends of Windows', '# A\r\n- [ ] a\r\n- TODO b\r\n', ['2 open [ ] a', '3 open [ ] b']],
  ['not in code', '```\n- [ ] a\n```\n- [ ] b', ['4 open [ ] b']],
  ['not in front matter', '---\ntodo:\n  - [ ] a\n  - TODO b\n---\n- [ ] c', ['6 open [ ] c']],
])('finds tasks: %s', (_name, text, expected) => check(text, expected))

it.each([
  ['- [ ] a [x]', 'x', '- [x] a [x]'],
  ['  > 1. [/] a', '-', '  > 1. [-] a'],
  ['- TODO a', 'x', '- DONE a'],
  ['- DONE a', ' ', '- TODO a'],
  ['- a', 'x', undefined],
])('gives a task another mark: %s', (line, mark, expected) =>
  expect(withMark(line, mark)).toBe(expected),
)
