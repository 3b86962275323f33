import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readableText } from './readable-text.ts'

const CASES: readonly (readonly [markdown: string, text: string])[] = [
  ['plain  text\nhere', 'plain text here'],
  ['see [grid layouts](/en-US/docs/Grid) now', 'see grid layouts now'],
  ['the **bold** and *slanted* `code`', 'the bold and slanted code'],
  ['snake_case stays', 'snake_case stays'],
  ['[[target|label]] and [[other note]]', 'label and other note'],
  ['- one\n- [x] two', 'one two'],
  ['> [!note]\n> said', 'said'],
  ['| a | b |\n|---|---|\n| c | d |', 'a · b · c · d ·'],
  ['# Title\ntext', 'Title text'],
  ['```sh\n./ops list\n```', './ops list'],
  ['uses {{domxref("Window.fetch")}} here', 'uses Window.fetch here'],
  ['<kbd>x</kbd> <!-- hidden -->', 'x'],
  ['said %%to nobody%% here\n\n%%\nnor this\n%%', 'said here'],
  ['a block ^its-name\nand x^2', 'a block and x^2'],
  ['[[note#Part two]], [[note#^block]], [[#Below]]', 'note › Part two, note › block, Below'],
  ['[[note#Part|label]] and # 5 [a#b]', 'label and # 5 [a#b]'],
  ['==lit words== but a==b and c == d', 'lit words but a==b and c == d'],
]

for (const [markdown, text] of CASES) {
  it(`reads ${JSON.stringify(markdown)}`, () => expect(readableText(markdown, []).text).toBe(text))
}

it('keeps marks at their words', () => {
  const markdown = 'see [grid layouts](/en-US/docs/Grid) now'
  const { text, marks } = readableText(markdown, [
    { start: 5, end: 9 },
    { start: 37, end: 40 },
  ])
  expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(['grid', 'now'])
})

it('never marks what is not there', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab *_[]()|`<>#-\n!') }),
      fc.nat(40),
      fc.nat(40),
      (markdown, a, b) => {
        const { text, marks } = readableText(markdown, [
          { start: Math.min(a, b), end: Math.max(a, b) },
        ])
        for (const { start, end } of marks) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual(text.length)
        }
      },
    ),
  )
})

it.each(['![', '](', '[^', ' ', '\t', '<!--', '%%', '==a'])(
  'passes a task of %j without end once',
  (part) => {
    // Looked for from each of them to the end it would take minutes.
    const text = part.repeat(600_000 / part.length)
    expect(readableText(`x${text}y`, []).text).toMatch(/^x/)
    expect(readableText(`${text}y`, []).text).toMatch(/y$/)
  },
)
