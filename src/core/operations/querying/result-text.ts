/** What a query found as text, as CSV and as JSON: for whoever reads it outside of a page. */
import type { Cell, QueryResult, ResultRow } from './run-query.ts'

/** A cell on one line; a note by its id, so that it can be fetched. */
export function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (Array.isArray(cell)) return (cell as readonly Cell[]).map(cellText).join(', ')
  if (typeof cell !== 'object') return String(cell)
  if ('date' in cell) return cell.date
  const { text, id, url } = cell as Extract<Cell, { readonly text: string }>
  return id ?? url ?? text
}

function inRow(cell: Cell): string {
  return cellText(cell).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

export function rowText({ id, cells, task }: ResultRow): string {
  if (task) return `[${task.mark}] ${task.text} (${id}:${task.line})`
  return cells.map(inRow).join(' | ')
}

/** `name | status`, and a line for each row; groups below their names. */
export function textOfResult({ columns, groups, shown, total, notes }: QueryResult): string {
  const lines: string[] = []
  if (columns.length > 0) lines.push(columns.map(({ name }) => inRow(name)).join(' | '))
  for (const { by, rows } of groups) {
    if (by !== undefined) lines.push(`${inRow(by) || '-'}:`)
    lines.push(...rows.map(rowText))
  }
  lines.push(`${shown < total ? `${shown} of ` : ''}${total} rows`, ...notes)
  return lines.join('\n')
}

/** With the id of the note in front where a row has one; a group is one more column. */
export function csvOf({ columns, groups }: QueryResult): string {
  const isGrouped = groups.some(({ by }) => by !== undefined)
  const isTasks = groups.some(({ rows }) => rows.some(({ task }) => task !== undefined))
  const names = isTasks ? ['id', 'line', 'status', 'task'] : columns.map(({ name }) => name)
  const lines = [[...(isGrouped ? ['group'] : []), ...names]]
  for (const { by = null, rows } of groups) {
    for (const { id = '', cells, task } of rows) {
      const own = task ? [id, String(task.line), task.mark, task.text] : cells.map(cellText)
      lines.push([...(isGrouped ? [cellText(by)] : []), ...own])
    }
  }
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')
}

/** What begins like a formula would be run by a spreadsheet. */
function csvCell(text: string): string {
  const isFormula = /^[=+@\t\r]/.test(text) || (text.startsWith('-') && !/^-[\d.]+$/.test(text))
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
