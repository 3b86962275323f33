/** Writes the elements of a page as Markdown: blocks one after the other, and what stands in lines. */
import { slugOf } from '../names.ts'
import {
  attributeOf,
  childrenOf,
  findElement,
  findElements,
  isElement,
  textOf,
} from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'
import type { MarkdownWriter } from './markdown-writer.ts'
import { plain } from './plain.ts'

export interface HtmlOptions {
  /** Whether menus and the like are left out: the page does not say what its main part is. */
  readonly sheds: boolean
  /** Where a link leads, as seen from the file; undefined: nowhere that is of use. */
  readonly resolve?: (href: string) => string | undefined
}

const BLOCKS = new Set(
  `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption
  figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section
  summary table tbody td tfoot th thead tr ul caption`.split(/\s+/),
)
const ALWAYS_SHED = new Set(['head', 'nav', 'input', 'label'])
const SOMETIMES_SHED = new Set(['header', 'footer', 'aside', 'form'])
const MENU =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|breadcrumbs?|footer|cookies?|banner|toc|related|share|social|skip|sphinxsidebar|noprint|catlinks|printfooter|mw-editsection|headerlink)(?:$|[\s_-])/i
const NEVER_SHOWN =
  /(?:^|\s)(?:headerlink|mw-editsection|noprint|visually-hidden|sr-only|catlinks|printfooter)(?:\s|$)/

export class HtmlRenderer {
  readonly #writer: MarkdownWriter
  readonly #options: HtmlOptions
  firstHeading: string | undefined

  constructor(writer: MarkdownWriter, options: HtmlOptions) {
    this.#writer = writer
    this.#options = options
  }

  blocks(element: HtmlElement): void {
    let line = ''
    const flush = (): void => {
      this.#writer.paragraph(tidyLines(line))
      line = ''
    }
    for (const child of element.children) {
      if (!isElement(child)) line += inlineText(child)
      else if (this.#isShed(child)) continue
      else if (!holdsBlocks(child)) line += this.#inline(child)
      else {
        flush()
        this.#block(child, element)
      }
    }
    flush()
  }

  #block(element: HtmlElement, outer: HtmlElement): void {
    switch (element.tag) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return this.#heading(element, outer)
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return this.#list(element, 0)
      case 'dl':
        return this.#definitions(element)
      case 'pre':
        return this.#writer.code(textOf(element).replace(/^\n/, ''), languageOf(element, outer))
      case 'blockquote':
        return this.#writer.quote(tidyLines(this.#inlineOf(element)))
      case 'table':
        return this.#table(element)
      case 'hr':
        return
      default:
        return this.blocks(element)
    }
  }

  #heading(element: HtmlElement, outer: HtmlElement): void {
    const text = this.#inlineOf(element).replaceAll(/\s+/g, ' ').trim().replaceAll(/\*\*/g, '')
    if (text === '') return
    this.firstHeading ??= text
    const id = anchorOf(element) ?? (isSection(outer) ? attributeOf(outer, 'id') : undefined)
    const isNamed =
      id !== undefined && /^[\w.:-]{1,80}$/.test(id) && slugOf(text) !== id.toLowerCase()
    this.#writer.heading(Number(element.tag[1]), isNamed ? `${text} {#${id}}` : text)
  }

  #list(list: HtmlElement, depth: number): void {
    let number = Number(attributeOf(list, 'start') ?? 1) || 1
    for (const item of childrenOf(list)) {
      if (item.tag === 'ul' || item.tag === 'ol') {
        this.#list(item, depth + 1)
        continue
      }
      if (this.#isShed(item)) continue
      const inner = item.children.filter((each) => !isElement(each) || !isList(each))
      const text = tidyLines(this.#inlineOf({ ...item, children: inner }))
      this.#writer.item(depth, text, list.tag === 'ol' ? number++ : undefined)
      for (const nested of childrenOf(item)) if (isList(nested)) this.#list(nested, depth + 1)
    }
  }

  #definitions(list: HtmlElement): void {
    for (const each of childrenOf(list)) {
      if (each.tag === 'dt') {
        const term = this.#inlineOf(each).replaceAll(/\s+/g, ' ').trim()
        if (term !== '') this.#writer.paragraph(/[*`]/.test(term) ? term : `**${term}**`)
      } else this.blocks(each)
    }
  }

  #table(table: HtmlElement): void {
    const caption = childrenOf(table, 'caption')[0]
    if (caption) this.#writer.paragraph(tidyLines(this.#inlineOf(caption)))
    const rows = rowsOf(table)
    const isLayout =
      rows.every((row) => cellsOf(row).length < 2) ||
      findElement(
        {
          ...table,
          children: table.children.flatMap((each) => (isElement(each) ? each.children : [])),
        },
        'table',
      ) !== undefined ||
      rows.some((row) => cellsOf(row).some((cell) => holdsPages(cell)))
    if (isLayout) {
      for (const row of rows) for (const cell of cellsOf(row)) this.blocks(cell)
      return
    }
    const spans: number[] = []
    this.#writer.table(
      rows.map((row) => {
        const line: string[] = []
        const fill = (): void => {
          // A cell that reaches down says in every row what it says in the first.
          while ((spans[line.length] ?? 0) > 0) {
            spans[line.length]!--
            line.push('')
          }
        }
        for (const cell of cellsOf(row)) {
          fill()
          const text = this.#inlineOf(cell)
          const down = boundedSpan(cell, 'rowspan')
          const across = boundedSpan(cell, 'colspan')
          for (let at = 0; at < across; at++) {
            spans[line.length] = down - 1
            line.push(at === 0 ? text : '')
          }
        }
        fill()
        return line
      }),
    )
  }

  /** What stands in a line, and in the lines of blocks in it. */
  #inlineOf(element: HtmlElement): string {
    let text = ''
    for (const child of element.children) {
      if (!isElement(child)) text += inlineText(child)
      else if (!this.#isShed(child)) {
        text += BLOCKS.has(child.tag) ? `\n${this.#inlineOf(child)}\n` : this.#inline(child)
      }
    }
    return text
  }

  #inline(element: HtmlElement): string {
    switch (element.tag) {
      case 'br':
        return '\n'
      case 'img':
        return this.#image(element)
      case 'a':
        return this.#link(element)
      case 'b':
      case 'strong':
        return around('**', this.#inlineOf(element))
      case 'i':
      case 'em':
      case 'cite':
      case 'dfn':
        return around('*', this.#inlineOf(element))
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt': {
        const code = textOf(element).replaceAll(/\s+/g, ' ')
        return code.trim() === '' || code.includes('`') ? plain(code) : around('`', code)
      }
      case 'math':
        return (
          attributeOf(element, 'alttext') ?? textOf(findElement(element, 'annotation') ?? element)
        )
      default:
        return this.#inlineOf(element)
    }
  }

  #link(element: HtmlElement): string {
    const text = this.#inlineOf(element)
    const href = attributeOf(element, 'href')?.trim()
    const target = href === undefined ? undefined : this.#target(href)
    const words = text.replaceAll(/\s+/g, ' ').trim()
    if (target === undefined || words === '' || /[[\]]/.test(words)) return text
    return `${/^\s/.test(text) ? ' ' : ''}[${words}](${target})${/\s$/.test(text) ? ' ' : ''}`
  }

  #image(element: HtmlElement): string {
    const alt = (attributeOf(element, 'alt') ?? '').replaceAll(/[[\]\s]+/g, ' ').trim()
    const source = this.#target(attributeOf(element, 'src')?.trim() ?? '')
    return source === undefined ? plain(alt) : `![${plain(alt)}](${source})`
  }

  #target(href: string): string | undefined {
    if (href === '' || href.startsWith('#') || href.length > 1_000) return undefined
    if (/^[a-z][a-z\d+.-]*:/i.test(href) && !/^(?:https?|mailto|file):/i.test(href))
      return undefined
    const found = this.#options.resolve ? this.#options.resolve(href) : href
    if (found === undefined) return undefined
    return /[\s()<>]/.test(found)
      ? found.replaceAll(
          /[\s()<>]/g,
          (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
        )
      : found
  }

  #isShed(element: HtmlElement): boolean {
    const { tag } = element
    if (ALWAYS_SHED.has(tag)) return true
    if (tag === 'a' && BLOCKS.size === 0) return false
    const name = attributeOf(element, 'class') ?? ''
    if (NEVER_SHOWN.test(name)) return true
    if (attributeOf(element, 'hidden') !== undefined) return true
    if (attributeOf(element, 'aria-hidden') === 'true') return true
    if (/display\s*:\s*none/i.test(attributeOf(element, 'style') ?? '')) return true
    if (attributeOf(element, 'role') === 'navigation') return true
    if (!this.#options.sheds || !BLOCKS.has(tag)) return false
    const isNamed =
      SOMETIMES_SHED.has(tag) || MENU.test(`${name} ${attributeOf(element, 'id') ?? ''}`)
    // A heading of a page may stand in its header; menus are links and little else.
    return isNamed && element.linked > element.letters * 0.5
  }
}

function isList({ tag }: HtmlElement): boolean {
  return tag === 'ul' || tag === 'ol'
}

function isSection({ tag }: HtmlElement): boolean {
  return tag === 'section' || tag === 'div'
}

function anchorOf(heading: HtmlElement): string | undefined {
  const own = attributeOf(heading, 'id')
  if (own !== undefined) return own
  for (const each of childrenOf(heading)) {
    const named =
      attributeOf(each, 'id') ?? (each.tag === 'a' ? attributeOf(each, 'name') : undefined)
    if (named !== undefined) return named
  }
  return undefined
}

function languageOf(pre: HtmlElement, outer: HtmlElement): string {
  const names = [pre, outer, ...childrenOf(pre, 'code')].map(
    (each) => attributeOf(each, 'class') ?? '',
  )
  return (
    /(?:language|lang|highlight|sourceCode|src)[-\s](\w[\w+#-]*)/.exec(names.join(' '))?.[1] ?? ''
  )
}

/** Whether something in it begins a line of its own; asked once for each element on the way down. */
function holdsBlocks(element: HtmlElement): boolean {
  if (BLOCKS.has(element.tag)) return true
  if (element.tag === 'a' || element.tag === 'span' || !element.children.some(isElement)) {
    return element.children.some((each) => isElement(each) && BLOCKS.has(each.tag))
  }
  return element.children.some((each) => isElement(each) && holdsBlocks(each))
}

/** A cell that is a page: with headings or several paragraphs in it. */
function holdsPages(cell: HtmlElement): boolean {
  return ['h1', 'h2', 'h3', 'pre'].some((tag) => findElement(cell, tag) !== undefined)
}

function rowsOf(table: HtmlElement): readonly HtmlElement[] {
  const rows: HtmlElement[] = []
  for (const each of childrenOf(table)) {
    if (each.tag === 'tr') rows.push(each)
    else if (/^t(?:head|body|foot)$/.test(each.tag)) rows.push(...childrenOf(each, 'tr'))
  }
  return rows.length > 0 ? rows : [...findElements(table, 'tr')]
}

function cellsOf(row: HtmlElement): readonly HtmlElement[] {
  return childrenOf(row).filter(({ tag }) => tag === 'td' || tag === 'th')
}

const WIDEST = 50

function boundedSpan(cell: HtmlElement, name: 'rowspan' | 'colspan'): number {
  const value = Number(attributeOf(cell, name) ?? 1)
  return Number.isInteger(value) && value > 0 ? Math.min(value, WIDEST) : 1
}

function inlineText(node: HtmlNode & string): string {
  return plain(node.replaceAll(/\s+/g, ' '))
}

function around(mark: string, text: string): string {
  const words = text.trim()
  if (words === '' || words.includes('\n') || words.includes(mark)) return text
  return `${/^\s/.test(text) ? ' ' : ''}${mark}${words}${mark}${/\s$/.test(text) ? ' ' : ''}`
}

/** Blanks at the ends of lines and twice in a row say nothing. */
function tidyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
}
