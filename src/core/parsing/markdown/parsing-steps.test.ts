/** A long note is parsed in steps, with others parsed in between, and says what it says at once. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atOnce } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { PIECE } from './inline.ts'
import { parseMarkdown, parsingMarkdown } from './parse-markdown.ts'

const PARTS = [
  '# A heading with `code` and [[a link]]\n\n',
  'Some text with [[links|shown]], *marks*, `code`, #tags and [inline](way.md "title").\n',
  '> quoted [[note]]\n> and [more](x.md)\n\n',
  '- item [[one]]\n  - [ref]\n\n',
  '```js\n[[no link]]\n```\n\n',
  '<div>[[in html]]</div>\n\n',
  '[open [[nested]] `un\\`closed ![image](a.png)',
  'A line that is underlined [[here]]\n===\n\n',
  '\r\nWindows [[line]]\r\n',
]

/** Long enough for many pieces, and a paragraph that is longer than one. */
function longText(parts: readonly string[]): string {
  const unit = parts.join('')
  return unit.repeat(Math.ceil((3 * PIECE) / unit.length))
}

function drive<Result>(steps: Steps<Result>, between: () => void): [Result, number] {
  for (let stops = 0; ; stops++) {
    const { done, value } = steps.next()
    if (done) return [value, stops]
    between()
  }
}

it('says the same in steps as at once, whatever is parsed meanwhile', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 }), (parts) => {
      const text = longText(parts)
      const [parsed, stops] = drive(parsingMarkdown(text, 'a.md'), () =>
        parseMarkdown('Another [[note]] with `code`, [a [[b]] c](d.md) and #tag.\n', 'b.md'),
      )
      expect(stops).toBeGreaterThan(3)
      expect(parsed).toEqual(parseMarkdown(text, 'a.md'))
    }),
    { numRuns: 40 },
  )
})

it('finds in a paragraph of many pieces what it finds in its lines', () => {
  const line = 'See [[tea]] and `code` and [way](to.md) #tag.'
  const count = Math.ceil((4 * PIECE) / line.length)
  const { document } = atOnce(parsingMarkdown(`${line}\n`.repeat(count), 'a.md'))
  expect(document.links.length).toBe(2 * count)
  expect(document.links.at(-1)).toMatchObject({ target: 'to.md', line: count })
})

it('stops at least once for every piece of a paragraph', () => {
  const text = '[[tea]] '.repeat(PIECE)
  const [, stops] = drive(parsingMarkdown(text, 'a.md'), () => {})
  expect(stops).toBeGreaterThan(text.length / PIECE)
})
