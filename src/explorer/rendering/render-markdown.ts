/** How does a note look to a person? Markdown to HTML that may be put into a page as it is. */
import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it'
import { enforce, escapeHtml } from './allowed.ts'
import {
  environmentOf,
  newEnvironment,
  surroundingsOf,
  type Environment,
  type RenderedHeading,
} from './environment.ts'
import { highlight } from './highlight.ts'
import { callouts } from './rules/callouts.ts'
import { footnotes, footnotesHtml } from './rules/footnotes.ts'
import { math } from './rules/math.ts'
import { obsidian } from './rules/obsidian.ts'
import { rawHtml } from './rules/raw-html.ts'
import { taskLists } from './rules/task-lists.ts'
import { wikiLinks } from './rules/wiki-links.ts'
import { anchorOf, openLink, pictureHtml, type Surroundings } from './targets.ts'

export interface RenderOptions {
  readonly around: Surroundings
  /** Lines of the document before this text. */
  readonly line?: number
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly RenderedHeading[]
}

/** A line longer than this is no prose: it is shown as it is. */
const LONGEST_LINE = 20_000

export function renderMarkdown(text: string, { around, line = 0 }: RenderOptions): Rendered {
  const env = newEnvironment(around, line)
  let html = ''
  let at = line
  for (const piece of apart(text)) {
    const count = piece.split('\n').length - (piece.endsWith('\n') ? 1 : 0)
    html +=
      piece.length > LONGEST_LINE && count === 1
        ? `<pre class="long" data-line="${at + 1}" data-end="${at + 1}">${escapeHtml(piece)}</pre>`
        : engine().render(piece, Object.assign(env, { lineOffset: at }))
    at += count
  }
  return { html: enforce(html + footnotesHtml(engine(), env)), headings: env.headings }
}

/** Lines that are too long by themselves, and the text between them. */
function apart(text: string): readonly string[] {
  if (text.length <= LONGEST_LINE) return [text]
  const pieces: string[] = []
  let between = ''
  for (const line of text.split(/(?<=\n)/)) {
    if (line.length <= LONGEST_LINE) {
      between += line
      continue
    }
    if (between !== '') pieces.push(between)
    between = ''
    pieces.push(line)
  }
  return between === '' ? pieces : [...pieces, between]
}

let made: MarkdownIt | undefined

/** Made when first needed: most processes never show a page. */
function engine(): MarkdownIt {
  return (made ??= makeEngine())
}

function makeEngine(): MarkdownIt {
  const md = createMarkdownIt({ html: true, linkify: true, typographer: false, maxNesting: 50 })
  // Addresses are judged where they are written into the page.
  md.validateLink = () => true
  for (const plugin of [wikiLinks, math, callouts, taskLists, footnotes, obsidian, rawHtml])
    plugin(md)
  // Only what is written as an address: a name with a dot in it is none.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  const { rules } = md.renderer
  rules.link_open = (tokens, index, _options, env) => {
    const token = tokens[index]!
    const { html, close } = openLink('markdown', hrefOf(token), surroundingsOf(env))
    // A bare address says itself where it leads.
    const isBare = token.markup === 'linkify' && close.endsWith('</a>')
    closings(env).push(isBare ? '</a>' : close)
    return html
  }
  rules.link_close = (_tokens, _index, _options, env) => closings(env).pop() ?? ''
  rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index]!
    const alt = self.renderInlineAsText(token.children ?? [], options, env)
    return pictureHtml(String(token.attrGet('src') ?? ''), alt, {}, surroundingsOf(env))
  }
  rules.softbreak = (_tokens, _index, _options, env) =>
    surroundingsOf(env).breaks ? '<br>\n' : '\n'
  rules.code_inline = (tokens, index, _options, env) => {
    const { content } = tokens[index]!
    // What stands in a line is answered as what stands in a block is.
    const kind = surroundingsOf(env).isQuery?.(content) ? ' class="language-dataview"' : ''
    return `<code${kind}>${escapeHtml(content)}</code>`
  }
  rules.fence = (tokens, index, _options, _env, self) => {
    const token = tokens[index]!
    return codeHtml(token.content, token.info.trim().split(/\s+/)[0] ?? '', self.renderAttrs(token))
  }
  rules.code_block = (tokens, index, _options, _env, self) =>
    codeHtml(tokens[index]!.content, '', self.renderAttrs(tokens[index]!))
  rules.heading_open = (tokens, index, options, env, self) => {
    const token = tokens[index]!
    const text = self.renderInlineAsText(tokens[index + 1]?.children ?? [], options, env)
    token.attrSet('id', anchorFor(text, token, environmentOf(env)))
    return self.renderToken(tokens, index, options)
  }
  for (const cell of ['th_open', 'td_open']) {
    rules[cell] = (tokens, index, options, _env, self) => {
      alignByClass(tokens[index]!)
      return self.renderToken(tokens, index, options)
    }
  }
  md.core.ruler.push('source_lines', ({ tokens, env }) => {
    const { lineOffset } = environmentOf(env)
    for (const token of tokens) {
      if (!token.map || token.nesting < 0 || token.type === 'inline') continue
      token.attrSet('data-line', String(token.map[0] + 1 + lineOffset))
      token.attrSet('data-end', String(Math.max(token.map[0] + 1, token.map[1]) + lineOffset))
    }
  })
  return md
}

function hrefOf(token: Token): string {
  const href = String(token.attrGet('href') ?? '')
  try {
    // The parser has encoded it; what was written is what links are known by.
    return decodeURI(href)
  } catch {
    return href
  }
}

/** How the links that are open have to be closed. */
function closings(env: unknown): string[] {
  return ((env as { closings?: string[] }).closings ??= [])
}

function anchorFor(text: string, { tag, map }: Token, env: Environment): string {
  const wanted = anchorOf(text)
  let anchor = wanted
  for (let copy = 1; env.anchors.has(anchor); copy++) anchor = `${wanted}-${copy}`
  env.anchors.add(anchor)
  const line = (map?.[0] ?? 0) + 1 + env.lineOffset
  env.headings.push({ level: Number(tag.slice(1)), text, anchor, line })
  return anchor
}

function codeHtml(code: string, language: string, attributes: string): string {
  const name = language
    .toLowerCase()
    .replace(/[^\w+#-]/g, '')
    .slice(0, 30)
  const shown = name === '' ? '' : ` language-${name}`
  return `<pre class="code"${attributes}><code class="hljs${shown}">${highlight(code, name)}</code></pre>\n`
}

/** The parser writes a style, which a strict page refuses. */
function alignByClass(token: Token): void {
  const style = token.attrGet('style')
  if (style === null) return
  const side = /text-align:(left|right|center)/.exec(String(style))?.[1]
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
  if (side) token.attrJoin('class', `align-${side}`)
}
