/** Edits of random documents: what was not asked for is the same to the byte, and undo restores. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseMarkdown } from '../parsing/markdown/parse-markdown.ts'
import { appendText, prependText } from './add-text.ts'
import { setFrontMatter } from './edit-front-matter.ts'
import { replaceSection } from './edit-section.ts'
import { applySplice, revertSplice, spliceBetween } from './splice.ts'
import { decodeEditable, encodeEditable } from './text-file.ts'

const newline = fc.constantFrom('\n', '\r\n')
const word = fc.constantFrom(
  'tea',
  'Größe',
  '茶',
  '😀',
  'a b',
  '',
  '- x',
  '> q',
  '`c`',
  '#tag',
  '\t',
)
const line = fc.oneof(
  word,
  fc
    .tuple(fc.constantFrom('# ', '## ', '### '), fc.constantFrom('A', 'B', 'C'))
    .map((p) => p.join('')),
)
const value = fc.constantFrom(
  'x',
  "'it''s'",
  '"q"',
  '[a, b]',
  '',
  '5',
  'x # note',
  '[a, "b c"] # n',
)
const frontMatter = fc
  .uniqueArray(fc.constantFrom('title', 'tags', 'x', 'y', 'z'), { maxLength: 4 })
  .chain((keys) => fc.tuple(...keys.map((key) => value.map((each) => `${key}: ${each}`))))
  .map((lines) => (lines.length === 0 ? [] : ['---', ...lines, '# note', '---']))
const document = fc
  .tuple(frontMatter, fc.array(line, { maxLength: 12 }), fc.boolean(), newline, fc.boolean())
  .chain(([front, body, mixed, usual, ends]) =>
    fc.array(newline, { minLength: 20, maxLength: 20 }).map((random) => {
      const lines = [...front, ...body]
      return lines
        .map((text, index) => {
          const last = index === lines.length - 1 && !ends
          return last ? text : text + (mixed ? random[index % 20]! : usual)
        })
        .join('')
    }),
  )

const runs = { numRuns: 500 }

it('restores the bytes from a splice in both directions', () => {
  const bytes = fc.oneof(
    document.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 30 }),
  )
  fc.assert(
    fc.property(bytes, bytes, (before, after) => {
      const splice = spliceBetween(before, after)
      expect(Buffer.compare(applySplice(before, splice), Buffer.from(after))).toBe(0)
      expect(Buffer.compare(revertSplice(after, splice), Buffer.from(before))).toBe(0)
    }),
    runs,
  )
})

it('writes a text back as the bytes it came from', () => {
  fc.assert(
    fc.property(document, fc.boolean(), (text, marked) => {
      const bytes = encodeEditable(text, { marked })
      expect(Buffer.compare(encodeEditable(text, decodeEditable(bytes, 'a')), bytes)).toBe(0)
    }),
    runs,
  )
})

it('adds lines and changes nothing else', () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(appendText(text, 'NEW').startsWith(text)).toBe(true)
      const { bodyStart } = parseMarkdown(text, 'a.md').document
      const result = prependText(text, 'NEW', bodyStart)
      const at = result.indexOf('NEW')
      expect(at).toBeGreaterThanOrEqual(bodyStart)
      const left = result.slice(0, at) + result.slice(at).replace(/^NEW(?:\r?\n)?/, '')
      expect([text, `${text}\n`, `${text}\r\n`]).toContain(left)
    }),
    runs,
  )
})

it('replaces one section and keeps what is before and behind it', () => {
  fc.assert(
    fc.property(document, fc.nat(), (text, pick) => {
      const { document: parsed } = parseMarkdown(text, 'a.md')
      const index = pick % Math.max(1, parsed.headings.length)
      const heading = parsed.headings[index]
      if (!heading) return
      let result: string
      try {
        result = replaceSection('a.md', text, parsed, {
          section: heading.text,
          content: 'NEW',
          at: 'whole',
          create: false,
        })
      } catch {
        // Ambiguous, or inside a quote: refused, which is the point.
        return
      }
      const at = result.indexOf('NEW')
      const head = result.slice(0, at).trimEnd()
      expect(text.startsWith(head)).toBe(true)
      const next = parsed.headings.find(
        (each) => each.start > heading.start && each.level <= heading.level,
      )
      if (next && at < next.start + 20) {
        const lineStart = text.lastIndexOf('\n', next.start - 1) + 1
        expect(result.endsWith(text.slice(lineStart))).toBe(true)
      }
    }),
    runs,
  )
})

it('sets a key and leaves every other line as it was', () => {
  fc.assert(
    fc.property(
      document,
      fc.constantFrom('x', 'new'),
      fc.string({ maxLength: 12 }),
      (text, key, to) => {
        fc.pre(to.isWellFormed())
        let result: string
        try {
          result = setFrontMatter('a.md', text, { set: { [key]: to } })
        } catch {
          return
        }
        expect(parseMarkdown(result, 'a.md').document.properties[key]).toBe(to)
        const others = (whole: string) =>
          whole.split(/(?<=\n)/).filter((each) => !each.startsWith(`${key}:`))
        const left = others(result).join('')
        // A front matter that was made for the key stands before everything that was there.
        expect([others(text).join(''), `---\n---\n${text}`, `---\r\n---\r\n${text}`]).toContain(
          left,
        )
      },
    ),
    runs,
  )
})
