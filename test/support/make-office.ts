/** Files of offices, slides, sheets and books from a few lines, as small as programs could write them. */
import { makeZip } from './make-zip.ts'

/** `# Heading`, `| a | b |` for a row of a table, anything else a paragraph. */
export type Lines = readonly string[]

type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'text'; readonly text: string }

function blocksOf(lines: Lines): readonly Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const [, marks, heading] = /^(#+) (.*)$/.exec(line) ?? []
    const last = blocks.at(-1)
    if (marks !== undefined) {
      blocks.push({ kind: 'heading', level: marks.length, text: heading! })
    } else if (line.startsWith('| ')) {
      const row = line.slice(2, -2).split(' | ')
      if (last?.kind === 'table') blocks[blocks.length - 1] = { ...last, rows: [...last.rows, row] }
      else blocks.push({ kind: 'table', rows: [row] })
    } else blocks.push({ kind: 'text', text: line })
  }
  return blocks
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const each = <Item>(items: readonly Item[], write: (item: Item, at: number) => string): string =>
  items.map(write).join('')

export function makeDocx(
  lines: Lines,
  { footnote, comment }: { readonly footnote?: string; readonly comment?: string } = {},
): Buffer {
  const run = (text: string): string => `<w:r><w:t>${escaped(text)}</w:t></w:r>`
  const body = each(blocksOf(lines), (block) => {
    if (block.kind === 'heading')
      return `<w:p><w:pPr><w:pStyle w:val="H${block.level}"/></w:pPr>${run(block.text)}</w:p>`
    if (block.kind === 'text') return `<w:p>${run(block.text)}</w:p>`
    const cell = (text: string): string => `<w:tc><w:p>${run(text)}</w:p></w:tc>`
    return `<w:tbl>${each(block.rows, (row) => `<w:tr>${each(row, cell)}</w:tr>`)}</w:tbl>`
  })
  const notes = [
    footnote === undefined ? '' : '<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
    comment === undefined ? '' : '<w:p><w:r><w:commentReference w:id="0"/></w:r></w:p>',
  ].join('')
  const styles = each(
    [1, 2, 3],
    (level) => `<w:style w:styleId="H${level}"><w:name w:val="heading ${level}"/></w:style>`,
  )
  return makeZip({
    'word/document.xml': `<w:document><w:body>${body}${notes}</w:body></w:document>`,
    'word/styles.xml': `<w:styles>${styles}</w:styles>`,
    ...(footnote !== undefined && {
      'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2"><w:p>${run(footnote)}</w:p></w:footnote></w:footnotes>`,
    }),
    ...(comment !== undefined && {
      'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Bo"><w:p>${run(comment)}</w:p></w:comment></w:comments>`,
    }),
  })
}

const openDocument = (kind: string, body: string): Buffer =>
  makeZip({
    'content.xml': `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  })
const tableOf = (rows: readonly (readonly string[])[], name = ''): string =>
  `<table:table table:name="${name}">${each(
    rows,
    (row) =>
      `<table:table-row>${each(row, (text) => `<table:table-cell><text:p>${escaped(text)}</text:p></table:table-cell>`)}</table:table-row>`,
  )}</table:table>`

export function makeOdt(lines: Lines): Buffer {
  return openDocument(
    'text',
    each(blocksOf(lines), (block) => {
      if (block.kind === 'table') return tableOf(block.rows)
      if (block.kind === 'text') return `<text:p>${escaped(block.text)}</text:p>`
      return `<text:h text:outline-level="${block.level}">${escaped(block.text)}</text:h>`
    }),
  )
}

export type Sheets = Readonly<Record<string, readonly (readonly string[])[]>>

export function makeOds(sheets: Sheets): Buffer {
  return openDocument(
    'spreadsheet',
    each(Object.entries(sheets), ([name, rows]) => tableOf(rows, name)),
  )
}

const relation = (id: string, target: string, type = 'part'): string =>
  `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`
const relations = (rows: string): string => `<Relationships>${rows}</Relationships>`

export function makeXlsx(sheets: Sheets): Buffer {
  const parts = Object.entries(sheets).map(([name, rows], at) => ({ name, rows, at: at + 1 }))
  const cell = (text: string, row: number, column: number): string => {
    const place = `${String.fromCodePoint(65 + column)}${row + 1}`
    return /^\d+(?:\.\d+)?$/.test(text)
      ? `<c r="${place}"><v>${text}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`
  }
  return makeZip({
    'xl/workbook.xml': `<workbook><sheets>${each(parts, ({ name, at }) => `<sheet name="${name}" r:id="s${at}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      each(parts, ({ at }) => relation(`s${at}`, `worksheets/sheet${at}.xml`)),
    ),
    ...Object.fromEntries(
      parts.map(({ rows, at }) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet><sheetData>${each(rows, (row, line) => `<row>${each(row, (text, column) => cell(text, line, column))}</row>`)}</sheetData></worksheet>`,
      ]),
    ),
  })
}

export interface Slide {
  readonly title: string
  readonly lines: readonly string[]
  readonly notes?: string
}

export function makePptx(slides: readonly Slide[]): Buffer {
  const shape = (type: string, lines: readonly string[]): string =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${each(lines, (line) => `<a:p><a:r><a:t>${escaped(line)}</a:t></a:r></a:p>`)}</p:txBody></p:sp>`
  const parts: Record<string, string> = {
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${each(slides, (_, at) => `<p:sldId r:id="s${at}"/>`)}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      each(slides, (_, at) => relation(`s${at}`, `slides/slide${at}.xml`)),
    ),
  }
  for (const [at, { title, lines, notes }] of slides.entries()) {
    parts[`ppt/slides/slide${at}.xml`] =
      `<p:sld>${shape('title', [title])}${shape('body', lines)}</p:sld>`
    if (notes === undefined) continue
    parts[`ppt/slides/_rels/slide${at}.xml.rels`] = relations(
      relation('n', `../notesSlides/n${at}.xml`, 'notesSlide'),
    )
    parts[`ppt/notesSlides/n${at}.xml`] = `<p:notes>${shape('body', [notes])}</p:notes>`
  }
  return makeZip(parts)
}

export function makeOdp(slides: readonly Slide[]): Buffer {
  return openDocument(
    'presentation',
    each(
      slides,
      ({ title, lines, notes }) =>
        `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${escaped(title)}</text:p></draw:text-box></draw:frame>${each(
          lines,
          (line) =>
            `<draw:frame><draw:text-box><text:p>${escaped(line)}</text:p></draw:text-box></draw:frame>`,
        )}${notes === undefined ? '' : `<presentation:notes><text:p>${escaped(notes)}</text:p></presentation:notes>`}</draw:page>`,
    ),
  )
}

/** Chapters as web pages, in the order of reading. */
export function makeEpub(title: string, chapters: readonly Lines[]): Buffer {
  const page = (lines: Lines): string =>
    `<html><body>${each(blocksOf(lines), (block) => {
      if (block.kind === 'heading')
        return `<h${block.level}>${escaped(block.text)}</h${block.level}>`
      if (block.kind === 'text') return `<p>${escaped(block.text)}</p>`
      return `<table>${each(block.rows, (row) => `<tr>${each(row, (text) => `<td>${escaped(text)}</td>`)}</tr>`)}</table>`
    })}</body></html>`
  return makeZip({
    'META-INF/container.xml': '<container><rootfile full-path="book.opf"/></container>',
    'book.opf': `<package><metadata><dc:title>${title}</dc:title></metadata><manifest>${each(chapters, (_, at) => `<item id="c${at}" href="c${at}.xhtml"/>`)}</manifest><spine>${each(chapters, (_, at) => `<itemref idref="c${at}"/>`)}</spine></package>`,
    ...Object.fromEntries(chapters.map((lines, at) => [`c${at}.xhtml`, page(lines)])),
  })
}
