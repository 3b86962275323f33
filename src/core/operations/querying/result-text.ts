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
  if (task) return `${'  '.repeat(task.depth ?? 0)}[${task.mark}] ${task.text} (${id}:${task.line})`
  return cells.map(inRow).join(' | ')
}

/** `name | status`, and a line for each row; groups below their names. */
export function textOfResult({
  columns,
  groups,
  shown,
  total,
  summaries = [],
  notes,
}: QueryResult): string {
  const lines: string[] = []
  if (columns.length > 0) lines.push(columns.map(({ name }) => inRow(name)).join(' | '))
  for (const { by, rows } of groups) {
    if (by !== undefined) lines.push(`${inRow(by) || '-'}:`)
    lines.push(...rows.map(rowText))
  }
  for (const { column, name, value } of summaries) {
    lines.push(`${inRow(name)} of ${inRow(columns[column]?.name ?? '')}: ${inRow(value)}`)
  }
  lines.push(`${shown < total ? `${shown} of ` : ''}${total} rows`, ...notes)
  return lines.join('\n')
}
