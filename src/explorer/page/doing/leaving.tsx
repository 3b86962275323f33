/** Asks what becomes of a text that is not saved. */
import type { Unsaved } from '../state/acting.ts'
import { Dialog } from './dialog.tsx'

interface Props {
  readonly unsaved: Unsaved
  readonly onClose: () => void
}

export function Leaving({ unsaved, onClose }: Props) {
  const { title, stay, save, keep, drop } = unsaved
  const choose = (act: () => void) => (): void => {
    onClose()
    act()
  }
  return (
    <Dialog title={`Leave ${title} without saving?`} onClose={choose(stay)}>
      <h2>Leave without saving?</h2>
      <p>A draft stays in this browser and is offered when you open the note again.</p>
      <p class="row-of-buttons">
        <button type="button" autofocus onClick={choose(stay)}>
          Go on writing
        </button>
        <button type="button" onClick={choose(save)}>
          Save
        </button>
        <button type="button" onClick={choose(keep)}>
          Keep a draft
        </button>
        <button type="button" class="danger" onClick={choose(drop)}>
          Drop it
        </button>
      </p>
    </Dialog>
  )
}
