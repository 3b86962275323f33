/** All sections of a note, however many: names and lines, and nothing of their text. */
import { useState } from 'preact/hooks'
import { openNote } from '../state/app.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { clean, plural } from './text.tsx'

interface Props {
  readonly note: ShownNote
  readonly open: boolean
  readonly index: number
}

export function Outline({ note, open, index }: Props) {
  const [unfolded, setUnfolded] = useState(open)
  return (
    <details
      class="outline"
      open={open}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary>{plural(note.headings.length, 'section')}</summary>
      {(open || unfolded) && <Sections note={note} index={index} />}
    </details>
  )
}

export function Sections({ note, index }: Omit<Props, 'open'>) {
  return (
    <ul>
      {note.headings.map(({ level, text, line }) => (
        <li key={line} class={`level-${level}`}>
          <button
            type="button"
            class="plain"
            dir="auto"
            onClick={() => openNote(note.id, { from: index, lines: String(line), read: true })}
          >
            {clean(text)}
          </button>
        </li>
      ))}
    </ul>
  )
}
