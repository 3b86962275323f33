import { expect, it } from 'vitest'
import { readFileBody, readFileText } from '../../../../test/support/read-file-text.ts'

function check(html: string, markdown: string): void {
  it(JSON.stringify(html.slice(0, 60)), async () => {
    expect(await readFileBody('html', html)).toBe(markdown)
  })
}

check('<h1>Tea</h1><p>Green <b>tea</b> &amp; <i>more</i>.', '# Tea\n\nGreen **tea** & *more*.')
check('<ul><li>One<li>Two<ol><li>First</ol></ul>', '- One\n- Two\n  1. First')
check(
  '<pre class="language-js">if (a &lt; b) x()\n  y()</pre>',
  '```js\nif (a < b) x()\n  y()\n```',
)
check(
  '<p>See <a href="b.html#pot">the  pot</a> and <a href="javascript:x()">this</a>.',
  'See [the pot](b.html#pot) and this.',
)
check('<p><a href="my tea.md">Tea</a>', '[Tea](my%20tea.md)')
check(
  '<table><tr><th>Tea<th>Time<tr><td>Green<td>2 | 3 min</table>',
  '| Tea | Time |\n| --- | --- |\n| Green | 2 \\| 3 min |',
)
check('<table><tr><td rowspan=2>A<td>1<tr><td>2</table>', '| A | 1 |\n| --- | --- |\n|  | 2 |')
check('<p>#tag [[x]] &lt;script&gt;', '\\#tag \\[[x]] \\<script>')
check('<h2 id="set-up">Installing it</h2>', '## Installing it {#set-up}')
check('<dl><dt>Pot<dd>Holds tea.</dl>', '**Pot**\n\nHolds tea.')
check('<p>Seen<p hidden>not<p style="display: none">not<p aria-hidden=true>not', 'Seen')
check('<img src=pot.png alt="A pot">', '![A pot](pot.png)')
check('<p>a<script>alert(1)</script><style>b{}</style><iframe src=x>c</iframe>', 'a')

const LONG = 'Words of the page itself. '.repeat(20)

check(
  `<nav><a href=x>Menu</a></nav><div>Before</div><main><p>${LONG}</main><footer>After</footer>`,
  LONG.trim(),
)
check(`<div class="sidebar"><a href=x>Menu of links</a></div><p>${LONG}`, LONG.trim())
check(`<div id="mw-content-text"><p>${LONG}</div><div>Tools</div>`, LONG.trim())

it('tells what a page says of itself', async () => {
  const html =
    '<html lang=en><head><title>Tea &amp; pots</title><meta name=author content="Ada"><meta name=keywords content="tea, pot"></head><p>x'
  expect(await readFileText('html', html)).toBe(
    '---\ntype: "html"\ntitle: "Tea & pots"\nauthor: "Ada"\nkeywords: ["tea", "pot"]\nlang: "en"\n---\n\nx\n',
  )
})

it('reads the encoding that a page names, or that it is in', async () => {
  const body = (bytes: Buffer) => readFileBody('html', bytes)
  const latin = Buffer.from('<p>caf\xe9', 'latin1')
  expect(await body(latin)).toBe('café')
  expect(
    await body(Buffer.concat([Buffer.from('<meta charset="koi8-r"><p>'), Buffer.from([0xd0])])),
  ).toBe('п')
  expect(await body(Buffer.from('\uFEFF<p>ü', 'utf16le'))).toBe('ü')
  expect(await body(Buffer.from('<meta charset="nonsense"><p>ü'))).toBe('ü')
})

it('reads what is nested deeply, and closes nothing twice', async () => {
  expect(await readFileBody('html', `${'<div>'.repeat(5_000)}deep`)).toBe('deep')
  expect(await readFileBody('html', `${'</p></div>'.repeat(10_000)}<p>text`)).toBe('text')
  expect(await readFileBody('html', `${'<b><i>'.repeat(2_000)}deep`)).toContain('deep')
  const endless = readFileBody('html', '<div>'.repeat(100_000))
  await expect(endless).rejects.toThrow('elements nested without end')
})

it('takes no picture for a page', async () => {
  await expect(readFileText('html', Buffer.from([0x89, 0x50, 0, 0, 1]))).rejects.toThrow('not text')
})
