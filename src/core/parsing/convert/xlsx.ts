/** Excel: every sheet as a table under its name, with the first row in every passage. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import {
  attributeOf,
  childrenOf,
  findElement,
  findElements,
  parseXml,
  textOf,
} from './html-tree.ts'
import type { HtmlElement } from './html-tree.ts'
import { cellOf, MarkdownWriter, MOST_ROWS } from './markdown-writer.ts'
import { describeOffice, relationsOf, xmlOf } from './office-parts.ts'
import { plain } from './plain.ts'
import { ZipFile } from './zip.ts'

const WORKBOOK = 'xl/workbook.xml'
const MOST_SHEETS = 200
const MOST_COLUMNS = 100

export const readXlsx: FileReader = (bytes) => {
  const zip = new ZipFile(bytes)
  const workbook = xmlOf(zip, WORKBOOK)
  if (!workbook) throw new Unreadable('no Excel file, whatever its name says')
  const relations = relationsOf(zip, WORKBOOK)
  const strings = stringsOf(xmlOf(zip, 'xl/sharedStrings.xml'))
  const isDate = dateStyles(xmlOf(zip, 'xl/styles.xml'))
  const writer = new MarkdownWriter()
  for (const sheet of [...findElements(workbook, 'sheet')].slice(0, MOST_SHEETS)) {
    const part = relations.get(attributeOf(sheet, 'r:id') ?? '')?.target
    const text = part === undefined ? undefined : zip.text(part)
    if (text === undefined) continue
    const name = attributeOf(sheet, 'name') ?? 'Sheet'
    writer.anchor(`sheet=${name}`)
    writer.heading(2, plain(name))
    const { rows, more } = rowsOf(text, strings, isDate)
    writer.table(rows)
    if (more > 0) writer.paragraph(`(${more} more rows.)`)
  }
  return { ...describeOffice(xmlOf(zip, 'docProps/core.xml')), blocks: writer.blocks() }
}

/** Only the rows that are shown are read; the rest is counted. */
function rowsOf(
  sheet: string,
  strings: readonly string[],
  isDate: (style: number) => boolean,
): { readonly rows: readonly (readonly string[])[]; readonly more: number } {
  let end = sheet.length
  let more = 0
  let count = 0
  for (const { index } of sheet.matchAll(/<(?:\w+:)?row[\s>]/g)) {
    if (++count === MOST_ROWS + 2) end = index
    if (count > MOST_ROWS + 1) more++
  }
  const rows = [
    ...findElements(parseXml(sheet.slice(0, end).replaceAll(/<(\/?)x:/g, '<$1')), 'row'),
  ].map((row) => {
    const cells: string[] = []
    for (const cell of childrenOf(row, 'c')) {
      const column = columnOf(attributeOf(cell, 'r')) ?? cells.length
      if (column >= MOST_COLUMNS) break
      while (cells.length < column) cells.push('')
      cells[column] = cellOf(valueOf(cell, strings, isDate))
    }
    return cells
  })
  return { rows, more }
}

function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueOf(
  cell: HtmlElement,
  strings: readonly string[],
  isDate: (style: number) => boolean,
): string {
  const type = attributeOf(cell, 't') ?? 'n'
  if (type === 'inlineStr') return [...findElements(cell, 't')].map(textOf).join('')
  const found = childrenOf(cell, 'v')[0]
  const value = found ? textOf(found) : ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  return isDate(Number(attributeOf(cell, 's') ?? 0)) ? dateText(number) : shownNumber(number, value)
}

/** `0.30000000000000004` is what a program writes for 0.3. */
function shownNumber(number: number, written: string): string {
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : written
}

const DAY_MS = 86_400_000
/** Day 0 of Excel. */
const EPOCH = Date.UTC(1899, 11, 30)

function dateText(days: number): string {
  const date = new Date(EPOCH + Math.round(days * DAY_MS))
  if (!Number.isFinite(days) || Number.isNaN(date.getTime())) return String(days)
  const text = date.toISOString()
  if (days < 1) return text.slice(11, 16)
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}

function stringsOf(xml: HtmlElement | undefined): readonly string[] {
  if (!xml) return []
  return [...findElements(xml, 'si')].map((each) =>
    [...findElements(each, 't')].map(textOf).join(''),
  )
}

function dateStyles(styles: HtmlElement | undefined): (style: number) => boolean {
  const formats = new Map<number, string>()
  for (const each of styles ? findElements(styles, 'numFmt') : []) {
    formats.set(Number(attributeOf(each, 'numFmtId')), attributeOf(each, 'formatCode') ?? '')
  }
  const used = styles && findElement(styles, 'cellXfs')
  const dates = (used ? childrenOf(used, 'xf') : []).map((each) => {
    const id = Number(attributeOf(each, 'numFmtId') ?? 0)
    if ((id >= 14 && id <= 22) || (id >= 45 && id <= 47)) return true
    const code = (formats.get(id) ?? '').replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '')
    return /[ymdhs]/i.test(code) && !/[#0?]/.test(code.replaceAll(/\.0+/g, ''))
  })
  return (style) => dates[style] ?? false
}
