/** PowerPoint: a part for each slide, with its title as heading, its tables and its notes. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import { attributeOf, childrenOf, findElement, findElements, isElement } from './html-tree.ts'
import type { HtmlElement } from './html-tree.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { describeOffice, linkTo, relationsOf, xmlOf } from './office-parts.ts'
import type { Relation } from './office-parts.ts'
import { plain } from './plain.ts'
import { ZipFile } from './zip.ts'

const PRESENTATION = 'ppt/presentation.xml'
const MOST_SLIDES = 2_000

export const readPptx: FileReader = (bytes) => {
  const zip = new ZipFile(bytes)
  const presentation = xmlOf(zip, PRESENTATION)
  if (!presentation) throw new Unreadable('no PowerPoint file, whatever its name says')
  const relations = relationsOf(zip, PRESENTATION)
  const writer = new MarkdownWriter()
  const slides = [...findElements(presentation, 'p:sldId')].slice(0, MOST_SLIDES)
  for (const [index, slide] of slides.entries()) {
    const part = relations.get(attributeOf(slide, 'r:id') ?? '')?.target
    const xml = part === undefined ? undefined : xmlOf(zip, part)
    writer.anchor(`slide=${index + 1}`)
    if (part === undefined || !xml) continue
    const own = relationsOf(zip, part)
    writeShapes(xml, writer, own)
    const notes = [...own.values()].find(({ type }) => type === 'notesSlide')
    const said = notes && xmlOf(zip, notes.target)
    if (said) writeNotes(said, writer)
  }
  return {
    ...describeOffice(xmlOf(zip, 'docProps/core.xml')),
    blocks: writer.blocks(),
  }
}

function writeShapes(
  element: HtmlElement,
  writer: MarkdownWriter,
  relations: ReadonlyMap<string, Relation>,
): void {
  for (const child of childrenOf(element)) {
    if (child.tag === 'p:sp') writeShape(child, writer, relations)
    else if (child.tag === 'a:tbl') {
      writer.table(
        childrenOf(child, 'a:tr').map((row) =>
          childrenOf(row, 'a:tc').map((cell) =>
            paragraphsOf(cell, relations)
              .map(({ text }) => text)
              .join(' '),
          ),
        ),
      )
    } else if (child.tag === 'p:cNvPr') {
      const alt = attributeOf(child, 'descr')
      if (alt) writer.paragraph(plain(alt))
    } else if (child.tag !== 'mc:Fallback') writeShapes(child, writer, relations)
  }
}

function writeShape(
  shape: HtmlElement,
  writer: MarkdownWriter,
  relations: ReadonlyMap<string, Relation>,
): void {
  const type = kindOf(shape)
  // The number of the slide, its date and its foot.
  if (/^(?:sldNum|dt|ftr|hdr)$/.test(type)) return
  const paragraphs = paragraphsOf(shape, relations).filter(({ text }) => text.trim() !== '')
  if (/^(?:title|ctrTitle)$/.test(type))
    return writer.heading(2, paragraphs.map(({ text }) => text).join(' '))
  for (const { text, depth } of paragraphs) {
    if (paragraphs.length > 1 || depth > 0) writer.item(depth, text)
    else writer.paragraph(text)
  }
}

function writeNotes(notes: HtmlElement, writer: MarkdownWriter): void {
  for (const shape of findElements(notes, 'p:sp')) {
    if (kindOf(shape) !== 'body') continue
    for (const { text } of paragraphsOf(shape, new Map())) writer.quote(text)
  }
}

function kindOf(shape: HtmlElement): string {
  const placeholder = findElement(shape, 'p:ph')
  return placeholder ? (attributeOf(placeholder, 'type') ?? 'body') : ''
}

interface Paragraph {
  readonly text: string
  readonly depth: number
}

function paragraphsOf(
  element: HtmlElement,
  relations: ReadonlyMap<string, Relation>,
): readonly Paragraph[] {
  return [...findElements(element, 'a:p')].map((paragraph) => {
    const properties = childrenOf(paragraph, 'a:pPr')[0]
    const depth = Number((properties && attributeOf(properties, 'lvl')) ?? 0) || 0
    let text = ''
    for (const run of paragraph.children.filter(isElement)) {
      if (run.tag === 'a:br') text += '\n'
      const words = childrenOf(run, 'a:t')[0]
      if (!words) continue
      const said = plain(words.children.filter((each) => !isElement(each)).join(''))
      const link = findElement(run, 'a:hlinkClick')
      const relation = link && relations.get(attributeOf(link, 'r:id') ?? '')
      text += relation?.isOutside ? linkTo(relation.target, said) : said
    }
    return { text, depth }
  })
}
