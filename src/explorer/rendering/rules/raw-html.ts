/**
 * The few tags that people write into notes by hand. Attributes are dropped but for links and
 * pictures, which follow the same rules as those of Markdown; every other tag is shown as text.
 */
import type { MarkdownIt } from 'markdown-it'
import { enforce, escapeHtml } from '../allowed.ts'
import { surroundingsOf } from '../environment.ts'
import { openLink, pictureHtml, type Surroundings } from '../targets.ts'

const PLAIN = new Set(
  (
    'kbd sub sup br hr details summary mark u s del ins dl dt dd b i em strong small q cite code p ' +
    'ul ol li blockquote table thead tbody tfoot caption tr th td figure figcaption'
  ).split(' '),
)
/** Shown for what is inside them only. */
const HOLLOW = new Set(['div', 'span', 'center', 'font', 'section', 'article', 'picture', 'nav'])

const PIECE =
  /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>|<|[^<]+/g
const ATTRIBUTE = /([a-zA-Z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g

export function rawHtml(md: MarkdownIt): void {
  md.renderer.rules.html_block = (tokens, index, _options, env, self) => {
    const token = tokens[index]!
    const html = cleaned(token.content, surroundingsOf(env))
    // What is whole in itself may say which lines it is; a tag may also go on for several blocks.
    return enforce(html) === html ? `<div${self.renderAttrs(token)}>${html}</div>` : html
  }
  md.renderer.rules.html_inline = (tokens, index, _options, env) =>
    cleaned(tokens[index]!.content, surroundingsOf(env))
}

function cleaned(html: string, around: Surroundings): string {
  let out = ''
  for (const [piece, slash, name, written = ''] of html.matchAll(PIECE)) {
    const tag = name?.toLowerCase()
    if (piece.startsWith('<!--')) continue
    if (tag === undefined) out += piece === '<' ? '&lt;' : textHtml(piece)
    else if (PLAIN.has(tag)) out += `<${slash}${tag}>`
    else if (HOLLOW.has(tag)) continue
    else if (tag === 'a') out += slash === '/' ? '</a></span>' : linkHtml(written, around)
    else if (tag === 'img' && slash !== '/') out += imageHtml(written, around)
    else out += escapeHtml(piece)
  }
  return out
}

function linkHtml(written: string, around: Surroundings): string {
  const { href } = attributesOf(written)
  return href === undefined ? '' : openLink('markdown', href, around).html
}

function imageHtml(written: string, around: Surroundings): string {
  const { src = '', alt = '', width, height } = attributesOf(written)
  return pictureHtml(src, alt, { width, height }, around)
}

function attributesOf(written: string): Record<string, string | undefined> {
  const found: Record<string, string> = {}
  for (const [, name = '', double, single, bare] of written.matchAll(ATTRIBUTE)) {
    found[name.toLowerCase()] ??= unescaped(double ?? single ?? bare ?? '')
  }
  return found
}

/** Entities stay what they are; a bare ampersand is one. */
function textHtml(text: string): string {
  return text
    .replace(/&(?!(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)/g, '&amp;')
    .replaceAll('>', '&gt;')
}

function unescaped(value: string): string {
  return value.replace(/&(?:amp|quot|lt|gt|#39);/g, (entity) => UNESCAPED[entity] ?? entity)
}

const UNESCAPED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
}
