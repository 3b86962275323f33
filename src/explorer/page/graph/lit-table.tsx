/** What is lit, as a table: nothing is only in the picture. */
import { useMemo, useState } from 'preact/hooks'
import { clean, plural, Time } from '../parts/text.tsx'
import { openNote } from '../state/app.ts'
import { GHOST } from './ghosts.ts'
import type { Loaded } from './loaded.ts'

const ROWS = 200

type Order = 'links' | 'title' | 'changed'

interface TableProps {
  readonly loaded: Loaded
  readonly lit: Uint8Array | undefined
  readonly hidden: Uint8Array
  readonly selected: number | undefined
  readonly count: number
  readonly onSelect: (node: number | undefined) => void
}

export function Table({ loaded, lit, hidden, selected, count, onSelect }: TableProps) {
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
                  onDblClick={() => map.kind[node] !== GHOST && openNote(labels.ids[node]!)}
                >
                  {clean(labels.titles[node] ?? '')}
                </button>
                {map.kind[node] !== 0 && (
                  <span class="kind">{map.kind[node] === GHOST ? 'missing' : 'entity'}</span>
                )}
              </td>
              <td class="number">{map.degree[node]}</td>
              <td class="number">
                {map.seconds[node]! > 0 && <Time at={map.seconds[node]! * 1_000} only="day" />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
