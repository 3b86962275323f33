/** The whole base as a map, with a table beside it: nothing is only in the picture. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { decodeMap, type DrawnMap } from '../../domain/map-format.ts'
import type { DoorError } from '../door.ts'
import { MapCanvas, type MapHandle } from '../graph/map-canvas.tsx'
import { around, incomingOf, pathBetween, type Walkable } from '../graph/walk.ts'
import { Check, Choice } from '../parts/controls.tsx'
import { clean, Path, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import { door, errorOf, facts, go, openNote, route, searched } from '../state/app.ts'
import { graphChanged } from '../state/changes.ts'

export interface MapLabels {
  readonly version: string
  readonly ids: readonly string[]
  readonly titles: readonly string[]
  readonly groupings: readonly { readonly name: string; readonly values: readonly string[] }[]
  readonly types: readonly string[]
}

interface Loaded extends Walkable {
  readonly map: DrawnMap
  readonly labels: MapLabels
  readonly nodeOf: ReadonlyMap<string, number>
  readonly folded: readonly string[]
}

/** Kept while the page is open: coming back to the map costs nothing. */
let kept: Loaded | undefined

async function load(): Promise<Loaded> {
  const [bytes, labels] = await Promise.all([
    door.bytes('graph'),
    door.read<MapLabels>('labels', {}),
  ])
  const map = decodeMap(bytes)
  if (!map || map.nodeCount !== labels.ids.length)
    throw new Error('The map and its names do not belong together.')
  kept = {
    map,
    labels,
    incoming: incomingOf(map),
    nodeOf: new Map(labels.ids.map((id, node) => [id, node])),
    folded: labels.titles.map((title) => title.toLowerCase()),
  }
  return kept
}

const DEPTHS = ['1', '2', '3'] as const
const ROWS = 200

export function Graph() {
  const [loaded, setLoaded] = useState<Loaded | undefined>(kept)
  const [error, setError] = useState<DoorError | undefined>()
  const version = graphChanged.value
  const documents = facts.value?.documents
  useEffect(() => {
    load().then(
      (next) => {
        setLoaded(next)
        setError(undefined)
      },
      (problem: unknown) => setError(errorOf(problem)),
    )
  }, [version, documents])
  if (error && !loaded) return <Problem error={error} />
  if (!loaded) return <Waiting what="Laying out the map" />
  if (loaded.map.nodeCount === 0)
    return (
      <p class="empty">
        {facts.value?.indexing ?? 'There is nothing on the map yet: this base is empty.'}
      </p>
    )
  return <Shown loaded={loaded} />
}

function Shown({ loaded }: { readonly loaded: Loaded }) {
  const { map, labels, nodeOf } = loaded
  const { q, more } = route.value
  const handle = useRef<MapHandle>(null)
  const selected = nodeOf.get(more['node'] ?? '')
  const target = nodeOf.get(more['to'] ?? '')
  const depth = Number(more['depth'] ?? '0')
  const grouping = Math.max(
    0,
    labels.groupings.findIndex(({ name }) => name === (more['colour'] ?? 'folder')),
  )
  const orphans = more['orphans'] !== 'off'
  const entities = more['entities'] !== 'off'
  const since = Number(more['days'] ?? '0')
  const set = (change: Record<string, string>): void =>
    go({ more: { ...more, ...change } }, 'replace')

  const hidden = useMemo(() => {
    const oldest = since > 0 ? Date.now() / 1_000 - since * 86_400 : 0
    return Uint8Array.from({ length: map.nodeCount }, (_, node) =>
      (!orphans && map.degree[node] === 0) ||
      (!entities && map.kind[node] === 1) ||
      map.seconds[node]! < oldest
        ? 1
        : 0,
    )
  }, [map, orphans, entities, since])

  const path = useMemo(() => {
    if (selected === undefined || target === undefined) return undefined
    return pathBetween(loaded, selected, target)
  }, [loaded, selected, target])

  const hits = searched.value.answer?.hits
  const lit = useMemo(
    () => litNodes({ loaded, q, hits, selected, depth, path, hidden }),
    [loaded, q, hits, selected, depth, path, hidden],
  )
  const count = lit
    ? lit.reduce((sum, each) => sum + each, 0)
    : map.nodeCount - hidden.reduce((sum, each) => sum + each, 0)

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const element = event.target as HTMLElement
      if (
        /^(?:INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return
      const act = KEYS[event.key]
      if (!act || (event.key.startsWith('Arrow') && element.closest('.map-table'))) return
      handle.current?.act(act)
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  useEffect(() => {
    const onEnter = (): void => handle.current?.showLit()
    document.addEventListener('cairn-enter', onEnter)
    return () => document.removeEventListener('cairn-enter', onEnter)
  }, [])

  const select = (node: number | undefined): void =>
    set({ node: node === undefined ? '' : labels.ids[node]!, to: '' })
  const values = labels.groupings[grouping]?.values ?? []
  return (
    <div class="map-room">
      <div class="map-main">
        <div class="narrow map-tools">
          <Choice
            name="Colour"
            value={labels.groupings[grouping]?.name}
            values={labels.groupings.map(({ name }) => name)}
            onChange={(colour) => set({ colour })}
          />
          <Check
            name="notes without links"
            checked={orphans}
            onChange={(on) => set({ orphans: on ? '' : 'off' })}
          />
          {map.kind.includes(1) && (
            <Check
              name="entities"
              checked={entities}
              onChange={(on) => set({ entities: on ? '' : 'off' })}
            />
          )}
          <label>
            <span>Changed</span>
            <select
              value={since > 0 ? String(since) : ''}
              onChange={(event) => set({ days: event.currentTarget.value })}
            >
              <option value="">any time</option>
              <option value="7">in 7 days</option>
              <option value="30">in 30 days</option>
              <option value="365">in a year</option>
            </select>
          </label>
          <span class="row-of-buttons">
            <button type="button" onClick={() => handle.current?.act('fit')}>
              Fit
            </button>
            <button type="button" aria-label="Closer" onClick={() => handle.current?.act('in')}>
              +
            </button>
            <button type="button" aria-label="Farther" onClick={() => handle.current?.act('out')}>
              −
            </button>
          </span>
        </div>
        <MapCanvas
          ref={handle}
          map={map}
          titles={labels.titles}
          colour={map.groups[grouping] ?? map.kind}
          lit={lit}
          hidden={hidden}
          selected={selected}
          path={path}
          label={`Map of ${plural(map.nodeCount, 'note')}. The table beside it lists what is lit.`}
          onSelect={select}
          onOpen={(node) => openNote(labels.ids[node]!)}
        />
        <p class="legend">
          {values.map((value, index) => (
            <span key={value}>
              <span class={`dot dot-${index + 1}`} />
              {clean(value)}
            </span>
          ))}
        </p>
      </div>
      <aside class="map-side scroll" aria-label="What is lit">
        {selected === undefined ? (
          <h1 class="unseen-text">Map</h1>
        ) : (
          <Chosen
            loaded={loaded}
            node={selected}
            depth={depth}
            path={path}
            target={target}
            onSelect={select}
            onSet={set}
          />
        )}
        <Table
          loaded={loaded}
          lit={lit}
          hidden={hidden}
          selected={selected}
          count={count}
          onSelect={select}
        />
      </aside>
    </div>
  )
}

const KEYS: Readonly<Record<string, Parameters<MapHandle['act']>[0]>> = {
  f: 'fit',
  '+': 'in',
  '=': 'in',
  '-': 'out',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

interface Lighting {
  readonly loaded: Loaded
  readonly q: string
  readonly hits: readonly { readonly id: string }[] | undefined
  readonly selected: number | undefined
  readonly depth: number
  readonly path: readonly number[] | undefined
  readonly hidden: Uint8Array
}

/** What stays lit: a path, what is around a note, or what the search box says; all when none of it. */
function litNodes({
  loaded,
  q,
  hits,
  selected,
  depth,
  path,
  hidden,
}: Lighting): Uint8Array | undefined {
  const { map, folded, nodeOf } = loaded
  const lit = new Uint8Array(map.nodeCount)
  const light = (nodes: Iterable<number>): Uint8Array => {
    for (const node of nodes) if (hidden[node] === 0) lit[node] = 1
    return lit
  }
  if (path) return light(path)
  if (selected !== undefined && depth > 0) return light(around(loaded, selected, depth))
  const wanted = q.trim().toLowerCase()
  if (wanted === '') return undefined
  for (const [node, title] of folded.entries())
    if (title.includes(wanted) && hidden[node] === 0) lit[node] = 1
  return light((hits ?? []).flatMap(({ id }) => nodeOf.get(id) ?? []))
}

interface ChosenProps {
  readonly loaded: Loaded
  readonly node: number
  readonly depth: number
  readonly path: readonly number[] | undefined
  readonly target: number | undefined
  readonly onSelect: (node: number | undefined) => void
  readonly onSet: (change: Record<string, string>) => void
}

function Chosen({ loaded, node, depth, path, target, onSelect, onSet }: ChosenProps) {
  const { map, labels, incoming } = loaded
  const out = map.start[node + 1]! - map.start[node]!
  const into = incoming.start[node + 1]! - incoming.start[node]!
  return (
    <section class="chosen" aria-label="Chosen note">
      <h1>{clean(labels.titles[node] ?? '')}</h1>
      <Path id={labels.ids[node] ?? ''} />
      <p class="hint">
        {`${into} in · ${out} out · `}
        <Time at={map.seconds[node]! * 1_000} only="day" />
      </p>
      <p class="row-of-buttons">
        <button type="button" onClick={() => openNote(labels.ids[node]!)}>
          Open
        </button>
        <button type="button" class="plain" onClick={() => onSelect(undefined)}>
          clear
        </button>
      </p>
      <p class="row-of-buttons" role="group" aria-label="Around this note">
        <span class="hint">around it</span>
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
        }}
      >
        <label>
          <span class="hint">path to</span>
          <input name="to" type="text" placeholder="title of a note" />
        </label>
        <button type="submit">Show</button>
      </form>
      {target !== undefined && !path && (
        <p class="remark warn">{`No links lead from here to ${clean(labels.titles[target] ?? '')}.`}</p>
      )}
      {path && (
        <ol class="way">
          {path.map((each) => (
            <li key={each}>
              <button type="button" class="plain opens" onClick={() => openNote(labels.ids[each]!)}>
                {clean(labels.titles[each] ?? '')}
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

type Order = 'links' | 'title' | 'changed'

interface TableProps {
  readonly loaded: Loaded
  readonly lit: Uint8Array | undefined
  readonly hidden: Uint8Array
  readonly selected: number | undefined
  readonly count: number
  readonly onSelect: (node: number | undefined) => void
}

function Table({ loaded, lit, hidden, selected, count, onSelect }: TableProps) {
  const { map, labels } = loaded
  const [order, setOrder] = useState<Order>('links')
  const rows = useMemo(() => {
    const nodes: number[] = []
    for (let node = 0; node < map.nodeCount; node++) {
      if (lit ? lit[node] === 1 : hidden[node] === 0) nodes.push(node)
    }
    const compare: Record<Order, (a: number, b: number) => number> = {
      links: (a, b) => map.degree[b]! - map.degree[a]!,
      title: (a, b) => (labels.titles[a]! < labels.titles[b]! ? -1 : 1),
      changed: (a, b) => map.seconds[b]! - map.seconds[a]!,
    }
    return nodes.toSorted(compare[order]).slice(0, ROWS)
  }, [loaded, lit, hidden, order])
  const head = (name: Order, text: string) => (
    <th
      scope="col"
      aria-sort={order === name ? (name === 'title' ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" class="plain" onClick={() => setOrder(name)}>
        {text}
        {order === name ? ' ↓' : ''}
      </button>
    </th>
  )
  return (
    <>
      <p class="hint" role="status">
        {lit ? `${plural(count, 'note')} lit` : plural(count, 'note')}
        {rows.length < count && `, the first ${ROWS} listed`}
      </p>
      <table class="map-table">
        <thead>
          <tr>
            {head('title', 'Note')}
            {head('links', 'Links')}
            {head('changed', 'Changed')}
          </tr>
        </thead>
        <tbody>
          {rows.map((node) => (
            <tr key={node} class={node === selected ? 'chosen-row' : ''}>
              <td>
                <button
                  type="button"
                  class="plain opens"
                  onClick={() => onSelect(node)}
                  onDblClick={() => openNote(labels.ids[node]!)}
                >
                  {clean(labels.titles[node] ?? '')}
                </button>
              </td>
              <td class="number">{map.degree[node]}</td>
              <td class="number">
                <Time at={map.seconds[node]! * 1_000} only="day" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
