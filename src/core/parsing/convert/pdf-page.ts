/** Writes the lines of a page as Markdown: paragraphs, headings, lists and tables. */
import { cellOf, MarkdownWriter } from './markdown-writer.ts'
import { runningKey } from './pdf-lines.ts'
import type { PageCell, PageLine } from './pdf-lines.ts'
import { plain, plainLine } from './plain.ts'

export interface PageStyle {
  /** Size of the letters of the text. */
  readonly body: number
  /** Sizes of headings, the largest first. */
  readonly levels: readonly number[]
  /** Headings that the file names itself, by their key, with their level. */
  readonly outline: ReadonlyMap<string, number>
  /** Lines that stand on many pages at the same place. */
  readonly running: ReadonlySet<string>
  readonly headingKey: (text: string) => string
}

const LONGEST_HEADING = 180
const BULLET = /^(?:[•‣▪●○◦⁃∙·–]|\u{F0B7}|[-*](?=\s))\s*/u
const NUMBERED = /^\(?(\d{1,3})[.)]\s+(?=\S)/

export function writePage(all: readonly PageLine[], style: PageStyle): string {
  const writer = new MarkdownWriter()
  const lines = withoutRunning(all, style)
  let paragraph: PageLine[] = []
  const flush = (): void => {
    if (paragraph.length > 0) writeParagraph(writer, paragraph)
    paragraph = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const rows = tableFrom(lines, at)
    if (rows > 0) {
      flush()
      writer.table(tableOf(lines.slice(at, at + rows)))
      at += rows - 1
      continue
    }
    const level = levelOf(line, style)
    if (level !== undefined) {
      flush()
      let text = line.text
      // A heading that is broken over lines.
      for (
        let next = lines[at + 1];
        next && goesOn(line, next, level, style, text);
        next = lines[at + 1]
      ) {
        text = joined(text, next.text)
        at++
      }
      writer.heading(level, plainLine(text))
      continue
    }
    const last = paragraph.at(-1)
    if (last && beginsAnew(last, line, paragraph)) flush()
    paragraph.push(line)
  }
  flush()
  return writer.blocks()[0]?.text ?? ''
}

function withoutRunning(lines: readonly PageLine[], { running }: PageStyle): readonly PageLine[] {
  return lines.filter(
    (line) => !line.inMargin || !(isNumber(line) || running.has(runningKey(line))),
  )
}

/** `12`, `- 3 -`, `Page 3 of 10`. */
function isNumber({ text }: PageLine): boolean {
  return /^[-–—\s]*(?:page\s+)?\d{1,4}(?:\s*(?:of|\/)\s*\d{1,4})?[-–—\s]*$/i.test(text)
}

function levelOf(
  line: PageLine,
  { body, levels, outline, headingKey }: PageStyle,
): number | undefined {
  const { text, size } = line
  if (text.length > LONGEST_HEADING || !/[\p{L}\p{N}]/u.test(text)) return undefined
  const key = headingKey(text)
  const named = key === '' ? undefined : outline.get(key)
  if (named !== undefined && size >= body * 0.95 && line.cells.length < 3) return named
  if (size < body * 1.12 || text.length < 2) return undefined
  // Large letters in the middle of a sentence, such as a number that is shown off.
  if (!/\p{L}{2}/u.test(text)) return undefined
  const level = levels.findIndex((each) => size >= each * 0.94)
  return level < 0 ? undefined : level + 1
}

function goesOn(
  first: PageLine,
  next: PageLine,
  level: number,
  style: PageStyle,
  text: string,
): boolean {
  if (Math.abs(next.size - first.size) > 0.5 || first.size < style.body * 1.12) return false
  if (next.y - first.y > first.size * 4.5 || next.y <= first.y) return false
  return levelOf(next, style) === level && text.length + next.text.length < LONGEST_HEADING
}

/** Whether a line is the first of a paragraph, seen from the one above it. */
function beginsAnew(last: PageLine, line: PageLine, paragraph: readonly PageLine[]): boolean {
  if (BULLET.test(line.text) || NUMBERED.test(line.text)) return true
  const gap = line.y - last.y
  // The next column.
  if (gap < 0) return !goesOnElsewhere(last, line)
  const before = paragraph.length > 1 ? last.y - paragraph.at(-2)!.y : last.size * 1.35
  if (gap > Math.max(before * 1.35, last.size * 1.45)) return true
  if (Math.abs(line.size - last.size) > 0.2 * last.size) return true
  const isIndented = line.x - last.x > last.size * 0.8 && line.x - last.x < last.size * 5
  const isItem = BULLET.test(paragraph[0]!.text) || NUMBERED.test(paragraph[0]!.text)
  if (isItem) return last.x - line.x > last.size * 0.4 && line.x <= paragraph[0]!.x + 1
  return isIndented && /[.!?:;"”)\]]\s*$/.test(last.text)
}

function goesOnElsewhere(last: PageLine, line: PageLine): boolean {
  return !/[.!?:]["”)]?\s*$/.test(last.text) && /^[\p{Ll}(]/u.test(line.text)
}

function writeParagraph(writer: MarkdownWriter, lines: readonly PageLine[]): void {
  const text = lines.map((line) => line.text).reduce(joined)
  const bullet = BULLET.exec(text)
  if (bullet) return writer.item(0, plain(text.slice(bullet[0].length)))
  const [mark, number] = NUMBERED.exec(text) ?? []
  if (mark !== undefined) return writer.item(0, plain(text.slice(mark.length)), Number(number))
  writer.paragraph(plain(text))
}

/** Two lines of a paragraph; a word that was parted at the end of the first is whole again. */
function joined(first: string, second: string): string {
  if (first.endsWith('\u00AD')) return first.slice(0, -1) + second
  if (/\p{Ll}[-‐]$/u.test(first) && /^\p{Ll}/u.test(second)) return first.slice(0, -1) + second
  if (/[-‐–/]$/.test(first) && /^[\p{L}\p{N}]/u.test(second)) return first + second
  return `${first} ${second}`
}

const LEAST_ROWS = 2

/** How many lines from here on are rows of one table; 0 where there is none. */
function tableFrom(lines: readonly PageLine[], from: number): number {
  const first = lines[from]!
  if (first.cells.length < 2) return 0
  let columns = columnsOf([first])
  let to = from + 1
  for (; to < lines.length; to++) {
    const line = lines[to]!
    const gap = line.y - lines[to - 1]!.y
    if (gap <= 0 || gap > Math.max(first.size, line.size) * 3.2) break
    // A cell that goes on in the next line stands under its own column alone.
    const isRow = line.cells.length > 1 || (to > from + 1 && fits(line, columns))
    if (!isRow) break
    columns = columnsOf(lines.slice(from, to + 1))
    if (columns.length < 2) break
  }
  const rows = lines.slice(from, to).filter(({ cells }) => cells.length > 1).length
  return rows >= LEAST_ROWS && columns.length >= 2 ? to - from : 0
}

function fits(line: PageLine, columns: readonly PageCell[]): boolean {
  const [cell] = line.cells
  const over = columns.filter(({ x, right }) => cell!.x < right && cell!.right > x)
  return over.length === 1 && columns.indexOf(over[0]!) > 0
}

/** Cells that stand over each other are a column. */
function columnsOf(lines: readonly PageLine[]): readonly PageCell[] {
  const spans = lines.flatMap(({ cells }) => cells).toSorted((a, b) => a.x - b.x)
  const columns: { text: string; x: number; right: number }[] = []
  for (const { x, right } of spans) {
    const last = columns.at(-1)
    if (last && x < last.right - 0.5) last.right = Math.max(last.right, right)
    else columns.push({ text: '', x, right })
  }
  return columns
}

function tableOf(lines: readonly PageLine[]): readonly (readonly string[])[] {
  const columns = columnsOf(lines)
  const rows: string[][] = []
  for (const { cells } of lines) {
    const row = columns.map(() => '')
    for (const cell of cells) {
      const at = columns.findIndex(({ x, right }) => cell.x < right && cell.right > x)
      const column = Math.max(0, at)
      row[column] = row[column] === '' ? cellOf(cell.text) : `${row[column]} ${cellOf(cell.text)}`
    }
    const above = rows.at(-1)
    if (cells.length === 1 && row[0] === '' && above) {
      for (const [at, text] of row.entries())
        if (text !== '') above[at] = `${above[at] ?? ''} ${text}`.trim()
    } else rows.push(row)
  }
  return rows
}
