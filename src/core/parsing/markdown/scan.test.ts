import { describe, expect, it } from 'vitest'
import { scanMarkdown } from '../../../../test/support/at-once.ts'

/** One line per finding, in the order of the text: what it is, and what it says. */
function check(text: string, ...expected: string[]): void {
  it(JSON.stringify(text), () => {
    const scan = scanMarkdown(text)
    const found = [
      ...scan.headings.map(({ start, level, text }) => ({ start, says: `h${level} ${text}` })),
      ...scan.codeBlocks.map(({ start, end }) => ({
        start,
        says: `code ${text.slice(start, end)}`,
      })),
      ...scan.codeSpans.map(({ start, content }) => ({ start, says: `span ${content}` })),
      ...scan.tags.map(({ start, name }) => ({ start, says: `tag ${name}` })),
      ...scan.links.map(({ start, form, destination, label }) => ({
        start,
        says: `${form} ${destination}${label === '' ? '' : ` = ${label}`}`,
      })),
    ]
    expect(found.toSorted((a, b) => a.start - b.start).map(({ says }) => says)).toEqual(expected)
  })
}

describe('wiki links', () => {
  check('[[Note]]', 'wiki Note')
  check('[[Note|shown]]', 'wiki Note = shown')
  check('[[Note#Heading]]', 'wiki Note#Heading')
  check('[[Note#^block]]', 'wiki Note#^block')
  check('[[folder/Note]]', 'wiki folder/Note')
  check('[[note.md]]', 'wiki note.md')
  check('![[image.png]]', 'embed image.png')
  check('![[image.png|300]]', 'embed image.png = 300')
  check('| [[a\\|b]] | c |', 'wiki a = b')
  check('[[ a | b ]]', 'wiki a = b')
  check('[[a|b|c]]', 'wiki a = b|c')
  check('[[a|b [c] d]]', 'wiki a = b [c] d')
  check('[[a]] and [[b]]', 'wiki a', 'wiki b')
  check('[[[a]]]', 'wiki a')
  check('[[#here]]', 'wiki #here')
  check('[[]] [[ ]] [[|x]]')
  check('[[a\nb]]')
  check('[[a')
  check('[[1,2],[3,4]]')
  check('\\[[a]]')
  check('!\\[[a]]')
  check('\\![[a]]', 'wiki a')
  check('`[[a]]`', 'span [[a]]')
  check('    [[a]]', 'code [[a]]')
  check('```\n[[a]]\n```', 'code ```\n[[a]]\n```')
  check('<!-- [[a]] -->')
  check('text <!-- [[a]] --> [[b]]', 'wiki b')
  check('<div>\n[[a]]\n</div>\n\n[[b]]', 'wiki a', 'wiki b')
  check('<div>[a](b.md) #tag</div>\n<!-- [[c]]\n[[d]] --> [[e]]', 'wiki e')
  check('<pre>\n[[a]]\n</pre>\n\n<script>[[b]]</script>')
  check('[^1]: [[a]]\n\n[1]: b.md', 'wiki a')
  check('[text [[a]] more](b)', 'wiki a')
  check('[![[a]]](b)', 'inline b', 'embed a')
  check('# A [[b|c]] d', 'h1 A c d', 'wiki b = c')
  check('> [[a]]\n> - [[b]]', 'wiki a', 'wiki b')
  check('[[日本|語]]', 'wiki 日本 = 語')
})

describe('tags', () => {
  check('#tag', 'tag tag')
  check('a #tag.', 'tag tag')
  check('#a #b\n#c', 'tag a', 'tag b', 'tag c')
  check('#project/alpha-1_x', 'tag project/alpha-1_x')
  check('#a/', 'tag a')
  check('#größe #日本語 #हिन्दी', 'tag größe', 'tag 日本語', 'tag हिन्दी')
  check('#1984')
  check('#1984a #y1984', 'tag 1984a', 'tag y1984')
  check('#- #/ ##')
  check('a#b (#c)')
  check('\\#tag')
  check('# heading #tag', 'h1 heading #tag', 'tag tag')
  check('# heading #', 'h1 heading')
  check('`#tag`', 'span #tag')
  check('```\n#tag\n```', 'code ```\n#tag\n```')
  check('https://example.org/#tag')
  check('[a](b "c #d")', 'inline b = a')
  check('<a href="x #y">z</a> #t', 'tag t')
  check('[[note #x]]', 'wiki note #x')
  check('> #quoted\n\n- #listed', 'tag quoted', 'tag listed')
})

describe('headings', () => {
  check('# A\n## B ##\n### C #x', 'h1 A', 'h2 B', 'h3 C #x', 'tag x')
  check('A\n===\n\nB\nC\n---', 'h1 A', 'h2 B C')
  check(
    '# *a* **b** `c` [d](e) ![f](g) \\* &amp;',
    'h1 a b c d f * &',
    'span c',
    'inline e = d',
    'image g = f',
  )
  check('# <b>x</b> snake_case _y_', 'h1 x snake_case y')
  check('> # quoted\n\n- # listed', 'h1 quoted', 'h1 listed')
  check('#no\n\n####### no', 'tag no')
  check('    # code', 'code # code')
  check('```\n# code\n```\n# real', 'code ```\n# code\n```', 'h1 real')
  check('- item\n\n      # code', 'code # code')
  check('# A\r\nB\r\n---\r\n[c](d)\r\n', 'h1 A', 'h2 B', 'inline d = c')
})

describe('code', () => {
  check('> ```js\n> a\n\nb', 'code ```js\n> a')
  check('- ```\n  a\n  ```\n- b', 'code ```\n  a\n  ```')
  check('~~~\n```\n~~~', 'code ~~~\n```\n~~~')
  check('```\nunclosed [a](b)', 'code ```\nunclosed [a](b)')
  check('a\n    not code `x`', 'span x')
  check('\ta\n\n\tb\nc', 'code a\n\n\tb')
  check('`` a ` b `` c', 'span a ` b')
  check('`a\nb`', 'span a b')
  check('`a [b](c)', 'inline c = b')
})

describe('links', () => {
  check('[a](b)', 'inline b = a')
  check('[a](<b c> "t")', 'inline b c = a')
  check('[a](b(c)d)', 'inline b(c)d = a')
  check('[a *b* `c`](d)', 'inline d = a b c', 'span c')
  check('[![a](b)](c)', 'inline c = a', 'image b = a')
  check('[a][b]\n\n[b]: c "t"', 'reference c = a')
  check('[a][] [A]\n\n[a]: b', 'reference b = a', 'reference b = A')
  check('![a]\n\n[a]: b', 'image b = a')
  check('[ẞ]\n\n[SS]: b', 'reference b = ẞ')
  check(
    '<https://a.b> <c@d.e>',
    'autolink https://a.b = https://a.b',
    'autolink mailto:c@d.e = c@d.e',
  )
  check('https://a.b')
  check('[a](f&ouml;o\\_)', 'inline föo_ = a')
  check('[a]: b\n    ')
  check('> [a](b\n> "t")', 'inline b = a')
})

it('gives places, lines and languages', () => {
  const text = '---\na: b\n---\n# T\n\n> x [a](b)\n> ![[c]]\n\n```JS title\n```\n'
  const scan = scanMarkdown(text, { from: 13 })
  expect(scan.headings).toEqual([
    { level: 1, text: 'T', start: 13, end: 16, line: 4, nested: false },
  ])
  expect(scan.links.map(({ start, end, line }) => [text.slice(start, end), line])).toEqual([
    ['[a](b)', 6],
    ['![[c]]', 7],
  ])
  expect(scan.codeBlocks).toMatchObject([{ language: 'js', fenced: true }])
})

it('keeps places right with Windows line ends', () => {
  const text = '# T\r\n\r\n> x `s\r\n> t` #tag [a](b)\r\n'
  const { headings, links, tags, codeSpans } = scanMarkdown(text)
  expect(headings).toMatchObject([{ start: 0, end: 3, line: 1 }])
  expect(links.map(({ start, end, line }) => [text.slice(start, end), line])).toEqual([
    ['[a](b)', 4],
  ])
  expect(text.slice(tags[0]?.start)).toMatch(/^#tag/)
  expect(codeSpans.map(({ start, end }) => text.slice(start, end))).toEqual(['`s\r\n> t`'])
})
