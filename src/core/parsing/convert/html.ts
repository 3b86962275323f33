/** HTML as a reader sees it: the main part of a page, without navigation, scripts and styles. */
import type { FileContents, FileReader } from '../../domain/conversion.ts'
import { decodeBytes } from './decode-bytes.ts'
import { HtmlRenderer } from './html-markdown.ts'
import { attributeOf, isElement, parseHtml, textOf } from './html-tree.ts'
import type { HtmlElement } from './html-tree.ts'
import { MarkdownWriter } from './markdown-writer.ts'

export const readHtml: FileReader = (bytes) => {
  const root = parseHtml(decodeBytes(bytes, CHARSET))
  const writer = new MarkdownWriter()
  const main = mainOf(root)
  const renderer = new HtmlRenderer(writer, { sheds: main === root })
  renderer.blocks(main)
  return { ...describe(root, renderer.firstHeading), blocks: writer.blocks() }
}

/** Of a page that is part of something else, such as a chapter or a mail. */
export function writeHtml(
  html: string,
  writer: MarkdownWriter,
  resolve?: (href: string) => string | undefined,
): string | undefined {
  const renderer = new HtmlRenderer(writer, { sheds: false, ...(resolve && { resolve }) })
  renderer.blocks(parseHtml(html))
  return renderer.firstHeading
}

const CHARSET =
  /(?:<meta[^>]{0,200}charset\s*=\s*["']?|^<\?xml[^>]{0,100}encoding=["'])([\w-]{2,30})/i

function describe(
  root: HtmlElement,
  heading: string | undefined,
): Pick<FileContents, 'title' | 'metadata'> {
  let title: string | undefined
  let lang: string | undefined
  const said = new Map<string, string>()
  for (const each of elementsIn(root)) {
    if (each.tag === 'title' && title === undefined) title = textOf(each).trim()
    if (each.tag === 'html') lang = attributeOf(each, 'lang')
    if (each.tag !== 'meta') continue
    const name = (attributeOf(each, 'name') ?? attributeOf(each, 'property') ?? '').toLowerCase()
    const content = attributeOf(each, 'content')?.trim()
    if (content && !said.has(name)) said.set(name, content)
  }
  const keywords = said
    .get('keywords')
    ?.split(',')
    .map((word) => word.trim())
  return {
    title: title || said.get('og:title') || heading,
    metadata: {
      description: said.get('description') ?? said.get('og:description'),
      author: said.get('author'),
      created: said.get('article:published_time') ?? said.get('date') ?? said.get('dcterms.date'),
      keywords: keywords?.filter((word) => word !== ''),
      lang,
    },
  }
}

/** What pages, wikis and generators of documentation call their main part. */
const MAIN_IDS = /^(?:content|main|main-content|mw-content-text|bodyContent|article|wiki-body)$/
const MAIN_CLASSES =
  /(?:^|\s)(?:mw-parser-output|markdown-body|entry-content|post-content|article-body|documentwrapper|contents|wiki-content)(?:\s|$)/

/** The main part has at least so much of the words. */
const SHARE = 0.25

function mainOf(root: HtmlElement): HtmlElement {
  const least = root.letters * SHARE
  const candidates: HtmlElement[][] = [[], [], []]
  for (const each of elementsIn(root)) {
    if (each.letters < least) continue
    const role = attributeOf(each, 'role')
    if (each.tag === 'main' || role === 'main') candidates[0]!.push(each)
    else if (each.tag === 'article') candidates[1]!.push(each)
    else if (
      MAIN_IDS.test(attributeOf(each, 'id') ?? '') ||
      MAIN_CLASSES.test(attributeOf(each, 'class') ?? '')
    ) {
      candidates[2]!.push(each)
    }
  }
  // The outermost, or where several say so the largest.
  return (
    candidates.flatMap((some) => some.toSorted((a, b) => b.letters - a.letters).slice(0, 1))[0] ??
    root
  )
}

function* elementsIn(root: HtmlElement): Generator<HtmlElement> {
  const open: HtmlElement[] = [root]
  for (let each = open.pop(); each; each = open.pop()) {
    yield each
    for (let at = each.children.length - 1; at >= 0; at--) {
      const child = each.children[at]!
      if (isElement(child)) open.push(child)
    }
  }
}
