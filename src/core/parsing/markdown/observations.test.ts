import { expect, it } from 'vitest'
import { atOnce } from '../../kit/slices.ts'
import { observing } from './observations.ts'
import { parseMarkdown } from './parse-markdown.ts'

const read = (text: string) => atOnce(observing(text))
const said = (text: string) =>
  read(text).map(({ line, category, text: content }) => `${line} ${category}: ${content}`)

it('reads category, text, tags, context and line', () => {
  const text = [
    '---\ntitle: "- [front] matter"\nlist:\n- [front] matter\n---',
    '# Coffee',
    '',
    '- [method] Pour over is clearer',
    '- [technique] Water at 96 °C #brewing #heat/high (measured (twice) at home)',
    '',
  ].join('\n')
  expect(read(text)).toEqual([
    { category: 'method', text: 'Pour over is clearer', line: 8 },
    {
      category: 'technique',
      text: 'Water at 96 °C #brewing #heat/high',
      tags: ['brewing', 'heat/high'],
      context: 'measured (twice) at home',
      line: 9,
    },
  ])
  expect(parseMarkdown(text, 'a.md').document.inlineTags).toEqual(['brewing', 'heat/high'])
})

it.each([
  ['* [fact] a', '1 fact: a'],
  ['+ [fact] a', '1 fact: a'],
  ['12. [fact] a', '1 fact: a'],
  ['3) [open question] a?', '1 open question: a?'],
  ['- x\n  - [fact] a\n\t\t- [fact] b', '2 fact: a', '3 fact: b'],
  ['- [in three words] a', '1 in three words: a'],
  ['- [决定] 用甲 (因为乙)', '1 决定: 用甲'],
  ['- [Ключ] слово', '1 Ключ: слово'],
  ['- [fact] a\r\n- [fact] b\r\n', '1 fact: a', '2 fact: b'],
  ['- [fact] see [[X]] and [y](z.md)', '1 fact: see [[X]] and [y](z.md)'],
  ['- [fact] see [y](z.md)', '1 fact: see [y](z.md)'],
  ['- [fact] call f(x)', '1 fact: call f(x)'],
  ['- [fact] one) two)', '1 fact: one) two)'],
  ['- [fact] (all of it)', '1 fact: (all of it)'],
  ['- [fact] unclosed (so', '1 fact: unclosed (so'],
  ['- [fact] a (b) ^block-1', '1 fact: a'],
  ['- [fact] `#no` in `- [code] b`', '1 fact: `#no` in `- [code] b`'],
  ['- [fact] a\n  goes on (here)\n- b', '1 fact: a goes on'],
  ['- [fact] a\n  id:: 12\n  collapsed:: true', '1 fact: a'],
  ['- [fact] a\n  - [fact] b\n\n  apart', '1 fact: a', '2 fact: b'],
  ['- [fact] a\n  ```\n  - [code] b\n  ```', '1 fact: a'],
  ['- [fact] a <!-- why --> b', '1 fact: a b'],
  ['- [fact] a <!-- b\n- [fact] c', '1 fact: a <!-- b', '2 fact: c'],
  ['- [fact] 5 %% of it', '1 fact: 5 %% of it'],
  ['<!--\n- [hidden] a\n-->\n- [fact] b', '4 fact: b'],
  ['%%\n- [hidden] a\n%%\n- [fact] b', '4 fact: b'],
  ['Write `<!--` so.\n\n- [fact] b', '3 fact: b'],
  ['<pre>\n- [hidden] a\n</pre>\n\n- [fact] b', '5 fact: b'],
])('reads %j', (text, ...found) => {
  expect(said(text)).toEqual(found)
})

it.each([
  ['', '[fact] no item', '-[fact] no blank', '- [fact]', '- [fact] ', '- [fact]no blank'],
  [
    '- [ ] a',
    '- [x] a',
    '- [X] a',
    '- [-] a',
    '- [/] a',
    '- [!] a',
    '- [?] a',
    '- [a] a',
    '- [决] a',
  ],
  [
    '- [a](b)',
    '- [fact](b) c',
    '- [[X]] a',
    '- [[X|y]] a',
    '- [^1] a',
    '- [^note]: a',
    '- [a][b] c',
  ],
  ['- [fact]: http://x.y', '- [fact] a\n\n[fact]: http://x.y', '- ![fact] a', '- \\[fact] a'],
  [
    '- [four words are many] a',
    '- [] a',
    '- [2026-01-02] a',
    '- [1/3] a',
    '- [!info] a',
    '- [a,b] c',
  ],
  ['> - [fact] quoted', '> [!info] a', '# [fact] a', '| [fact] a |', '- text [fact] a'],
  ['```\n- [fact] a\n```', '~~~md\n- [fact] a', 'Code:\n\n    - [fact] a', '- `[fact] a`'],
  ['<!-- - [fact] a', '<!--\n- [fact] a', '---\na: b\nl:\n- [fact] a\n---\n'],
])('takes other things for what they are: %j and others', (...texts) => {
  for (const text of texts) expect([text, said(text)]).toEqual([text, []])
})

it('reads no table of thousands, and cuts what is endless', () => {
  expect(read('- [fact] a\n'.repeat(3_000))).toHaveLength(1_000)
  const [long] = read(`- [fact] ${'a '.repeat(500_000)}(because)\n`)
  expect(long!.text).toHaveLength(1_000)
  expect(long!.context).toBeUndefined()
  const [many] = read(`- [fact] a\n${'  more\n'.repeat(10_000)}`)
  expect(many!.text.split(' ')).toHaveLength(20)
})

/** Anything but linear time would take longer than a test has. */
it('reads hostile texts in one go', () => {
  const size = 1_000_000
  for (const text of [
    ' '.repeat(size),
    `-${' '.repeat(size)}[fact] a`,
    `- [${'a'.repeat(size)}] b`,
    `- [${'a '.repeat(size)}] b`,
    `- [fact] ${'('.repeat(size)}${')'.repeat(size)}`,
    `- [fact] a\n${' '.repeat(size)}\n`,
    '- [fact] <!-- a\n'.repeat(size / 20),
    '- [fact] %% a\n'.repeat(size / 20),
    '%%\n'.repeat(size / 3 + 1),
    '<pre>\n- [fact] a\n'.repeat(size / 20),
    '- [fact] `a <!--\n'.repeat(size / 20),
    `- [fact] a${' ^'.repeat(size)}`,
    `- [fact] ${'#a '.repeat(size / 3)}`,
  ]) {
    expect(read(text).length).toBeLessThanOrEqual(1_000)
  }
})
