/** Word files: headings, lists, tables, links, notes and comments; what was deleted is gone. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import { attributeOf, childrenOf, findElement, findElements, isElement } from './html-tree.ts'
import type { HtmlElement } from './html-tree.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { describeOffice, linkTo, relationsOf, xmlOf } from './office-parts.ts'
import type { Relation } from './office-parts.ts'
import { plain } from './plain.ts'
import { ZipFile } from './zip.ts'

const DOCUMENT = 'word/document.xml'

export const readDocx: FileReader = (bytes) => {
  const zip = new ZipFile(bytes)
  const document = xmlOf(zip, DOCUMENT)
  const body = document && findElement(document, 'w:body')
  if (!body) throw new Unreadable('no Word file, whatever its name says')
  const writer = new MarkdownWriter()
  const word = new WordWriter(writer, zip)
  word.blocks(body)
  word.notes()
  return { ...describeOffice(xmlOf(zip, 'docProps/core.xml')), blocks: writer.blocks() }
}

class WordWriter {
  readonly #writer: MarkdownWriter
  readonly #zip: ZipFile
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #levels: ReadonlyMap<string, number>
  readonly #numbered: (id: string, depth: number) => boolean
  readonly #counts = new Map<string, number[]>()
  readonly #mentioned: { readonly mark: string; readonly part: string; readonly id: string }[] = []

  constructor(writer: MarkdownWriter, zip: ZipFile) {
    this.#writer = writer
    this.#zip = zip
    this.#relations = relationsOf(zip, DOCUMENT)
    this.#levels = levelsOf(xmlOf(zip, 'word/styles.xml'))
    this.#numbered = numberingOf(xmlOf(zip, 'word/numbering.xml'))
  }

  blocks(element: HtmlElement): void {
    for (const child of childrenOf(element)) {
      if (child.tag === 'w:p') this.#paragraph(child)
      else if (child.tag === 'w:tbl') this.#table(child)
      else if (!LEFT_OUT.has(child.tag)) this.blocks(child)
    }
  }

  #paragraph(paragraph: HtmlElement): void {
    const text = this.#text(paragraph).trim()
    if (text === '') return
    const properties = childrenOf(paragraph, 'w:pPr')[0]
    const valueOf = (element: HtmlElement | undefined, name: string): string | undefined => {
      const found = element && childrenOf(element, name)[0]
      return found && attributeOf(found, 'w:val')
    }
    const style = valueOf(properties, 'w:pStyle') ?? ''
    const level = Number(valueOf(properties, 'w:outlineLvl') ?? NaN) + 1 || this.#levels.get(style)
    if (level !== undefined && level <= 6) return this.#writer.heading(level, text)
    const numbering = properties && childrenOf(properties, 'w:numPr')[0]
    const id = valueOf(numbering, 'w:numId')
    if (id !== undefined && id !== '0') {
      const depth = Math.min(8, Number(valueOf(numbering, 'w:ilvl') ?? 0) || 0)
      return this.#writer.item(
        depth,
        text,
        this.#numbered(id, depth) ? this.#next(id, depth) : undefined,
      )
    }
    if (/^List/i.test(style)) return this.#writer.item(0, text)
    if (/code|source|verbatim/i.test(style)) return this.#writer.code(rawText(paragraph))
    if (/quote/i.test(style)) return this.#writer.quote(text)
    return this.#writer.paragraph(text)
  }

  #next(id: string, depth: number): number {
    const counts = this.#counts.get(id) ?? []
    counts.length = depth + 1
    const count = (counts[depth] ?? 0) + 1
    counts[depth] = count
    this.#counts.set(id, counts)
    return count
  }

  #table(table: HtmlElement): void {
    const rows = childrenOf(table, 'w:tr').map((row) =>
      childrenOf(row, 'w:tc').flatMap((cell) => {
        const span = findElement(cell, 'w:gridSpan')
        const more = Math.min(50, Number((span && attributeOf(span, 'w:val')) ?? 1) || 1) - 1
        const text = [...findElements(cell, 'w:p')].map((each) => this.#text(each).trim()).join(' ')
        return [text, ...Array.from({ length: Math.max(0, more) }, () => '')]
      }),
    )
    // A table of one cell is a box around a text.
    if (rows.every(({ length }) => length < 2)) {
      for (const row of childrenOf(table, 'w:tr'))
        for (const cell of childrenOf(row, 'w:tc')) this.blocks(cell)
    } else this.#writer.table(rows)
  }

  /** Of a paragraph, without what was deleted. */
  #text(element: HtmlElement): string {
    let text = ''
    for (const child of element.children) {
      if (!isElement(child)) continue
      switch (child.tag) {
        case 'w:t':
          text += plain(child.children.filter((each) => !isElement(each)).join(''))
          break
        case 'w:tab':
          text += ' '
          break
        case 'w:br':
        case 'w:cr':
          text += '\n'
          break
        case 'w:noBreakHyphen':
          text += '-'
          break
        case 'w:hyperlink': {
          const relation = this.#relations.get(attributeOf(child, 'r:id') ?? '')
          const words = this.#text(child)
          text += relation?.isOutside ? linkTo(relation.target, words) : words
          break
        }
        case 'w:footnoteReference':
          text += this.#mention('footnotes', child)
          break
        case 'w:endnoteReference':
          text += this.#mention('endnotes', child)
          break
        case 'w:commentReference':
          text += this.#mention('comments', child)
          break
        case 'wp:docPr': {
          const alt = attributeOf(child, 'descr')
          if (alt) text += ` (${plain(alt)}) `
          break
        }
        default:
          if (!LEFT_OUT.has(child.tag)) text += this.#text(child)
      }
    }
    return text
  }

  #mention(part: string, element: HtmlElement): string {
    const id = attributeOf(element, 'w:id') ?? ''
    const mark = `${part === 'comments' ? 'comment-' : part === 'endnotes' ? 'end-' : ''}${id}`
    this.#mentioned.push({ mark, part, id })
    return `[^${mark}]`
  }

  notes(): void {
    const parts = new Map<string, HtmlElement | undefined>()
    const written = this.#mentioned.splice(0)
    for (const { mark, part, id } of written) {
      if (!parts.has(part)) parts.set(part, xmlOf(this.#zip, `word/${part}.xml`))
      const all = parts.get(part)?.children.filter(isElement)[0]
      const note = all && childrenOf(all).find((each) => attributeOf(each, 'w:id') === id)
      if (!note) continue
      const author = attributeOf(note, 'w:author')
      const text = [...findElements(note, 'w:p')].map((each) => this.#text(each).trim()).join(' ')
      this.#writer.paragraph(`[^${mark}]: ${author ? `${plain(author)}: ` : ''}${text.trim()}`)
    }
  }
}

/** Deleted text, and the second form of a picture for older programs. */
const LEFT_OUT = new Set([
  'w:del',
  'w:moveFrom',
  'mc:Fallback',
  'w:pPr',
  'w:rPr',
  'w:instrText',
  'w:sdtPr',
])

function rawText(element: HtmlElement): string {
  return element.children
    .map((each) => (isElement(each) ? (each.tag === 'w:br' ? '\n' : rawText(each)) : each))
    .join('')
}

function levelsOf(styles: HtmlElement | undefined): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  for (const style of styles ? findElements(styles, 'w:style') : []) {
    const id = attributeOf(style, 'w:styleId')
    const name = childrenOf(style, 'w:name')[0]
    const outline = findElement(style, 'w:outlineLvl')
    const said = (name && attributeOf(name, 'w:val')) ?? ''
    const level =
      Number(/^heading (\d)$/i.exec(said)?.[1] ?? (/^title$/i.test(said) ? 1 : NaN)) ||
      Number((outline && attributeOf(outline, 'w:val')) ?? NaN) + 1
    if (id !== undefined && level >= 1 && level <= 6) levels.set(id, level)
  }
  return levels
}

function numberingOf(numbering: HtmlElement | undefined): (id: string, depth: number) => boolean {
  const formats = new Map<string, readonly string[]>()
  const abstract = new Map<string, readonly string[]>()
  for (const each of numbering ? findElements(numbering, 'w:abstractNum') : []) {
    const levels = childrenOf(each, 'w:lvl').map((level) => {
      const format = childrenOf(level, 'w:numFmt')[0]
      return (format && attributeOf(format, 'w:val')) ?? 'bullet'
    })
    abstract.set(attributeOf(each, 'w:abstractNumId') ?? '', levels)
  }
  for (const each of numbering ? findElements(numbering, 'w:num') : []) {
    const to = childrenOf(each, 'w:abstractNumId')[0]
    const levels = to && abstract.get(attributeOf(to, 'w:val') ?? '')
    if (levels) formats.set(attributeOf(each, 'w:numId') ?? '', levels)
  }
  return (id, depth) => {
    const format = formats.get(id)?.[depth] ?? 'bullet'
    return format !== 'bullet' && format !== 'none'
  }
}
