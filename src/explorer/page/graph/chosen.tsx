/** The node that was chosen: what it is, what is around it, the way to another, and its links. */
import { useMemo, useState } from 'preact/hooks'
import { InContext } from '../parts/backlinks.tsx'
import { Check } from '../parts/controls.tsx'
import { clean, Path, plural, Time, Waiting } from '../parts/text.tsx'
import { go, openNote } from '../state/app.ts'
import { GHOST } from './ghosts.ts'
import type { Loaded } from './loaded.ts'
import type { NamedWay, WayStep } from './named-way.ts'
import { stepsFrom, type Ways } from './walk.ts'

const DEPTHS = ['1', '2', '3'] as const

interface ChosenProps {
  readonly loaded: Loaded
  readonly node: number
  readonly depth: number
  readonly path: readonly number[] | undefined
  readonly target: number | undefined
  /** Names in prose count as well: what the server found, as far as it has. */
  readonly byName: boolean
  readonly named: NamedWay | undefined
  readonly ways: Ways
  readonly onSelect: (node: number | undefined) => void
  readonly onSet: (change: Record<string, string>) => void
}

export function Chosen(props: ChosenProps) {
  const { loaded, node, depth, target, byName, named, ways, onSelect, onSet } = props
  const { map, labels, incoming } = loaded
  const steps = byName
    ? named?.path
    : props.path?.map((each): WayStep => ({ id: labels.ids[each]!, title: labels.titles[each]! }))
  const [unknown, setUnknown] = useState('')
  const out = map.start[node + 1]! - map.start[node]!
  const into = incoming.start[node + 1]! - incoming.start[node]!
  const ghost = map.kind[node] === GHOST
  const title = labels.titles[node] ?? ''
  return (
    <section class="chosen" aria-label="Chosen note">
      <h1>{clean(title)}</h1>
      {ghost ? (
        <p class="warn-text">{`Not written: ${plural(into, 'note links', 'notes link')} to it.`}</p>
      ) : (
        <>
          <Path id={labels.ids[node] ?? ''} />
          <p class="hint">
            {`${into} in · ${out} out · `}
            <Time at={map.seconds[node]! * 1_000} only="day" />
          </p>
        </>
      )}
      <p class="row-of-buttons">
        {ghost ? (
          <button
            type="button"
            onClick={() => go({ view: 'search', q: title.split('/').at(-1) ?? title, more: {} })}
          >
            Search for it
          </button>
        ) : (
          <button type="button" onClick={() => openNote(labels.ids[node]!)}>
            Open
          </button>
        )}
        <button type="button" class="plain" onClick={() => onSelect(undefined)}>
          Clear
        </button>
      </p>
      <p class="row-of-buttons" role="group" aria-label="Around this note">
        <span class="hint">Around it</span>
        {DEPTHS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={String(depth) === each}
            onClick={() => onSet({ depth: String(depth) === each ? '' : each, to: '' })}
          >
            {each}
          </button>
        ))}
      </p>
      <form
        class="why"
        onSubmit={(event) => {
          event.preventDefault()
          const named = new FormData(event.currentTarget).get('to')
          const wanted = typeof named === 'string' ? named.trim().toLowerCase() : ''
          const found = labels.titles.findIndex((title) => title.toLowerCase() === wanted)
          const other =
            found < 0 ? labels.ids.findIndex((id) => id.toLowerCase() === wanted) : found
          const near =
            other < 0 && wanted !== ''
              ? loaded.folded.findIndex((title) => title.includes(wanted))
              : other
          onSet({ to: near < 0 ? '' : labels.ids[near]! })
          setUnknown(near < 0 && typeof named === 'string' ? named.trim() : '')
        }}
      >
        <label>
          <span class="hint">Path to</span>
          <input name="to" type="text" placeholder="title of a note" />
        </label>
        <button type="submit">Show</button>
        {(target !== undefined || byName) && (
          <Check
            name="names count too"
            checked={byName}
            onChange={(on) => onSet({ by: on ? 'names' : '' })}
          />
        )}
      </form>
      {unknown !== '' && (
        <p class="remark warn">{`No note is called ${clean(unknown)}. Choose one of the table.`}</p>
      )}
      {target !== undefined && byName && !named && <Waiting what="Looking for names" />}
      {named?.note && <p class="remark">{named.note}</p>}
      {target !== undefined && !steps?.length && (named || !byName) && (
        <p class="remark warn">
          {`No links ${byName ? 'or names ' : ''}lead from here to ${clean(labels.titles[target] ?? '')}.`}
        </p>
      )}
      {steps && (
        <ol class="way">
          {steps.map((step, at) => (
            <li key={step.id}>
              {step.sentence && <InContext item={saidIn(step, steps[at - 1]!)} />}
              <button type="button" class="plain opens" onClick={() => openNote(step.id)}>
                {clean(step.title)}
              </button>
            </li>
          ))}
        </ol>
      )}
      <Links loaded={loaded} node={node} ways={ways} onSelect={onSelect} />
    </section>
  )
}

/** The note of the two that names the other one, with the sentence. */
function saidIn(step: WayStep, before: WayStep) {
  const { id, title } = step.via === 'in' ? step : before
  return { id, title, line: step.line ?? 1, text: step.sentence ?? '', marks: [] }
}

const LINKS_SHOWN = 30

/** What the chosen one is linked with, and how: relations by their names. */
function Links({
  loaded,
  node,
  ways,
  onSelect,
}: Pick<ChosenProps, 'loaded' | 'node' | 'ways' | 'onSelect'>) {
  const { labels } = loaded
  const steps = useMemo(() => [...stepsFrom(loaded, node, ways)], [loaded, node, ways])
  if (steps.length === 0) return null
  return (
    <details class="links">
      <summary>{plural(steps.length, 'link')}</summary>
      <ul>
        {steps.slice(0, LINKS_SHOWN).map(({ node: other, type, out }, index) => (
          <li key={index}>
            <span aria-label={out ? 'links to' : 'is linked by'}>{out ? '→' : '←'}</span>
            <span class="kind">{clean(labels.types[type] ?? '')}</span>
            <button type="button" class="plain opens" onClick={() => onSelect(other)}>
              {clean(labels.titles[other] ?? '')}
            </button>
          </li>
        ))}
      </ul>
      {steps.length > LINKS_SHOWN && (
        <p class="hint">{`The first ${LINKS_SHOWN}; the table below lists all that is around it.`}</p>
      )}
    </details>
  )
}
