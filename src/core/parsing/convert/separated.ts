/** Tables in text (`.csv`, `.tsv`): rows under the first one, which names the columns. */
import type { FileReader } from '../../domain/conversion.ts'
import { decodeBytes } from './decode-bytes.ts'
import { cellOf, MarkdownWriter, MOST_ROWS } from './markdown-writer.ts'

export const readSeparated: FileReader = (bytes, path) => {
  const text = decodeBytes(bytes).replace(/^\uFEFF/, '')
  const { rows, more } = rowsOf(text, /\.tsv$/i.test(path) ? '\t' : separatorIn(text))
  const writer = new MarkdownWriter()
  writer.table(rows.map((row) => row.map(cellOf)))
  if (more > 0) writer.paragraph(`(${more} more rows.)`)
  return { metadata: { rows: Math.max(0, rows.length - 1 + more) }, blocks: writer.blocks() }
}

/** What stands most often in the first line, outside of quotes. */
function separatorIn(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const counted = [',', ';', '\t', '|'].map((sign) => [sign, bare.split(sign).length] as const)
  return counted.toSorted((a, b) => b[1] - a[1])[0]![0]
}

function rowsOf(
  text: string,
  separator: string,
): { readonly rows: readonly (readonly string[])[]; readonly more: number } {
  const rows: string[][] = []
  let more = 0
  let row: string[] = []
  let at = 0
  const end = (): void => {
    if (row.some((cell) => cell.trim() !== '')) {
      if (rows.length <= MOST_ROWS) rows.push(row)
      else more++
    }
    row = []
  }
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1)
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
      const to = close < 0 ? text.length : close
      cell = text.slice(at + 1, to).replaceAll('""', '"')
      at = to + 1
    }
    const from = at
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r')
      at++
    row.push(cell + text.slice(from, at))
    if (text[at] !== separator) {
      if (text[at] === '\r' && text[at + 1] === '\n') at++
      end()
    }
    at++
  }
  end()
  return { rows, more }
}
