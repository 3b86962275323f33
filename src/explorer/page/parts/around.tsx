/** The local graph: a note in the middle of those one link away, and what was done to it. */
import { useEffect, useState } from 'preact/hooks'
import { door, facts, openNote, show } from '../state/app.ts'
import { anyChanged } from '../state/changes.ts'
import type { Operation, ShownNote } from '../../wire/wire.ts'
import { noteAddress } from './bookmarks.tsx'
import { circled, type Placed } from './circle.ts'
import { clean, Time } from './text.tsx'

interface Props {
  readonly note: ShownNote
  readonly index: number
  readonly version: number
}

interface Neighbors {
  readonly neighbors: readonly { readonly id: string; readonly title: string }[]
  readonly edges?: readonly { readonly from: string; readonly to: string }[]
  readonly total?: number
}

/** More names than these would lie on top of each other. */
const MOST = 12
const CHANGES = 5

export function Around(props: Props) {
  return (
    <>
      <LocalGraph {...props} />
      <Changes {...props} />
    </>
  )
}

function LocalGraph({ note: { id, title }, index, version }: Props) {
  const [found, setFound] = useState<Neighbors | undefined>()
  useEffect(() => {
    const gone = new AbortController()
    door
      .call<Neighbors>('neighbors', { id, limit: MOST, as: 'graph' }, gone.signal)
      .then(setFound, () => undefined)
    return () => gone.abort()
  }, [id, version])
  const neighbors = found?.neighbors ?? []
  if (!found || neighbors.length === 0) return null
  const placed = circled(neighbors.map((each) => each.id))
  const half = 16 + Math.max(...[...placed.values()].map(({ y }) => Math.abs(y)))
  const others = (found.total ?? neighbors.length) - neighbors.length
  return (
    <section class="around" aria-label="Notes around this one">
      <h2>Around</h2>
      <svg
        viewBox={`-136 ${-half} 272 ${2 * half}`}
        role="group"
        aria-label={`Links of ${clean(title)}`}
      >
        <Lines id={id} edges={found.edges ?? []} placed={placed} />
        <circle class="here" r="7" />
        {neighbors.map((each) => (
          <Neighbor key={each.id} {...each} at={placed.get(each.id)!} from={index} />
        ))}
      </svg>
      <button type="button" class="plain" onClick={() => show('graph', { node: id, depth: '1' })}>
        {others > 0 ? `On the map, with ${others} more` : 'On the map'}
      </button>
    </section>
  )
}

function Lines({
  id,
  edges,
  placed,
}: {
  readonly id: string
  readonly edges: readonly { readonly from: string; readonly to: string }[]
  readonly placed: ReadonlyMap<string, Placed>
}) {
  const at = (end: string): Placed | undefined =>
    end === id ? { x: 0, y: 0, side: 'end' } : placed.get(end)
  return (
    <>
      {edges.map(({ from, to }, number) => {
        const [a, b] = [at(from), at(to)]
        return a && b && <line key={number} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
      })}
    </>
  )
}

function Neighbor({
  id,
  title,
  at: { x, y, side },
  from,
}: {
  readonly id: string
  readonly title: string
  readonly at: Placed
  readonly from: number
}) {
  return (
    <a
      href={noteAddress(id)}
      aria-label={clean(title)}
      data-id={id}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openNote(id, { from, read: true })
      }}
    >
      <title>{clean(title)}</title>
      {/* Enough to hit. */}
      <rect x={side === 'end' ? x - 8 : x - 80} y={y - 14} width="88" height="28" />
      <circle cx={x} cy={y} r="5" />
      {/* The browser cuts what does not fit: the whole name stays the name of the link. */}
      <foreignObject x={side === 'end' ? x + 8 : x - 84} y={y - 8} width="76" height="16">
        <div class={side} dir="auto">
          {clean(title)}
        </div>
      </foreignObject>
    </a>
  )
}

interface Done {
  readonly operations: readonly Operation[]
  /** Where the note lies in a repository. */
  readonly commits?: readonly {
    readonly commit: string
    readonly at: string
    readonly author: string
    readonly message: string
  }[]
}

function Changes({ note: { id }, version }: Props) {
  const offered = facts.value?.tools.includes('history') === true
  const [done, setDone] = useState<Done | undefined>()
  useEffect(() => {
    if (!offered) return undefined
    const gone = new AbortController()
    door
      .call<Done>('history', { action: 'list', id, limit: CHANGES }, gone.signal)
      .then(setDone, () => undefined)
    return () => gone.abort()
  }, [id, version, offered, anyChanged.value])
  const { operations = [], commits = [] } = done ?? {}
  if (operations.length + commits.length === 0) return null
  return (
    <section class="note-changes" aria-label="What was done to this note">
      <h2>Changes</h2>
      <ul>
        {operations.map((each) => (
          <li key={each.id}>
            <Time at={each.at} only="day" /> {clean(each.action)}
            <span class="kind">
              {clean((each.principal ?? each.client ?? '').replace(/^token:/, ''))}
            </span>
            {each.undone_by !== undefined && <span class="kind">undone</span>}
          </li>
        ))}
        {commits.slice(0, CHANGES).map(({ commit, at, author, message }) => (
          <li key={commit} title={clean(`${commit} ${author}`)}>
            <Time at={at} only="day" /> {clean(message)}
          </li>
        ))}
      </ul>
      {operations.length > 0 && (
        <button type="button" class="plain" onClick={() => show('history', { of: id })}>
          All its changes
        </button>
      )}
    </section>
  )
}
