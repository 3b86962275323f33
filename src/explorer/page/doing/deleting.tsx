/** Takes a note away, after showing which links lead nowhere then. */
import { clean, Marked, Path, plural, Problem, Waiting } from '../parts/text.tsx'
import { door, go, openNote, route } from '../state/app.ts'
import { changed, sayDone } from '../state/writing.ts'
import type { Backlink, ShownNote } from '../../wire/wire.ts'
import { Dialog } from './dialog.tsx'
import { Anew, usePlanned } from './planned.tsx'

interface Deleted {
  readonly deleted: string
  readonly operation?: string
  readonly plan?: string
  readonly broken_links?: readonly { readonly id: string; readonly target: string }[]
}

interface Plan extends Deleted {
  /** With their sentences, as far as they are known. */
  readonly said: ReadonlyMap<string, Backlink>
}

const SENTENCES = 50

export function Deleting({
  note: { id, title },
  onClose,
}: {
  readonly note: ShownNote
  readonly onClose: () => void
}) {
  const name = clean(title)
  const planned = usePlanned<Plan>(id, {
    async look(signal) {
      const would = await door.call<Deleted>('delete', { id, dry_run: true }, signal)
      const found = { items: [] as readonly Backlink[] }
      if (would.broken_links) {
        const asked = { id, limit: SENTENCES }
        Object.assign(found, await door.read('backlinks', asked, signal))
      }
      return { ...would, said: new Map(found.items.map((each) => [each.id, each])) }
    },
    async act({ plan, broken_links: broken = [] }) {
      const { operation } = await door.call<Deleted>('delete', { id, if_plan: plan })
      onClose()
      const here = route.peek()
      const panes = here.panes.filter((pane) => pane.id !== id)
      go({ panes, focus: Math.max(0, Math.min(here.focus, panes.length - 1)) })
      changed([id, ...broken.map((each) => each.id)])
      sayDone(`Deleted ${name}`, operation, () => openNote(id, { read: true }))
      // What had the keys is gone.
      document.getElementById('main')?.focus({ preventScroll: true })
    },
  })
  const { plan, error, isNew, busy } = planned
  const broken = plan?.broken_links ?? []
  const notes = [...new Set(broken.map((each) => each.id))]
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <h2>{`Delete “${name}”?`}</h2>
      <p>
        <Path id={id} />
      </p>
      {isNew && <Anew />}
      {error && <Problem error={error} />}
      {!plan && !error && <Waiting what="Looking who links to it" />}
      {plan && broken.length === 0 && <p>No link leads to it.</p>}
      {broken.length > 0 && (
        <>
          <p>{`${plural(broken.length, 'link')} in ${plural(notes.length, 'note')} will lead nowhere:`}</p>
          <ul class="follows" tabIndex={0} aria-label="Links that will lead nowhere">
            {notes.map((each) => (
              <li key={each}>
                <span class="name" dir="auto">
                  {clean(plan?.said.get(each)?.title ?? each)}
                </span>
                <Path id={each} />
                <Sentence said={plan?.said.get(each)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">It stays in the history, and can be brought back from there.</p>
      <p class="row-of-buttons">
        <button type="button" autofocus onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          class="danger"
          disabled={!plan || busy}
          onClick={() => void planned.carryOut()}
        >
          Delete
        </button>
      </p>
    </Dialog>
  )
}

function Sentence({ said }: { readonly said: Backlink | undefined }) {
  if (!said) return null
  return (
    <span class="snippet" dir="auto">
      <Marked text={said.text} marks={said.marks} />
    </span>
  )
}
