/** Whatever a note holds, a page of it has no tag and no attribute that the table does not allow. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALLOWED, VOID } from './allowed.ts'
import { markQuotes } from './mark-quotes.ts'
import { renderMarkdown } from './render-markdown.ts'

const AROUND = {
  link: (_kind: string, target: string) =>
    target.length % 2 === 0 ? { id: `notes/${target}.md`, title: target } : undefined,
  picture: (target: string) =>
    target.endsWith('png') ? `/web/file/notes/${encodeURIComponent(target)}` : undefined,
  embed: (target: string) => (target.length % 3 === 0 ? { html: '<p>embedded</p>' } : undefined),
}

/** Pieces that mean something to the parser or to a browser, in every order. */
const PIECES = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '</p>',
  '<a href="javascript:alert(1)">',
  '</a>',
  '<a href=\'https://a.example/" onclick="x\'>',
  '<style>*{}</style>',
  '<math><mi xlink:href="data:x">',
  '<iframe srcdoc="<script>">',
  '<details open ontoggle=x>',
  '</details>',
  '<table><tr><td>',
  '</table>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?php',
  '<kbd>',
  '</kbd>',
  '<div style="x">',
  '[a](javascript:alert(1))',
  '[a](data:text/html,x)',
  '[[note|<b>]]',
  '![[a.png|10x20]]',
  '![[note#part]]',
  '![x](https://evil.example/?leak)',
  '![x](a.png "t")',
  '[x]: https://b.example/"onx',
  '[x]',
  '[^1]',
  '[^1]: note\n',
  '$\\href{javascript:x}{y}$',
  '$$\\style{color:red}{x}$$',
  '$a<b$',
  '`',
  '```js\n',
  '```',
  '> [!note]',
  '\n\n',
  '\n',
  '- [ ] ',
  '1. ',
  '# ',
  '| a | b |\n|:-:|---|\n| c | d |',
  '**',
  '*',
  '_',
  '~~',
  '"',
  "'",
  '&lt;',
  '&#60;',
  '&amp',
  '\\',
  '\u202e',
  '\u0000',
  '\u0007',
  '\ufeff',
  '\ud800',
  'x',
  ' ',
  '    ',
  '<',
  '>',
  '=',
  'href="',
  'http://c.example',
  '<https://d.example/<b>>',
  '<a\nhref\n=\nx>',
  '<img src="a.png" width="1e9" style>',
]

const note = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ maxLength: 12 })),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))

const TAG = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/

/** Reads a page as a browser would, and says what is wrong with it. */
function faultsOf(html: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const found = TAG.exec(html.slice(at))
    if (!found) {
      faults.push(`no tag: ${html.slice(at, at + 40)}`)
      continue
    }
    const [, slash, name = '', attributes = ''] = found
    const allowed = ALLOWED[name]
    if (!allowed) faults.push(`tag ${name}`)
    if (slash === '/') {
      if (open.pop() !== name) faults.push(`closes ${name}`)
    } else if (!VOID.has(name)) open.push(name)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
      if (!allowed?.[attribute]?.test(value)) faults.push(`${name} ${attribute}=${value}`)
      if (/^on|^style$/.test(attribute)) faults.push(attribute)
      if (/^\s*(?:javascript|vbscript|data(?!:image\/(?:png|gif|jpeg|webp);)):/i.test(value))
        faults.push(value)
    }
  }
  if (open.length > 0) faults.push(`left open: ${open.join(' ')}`)
  return faults
}

describe('a rendered note', () => {
  it('has only what the table allows', () => {
    fc.assert(
      fc.property(note, (text) => {
        expect(faultsOf(renderMarkdown(text, { around: AROUND }).html)).toEqual([])
      }),
      { numRuns: 1_500 },
    )
  })

  it('has only that with quotes lit, too', () => {
    fc.assert(
      fc.property(note, fc.nat(60), fc.nat(60), (text, a, b) => {
        const { html } = renderMarkdown(text, { around: AROUND })
        const quote = text.slice(Math.min(a, b), Math.max(a, b))
        const marked = markQuotes(html, [{ text: quote, lines: [1, 3] }])
        expect(faultsOf(marked.html)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('loads nothing from elsewhere', () => {
    fc.assert(
      fc.property(note, (text) => {
        const { html } = renderMarkdown(text, { around: AROUND })
        for (const [, src = ''] of html.matchAll(/ src="([^"]*)"/g)) {
          expect(src).toMatch(/^(?:\/web\/file\/|data:image\/)/)
        }
      }),
    )
  })

  it('is judged by a reader that finds faults', () => {
    expect(faultsOf('<p onclick="x">a</p>')).not.toEqual([])
    expect(faultsOf('<p>a < b</p>')).not.toEqual([])
    expect(faultsOf('<script>')).not.toEqual([])
    expect(faultsOf('<p>')).not.toEqual([])
  })
})
