/** The whole base as a map, with a table beside it: nothing is only in the picture. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DoorError } from '../door.ts'
import { Chosen } from '../graph/chosen.tsx'
import { GHOST, withGhosts, type Ghost } from '../graph/ghosts.ts'
import { litNodes } from '../graph/lighting.ts'
import { Table } from '../graph/lit-table.tsx'
import { lastLoaded, load, loadedOf, type Loaded } from '../graph/loaded.ts'
import { MapCanvas, type MapHandle } from '../graph/map-canvas.tsx'
import { useNamedWay } from '../graph/named-way.ts'
import { around, pathBetween, type Ways } from '../graph/walk.ts'
import { Check, Choice } from '../parts/controls.tsx'
import { clean, plural, Problem, Waiting } from '../parts/text.tsx'
import {
  door,
  errorOf,
  facts,
  go,
  MOST,
  openNote,
  reconnected,
  route,
  searched,
  searchMore,
} from '../state/app.ts'
import { graphChanged } from '../state/changes.ts'

export function Graph() {
  const [loaded, setLoaded] = useState<Loaded | undefined>(lastLoaded)
  const [error, setError] = useState<DoorError | undefined>()
  const version = graphChanged.value
  const documents = facts.value?.documents
  const because = `${version} ${reconnected.value}`
  const loadedFor = useRef<{ because: string; documents: number | undefined } | undefined>(
    undefined,
  )
  const isEmpty = loaded?.map.nodeCount === 0
  useEffect(() => {
    // Once for every map there is: that the number of notes was learnt meanwhile is no reason, unless
    // the map was drawn before there were any.
    const before = loadedFor.current
    loadedFor.current = { because, documents }
    if (before?.because === because && before.documents === undefined && !isEmpty) return
    load().then(
      (next) => {
        setLoaded(next)
        setError(undefined)
      },
      (problem: unknown) => setError(errorOf(problem)),
    )
  }, [because, documents, isEmpty])
  if (!loaded || loaded.map.nodeCount === 0) {
    return (
      <div class="empty">
        <h1>Map</h1>
        {error && <Problem error={error} />}
        {!loaded && !error && <Waiting what="Laying out the map" />}
        {loaded && (
          <p>{facts.value?.indexing ?? 'There is nothing on the map yet: this base is empty.'}</p>
        )}
      </div>
    )
  }
  return <Haunted plain={loaded} version={version} />
}

/** What is missing is asked for when somebody wants to see it. */
function Haunted({ plain, version }: { readonly plain: Loaded; readonly version: number }) {
  const wanted = route.value.more['missing'] === 'on'
  const [ghosts, setGhosts] = useState<
    { readonly items: readonly Ghost[]; readonly total: number } | undefined
  >()
  const [error, setError] = useState<DoorError | undefined>()
  useEffect(() => {
    if (!wanted) return
    door.read<{ items: readonly Ghost[]; total: number }>('ghosts', {}).then(
      (found) => {
        setGhosts(found)
        setError(undefined)
      },
      (problem: unknown) => setError(errorOf(problem)),
    )
  }, [wanted, version, plain])
  const loaded = useMemo(() => {
    if (!wanted || !ghosts) return plain
    const { map, labels } = withGhosts(plain.map, plain.labels, ghosts.items)
    return loadedOf(map, labels)
  }, [plain, wanted, ghosts])
  const said = !wanted || !ghosts ? '' : ghostsText(ghosts.items.length, ghosts.total)
  return (
    <>
      {error && <Problem error={error} />}
      <Shown loaded={loaded} remark={said} />
    </>
  )
}

function ghostsText(shown: number, total: number): string {
  if (total === 0) return 'No link leads to something that is not there.'
  return shown < total ? `The ${shown} most wanted of ${total} missing notes are shown.` : ''
}

function Shown({ loaded, remark }: { readonly loaded: Loaded; readonly remark: string }) {
  const { map, labels, nodeOf } = loaded
  const { q, more } = route.value
  const handle = useRef<MapHandle | null>(null)
  const selected = nodeOf.get(more['node'] ?? '')
  const target = nodeOf.get(more['to'] ?? '')
  const depth = Number(more['depth'] ?? '0')
  const grouping = Math.max(
    0,
    labels.groupings.findIndex(({ name }) => name === (more['colour'] ?? 'folder')),
  )
  const orphans = more['orphans'] !== 'off'
  const entities = more['entities'] !== 'off'
  const missing = more['missing'] === 'on'
  const wanted = more['notes'] ?? ''
  const only = more['only'] ?? ''
  const since = Number(more['days'] ?? '0')
  const chosenType = labels.types.indexOf(more['link'] ?? '')
  const type = chosenType < 0 ? undefined : chosenType
  const set = (change: Record<string, string>): void =>
    go({ more: { ...more, ...change } }, 'replace')

  const { values = [], name: colouredBy } = labels.groupings[grouping] ?? {}
  const hidden = useMemo(() => {
    const oldest = since > 0 ? Date.now() / 1_000 - since * 86_400 : 0
    const group = map.groups[grouping]
    const shown = group && groupsIn(only, values)
    return Uint8Array.from({ length: map.nodeCount }, (_, node) =>
      (!orphans && map.degree[node] === 0) ||
      (!entities && map.kind[node] === 1) ||
      (map.kind[node] !== GHOST &&
        (map.seconds[node]! < oldest || (shown !== undefined && !shown.has(group![node]!))))
        ? 1
        : 0,
    )
  }, [map, orphans, entities, since, grouping, only])

  const ways = useMemo(
    (): Ways => ({ hidden, ...(type !== undefined && { type }) }),
    [hidden, type],
  )
  const byName = more['by'] === 'names'
  const [from, to] = byName ? [labels.ids[selected ?? -1], labels.ids[target ?? -1]] : []
  const named = useNamedWay(from, to, graphChanged.value)
  const path = useMemo(() => {
    if (selected === undefined || target === undefined) return undefined
    if (!byName) return pathBetween(loaded, selected, target, ways)
    const nodes = named?.path.flatMap(({ id }) => nodeOf.get(id) ?? [])
    return nodes?.length ? nodes : undefined
  }, [loaded, selected, target, ways, byName, named])

  const { answer, limit } = searched.value
  const hits = answer?.hits
  // All that was found is lit, not what a list begins with.
  const isCut = hits !== undefined && hits.length === limit && limit < MOST
  useEffect(() => {
    if (isCut) searchMore()
  }, [isCut, answer])
  const lit = useMemo(
    () =>
      litNodes({
        loaded,
        q,
        hits,
        selected,
        depth,
        path,
        notes: idsIn(wanted),
        ways,
      }),
    [loaded, q, hits, selected, depth, path, wanted, ways],
  )
  const count = lit
    ? lit.reduce((sum, each) => sum + each, 0)
    : map.nodeCount - hidden.reduce((sum, each) => sum + each, 0)

  useLayoutEffect(() => {
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

  useLayoutEffect(() => {
    const onEnter = (): void => handle.current?.showLit()
    document.addEventListener('cairn-enter', onEnter)
    return () => document.removeEventListener('cairn-enter', onEnter)
  }, [])

  const select = (node: number | undefined): void =>
    set({ node: node === undefined ? '' : labels.ids[node]!, to: '' })
  return (
    <div class="map-room">
      <div class="map-main">
        <div class="narrow map-tools">
          <Choice
            name="Colour"
            value={labels.groupings[grouping]?.name}
            values={labels.groupings.map(({ name }) => name)}
            onChange={(colour) => set({ colour, only: '' })}
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
          <Check
            name="missing notes"
            checked={missing}
            onChange={(on) => set({ missing: on ? 'on' : '' })}
          />
          <LinkTypes loaded={loaded} type={type} onChange={(link) => set({ link })} />
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
          handle={handle}
          map={map}
          titles={labels.titles}
          colour={map.groups[grouping] ?? map.kind}
          lit={lit}
          hidden={hidden}
          type={type}
          selected={selected}
          path={path}
          regions={labels.regions}
          litAround={(node) => {
            const near = new Uint8Array(map.nodeCount)
            for (const each of around(loaded, node, 1, ways)) near[each] = 1
            return near
          }}
          label={`Map of ${plural(map.nodeCount, 'note')}. The table beside it lists what is lit.`}
          onSelect={select}
          onOpen={(node) => (map.kind[node] === GHOST ? select(node) : openNote(labels.ids[node]!))}
        />
        {wanted !== '' && (
          <p class="remark map-remark" role="status">
            {count === 0 ? 'None of these notes is on the map.' : 'The notes of one call are lit.'}{' '}
            <button type="button" class="plain" onClick={() => set({ notes: '' })}>
              show all
            </button>
          </p>
        )}
        {remark !== '' && (
          <p class="remark map-remark" role="status">
            {remark}
          </p>
        )}
        <Legend by={colouredBy ?? ''} values={values} only={only} onSet={set} />
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
            byName={byName}
            named={named}
            ways={ways}
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

interface LegendProps {
  readonly by: string
  readonly values: readonly string[]
  readonly only: string
  readonly onSet: (change: Record<string, string>) => void
}

/** What the colours mean; one that is pressed is shown alone, or with the others that are. */
function Legend({ by, values, only, onSet }: LegendProps) {
  if (values.length === 0) return null
  const shown = idsIn(only)
  const press = (value: string): void => {
    const next = shown.includes(value) ? shown.filter((each) => each !== value) : [...shown, value]
    onSet({ only: next.length === 0 ? '' : JSON.stringify(next) })
  }
  return (
    <div class="legend" role="group" aria-label={`Show only some, by ${by}`}>
      {values.map((value, index) => (
        <button
          key={value}
          type="button"
          class="plain"
          aria-pressed={shown.includes(value)}
          onClick={() => press(value)}
        >
          <span class={`dot dot-${index + 1}`} />
          {clean(value)}
        </button>
      ))}
      {shown.length > 0 && (
        <button type="button" class="plain" onClick={() => onSet({ only: '' })}>
          show all
        </button>
      )}
    </div>
  )
}

/** The groups that are shown; all where none is chosen that there is. */
function groupsIn(only: string, values: readonly string[]): ReadonlySet<number> | undefined {
  const groups = idsIn(only).flatMap((value) => {
    const index = values.indexOf(value)
    return index < 0 ? [] : [index + 1]
  })
  return groups.length > 0 ? new Set(groups) : undefined
}

/** A list of ids, as an address holds it; what is none is one id. */
function idsIn(text: string): readonly string[] {
  if (text === '') return []
  try {
    const ids: unknown = JSON.parse(text)
    if (Array.isArray(ids)) return ids.filter((id) => typeof id === 'string')
  } catch {
    // Typed by hand.
  }
  return [text]
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

interface LinkTypesProps {
  readonly loaded: Loaded
  readonly type: number | undefined
  readonly onChange: (name: string) => void
}

/** Wiki links, Markdown links, and every relation of entities by its name. */
function LinkTypes({ loaded, type, onChange }: LinkTypesProps) {
  const { map, labels } = loaded
  const counts = useMemo(() => {
    const found = new Uint32Array(labels.types.length)
    for (const each of map.type) found[each]!++
    return found
  }, [loaded])
  const used = labels.types.flatMap((name, each) => (counts[each]! > 0 ? [{ name, each }] : []))
  if (used.length < 2 && type === undefined) return null
  return (
    <label>
      <span>Links</span>
      <select
        value={type === undefined ? '' : labels.types[type]}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">all</option>
        {used.map(({ name, each }) => (
          <option key={name} value={name}>
            {`${clean(name)} (${counts[each]!.toLocaleString('en')})`}
          </option>
        ))}
      </select>
    </label>
  )
}
