/** Gives a note another name or place, after showing which links follow it. */
import { useState } from 'preact/hooks'
import { Diff } from '../parts/diff.tsx'
import { clean, Path, plural, Problem, Waiting } from '../parts/text.tsx'
import { door, go, route } from '../state/app.ts'
import { moveDrafts } from '../state/editing.ts'
import { changed, sayDone, type Written } from '../state/writing.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { Dialog } from './dialog.tsx'
import { FolderField } from './making.tsx'
import { Anew, usePlanned } from './planned.tsx'

interface Plan extends Written {
  readonly plan: string
  readonly diff: string
  readonly broken_links?: readonly BrokenLink[]
}

export interface BrokenLink {
  readonly id: string
  readonly target: string
}

/** The server shows no more of a difference at once. */
export const DIFF_CHARS = 4_000

export function Moving({
  note: { id, title },
  onClose,
}: {
  readonly note: ShownNote
  readonly onClose: () => void
}) {
  const cut = id.lastIndexOf('/') + 1
  const [folder, setFolder] = useState(id.slice(0, cut))
  const [name, setName] = useState(id.slice(cut))
  const to = `${folder === '' || folder.endsWith('/') ? folder : `${folder}/`}${name.trim()}`
  const isOther = name.trim() !== '' && to !== id
  const planned = usePlanned<Plan>(to, {
    look: isOther
      ? (signal) => door.call<Plan>('write', { action: 'move', id, to, dry_run: true }, signal)
      : undefined,
    async act({ plan }) {
      const moved = await door.call<Written>('write', { action: 'move', id, to, if_plan: plan })
      onClose()
      const follow = (from: string, into: string): void => {
        void moveDrafts(from, into)
        const { panes } = route.peek()
        const others = panes.map((pane) => (pane.id === from ? { ...pane, id: into } : pane))
        go({ panes: others }, 'replace')
      }
      follow(id, moved.id)
      changed([id, moved.id, ...(moved.rewritten_in ?? [])])
      sayDone(`Moved to ${clean(moved.id)}`, moved.operation, () => follow(moved.id, id))
    },
  })
  const { plan, error, isNew, busy } = planned
  const rewritten = plan?.rewritten_in ?? []
  return (
    <Dialog title={`Rename or move ${clean(title)}`} onClose={onClose}>
      <h2>Rename or move</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          planned.carryOut()
        }}
      >
        <label>
          <span>Name of the file</span>
          <input
            type="text"
            value={name}
            maxLength={500}
            autocomplete="off"
            dir="auto"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <FolderField value={folder} onChange={setFolder} />
        {isNew && <Anew />}
        {error && <Problem error={error} />}
        {!isOther && <p class="outcome">That is where it is. Write another name or folder.</p>}
        {isOther && !plan && !error && <Waiting what="Looking which links follow" />}
        {plan && (
          <p class="outcome" role="status">
            It will be <Path id={plan.id} />.{' '}
            {plan.links_rewritten === undefined
              ? 'No link has to change.'
              : `${plural(plan.links_rewritten, 'link')} in ${plural(rewritten.length, 'note')} will follow.`}
          </p>
        )}
        <BrokenLinks links={plan?.broken_links} />
        {plan && plan.diff.trim() !== '' && rewritten.length > 0 && (
          <Diff text={plan.diff} cut={plan.diff.length >= DIFF_CHARS} />
        )}
        <p class="row-of-buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!plan || busy}>
            Move it
          </button>
        </p>
      </form>
    </Dialog>
  )
}

export function BrokenLinks({
  links = [],
}: {
  readonly links?: readonly BrokenLink[] | undefined
}) {
  if (links.length === 0) return null
  return (
    <>
      <p class="remark warn">These will lead nowhere:</p>
      <ul class="follows" tabIndex={0} aria-label="Links that will lead nowhere">
        {links.map((each) => (
          <li key={`${each.id} ${each.target}`}>
            <span class="name">{clean(each.target)}</span>
            <Path id={each.id} />
          </li>
        ))}
      </ul>
    </>
  )
}
