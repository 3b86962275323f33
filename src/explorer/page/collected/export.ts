/** A list of notes as a file: read page by page, as it is shown. */
import { csvText } from '../../../core/domain/csv.ts'
import type { Door } from '../door.ts'
import type { FolderTable } from '../../wire/wire.ts'
import { download } from '../queries/download.ts'

const AT_ONCE = 500
const MOST = 20_000

/** How many of how many there are went into it. */
export async function exportTable(
  door: Door,
  name: string,
  kind: 'csv' | 'json',
  asked: object,
): Promise<{ readonly written: number; readonly total: number }> {
  const rows: FolderTable['rows'][number][] = []
  let columns: readonly string[] = []
  let total = 0
  do {
    const page = { ...asked, raw: true, offset: rows.length, limit: AT_ONCE }
    const found = await door.read<FolderTable>('table', page)
    if (found.rows.length === 0) break
    rows.push(...found.rows)
    columns = found.columns
    total = found.total
  } while (rows.length < Math.min(total, MOST))
  if (kind === 'csv') {
    const lines = rows.map(({ id, title, raw = [], updatedAt }) => [
      id,
      title,
      ...raw.map(textOf),
      updatedAt === undefined ? '' : new Date(updatedAt).toISOString(),
    ])
    download(`${name}.csv`, 'text/csv', csvText([['id', 'title', ...columns, 'updated'], ...lines]))
  } else {
    const items = rows.map(({ id, title, raw = [], updatedAt }) => ({
      id,
      title,
      ...(updatedAt !== undefined && { updated: new Date(updatedAt).toISOString() }),
      properties: Object.fromEntries(columns.map((key, at) => [key, raw[at] ?? null])),
    }))
    download(`${name}.json`, 'application/json', `${JSON.stringify(items, null, 2)}\n`)
  }
  return { written: rows.length, total }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
