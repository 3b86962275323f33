/** Files that are text already, and easier to read as Markdown. */
import { expect, it } from 'vitest'
import type { FileKind } from '../../domain/conversion.ts'
import { readFileBody, readFileText } from '../../../../test/support/read-file-text.ts'

function check(kind: FileKind, file: string | object, markdown: string, path?: string): void {
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  it(`${kind}: ${text.slice(0, 50)}`, async () => {
    expect(await readFileBody(kind, text, path)).toBe(markdown)
  })
}

check(
  'notebook',
  {
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Tea\n', 'See [[pots]].'] },
      {
        cell_type: 'code',
        source: 'boil(95)',
        outputs: [
          { output_type: 'stream', text: ['hot\n'] },
          { output_type: 'error', ename: 'TypeError', evalue: 'no' },
          { output_type: 'display_data', data: { 'image/png': 'AAAA' } },
        ],
      },
    ],
  },
  '<a id="cell=1"></a>\n\n# Tea\nSee [[pots]].\n\n<a id="cell=2"></a>\n\n```python\nboil(95)\n```\n\n```text\nhot\n```\n\n```text\nTypeError: no\n```',
)
check(
  'canvas',
  {
    nodes: [
      { id: 'b', type: 'file', file: 'notes/pot.md', x: 0, y: 10 },
      { id: 'a', type: 'text', text: '# Green tea\nIs green.', x: 0, y: 0 },
      { id: 'c', type: 'link', url: 'https://x.org', x: 5, y: 10 },
    ],
    edges: [
      { fromNode: 'a', toNode: 'b', label: 'needs' },
      { fromNode: 'a', toNode: 'gone' },
    ],
  },
  '<a id="card=a"></a>\n\n# Green tea\nIs green.\n\n- → needs: [[notes/pot.md]]\n\n<a id="card=b"></a>\n\n[[notes/pot.md]]\n\n<a id="card=c"></a>\n\n<https://x.org>',
)
check('canvas', '', '')
check(
  'subtitles',
  'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Tea <b>first</b>.\n\n00:10.000 --> 00:12.000\n<v Ada>Then milk.\n\n01:02:05.500 --> 01:02:09.000\nThe end.\n',
  '<a id="t=1"></a>\n\n00:01 Ada: Tea first. Then milk.\n\n<a id="t=3725"></a>\n\n01:02:05 The end.',
)
check(
  'subtitles',
  '1\r\n00:00:05,000 --> 00:00:07,000\r\nOne\r\nTwo\r\n',
  '<a id="t=5"></a>\n\n00:05 One Two',
)
check(
  'table',
  'Tea;"Minutes; hot"\nGreen;2\n"Bl ""a"" ck";4,5\n',
  '| Tea | Minutes; hot |\n| --- | --- |\n| Green | 2 |\n| Bl "a" ck | 4,5 |',
)
check('table', 'a\tb,c\n1\t"2\n3"\n', '| a | b,c |\n| --- | --- |\n| 1 | 2 3 |', 'a.tsv')
check('table', 'a,b\n1,"never closed\n2,3', '| a | b |\n| --- | --- |\n| 1 | never closed 2,3 |')
check(
  'org',
  '#+TITLE: Tea\n* TODO Pots :kitchen:\n:PROPERTIES:\n:ID: 7\n:END:\nSee [[file:cup.org][the cup]] and =x=.\n+ One\n#+BEGIN_SRC python\n* no heading\n#+END_SRC\n| a | b |\n|---+---|\n| 1 | 2 |',
  '# TODO Pots\nSee [the cup](cup.org) and `x`.\n- One\n```python\n* no heading\n```\n| a | b |\n| --- | --- |\n| 1 | 2 |',
)
check(
  'asciidoc',
  '= Tea\n:author: Ada\n\n== Pots\n* One\n** Under\n. First\n\n[source,js]\n----\n== no heading\n----\nSee xref:cup.adoc[the cup] and https://x.org[x].\n// gone',
  '# Tea\n\n## Pots\n- One\n  - Under\n1. First\n\n```js\n== no heading\n```\nSee [the cup](cup.adoc) and [x](https://x.org).',
)

const MAIL = (subject: string, text: string) =>
  `From: Ada <ada@x.org>\r\nTo: Bo <bo@x.org>\r\nDate: Sat, 3 Feb 2024 10:00:00 +0000\r\nSubject: ${subject}\r\n`.concat(
    `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`,
  )

it('reads a mail, without what it quotes', async () => {
  const file = MAIL('=?utf-8?Q?T=C3=A9?=', 'Green tea.\r\n> Which?\r\n-- \r\nAda')
  expect(await readFileText('mail', file, 'a.eml')).toBe(
    '---\ntype: "mail"\ntitle: "Té"\nauthor: "Ada (ada@x.org)"\nto: "Bo (bo@x.org)"\ncreated: "2024-02-03T10:00:00.000Z"\n---\n\nAda (ada@x.org) → Bo (bo@x.org), 2024-02-03 10:00\n\nGreen tea.\n',
  )
})

it('reads mails of a mailbox one by one, as HTML where there is nothing else', async () => {
  const html = MAIL('Two', '<p>Black <b>tea</b><script>x()</script>').replace(
    'text/plain',
    'text/html',
  )
  const box = `From ada Sat\n${MAIL('One', 'Green.')}\nFrom bo Sun\n${html}`
  const body = await readFileBody('mail', box, 'a.mbox')
  expect(body).toContain(
    '<a id="mail=1"></a>\n\n## One\n\nAda (ada@x.org) → Bo (bo@x.org), 2024-02-03 10:00\n\nGreen.',
  )
  expect(body).toMatch(/<a id="mail=2"><\/a>\n\n## Two\n\n.*\n\nBlack (?:\*\*)?tea/)
  expect(body).not.toContain('x()')
})

it('names what is not what it is called', async () => {
  const said = (kind: FileKind, text: string) =>
    readFileText(kind, text).catch(({ message }: Error) => message)
  expect(await said('notebook', '{"a": 1}')).toMatch(/^no notebook/)
  expect(await said('notebook', '{"cells": [')).toMatch(/JSON/)
  expect(await said('subtitles', 'Nothing to see')).toMatch(/^no subtitles/)
  expect(await said('mail', 'Just some words.')).toMatch(/^no mail/)
  expect(await said('table', 'a\0b')).toBe('not text')
})
