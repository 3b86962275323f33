/** A text of this note that was not saved is offered again. */
import { useEffect, useState } from 'preact/hooks'
import { draftsOf, dropDraft, edited, startEditing } from '../state/editing.ts'
import type { Draft } from '../state/parse-draft.ts'
import { facts, say } from '../state/app.ts'
import { Time } from './text.tsx'

interface Props {
  readonly id: string
  /** Where it can be gone on with, unless the note is another one by now; it can always be copied. */
  readonly edits: boolean
}

export function Drafted({ id, edits }: Props) {
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const isEdited = edited.value.has(id)
  const isKnown = facts.value !== undefined
  const look = (): void => void draftsOf(id).then(setDrafts)
  useEffect(() => {
    setDrafts([])
    if (!isEdited && isKnown) look()
  }, [id, isEdited, isKnown])
  const [draft] = drafts
  if (!draft || isEdited) return null
  return (
    <p class="remark drafted" role="status">
      <span>
        {'You wrote here without saving, '}
        <Time at={draft.at} />
        {'.'}
      </span>{' '}
      {edits && (
        <button type="button" onClick={() => startEditing(id, { draft })}>
          Go on writing
        </button>
      )}{' '}
      <button type="button" class={edits ? 'plain' : ''} onClick={() => void copy(draft.text)}>
        Copy it
      </button>{' '}
      <button
        type="button"
        class="plain"
        onClick={() => {
          dropDraft(draft.key)
          look()
        }}
      >
        Drop it
      </button>
    </p>
  )
}

/** Over a network without TLS there is no clipboard. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say('Copied')
  } catch {
    say('This browser does not let the page copy')
  }
}
