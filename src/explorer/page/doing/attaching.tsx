/** Which files are to be put beside a note, and why some were not taken. */
import { useState } from 'preact/hooks'
import { clean } from '../parts/text.tsx'
import type { RefusedFile } from '../state/acting.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { attachFiles, LARGEST_MB } from './attach-files.ts'
import { Dialog } from './dialog.tsx'

interface Props {
  readonly note: ShownNote
  /** Of those that were dropped or pasted. */
  readonly refused?: readonly RefusedFile[] | undefined
  readonly onClose: () => void
}

export function Attaching({ note, refused: before = [], onClose }: Props) {
  const [refused, setRefused] = useState(before)
  const [busy, setBusy] = useState(false)
  const put = async (chosen: readonly File[]): Promise<void> => {
    if (chosen.length === 0) return
    setBusy(true)
    const problems = await attachFiles(note.id, chosen)
    setBusy(false)
    if (problems.length === 0) onClose()
    else setRefused(problems)
  }
  const name = clean(note.title)
  return (
    <Dialog title={`Add files to ${name}`} onClose={onClose}>
      <h2>{`Add files to “${name}”`}</h2>
      {refused.length > 0 && (
        <div role="alert">
          <p>Not taken:</p>
          <ul class="follows" tabIndex={0} aria-label="What was not taken">
            {refused.map((each) => (
              <li key={each.name}>
                <span class="name">{clean(each.name)}</span>
                <span>{clean(each.why)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="fields">
        <label>
          <span>Pictures and files</span>
          <input
            type="file"
            multiple
            disabled={busy}
            onChange={(event) => void put([...(event.currentTarget.files ?? [])])}
          />
        </label>
      </div>
      <p class="hint" role="status">
        {busy
          ? 'They are on their way…'
          : `At most ${LARGEST_MB} MB each; they go where the vault keeps attachments, and stand at the end of the note.`}
      </p>
      <p class="row-of-buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}
