/** What markdown-it finds in a text, in the words of our own scanner, to compare the two. */
import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it'
import type { MarkdownScan } from '../src/core/parsing/markdown/scan.ts'
import { lineAt } from '../src/core/parsing/lines.ts'

export interface Outline {
  readonly headings: readonly string[]
  readonly codeBlocks: readonly string[]
  readonly codeSpans: readonly string[]
  readonly links: readonly string[]
}

/** One line per thing found, which makes differences easy to read. */
export function outlineOfScan(scan: MarkdownScan): Outline {
  return {
    headings: scan.headings.map(({ level, text, line }) => `${line}: ${level} ${text}`),
    codeBlocks: scan.codeBlocks.map(({ language, fenced, start, end }) => {
      const first = lineAt(scan.lineStarts, start)
      const last = lineAt(scan.lineStarts, end)
      return `${first}-${last}: ${fenced ? `fence ${language}` : 'indented'}`
    }),
    codeSpans: scan.codeSpans.map(({ content }) => content),
    links: scan.links.map(({ form, destination, label }) => {
      const kind = form === 'reference' || form === 'autolink' ? 'inline' : form
      return `${kind} ${destination} (${label})`
    }),
  }
}

export function outlineOfMarkdownIt(text: string, wiki: boolean): Outline {
  const headings: string[] = []
  const codeBlocks: string[] = []
  const codeSpans: string[] = []
  const links: string[] = []
  const tokens = (wiki ? withWikiLinks : plain).parse(text, {})
  tokens.forEach((token, i) => {
    const [first, behind] = token.map ?? [0, 0]
    if (token.type === 'heading_open') {
      const title = textOf(tokens[i + 1]?.children ?? [])
      headings.push(`${first + 1}: ${token.tag.slice(1)} ${title}`)
    } else if (token.type === 'fence') {
      const info = plain.utils.unescapeAll(token.info).trim()
      const language = (info.split(/\s/)[0] ?? '').toLowerCase()
      codeBlocks.push(`${first + 1}-${behind}: fence ${language}`)
    } else if (token.type === 'code_block') codeBlocks.push(`${first + 1}-${behind}: indented`)
    else if (token.type === 'inline') collectInline(token.children ?? [], codeSpans, links)
  })
  return { headings, codeBlocks, codeSpans, links }
}

function collectInline(tokens: readonly Token[], codeSpans: string[], links: string[]): void {
  tokens.forEach((token, i) => {
    if (token.type === 'code_inline') codeSpans.push(token.content)
    else if (token.type === 'wiki' || token.type === 'embed') {
      links.push(`${token.type} ${token.content} (${token.info})`)
    } else if (token.type === 'link_open') {
      const label = textOf(tokens.slice(i + 1, closeOf(tokens, i)))
      links.push(`inline ${token.attrGet('href')} (${label})`)
    } else if (token.type === 'image') {
      links.push(`image ${token.attrGet('src')} (${textOf(token.children ?? [])})`)
      collectInline(token.children ?? [], codeSpans, links)
    }
  })
}

function closeOf(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    depth += tokens[i]!.nesting
    if (depth === 0) return i
  }
  return tokens.length
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      switch (token.type) {
        case 'text':
        case 'text_special':
        case 'code_inline':
          return token.content
        case 'softbreak':
        case 'hardbreak':
          return ' '
        case 'image':
          return textOf(token.children ?? [])
        case 'wiki':
          return token.info || token.content
        default:
          return ''
      }
    })
    .join('')
}

function commonMark(): MarkdownIt {
  const md = createMarkdownIt('commonmark')
  // Compare destinations as written: no percent-encoding, no refused schemes.
  md.normalizeLink = (url) => url
  md.normalizeLinkText = (text) => text
  md.validateLink = () => true
  // Its guard against deep nesting drops text, which is no use for a comparison.
  md.options.maxNesting = 200
  return md
}

const plain = commonMark()
const withWikiLinks = commonMark()

const WIKI_LINK = /!?\[\[([^[\]|\n]+)(?:\|((?:(?!\]\]|\[\[).)*))?\]\]/y

withWikiLinks.inline.ruler.before('link', 'wiki', (state, silent) => {
  WIKI_LINK.lastIndex = state.pos
  const match = WIKI_LINK.exec(state.src)
  if (!match || WIKI_LINK.lastIndex > state.posMax) return false
  const [whole, before = '', label = ''] = match
  const target = (match[2] === undefined ? before : before.replace(/\\$/, '')).trim()
  if (target === '') return false
  if (!silent) {
    const token = state.push(whole.startsWith('!') ? 'embed' : 'wiki', '', 0)
    token.content = target
    token.info = label.trim()
  }
  state.pos += whole.length
  return true
})
