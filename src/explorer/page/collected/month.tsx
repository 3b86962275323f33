/** The notes of a list on the days that one of their properties names. */
import { clean } from '../parts/text.tsx'
import { openNote } from '../state/app.ts'
import type { FolderTable } from '../../wire/wire.ts'
import { Calendar, type Dated } from './calendar.tsx'

interface Props {
  readonly table: FolderTable
  readonly month: string
  readonly onMonth: (month: string) => void
}

export function Month({ table, month, onMonth }: Props) {
  const items = table.rows.flatMap(({ id, title, raw, updatedAt }): readonly Dated[] => {
    const written = table.columns[0] === 'updated' ? updatedAt : raw?.[0]
    const day = dayOf(written)
    const shown = (
      <button type="button" class="plain opens" onClick={() => openNote(id, { read: true })}>
        <span dir="auto">{clean(title)}</span>
      </button>
    )
    return day === undefined ? [] : [{ day, key: id, shown }]
  })
  return <Calendar month={month} items={items} onMonth={onMonth} />
}

function dayOf(value: unknown): string | undefined {
  if (typeof value === 'number') return new Date(value).toISOString().slice(0, 10)
  const [, year, month, day] = /^(\d{4})[-/](\d{2})[-/](\d{2})/.exec(String(value)) ?? []
  return year && `${year}-${month}-${day}`
}
