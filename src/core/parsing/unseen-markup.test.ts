import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blankMarkup, withoutMarkup } from './unseen-markup.ts'

it.each([
  ['a comment', 'Boil <!-- not\nthis --> it.', 'Boil  it.'],
  ['a comment of Obsidian', 'Boil %% not this %% it.', 'Boil  it.'],
  ['a definition', "Boil.\n[tea]: tea.md 'Tea'\n", 'Boil.\n\n'],
  ['a badge', '[![b](c.svg)](d) Boil.', ' Boil.'],
  ['tags', '<p align="left">Boil<br/> it.</p>', 'Boil it.'],
  ['nothing of code', '`<br>` and\n```\n<br>\n```\n', '`<br>` and\n```\n<br>\n```\n'],
  ['nothing of prose', 'a < b, List<Note>, <name>, 5 %% of', 'a < b, List<Note>, <name>, 5 %% of'],
])('leaves out %s', (_name, text, expected) => {
  expect(withoutMarkup(text).text).toBe(expected)
})

it('keeps every place: blanked where it was, moved there and back', () => {
  const part = fc.constantFrom('a b', '<br>', '%%', '\n', '[x]: y', '<!--', '-->', '`', '\r\n', ' ')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('')
      const blanked = blankMarkup(text)
      expect(blanked.length).toBe(text.length)
      expect(blanked.replaceAll(/[^\r\n]/g, '')).toBe(text.replaceAll(/[^\r\n]/g, ''))
      const seen = withoutMarkup(text)
      for (let at = 0; at < seen.text.length; at++) {
        expect(text[seen.from(at)]).toBe(seen.text[at])
        expect(seen.to(seen.from(at))).toBe(at)
      }
    }),
  )
})

it('reads hostile text in the time of its length', () => {
  for (const text of [
    '<!--'.repeat(50_000),
    '%%'.repeat(99_999),
    '[![a]('.repeat(30_000),
    '<b '.repeat(50_000),
  ]) {
    expect(blankMarkup(text).length).toBe(text.length)
  }
})
