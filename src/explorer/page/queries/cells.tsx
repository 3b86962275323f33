/** Values of a table as a person reads them: notes are links, everything else is text. */
import type { ComponentChildren } from 'preact'
import { clean } from '../parts/text.tsx'
import type { Cell } from '../../wire/wire.ts'

export function CellView({ cell }: { readonly cell: Cell | undefined }): ComponentChildren {
  if (cell === null || cell === undefined) return null
  if (cell === true) return '✓'
  if (cell === false) return '✗'
  if (typeof cell !== 'object') return clean(String(cell))
  if (isList(cell)) {
    return cell.map((each, at) => (
      <span key={at}>
        {at > 0 && ', '}
        <CellView cell={each} />
      </span>
    ))
  }
  if ('date' in cell) return <time dateTime={cell.date.replace(' ', 'T')}>{cell.date}</time>
  const { text, id, at, url } = cell
  const shown = clean(text) || '…'
  if (id !== undefined) {
    return (
      <a href={addressOf(id, at)} data-id={id} dir="auto">
        {shown}
      </a>
    )
  }
  if (url === undefined) return shown
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" dir="auto">
      {shown}
    </a>
  )
}

export function addressOf(id: string, fragment?: string): string {
  const hash = fragment === undefined ? '' : `#${encodeURIComponent(fragment)}`
  return `/n/${id.split('/').map(encodeURIComponent).join('/')}${hash}`
}

/** As a spreadsheet has it: notes by their ids. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'object') return String(cell)
  if (isList(cell)) return cell.map(cellText).join(', ')
  return 'date' in cell ? cell.date : (cell.id ?? cell.url ?? cell.text)
}

function isList(cell: Cell): cell is readonly Cell[] {
  return Array.isArray(cell)
}
