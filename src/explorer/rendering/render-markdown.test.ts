import { describe, expect, it } from 'vitest'
import { markQuotes } from './mark-quotes.ts'
import { renderMarkdown } from './render-markdown.ts'
import { splitParts } from './split-parts.ts'

const AROUND = {
  link: (_kind: 'wiki' | 'markdown', target: string) =>
    target === 'nowhere'
      ? undefined
      : { id: `notes/${target.replace(/\.md$/, '')}.md`, title: target },
  picture: (target: string) => `/web/file/notes/${encodeURIComponent(target)}`,
  embed: (target: string) => (target === 'part' ? { html: '<p>of another note</p>' } : undefined),
}

function render(text: string): string {
  return renderMarkdown(text, { around: AROUND })
    .html.replaceAll(/ data-(?:line|end)="\d+"/g, '')
    .trim()
}

const CASES: readonly (readonly [name: string, markdown: string, html: string])[] = [
  [
    'a wiki link',
    '[[on call]]',
    '<p><a class="note" href="/n/notes/on%20call.md" data-id="notes/on call.md" title="on call">on call</a></p>',
  ],
  [
    'a label',
    '[[a|the *label*]]',
    '<p><a class="note" href="/n/notes/a.md" data-id="notes/a.md" title="a">the *label*</a></p>',
  ],
  [
    'a section',
    '[[a#First Steps]]',
    '<p><a class="note" href="/n/notes/a.md#h-first-steps" data-id="notes/a.md" title="a">a › First Steps</a></p>',
  ],
  [
    'a link that leads nowhere',
    '[[nowhere]]',
    '<p><span class="ghost" title="Nothing here is called nowhere" data-wiki="nowhere">nowhere</span></p>',
  ],
  [
    'a path',
    '[b](b.md)',
    '<p><a class="note" href="/n/notes/b.md" data-id="notes/b.md" title="b.md">b</a></p>',
  ],
  [
    'an address',
    '[b](https://b.example/x)',
    '<p><a class="outside" href="https://b.example/x" rel="noopener noreferrer" target="_blank">b <span class="host">b.example</span></a></p>',
  ],
  [
    'a script',
    '[b](javascript:alert(1))',
    '<p><span class="refused" title="Not a link one can follow here: javascript:alert(1)">b</span></p>',
  ],
  ['a picture', '![alt](a b.png)', '<p>![alt](a b.png)</p>'],
  [
    'a film, from a moment on',
    '![[talks/a b.mp4#t=30|640x360]]',
    '<p><video class="player" controls="" preload="metadata" src="/web/file/notes/talks%2Fa%20b.mp4#t=30" aria-label="talks/a b.mp4" width="640" height="360"></video></p>',
  ],
  [
    'a sound',
    '![birds & bees](a.mp3#script)',
    '<p><audio class="player" controls="" preload="metadata" src="/web/file/notes/a.mp3" aria-label="birds &amp; bees"></audio></p>',
  ],
  [
    'a film of somebody else',
    '![x](https://b.example/a.mp4)',
    '<p><a class="outside" href="https://b.example/a.mp4" rel="noopener noreferrer" target="_blank"><span class="picture-outside">x</span> <span class="host">b.example</span></a></p>',
  ],
  [
    'a player by hand',
    '<video src="/web/file/a.mp4" autoplay>',
    '<div>&lt;video src=&quot;/web/file/a.mp4&quot; autoplay&gt;</div>',
  ],
  [
    'a page of a file',
    '[[report.pdf#page=3]]',
    '<p><a class="note" href="/n/notes/report.pdf.md#page%3D3" data-id="notes/report.pdf.md" title="report.pdf">report.pdf, page 3</a></p>',
  ],
  [
    'a picture of the base',
    '![alt](a.png)',
    '<p><img class="picture" src="/web/file/notes/a.png" alt="alt" loading="lazy"></p>',
  ],
  [
    'a picture from elsewhere',
    '![alt](https://e.example/p?me)',
    '<p><a class="outside" href="https://e.example/p?me" rel="noopener noreferrer" target="_blank"><span class="picture-outside">alt</span> <span class="host">e.example</span></a></p>',
  ],
  [
    'a callout',
    '> [!WARNING]\n> Hot.',
    '<blockquote class="callout callout-warning">\n<p class="callout-title">Warning</p><p>Hot.</p>\n</blockquote>',
  ],
  ['a comment', 'a %%not b%% c', '<p>a  c</p>'],
  ['a comment of several paragraphs', 'a\n\n%%\nnot b\n\n# nor c\n%%\n\nd', '<p>a</p>\n<p>d</p>'],
  ['a comment that nobody closes', '%% a\n\nb', '<p>%% a</p>\n<p>b</p>'],
  ['percent signs in code', '`%%a%%`', '<p><code>%%a%%</code></p>'],
  ['the mark of a block', 'a b ^one-2', '<p>a b</p>'],
  ['the mark of an item', '- a ^one\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  [
    'a mark on a line of its own',
    '> a\n\n^one\n\nb',
    '<blockquote>\n<p>a</p>\n</blockquote>\n\n<p>b</p>',
  ],
  ['no mark', 'a^2 and 2^n', '<p>a^2 and 2^n</p>'],
  ['marked words', 'a ==*b* c== d', '<p>a <mark><em>b</em> c</mark> d</p>'],
  ['equals signs', 'a == b == c, d===e', '<p>a == b == c, d===e</p>'],
  [
    'a footnote in place',
    'a^[why *so*] b',
    '<p>a<sup class="footnote"><a id="fnref-1" href="#fn-1">1</a></sup> b</p>\n<section class="footnotes"><ol><li id="fn-1"><p>why <em>so</em> <a class="back" href="#fnref-1" title="Back to the text">↩</a></p></li></ol></section>',
  ],
  [
    'a bare address, as GitHub takes it',
    'see (https://a.example/b_(c)), or not.',
    '<p>see (<a class="outside" href="https://a.example/b_(c)" rel="noopener noreferrer" target="_blank">https://a.example/b_(c)</a>), or not.</p>',
  ],
  ['a name with a dot', 'in read.me and a@b.example', '<p>in read.me and a@b.example</p>'],
  [
    'an observation',
    '- [decision] Use X #db (because Y)',
    '<ul>\n<li>[decision] Use X <a class="tag" href="/?q=tag%3Adb">#db</a> (because Y)</li>\n</ul>',
  ],
  ['a tag', 'a #b/c-d e', '<p>a <a class="tag" href="/?q=tag%3Ab%2Fc-d">#b/c-d</a> e</p>'],
  [
    'a tag of another script',
    '#été',
    '<p><a class="tag" href="/?q=tag%3A%C3%A9t%C3%A9">#été</a></p>',
  ],
  [
    'no tag',
    'a#b, #1, [#c](c.md), `#d`',
    '<p>a#b, #1, <a class="note" href="/n/notes/c.md" data-id="notes/c.md" title="c.md">#c</a>, <code>#d</code></p>',
  ],
  [
    'a task that was begun',
    '- [/] a\n- [-] b\n- [z] c',
    '<ul>\n<li class="task"><span class="box box-begun" role="img" aria-label="in progress"></span>a</li>\n<li class="task"><span class="box box-dropped" role="img" aria-label="cancelled"></span>b</li>\n<li>[z] c</li>\n</ul>',
  ],
  [
    'a callout that can be put away',
    '> [!note]+\n> Text',
    '<details class="callout callout-note" open="">\n<summary class="callout-title">Note</summary><p>Text</p>\n</details>',
  ],
  [
    'a block of a note',
    '[[a#^b-1|b]]',
    '<p><a class="note" href="/n/notes/a.md#%5Eb-1" data-id="notes/a.md" title="a">b</a></p>',
  ],
  ['words struck out', '~~a~~ b', '<p><s>a</s> b</p>'],
  [
    'a callout whose title has a link',
    '> [!note] **See** [[other]]\n> Text',
    '<blockquote class="callout callout-note">\n<p class="callout-title"><strong>See</strong> <a class="note" href="/n/notes/other.md" data-id="notes/other.md" title="other">other</a></p><p>Text</p>\n</blockquote>',
  ],
  [
    'a callout with footnotes in its title and below it',
    '> [!tip] One[^a]\n> Two[^b]\n\n[^a]: first\n[^b]: second',
    '<blockquote class="callout callout-tip">\n<p class="callout-title">One<sup class="footnote"><a id="fnref-1" href="#fn-1">1</a></sup></p><p>Two<sup class="footnote"><a id="fnref-2" href="#fn-2">2</a></sup></p>\n</blockquote>\n<section class="footnotes"><ol><li id="fn-1"><p>first <a class="back" href="#fnref-1" title="Back to the text">↩</a></p></li><li id="fn-2"><p>second <a class="back" href="#fnref-2" title="Back to the text">↩</a></p></li></ol></section>',
  ],
  [
    'a titled callout',
    '> [!tip]- Read me\n> Text',
    '<details class="callout callout-tip">\n<summary class="callout-title">Read me</summary><p>Text</p>\n</details>',
  ],
  [
    'tasks',
    '- [x] a\n- [ ] b',
    '<ul>\n<li class="task"><span class="box box-done" role="img" aria-label="done"></span>a</li>\n<li class="task"><span class="box box-open" role="img" aria-label="to do"></span>b</li>\n</ul>',
  ],
  [
    'a footnote',
    'a[^x]\n\n[^x]: why',
    '<p>a<sup class="footnote"><a id="fnref-1" href="#fn-1">1</a></sup></p>\n<section class="footnotes"><ol><li id="fn-1"><p>why <a class="back" href="#fnref-1" title="Back to the text">↩</a></p></li></ol></section>',
  ],
  ['a key', 'press <kbd>x</kbd>', '<p>press <kbd>x</kbd></p>'],
  ['a tag that is not allowed', '<blink>x</blink>', '<p>&lt;blink&gt;x&lt;/blink&gt;</p>'],
  [
    'code',
    '```js\nlet a\n```',
    '<pre class="code"><code class="hljs language-js"><span class="hljs-keyword">let</span> a\n</code></pre>',
  ],
  [
    'mermaid',
    '```mermaid\na-->b\n```',
    '<pre class="code"><code class="hljs language-mermaid">a--&gt;b\n</code></pre>',
  ],
  [
    'alignment without a style',
    '|a|\n|:-:|\n|b|',
    '<table>\n<thead>\n<tr>\n<th class="align-center">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class="align-center">b</td>\n</tr>\n</tbody>\n</table>',
  ],
  ['money', 'from $5 to $6', '<p>from $5 to $6</p>'],
  ['what nobody sees', 'a\u202eb', '<p>a<span class="unseen">U+202E</span>b</p>'],
]

describe('Markdown as HTML', () => {
  for (const [name, markdown, html] of CASES) {
    it(`shows ${name}`, () => expect(render(markdown)).toBe(html))
  }

  it('shows formulas as MathML', () => {
    expect(render('$a^2$')).toMatch(/^<p><math[^>]*><msup><mi>a<\/mi>.*<\/math><\/p>$/)
    expect(render('$$\n\\frac{1}{2}\n$$')).toContain('<mfrac>')
    expect(render('$\\notacommand$')).toBe('<p><code class="formula">\\notacommand</code></p>')
  })

  it('puts a part of another note in', () => {
    expect(render('![[part]]')).toContain('<div class="embedded"><p>of another note</p></div>')
  })

  it('knows the headings, with anchors of their own', () => {
    const { headings } = renderMarkdown('# A *b*\n\n## C\n\n## C\n', { around: AROUND, line: 10 })
    expect(headings).toEqual([
      { level: 1, text: 'A b', anchor: 'h-a-b', line: 11 },
      { level: 2, text: 'C', anchor: 'h-c', line: 13 },
      { level: 2, text: 'C', anchor: 'h-c-1', line: 15 },
    ])
  })

  it('says which lines a block comes from', () => {
    const { html } = renderMarkdown('a\nb\n\nc', { around: AROUND, line: 5 })
    expect(html).toContain('<p data-line="6" data-end="7">')
    expect(html).toContain('<p data-line="9" data-end="9">')
  })

  it('shows a line that is too long as it is', () => {
    const { html } = renderMarkdown(`a\n${'[x]('.repeat(10_000)}\n**b**`, { around: AROUND })
    expect(html).toContain('<pre class="long" data-line="2" data-end="2">')
    expect(html).toContain('<strong>b</strong>')
  })
})

describe('a long text', () => {
  it('is cut into parts that make the whole', () => {
    const text = Array.from({ length: 4_000 }, (_, i) => `Paragraph ${i}\n\n`).join('')
    const parts = splitParts(text)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
    for (const { start, line } of parts) {
      expect(text.slice(0, start).split('\n').length - 1).toBe(line)
    }
  })

  it('goes on with the head of a table', () => {
    const text = `| a | b |\n|---|---|\n${'| x | y |\n'.repeat(3_000)}`
    const [, second, third] = splitParts(text)
    expect(second?.tableHead).toBe('| a | b |\n|---|---|\n')
    expect(third?.tableHead).toBe('| a | b |\n|---|---|\n')
  })

  it('does not begin with a heading alone', () => {
    const text = `# Line\n\n${'word '.repeat(50_000)}\n`
    expect(splitParts(text)[0]?.end).toBe(text.length)
  })

  it('is not cut inside of code when it can be helped', () => {
    const code = `\`\`\`\n${'x\n\n'.repeat(500)}\`\`\`\n\n`
    for (const { start } of splitParts(code.repeat(8)).slice(1)) {
      expect(code.repeat(8).slice(start).trimStart().startsWith('```')).toBe(true)
    }
  })
})

const QUOTES: readonly (readonly [markdown: string, quote: string, lit: readonly string[]])[] = [
  ['One two three.', 'two three', ['two three']],
  ['One **two** three.', 'One **two** three', ['One ', 'two', ' three']],
  [
    'See [the *page*](page.md) now.',
    'See [the *page*](page.md) now',
    ['See ', 'the ', 'page', ' now'],
  ],
  ['- first\n- second `code` item', '- second `code` item', ['second ', 'code', ' item']],
  ['> quoted\n> text', 'quoted\n> text', ['quoted\ntext']],
  ['a &amp; b', 'a &amp; b', ['a &amp; b']],
  ['| a | b |\n|---|---|\n| cell one | two |', 'cell one', ['cell one']],
  ['Use [[note|this]] here', 'Use [[note|this]] here', ['Use ', 'this', ' here']],
  ['3. one\n4. two\n5. three', 'one\n4. two', ['one', 'two']],
  ['- one\n  - two', 'one\n  - two', ['one\n', 'two']],
  ['He said[^why] so.\n\n[^why]: Because.', 'He said[^why] so.', ['He said', ' so']],
  [
    'He said[^b] so.\n\n[^b]: Because *it* was.',
    '[^b]: Because *it* was',
    ['Because ', 'it', ' was'],
  ],
  ['a \u200e mark', 'a \u200e mark', ['a ', ' mark']],
]

describe('a quote', () => {
  for (const [markdown, quote, lit] of QUOTES) {
    it(`is lit in ${JSON.stringify(markdown)}`, () => {
      const { html } = renderMarkdown(markdown, { around: AROUND })
      const lines = markdown.split('\n').length
      const marked = markQuotes(html, [{ text: quote, lines: [1, lines] }])
      expect(marked.found).toEqual(['words'])
      const marks = [...marked.html.matchAll(/<mark class="quote quote-0">([^<]*)<\/mark>/g)]
      expect(marks.map(([, text]) => text)).toEqual(lit)
    })
  }

  it('is looked for in its own lines', () => {
    const { html } = renderMarkdown('same words\n\nsame words', { around: AROUND })
    const marked = markQuotes(html, [{ text: 'same words', lines: [3, 3] }])
    expect(marked.html.indexOf('<mark')).toBeGreaterThan(marked.html.indexOf('data-line="3"'))
  })

  it('leaves out what stands between its lines on the page alone', () => {
    const text = 'See[^b], [^x] and[^c].\n\n[^b]: Second.\n[^c]: Third.\n[^x]: Other.'
    const { html } = renderMarkdown(text, { around: AROUND })
    const quote = { text: '[^b]: Second.\n[^c]: Third.', lines: [3, 4] as const }
    const marked = markQuotes(html, [quote])
    expect(marked.found).toEqual(['words'])
    const marks = [...marked.html.matchAll(/<mark[^>]*>([^<]*)<\/mark>/g)].map(([, lit]) => lit)
    expect(marks).toEqual(['Second. ', 'Third'])
  })

  it('lights what is nearest where its own lines show nothing', () => {
    const { html } = renderMarkdown('one\n\n<details>\n\ntwo', { around: AROUND })
    const marked = markQuotes(html, [{ text: '<other>', lines: [3, 3] }])
    expect(marked.found).toEqual(['block'])
  })

  it('lights its block when the words are not there', () => {
    const { html } = renderMarkdown('one\n\ntwo', { around: AROUND })
    const marked = markQuotes(html, [{ text: 'other', lines: [3, 3] }])
    expect(marked.found).toEqual(['block'])
    expect(marked.html).toContain('<p class="quoted quote-0" data-line="3"')
  })
})
