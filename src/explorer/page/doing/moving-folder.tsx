/** Gives a folder another name or place: all its notes in one operation, with the links to and in them. */
import { useState } from 'preact/hooks'
import { DoorError } from '../door.ts'
import { Diff } from '../parts/diff.tsx'
import { clean, Path, plural, Problem, Waiting } from '../parts/text.tsx'
import { door, go } from '../state/app.ts'
import { moveDrafts } from '../state/editing.ts'
import { changed, sayDone } from '../state/writing.ts'
import type { FolderTable } from '../../wire/wire.ts'
import { Dialog } from './dialog.tsx'
import { FolderField } from './making.tsx'
import { BrokenLinks, DIFF_CHARS, type BrokenLink } from './moving.tsx'
import { Anew, usePlanned } from './planned.tsx'

interface Moved {
  readonly documents: readonly { readonly id: string }[]
  readonly diff: string
  readonly operation?: string
  readonly plan?: string
  readonly links_rewritten?: number
  readonly broken_links?: readonly BrokenLink[]
}

interface Plan extends Moved {
  readonly edits: readonly { readonly id: string; readonly to: string }[]
}

/** As many edits as `write` takes at once. */
const MOST = 50

export function MovingFolder({
  folder,
  onClose,
}: {
  readonly folder: string
  readonly onClose: () => void
}) {
  const [wanted, setWanted] = useState(folder)
  const bare = wanted.trim()
  const to = bare === '' || bare.endsWith('/') ? bare : `${bare}/`
  const isOther = to !== '' && to !== folder
  const planned = usePlanned<Plan>(to, {
    look: isOther ? (signal) => look(folder, to, signal) : undefined,
    async act({ edits, plan }) {
      const done = await door.call<Moved>('write', { edits, if_plan: plan })
      onClose()
      const show = (where: string): void => go({ view: 'browse', more: { in: where } }, 'replace')
      const within = sourceOf(edits, done)
      for (const each of edits) void moveDrafts(each.id, within + each.to)
      show(within + to)
      changed([...edits.map(({ id }) => id), ...done.documents.map(({ id }) => id)])
      const said = `Moved ${plural(edits.length, 'note')} to ${clean(within + to)}`
      sayDone(said, done.operation, () => {
        for (const each of edits) void moveDrafts(within + each.to, each.id)
        show(folder)
      })
    },
  })
  const { plan, error, isNew, busy } = planned
  const others = plan ? plan.documents.length - plan.edits.length : 0
  return (
    <Dialog title={`Rename or move ${clean(folder)}`} onClose={onClose}>
      <h2>Rename or move a folder</h2>
      <p>
        <Path id={folder} />
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          planned.carryOut()
        }}
      >
        <FolderField value={wanted} onChange={setWanted} />
        {isNew && <Anew />}
        {error && <Problem error={error} />}
        {!isOther && <p class="outcome">That is where it is. Write another name or folder.</p>}
        {isOther && !plan && !error && <Waiting what="Looking what moves and which links follow" />}
        {plan && (
          <p class="outcome" role="status">
            {`${plural(plan.edits.length, 'note')} will move${placeOf(plan, to)}. ${
              plan.links_rewritten === undefined
                ? 'No link has to change.'
                : `${plural(plan.links_rewritten, 'link')} will follow, in ${plural(others, 'other note')} and in them.`
            } Pictures and other files stay where they are.`}
          </p>
        )}
        <BrokenLinks links={plan?.broken_links} />
        {plan && plan.diff.trim() !== '' && (
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

/** Who leaves the source out means the one it is in. */
function sourceOf([first]: Plan['edits'], { documents }: Moved): string {
  const { to = '' } = first ?? {}
  const { id = to } = documents.find((each) => each.id.endsWith(`/${to}`)) ?? {}
  return id.slice(0, id.length - to.length)
}

function placeOf(plan: Plan, to: string): string {
  const within = sourceOf(plan.edits, plan)
  return within === '' ? '' : ` to ${clean(within + to)}`
}

async function look(folder: string, to: string, signal: AbortSignal): Promise<Plan> {
  if (to.startsWith(folder)) {
    throw new DoorError('invalid', 'A folder cannot go into itself.', 'Name another place.')
  }
  const asked = { path: folder, columns: [], sort: 'path', limit: MOST }
  const { rows, total } = await door.read<FolderTable>('table', asked, signal)
  if (total > MOST) {
    throw new DoorError(
      'unsupported',
      `${total.toLocaleString('en')} notes are too many to be moved at once.`,
      `Move the folders in it that hold at most ${MOST}.`,
    )
  }
  const edits = rows.map(({ id }) => ({ action: 'move', id, to: to + id.slice(folder.length) }))
  return { edits, ...(await door.call<Moved>('write', { edits, dry_run: true }, signal)) }
}
