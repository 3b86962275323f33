/** A note that one may change can be worked with as it stands: by mouse, and by keys of its own. */
import { useLayoutEffect } from 'preact/hooks'
import { begin, doIn, NOTE_KEYS, offers, whenKnown, whyNotEdited } from '../state/acting.ts'
import { say } from '../state/app.ts'
import { startEditing } from '../state/editing.ts'
import { spotIn } from '../state/scrolls.ts'
import { mayWrite } from '../state/writing.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { sectionAt } from './note-rail.tsx'

interface Shown {
  readonly note: ShownNote | undefined
  readonly parts: readonly ShownNote[]
  readonly body: { readonly current: HTMLElement | null }
}

export function useDoing({ note, parts, body }: Shown, reading: boolean, source: boolean): void {
  // Before it is seen: what has the keys keeps them, though the text is drawn anew.
  useLayoutEffect(
    () =>
      note && body.current && !source && mayWrite.value
        ? doIn({ note, body: body.current })
        : undefined,
    [note, parts, source, mayWrite.value],
  )
  useLayoutEffect(() => {
    if (!reading) return undefined
    const onKey = (event: Event): void => {
      const kind = NOTE_KEYS[(event as CustomEvent<string>).detail]
      if (!note || !kind) return
      whenKnown(() => {
        if (kind === 'edit' || kind === 'section') edit(note, body.current, kind)
        else if (offers(note).includes(kind)) begin({ kind, note })
      })
    }
    document.addEventListener('cairn-pane', onKey)
    return () => document.removeEventListener('cairn-pane', onKey)
  }, [reading, note])
}

/** The whole note, or the section that one reads. */
export function edit(note: ShownNote, body: HTMLElement | null, what: 'edit' | 'section'): void {
  if (!offers(note).includes(what)) {
    say(whyNotEdited(note))
    return
  }
  const near = body ? spotIn(body).line : undefined
  const line = body && note.headings[Math.max(0, sectionAt(note, body))]?.line
  startEditing(note.id, what === 'section' && line ? { line } : { near })
}
