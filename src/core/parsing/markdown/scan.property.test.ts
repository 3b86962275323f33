/** What holds for the scanner whatever the text: places are places, and time is linear. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineAt, lineStartsOf } from '../lines.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { scanMarkdown } from '../../../../test/support/at-once.ts'

const MARKS =
  '# |## |> |- |1. |```|`|``|~~~|---|===|*|_|[|]|](|[[|]]|![|![[|(|)|<|<!--|-->|<a href="x">|\\|\n|' +
  '\r\n|\r|\n\n|    |\t|#tag|[a]: b\n|&amp;|\0'
const piece = fc.oneof(
  fc.constantFrom('|', ...MARKS.split('|')),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const markdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

it('finds things where they stand', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const scan = scanMarkdown(text)
      const starts = lineStartsOf(text)
      expect(scan.lineStarts).toEqual(starts)
      for (const things of [scan.headings, scan.links, scan.codeSpans, scan.codeBlocks]) {
        let last = -1
        for (const { start, end } of things) {
          expect(start).toBeGreaterThan(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = start
        }
      }
      for (const { form, start, end, line } of scan.links) {
        expect(text.slice(start, end)).toMatch(LINK_SOURCE[form])
        expect(line).toBe(lineAt(starts, start))
      }
      for (const { start, line } of scan.headings) expect(line).toBe(lineAt(starts, start))
      for (const { start, end } of scan.codeSpans)
        expect(text.slice(start, end)).toMatch(/^`[^]*`$/)
      for (const { name, start } of scan.tags) {
        expect(text.slice(start, start + name.length + 1)).toBe(`#${name}`)
      }
    }),
    { numRuns: 2000 },
  )
})

const LINK_SOURCE = {
  inline: /^\[[^]*\]\([^]*\)$/,
  reference: /^\[[^]*\]$/,
  image: /^!\[[^]*[\])]$/,
  autolink: /^<.*>$/,
  wiki: /^\[\[.*\]\]$/,
  embed: /^!\[\[.*\]\]$/,
}

it('does not mind the line ends', () => {
  fc.assert(
    fc.property(
      markdown.map((text) => text.replaceAll('\r', '')),
      (text) => {
        const { links, headings, tags } = scanMarkdown(text)
        const windows = scanMarkdown(text.replaceAll('\n', '\r\n'))
        expect(windows.headings.map(({ text, line }) => [text, line])).toEqual(
          headings.map(({ text, line }) => [text, line]),
        )
        expect(windows.links.map(({ label, line }) => [label, line])).toEqual(
          links.map(({ label, line }) => [label, line]),
        )
        expect(windows.tags.map(({ name }) => name)).toEqual(tags.map(({ name }) => name))
      },
    ),
    { numRuns: 500 },
  )
})

it('parses anything into plain data', () => {
  fc.assert(
    fc.property(markdown, fc.boolean(), (text, front) => {
      const parsed = parseMarkdown(front ? `---\n${text}\n---\n${text}` : text, 'a.md')
      expect(structuredClone(parsed)).toEqual(parsed)
    }),
    { numRuns: 1000 },
  )
})

const SIZE = 1_000_000

function fill(unit: string): string {
  return unit.repeat(Math.ceil(SIZE / unit.length))
}

/** Each of these takes some Markdown parser quadratic time; a million characters must do. */
function check(name: string, text: string): void {
  it(name, () => {
    const { document } = parseMarkdown(text, 'a.md')
    expect(document.chunks.length > 0).toBe(text.trim() !== '')
  })
}

describe('hostile structures', () => {
  const growingRuns = Array.from({ length: 1400 }, (_, i) => `${'`'.repeat(i + 1)} `).join('')
  check('backticks of growing length', growingRuns)
  check('nested images', `${fill('![')}${fill('](a)')}`)
  check('nested brackets', `${'['.repeat(SIZE / 2)}${']'.repeat(SIZE / 2)}`)
  check('brackets before links', `${'['.repeat(SIZE / 2)}${'[a](b)'.repeat(SIZE / 12)}`)
  check('brackets with a definition', `[a]: b\n\n${fill('[a][')}`)
  check('deep lists, then blank lines', `${'- '.repeat(SIZE / 4)}a${'\n'.repeat(SIZE / 2)}`)
  check('deep quotes, line after line', fill(`${'>'.repeat(500)}a\n`))
  check('deep lists, line after line', fill(`${'* '.repeat(500)}a\n`))
  check('comments in many paragraphs', fill('a <!-- b\n\n'))
  check('comments in many paragraphs and quotes', fill('a <!-- b\n\n> c\n> <!-- d\n\n'))
  check('definitions', fill('[a]: b\n'))
  check('definitions, then text', `${fill('[a]: b\n')}c`)
  check('unclosed titles', fill('[a](b "c\n'))
  check('front matter without end', `---\n${fill('a: b\n')}`)
  check('front matter of brackets', `---\na: ${'['.repeat(50_000)}\n---\nb`)
})

/** Blanks and line ends are written as the signs for them, so that a space can separate. */
const HOSTILE_UNITS = `
  [ ] ![ ![[ [[ [[a [[a| [a]( [a](b [a](<b [a](b␣" [a](b␣' [a](b␣( [a][ [a]:␣ ( ) | a é 😀 。 ␀
  * **a␣ *a_␣ _a__b a**b * *␣*␣ #␣ # #a ␣#a #é &amp & &# - ---⏎ a⏎-⏎ a⏎␣␣␣␣ ␣␣␣␣a⏎⏎ = =⏎
  \u0060 \u0060\u0060␣\u0060␣ \u0060\u0060\u0060⏎ ~~~ ~~~⏎ \\ \\\u0060 > >␣ >⏎ -␣ -⏎ 1.␣
  ⏎ ␣ ␣⏎ ⇥ ⇥⏎ ↵ ↵⏎ < <!-- <!--␣--> <? <!A <![CDATA[ <a␣ <a␣b=" <a␣b= <a␣b='c'␣ <a@ <a:`
  .trim()
  .split(/\s+/)
  .map((unit) => unit.replace(/[␣⏎⇥↵␀]/g, (sign) => ' \n\t\r\0'['␣⏎⇥↵␀'.indexOf(sign)]!))

describe('hostile units', () => {
  for (const unit of HOSTILE_UNITS) check(`many ${JSON.stringify(unit)}`, fill(unit))
})
