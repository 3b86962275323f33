/** What hangs together with what, on the map that the page has. */
import type { DrawnMap } from '../../../core/domain/map-format.ts'
import { GHOST } from './ghosts.ts'

type Links = Pick<DrawnMap, 'start' | 'to' | 'type'>

/** For every node, who links to it; made once per map. */
export function incomingOf({ nodeCount, start, to, type }: Links & { nodeCount: number }): Links {
  const first = new Uint32Array(nodeCount + 1)
  for (const end of to) first[end + 1]!++
  for (let node = 0; node < nodeCount; node++) first[node + 1]! += first[node]!
  const next = first.slice(0, nodeCount)
  const from = new Uint32Array(to.length)
  const types = new Uint8Array(to.length)
  for (let node = 0; node < nodeCount; node++) {
    for (let k = start[node]!; k < start[node + 1]!; k++) {
      const at = next[to[k]!]!++
      from[at] = node
      types[at] = type[k]!
    }
  }
  return { start: first, to: from, type: types }
}

export interface Walkable {
  readonly map: Links & Pick<DrawnMap, 'kind'>
  readonly incoming: Links
}

/** What one may walk on: what is not hidden, along links of one type or of all. */
export interface Ways {
  readonly hidden?: Uint8Array
  readonly type?: number
}

export interface Step {
  readonly node: number
  readonly type: number
  readonly out: boolean
}

/** The links of a node in both directions, as they may be walked. */
export function* stepsFrom(
  { map, incoming }: Walkable,
  node: number,
  { hidden, type }: Ways = {},
): Generator<Step> {
  for (const [links, out] of [
    [map, true],
    [incoming, false],
  ] as const) {
    for (let k = links.start[node]!; k < links.start[node + 1]!; k++) {
      const other = links.to[k]!
      if (hidden?.[other] === 1 || (type !== undefined && links.type[k] !== type)) continue
      yield { node: other, type: links.type[k]!, out }
    }
  }
}

/** Everything at most so many links away, in either direction. */
export function around(
  graph: Walkable,
  node: number,
  depth: number,
  ways: Ways = {},
): ReadonlySet<number> {
  const found = new Set([node])
  let border = [node]
  for (let step = 0; step < depth; step++) {
    const next: number[] = []
    for (const each of border) {
      // What is not there leads nowhere; it is where one starts, or where a way ends.
      if (each !== node && graph.map.kind[each] === GHOST) continue
      for (const { node: other } of stepsFrom(graph, each, ways)) {
        if (found.has(other)) continue
        found.add(other)
        next.push(other)
      }
    }
    border = next
  }
  return found
}

/** A shortest way from one node to another along links in either direction, both included. */
export function pathBetween(
  graph: Walkable,
  from: number,
  to: number,
  ways: Ways = {},
): readonly number[] | undefined {
  const before = new Map<number, number>([[from, from]])
  let border = [from]
  while (border.length > 0 && !before.has(to)) {
    const next: number[] = []
    for (const each of border) {
      if (each !== from && graph.map.kind[each] === GHOST) continue
      for (const { node: other } of stepsFrom(graph, each, ways)) {
        if (before.has(other)) continue
        before.set(other, each)
        next.push(other)
      }
    }
    border = next
  }
  if (!before.has(to)) return undefined
  const path = [to]
  while (path[0] !== from) path.unshift(before.get(path[0]!)!)
  return path
}
