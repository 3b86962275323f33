/** What can be done with a note, and what a task may be. */
import { clean } from '../parts/text.tsx'
import { begin, NOTE_KEYS, offers, type Mark, type NoteAct } from '../state/acting.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { Choices, Dialog } from './dialog.tsx'

const NAMES: Readonly<Record<NoteAct, string>> = {
  menu: '',
  edit: 'Edit',
  section: 'Edit this section',
  properties: 'Properties…',
  attach: 'Add a picture or a file…',
  move: 'Rename or move…',
  delete: 'Delete…',
}

interface NoteProps {
  readonly note: ShownNote
  readonly onClose: () => void
}

export function NoteMenu({ note, onClose }: NoteProps) {
  const beside = document.querySelector('.pane.reading [data-tool=more]') ?? undefined
  const acts = offers(note).filter((each) => each !== 'menu')
  return (
    <Dialog title={`What to do with ${clean(note.title)}`} beside={beside} onClose={onClose}>
      <Choices
        choices={acts.map((kind) => ({
          name: NAMES[kind],
          key: keyOf(kind),
          danger: kind === 'delete',
          onChoose: () => {
            if (kind !== 'edit' && kind !== 'section') return begin({ kind, note })
            onClose()
            pressed(keyOf(kind))
          },
        }))}
      />
    </Dialog>
  )
}

/** What has a place in the text is begun by the pane, which knows where one reads. */
function pressed(key: string): void {
  document.dispatchEvent(new CustomEvent('cairn-pane', { detail: key }))
}

function keyOf(kind: NoteAct): string {
  return Object.keys(NOTE_KEYS).find((key) => NOTE_KEYS[key] === kind) ?? ''
}

const STATES: readonly (readonly [mark: Mark, name: string, state: string])[] = [
  [' ', 'To do', 'open'],
  ['/', 'In progress', 'begun'],
  ['x', 'Done', 'done'],
  ['-', 'Cancelled', 'dropped'],
]

interface StateProps {
  readonly box: HTMLElement
  readonly choose: (mark: Mark) => void
  readonly onClose: () => void
}

export function StateMenu({ box, choose, onClose }: StateProps) {
  return (
    <Dialog title={`State of ${box.getAttribute('aria-label')}`} beside={box} onClose={onClose}>
      <Choices
        choices={STATES.map(([mark, name, state]) => ({
          name,
          key: mark === ' ' ? '' : `[${mark}]`,
          current: box.classList.contains(`box-${state}`),
          onChoose: () => {
            onClose()
            choose(mark)
          },
        }))}
      />
    </Dialog>
  )
}
