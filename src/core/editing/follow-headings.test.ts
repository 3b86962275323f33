import { expect, it } from 'vitest'
import { atOnce } from '../kit/slices.ts'
import type { Heading } from '../domain/text.ts'
import { parseMarkdown } from '../parsing/markdown/parse-markdown.ts'
import { followHeadings } from './follow-headings.ts'

const COUNT = 3_000
const many = (name: string): string =>
  Array.from({ length: COUNT }, (_, index) => `## ${name} ${index}\n\nText ${index}.\n`).join('\n')

/** The headings of a text, and how often anybody looked at one. */
function watched(text: string) {
  let looks = 0
  const headings = parseMarkdown(text, 'a.md').document.headings.map(
    (heading) =>
      new Proxy<Heading>(heading, {
        get(target, name) {
          looks++
          return Reflect.get(target, name) as unknown
        },
      }),
  )
  return { text, headings, looks: () => looks }
}

it.each([
  ['every heading has another name', many('Old'), many('New'), COUNT],
  [
    'one of very many has another name',
    many('Old'),
    many('Old').replace('## Old 7\n', '## New\n'),
    1,
  ],
  ['all have the same name, and one is gone', '# Same\n'.repeat(COUNT), '# Same\n'.repeat(9), 0],
])('looks at a heading a few times where %s', (_, before, after, renamed) => {
  const [old, now] = [watched(before), watched(after)]
  const change = atOnce(followHeadings(old, now))
  expect(change?.renamed).toHaveLength(renamed)
  expect(old.looks() + now.looks()).toBeLessThan(50 * COUNT)
})

it('knows a heading that was moved with its name, and one that is called otherwise', () => {
  const before = watched('# A\n\none\n\n# B\n\ntwo\n\n# C\n\nthree\n')
  const after = watched('# B\n\ntwo\n\n# A\n\none\n\n# D\n\nthree\n')
  const change = atOnce(followHeadings(before, after))
  expect(change?.renamed).toEqual([{ from: 'C', to: 'D' }])
  expect(change?.follow('C', 'wiki')).toBe('D')
  expect(change?.follow('B', 'wiki')).toBe('B')
})
