import { describe, expect, it } from 'vitest'
import type { Link, ParsedDocument } from '../../domain/text.ts'
import { parseMarkdown } from './parse-markdown.ts'

function check(text: string, expected: Partial<ParsedDocument>): void {
  it(JSON.stringify(text), () => {
    expect(parseMarkdown(text, 'a.md').document).toMatchObject(expected)
  })
}

describe('title', () => {
  check('---\ntitle: A\n---\n# B', { title: 'A', frontMatterTitle: 'A' })
  check('---\ntitle: ""\n---\n# B', { title: 'B', frontMatterTitle: undefined })
  check('---\ntitle: 1984\n---\n# B', { title: '1984', frontMatterTitle: undefined })
  check('---\ntitle: [a]\n---\n# B', { title: 'B', frontMatterTitle: undefined })
  check('## A\n# *B*', { title: 'B' })
  check('B\n===', { title: 'B' })
  check('> # A\n\n## B', { title: undefined })
  check(`${'Some line of text.\n'.repeat(13)}\n# Far down\n`, { title: undefined })
  check(`${'x'.repeat(1_600)}\n\n# Far down\n`, { title: undefined })
  check('[![badge](b.svg)](x)\n\n<p>Logo</p>\n\n# Name\n', { title: 'Name' })
  check('text', { title: undefined, properties: {}, bodyStart: 0 })
})

describe('metadata', () => {
  check('---\ntags: [a, "#b", a, 3]\n---', { tags: ['a', 'b', '3'] })
  check('---\ntags: a, b\n---', { tags: ['a', 'b'] })
  check("---\ntags: '#a #b'\n---", { tags: ['a', 'b'] })
  check('---\ntags: a b\n---', { tags: ['a', 'b'] })
  check('---\ntags:\n---', { tags: [] })
  check('---\ntags: {a: b}\n---', { tags: [] })
  check('---\ntag: a\n---', { tags: ['a'] })
  check('---\naliases: [A, B]\nalias: C\n---', { aliases: ['A', 'B', 'C'] })
  check('---\naliases: A, the first\n---', { aliases: ['A, the first'] })
  check('---\ndescription: A\nsummary: B\n---', { description: 'A' })
  check('---\nsummary: B\n---', { description: 'B' })
  check('---\na: 1.0\ntitle: T\n---', { properties: { a: '1.0', title: 'T' } })
  check('#a #b\n\n#a `#c`', { inlineTags: ['a', 'b'], tags: [] })
  check('---\na: "b\n---\n', { properties: {}, tags: [], title: undefined, bodyStart: 0 })
})

/** The one link of the text, which begins it and fills its first line. */
function checkLink(text: string, link: Partial<Link>): void {
  it(text, () => {
    const { links } = parseMarkdown(text, 'a.md').document
    expect(links).toHaveLength(1)
    const { start, end, line, ...rest } = links[0]!
    expect([start, end, line]).toEqual([0, text.split('\n')[0]!.length, 1])
    expect(rest).toEqual(link)
  })
}

describe('links', () => {
  checkLink('[[Note]]', { kind: 'wiki', target: 'Note' })
  checkLink('[[Note|shown]]', { kind: 'wiki', target: 'Note', label: 'shown' })
  checkLink('[[Note#A b]]', { kind: 'wiki', target: 'Note', fragment: 'A b' })
  checkLink('[[Note#A#B|c]]', { kind: 'wiki', target: 'Note', fragment: 'A#B', label: 'c' })
  checkLink('[[Note#^block]]', { kind: 'wiki', target: 'Note', fragment: '^block' })
  checkLink('[[#A]]', { kind: 'wiki', target: '', fragment: 'A' })
  checkLink('[[a%20b]]', { kind: 'wiki', target: 'a%20b' })
  checkLink('![[x.png]]', { kind: 'embed', target: 'x.png' })
  checkLink('[[a\\|b]]', { kind: 'wiki', target: 'a', label: 'b' })
  checkLink('[a](b%20c.md#d%20e "t")', {
    kind: 'markdown',
    target: 'b c.md',
    fragment: 'd e',
    label: 'a',
  })
  checkLink('[a](100%.md)', { kind: 'markdown', target: '100%.md', label: 'a' })
  checkLink('[a](#b)', { kind: 'markdown', target: '', fragment: 'b', label: 'a' })
  checkLink('[](b.md)', { kind: 'markdown', target: 'b.md' })
  checkLink('[a]\n\n[a]: b.md', { kind: 'markdown', target: 'b.md', label: 'a' })
  checkLink('![a](b.png)', { kind: 'image', target: 'b.png', label: 'a' })
  checkLink('![a](https://b/c.png)', { kind: 'url', target: 'https://b/c.png', label: 'a' })
  checkLink('[a](https://b.c/%20#d)', {
    kind: 'url',
    target: 'https://b.c/%20',
    fragment: 'd',
    label: 'a',
  })
  checkLink('[a](//b.c/d)', { kind: 'url', target: '//b.c/d', label: 'a' })
  checkLink('[a](mailto:b@c.d)', { kind: 'url', target: 'mailto:b@c.d', label: 'a' })
  checkLink('<https://a.b>', { kind: 'url', target: 'https://a.b' })
  checkLink('<a@b.c>', { kind: 'url', target: 'mailto:a@b.c' })
  checkLink('[a](<C:\\notes\\b.md>)', { kind: 'markdown', target: 'C:\\notes\\b.md', label: 'a' })
  checkLink('[a](/b/c.md)', { kind: 'markdown', target: '/b/c.md', label: 'a' })
})

it('warns about front matter and takes the whole text as body', () => {
  const { document, warnings } = parseMarkdown('---\na: [b\n---\n[[c]]', 'x.md')
  expect(document).toMatchObject({ bodyStart: 0, links: [{ target: 'c' }] })
  expect(document.chunks[0]).toMatchObject({ start: 0, lineStart: 1, lineEnd: 4 })
  expect(warnings).toMatchObject([{ kind: 'front_matter', ref: 'x.md' }])
})

describe('links of front matter', () => {
  const links = (front: string) =>
    parseMarkdown(`---\n${front}\n---\n[[body]]\n`, 'a.md').document.links.map(
      ({ kind, label, target, line }) => `${line} ${kind} ${label ?? '-'} ${target}`,
    )

  it('have their key as type', () => {
    expect(
      links('up: "[[Index]]"\nrelated:\n  - "[[A#Part|shown]]"\n  - plain\n  - [[B]]'),
    ).toEqual([
      '2 relation up Index',
      '4 relation related A',
      '6 relation related B',
      '8 wiki - body',
    ])
    expect(links('up: [[Index]]\ntitle: About [[nothing]]')).toEqual([
      '2 relation up Index',
      '5 wiki - body',
    ])
  })
})
