/** What a link that leads nowhere may have meant: another note, or one that is still to be made. */
import { useEffect, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { clean, Path, Problem, Waiting } from '../parts/text.tsx'
import { begin, type MissingLink } from '../state/acting.ts'
import { door, errorOf, go } from '../state/app.ts'
import { sayDone, write } from '../state/writing.ts'
import type { Mends } from '../../wire/wire.ts'
import { Dialog } from './dialog.tsx'

interface Props {
  readonly link: MissingLink
  readonly onClose: () => void
}

export function Mending({ link, onClose }: Props) {
  const { id, target, line, end, relative = false } = link
  const [found, setFound] = useState<Mends | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const gone = new AbortController()
    const asked = { id, line, target, ...(end !== undefined && { end }) }
    door.read<Mends>('mends', asked, gone.signal).then(setFound, (problem: unknown) => {
      if (!gone.signal.aborted) setError(errorOf(problem))
    })
    return () => gone.abort()
  }, [turn])
  const mend = async ({ lines, content, title }: Mends['mends'][number]): Promise<void> => {
    try {
      const edit = { action: 'replace', id, lines, content, if_digest: found!.digest }
      const { operation } = await write(edit)
      onClose()
      sayDone(`The link leads to ${clean(title)}`, operation)
    } catch (problem) {
      setError(errorOf(problem))
      setFound(undefined)
      setTurn(turn + 1)
    }
  }
  const name = target.split('#')[0]!
  const mends = found?.mends ?? []
  // Whoever may not change the note may still make what it names.
  const isForeign = error?.code === 'forbidden'
  return (
    <Dialog title={`The link to ${clean(target)}`} onClose={onClose}>
      <h2 dir="auto">{`“${clean(target)}” leads nowhere`}</h2>
      <p>
        <Path id={id} />
      </p>
      {error && !isForeign && <Problem error={error} />}
      {!found && !error && <Waiting what="Looking what may be meant" />}
      {mends.length > 0 && <h3>Was one of these meant?</h3>}
      <ul class="choices mends">
        {mends.map((each) => (
          <li key={`${each.id} ${each.title}`}>
            <button type="button" onClick={() => void mend(each)}>
              <span class="name" dir="auto">
                {clean(each.title)}
              </span>
              <Path id={each.id} />
              <span class="becomes" dir="auto">
                <span class="unseen-text">The line becomes: </span>
                {clean(each.content.trim())}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found && mends.length === 0 && <p>Nothing is called like it.</p>}
      <p class="row-of-buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          onClick={() => {
            onClose()
            go({ view: 'search', q: name.split('/').at(-1) ?? name, more: {} })
          }}
        >
          Search for it
        </button>
        {name.trim() !== '' && (
          <button
            type="button"
            class="primary"
            onClick={() => begin({ kind: 'create', wanted: { name, from: id, relative } })}
          >
            Make this note…
          </button>
        )}
      </p>
    </Dialog>
  )
}
