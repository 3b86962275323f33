/** Tables of Markdown: which line names the columns of a row, and what a row says under those names. */

export interface Line {
  readonly start: number
  readonly end: number
}

const ROW = /^[ \t]*\|/
const DELIMITER_LINE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
/** Longer lines are no part of a table that people read. */
const LONGEST = 2_000
/** Longer tables are read too; their rows further down go without the names. */
const MOST_ROWS = 500

/** The line that names the columns of the row that begins here; undefined outside of a table. */
export function headerOf(text: string, row: number): Line | undefined {
  let line = lineBefore(text, lineStart(text, row))
  for (let rows = 0; line && rows < MOST_ROWS; rows++) {
    const said = text.slice(line.start, line.end)
    if (isDelimiter(said)) {
      const header = lineBefore(text, line.start)
      const isRow = header && ROW.test(text.slice(header.start, header.start + LONGEST))
      return isRow && header.end - header.start <= LONGEST ? header : undefined
    }
    if (said.length > LONGEST || !ROW.test(said)) return undefined
    line = lineBefore(text, line.start)
  }
  return undefined
}

/** Whether the line that ends here names the columns of a table. */
export function isHeader(text: string, end: number): boolean {
  const from = text.indexOf('\n', end)
  if (from < 0) return false
  const to = text.indexOf('\n', from + 1)
  return isDelimiter(text.slice(from + 1, to < 0 ? undefined : to))
}

function isDelimiter(line: string): boolean {
  return line.length <= LONGEST && line.includes('-') && DELIMITER_LINE.test(line.trimEnd())
}

/** `| Ada | 3 |` under `| Name | Rooms |` → `Name: Ada; Rooms: 3`. */
export function namedCells(header: string, row: string): string {
  const names = cellsOf(header)
  return cellsOf(row)
    .map((cell, at) => (names[at] && cell !== '' ? `${names[at]}: ${cell}` : cell))
    .filter((cell) => cell !== '')
    .join('; ')
}

/** A bar in a link or behind a backslash is a letter of its cell. */
function cellsOf(row: string): string[] {
  const inner = row.trim().replace(/^\||(?<!\\)\|$/g, '')
  const cells =
    inner.match(/(?:\\.|\[\[[^\]\n]*\]\]|`[^`\n]*`|[^|\\]|\\$)+|(?<=^|\|)(?=\|)/gu) ?? []
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function lineBefore(text: string, start: number): Line | undefined {
  if (start === 0) return undefined
  const end = start - 1
  return { start: lineStart(text, end), end: text[end - 1] === '\r' ? end - 1 : end }
}
