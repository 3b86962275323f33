import { expect, it } from 'vitest'
import { parseMarkdown } from '../parsing/markdown/parse-markdown.ts'
import { describeDocument } from './describe-document.ts'
import { indexable } from './indexable.ts'

function fields(text: string) {
  const about = { path: 'a.md', digest: '', size: 1, modifiedAt: 0 }
  const file = { kind: 'text' as const, text, secrets: [], ...about }
  const parsed = parseMarkdown(text, file.path)
  const document = describeDocument(1, 'notes', file, 'markdown', parsed)
  const { title, aliases, tags } = indexable(document, text, parsed.document)
  return { title, aliases, tags }
}

it.each([
  ['---\nname: Tea\n---\n# Heading\n', { title: 'Heading', aliases: ['Tea'], tags: [] }],
  ['---\ntitle: Tea\nname: Tea\n---\n', { title: 'Tea', aliases: [], tags: [] }],
  ['---\ntitle: A\naliases: [B]\nname: B\n---\n', { title: 'A', aliases: ['B'], tags: [] }],
  ['---\nname: 7\nkeywords: x\n---\n# A\n', { title: 'A', aliases: [], tags: [] }],
  [
    '---\ntags: [x]\nkeywords: [x, y z, 7]\n---\n# A #t\n',
    { title: 'A #t', aliases: [], tags: ['x', 't', 'y z'] },
  ],
])('%j is found by %j', (text, expected) => {
  expect(fields(text)).toEqual(expected)
})
