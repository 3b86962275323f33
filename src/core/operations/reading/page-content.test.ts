import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentOf, withContent } from './page-content.ts'

it.each([
  ['', ''],
  ['Text.', 'Text.'],
  ['Text.\n', 'Text.\n'],
  ['Text.\r\n', 'Text.\r\n'],
  ['\nText.\n\n', '\nText.\n\n'],
  ['---\ntitle: A\n---\nText.\n', 'Text.\n'],
  ['---\ntitle: A\n---\n\nText.\n', 'Text.\n'],
  ['---\r\ntitle: A\r\n---\r\n\r\nText.\r\n', 'Text.\r\n'],
  ['---\ntitle: A\n---\n\n\nText.\n', '\nText.\n'],
  ['---\ntitle: A\n---', ''],
  ['---\ntitle: A\n---\n', ''],
  ['---\n\nA line across the page.\n', '---\n\nA line across the page.\n'],
])('%j holds %j', (text, content) => {
  expect(contentOf(text)).toBe(content)
})

it('reads back what was written', () => {
  const heads = fc.constantFrom(
    '---\ntitle: A\n---\n',
    '---\ntitle: A\n---\n\nOld.\n',
    '---\na: 1\n---',
  )
  fc.assert(
    fc.property(
      heads,
      fc.string({ unit: fc.constantFrom('a', '\n', ' ', '-', '[') }),
      (text, content) => {
        const written = withContent(text, content, '\n')
        expect(contentOf(written)).toBe(content)
        expect(written.startsWith('---\n')).toBe(true)
      },
    ),
  )
})
