/** OpenDocument: texts, slides with their notes, and sheets. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import {
  attributeOf,
  childrenOf,
  findElement,
  findElements,
  isElement,
  textOf,
} from './html-tree.ts'
import type { HtmlElement } from './html-tree.ts'
import { MarkdownWriter, MOST_ROWS } from './markdown-writer.ts'
import { describeOffice, linkTo, xmlOf } from './office-parts.ts'
import { plain } from './plain.ts'
import { LOCKED, ZipFile } from './zip.ts'

export const readOdt: FileReader = (bytes) => {
  const zip = new ZipFile(bytes)
  if (zip.text('META-INF/manifest.xml')?.includes(':encryption-data')) throw new Unreadable(LOCKED)
  const content = xmlOf(zip, 'content.xml')
  const body = content && findElement(content, 'office:body')
  if (!content || !body) throw new Unreadable('no OpenDocument file, whatever its name says')
  const writer = new MarkdownWriter()
  const odf = new OdfWriter(writer, parentsOf(content))
  const slides = findElement(body, 'office:presentation')
  const sheets = findElement(body, 'office:spreadsheet')
  if (slides) odf.slides(slides)
  else if (sheets) odf.sheets(sheets)
  else odf.blocks(body)
  odf.notes()
  return { ...describeOffice(xmlOf(zip, 'meta.xml')), blocks: writer.blocks() }
}

const LEFT_OUT = new Set([
  'text:tracked-changes',
  'text:table-of-content',
  'text:sequence-decls',
  'office:forms',
  'presentation:notes',
  'text:soft-page-break',
])

class OdfWriter {
  readonly #writer: MarkdownWriter
  readonly #parents: ReadonlyMap<string, string>
  #notes: string[] = []

  constructor(writer: MarkdownWriter, parents: ReadonlyMap<string, string>) {
    this.#writer = writer
    this.#parents = parents
  }

  blocks(element: HtmlElement): void {
    for (const child of childrenOf(element)) {
      if (child.tag === 'text:h')
        this.#writer.heading(
          Number(attributeOf(child, 'text:outline-level') ?? 1) || 1,
          this.#text(child),
        )
      else if (child.tag === 'text:p') this.#paragraph(child)
      else if (child.tag === 'text:list') this.#list(child, 0)
      else if (child.tag === 'table:table') this.#table(child)
      else if (!LEFT_OUT.has(child.tag)) this.blocks(child)
    }
  }

  slides(presentation: HtmlElement): void {
    for (const [index, page] of childrenOf(presentation, 'draw:page').entries()) {
      this.#writer.anchor(`slide=${index + 1}`)
      for (const frame of childrenOf(page)) {
        if (frame.tag === 'presentation:notes') continue
        if (attributeOf(frame, 'presentation:class') !== 'title') this.blocks(frame)
        else
          this.#writer.heading(
            2,
            [...findElements(frame, 'text:p')].map((each) => this.#text(each)).join(' '),
          )
      }
      const notes = childrenOf(page, 'presentation:notes')[0]
      if (notes) this.blocks(notes)
    }
  }

  sheets(spreadsheet: HtmlElement): void {
    for (const sheet of childrenOf(spreadsheet, 'table:table')) {
      const name = attributeOf(sheet, 'table:name') ?? 'Sheet'
      this.#writer.anchor(`sheet=${name}`)
      this.#writer.heading(2, plain(name))
      this.#table(sheet)
    }
  }

  #paragraph(paragraph: HtmlElement): void {
    const style = attributeOf(paragraph, 'text:style-name') ?? ''
    const level = levelOf(this.#parents.get(style) ?? style)
    if (level === undefined) this.#writer.paragraph(this.#text(paragraph))
    else this.#writer.heading(level, this.#text(paragraph))
    // Boxes of text stand in a paragraph.
    for (const box of findElements(paragraph, 'draw:text-box')) this.blocks(box)
  }

  #list(list: HtmlElement, depth: number): void {
    for (const item of childrenOf(list)) {
      for (const child of childrenOf(item)) {
        if (child.tag === 'text:list') this.#list(child, depth + 1)
        else this.#writer.item(depth, this.#text(child))
      }
    }
  }

  #table(table: HtmlElement): void {
    const rows: string[][] = []
    for (const row of findElements(table, 'table:table-row')) {
      if (rows.length > MOST_ROWS + 1) break
      const cells: string[] = []
      for (const cell of childrenOf(row)) {
        if (!/^table:(?:covered-)?table-cell$/.test(cell.tag)) continue
        const times = Math.min(
          100,
          Number(attributeOf(cell, 'table:number-columns-repeated') ?? 1) || 1,
        )
        const text = [...findElements(cell, 'text:p')].map((each) => this.#text(each)).join(' ')
        for (let at = 0; at < times && cells.length < 100; at++) cells.push(text)
      }
      while (cells.at(-1) === '') cells.pop()
      rows.push(cells)
    }
    this.#writer.table(rows)
  }

  #text(element: HtmlElement): string {
    let text = ''
    for (const child of element.children) {
      if (!isElement(child)) {
        text += plain(child.replaceAll(/\s+/g, ' '))
        continue
      }
      switch (child.tag) {
        case 'text:s':
          text += ' '.repeat(Math.min(100, Number(attributeOf(child, 'text:c') ?? 1) || 1))
          break
        case 'text:tab':
          text += ' '
          break
        case 'text:line-break':
          text += '\n'
          break
        case 'text:a':
          text += linkTo(attributeOf(child, 'xlink:href') ?? '', this.#text(child))
          break
        case 'text:note':
        case 'office:annotation': {
          const note = child.tag === 'text:note' ? findElement(child, 'text:note-body') : child
          const author = findElement(child, 'dc:creator')
          const said = [...findElements(note ?? child, 'text:p')]
            .map((each) => this.#text(each))
            .join(' ')
          const mark = this.#notes.length + 1
          this.#notes.push(
            `[^${mark}]: ${author ? `${plain(textOf(author))}: ` : ''}${said.trim()}`,
          )
          text += `[^${mark}]`
          break
        }
        case 'draw:text-box':
          break
        case 'svg:title':
        case 'svg:desc':
          text += ` (${plain(textOf(child))}) `
          break
        default:
          if (!LEFT_OUT.has(child.tag)) text += this.#text(child)
      }
    }
    return text
  }

  notes(): void {
    for (const note of this.#notes) this.#writer.paragraph(note)
    this.#notes = []
  }
}

/** A title, or a heading that is one by its style alone. */
function levelOf(style: string): number | undefined {
  if (style === 'Title') return 1
  const [, level] = /^Heading_20_([1-6])$/.exec(style) ?? []
  return level === undefined ? undefined : Number(level)
}

/** What styles of the text itself go back to. */
function parentsOf(content: HtmlElement): ReadonlyMap<string, string> {
  const styles = findElement(content, 'office:automatic-styles')
  return new Map(
    (styles ? childrenOf(styles, 'style:style') : []).map((each) => [
      attributeOf(each, 'style:name') ?? '',
      attributeOf(each, 'style:parent-style-name') ?? '',
    ]),
  )
}
