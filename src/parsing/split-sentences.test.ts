import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitSentences } from './split-sentences.ts'

function check(text: string, expected: readonly string[]): void {
  const found = splitSentences(text)
  expect(found.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`)).toEqual(
    expected,
  )
}

describe('sentences', () => {
  it.each([
    ['two', 'Boil it. Pour it!', ['prose: Boil it.', 'prose: Pour it!']],
    ['over lines', 'Boil\nit. Pour\nit.', ['prose: Boil\nit.', 'prose: Pour\nit.']],
    ['with \\r\\n', 'Boil it.\r\n\r\nPour it.\r\n', ['prose: Boil it.', 'prose: Pour it.']],
    ['without an end', 'Boil it. Pour', ['prose: Boil it.', 'prose: Pour']],
    ['with a question', 'Why? Because.', ['prose: Why?', 'prose: Because.']],
    [
      'abbreviated',
      'Use e.g. Redis. See Dr. No.',
      ['prose: Use e.g. Redis.', 'prose: See Dr. No.'],
    ],
    ['with initials', 'By J. Smith. Today.', ['prose: By J. Smith.', 'prose: Today.']],
    [
      'with numbers',
      'It is 3.14 high. Am 3. Mai.',
      ['prose: It is 3.14 high.', 'prose: Am 3. Mai.'],
    ],
    ['that end in a name', 'Edit a.md. Then go.', ['prose: Edit a.md.', 'prose: Then go.']],
    ['quoted', 'He said "go." She went.', ['prose: He said "go."', 'prose: She went.']],
    ['in bold', '**Boil it.** Pour it.', ['prose: **Boil it.**', 'prose: Pour it.']],
    ['Chinese', '你好。再见！好吗？', ['prose: 你好。', 'prose: 再见！', 'prose: 好吗？']],
    [
      'Japanese',
      '「行く。」と言った。次。',
      ['prose: 「行く。」', 'prose: と言った。', 'prose: 次。'],
    ],
    ['Hindi', 'नमस्ते। फिर मिलेंगे।', ['prose: नमस्ते।', 'prose: फिर मिलेंगे।']],
    ['Arabic', 'ما هذا؟ هذا شاي.', ['prose: ما هذا؟', 'prose: هذا شاي.']],
    ['none', ' \n\n ', []],
  ])('%s', (_name, text, expected) => check(text, expected))
})

describe('Markdown', () => {
  it.each([
    ['headings', '# Tea #\n\nBoil.', ['heading: Tea #', 'prose: Boil.']],
    ['underlined headings', 'Tea\n===\nBoil.', ['heading: Tea', 'prose: Boil.']],
    ['rules', 'Boil.\n\n---\n\nPour.', ['prose: Boil.', 'prose: Pour.']],
    [
      'lists',
      'Do:\n- boil\n  well\n1. pour. Wait.\n* [x] drink',
      ['prose: Do:', 'item: boil\n  well', 'item: pour.', 'item: Wait.', 'item: drink'],
    ],
    ['tables', '| a | b |\n|---|:-:|\n| 1 | 2 |', ['row: | a | b |', 'row: | 1 | 2 |']],
    [
      'code in fences',
      'Run:\n```sh\n# no heading. Nor two.\nmake all\n```\nDone.',
      ['prose: Run:', 'code: # no heading. Nor two.', 'code: make all', 'prose: Done.'],
    ],
    ['a fence that stays open', '~~~\nmake\n- x', ['code: make', 'code: - x']],
    [
      'indented code',
      'Run:\n\n    make all\n    make test\n',
      ['prose: Run:', 'code: make all', 'code: make test'],
    ],
    ['quotes', '> Boil it. Pour\n> it.', ['prose: Boil it.', 'prose: Pour\n> it.']],
    [
      'comments',
      'Boil.\n<!-- say: pwned. -->\n<!-- and\nso on. -->\nPour.',
      ['prose: Boil.', 'prose: Pour.'],
    ],
  ])('%s', (_name, text, expected) => check(text, expected))

  it('tells which sentences stand together', () => {
    const blocks = splitSentences('A a. B b.\n\nC c.\n\n- D d. E e.').map(({ block }) => block)
    expect(blocks).toEqual([0, 0, 1, 2, 2])
  })

  it('reads a part of a text', () => {
    const text = 'One. Two. Three.'
    expect(splitSentences(text, 5, 9)).toEqual([{ start: 5, end: 9, kind: 'prose', block: 0 }])
  })

  it('cuts what is too long', () => {
    for (const text of [
      'word '.repeat(400),
      'word, word '.repeat(200),
      '字'.repeat(1_500),
      '😀'.repeat(900),
    ]) {
      const found = splitSentences(text)
      expect(found.length).toBeGreaterThan(1)
      for (const { start, end } of found) {
        expect(end - start).toBeLessThanOrEqual(500)
        expect(text.slice(start, end).isWellFormed()).toBe(true)
      }
    }
  })
})

it('takes any text: places in order, nothing empty, nothing lost but marks', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('# H', '- item', '```', '> q', '| a |', '---', '<!--', '-->', '', 'A b. C d.'),
  )
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      (lines, eol) => {
        const text = lines.join(eol)
        let last = 0
        for (const { start, end } of splitSentences(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
          expect(end).toBeGreaterThan(start)
          last = end
        }
        expect(last).toBeLessThanOrEqual(text.length)
      },
    ),
  )
})
