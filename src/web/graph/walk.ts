/** What hangs together with what, on the map that the page has. */
import type { DrawnMap } from '../../domain/map-format.ts'

type Links = Pick<DrawnMap, 'nodeCount' | 'start' | 'to'>

/** For every node, who links to it; made once per map. */
export function incomingOf({ nodeCount, start, to }: Links): Pick<DrawnMap, 'start' | 'to'> {
  const first = new Uint32Array(nodeCount + 1)
  for (const end of to) first[end + 1]!++
  for (let node = 0; node < nodeCount; node++) first[node + 1]! += first[node]!
  const next = first.slice(0, nodeCount)
  const from = new Uint32Array(to.length)
  for (let node = 0; node < nodeCount; node++) {
    for (let k = start[node]!; k < start[node + 1]!; k++) from[next[to[k]!]!++] = node
  }
  return { start: first, to: from }
}

export interface Walkable {
  readonly map: Links
  readonly incoming: Pick<DrawnMap, 'start' | 'to'>
}

function eachNeighbor(
  { map, incoming }: Walkable,
  node: number,
  visit: (other: number) => void,
): void {
  for (let k = map.start[node]!; k < map.start[node + 1]!; k++) visit(map.to[k]!)
  for (let k = incoming.start[node]!; k < incoming.start[node + 1]!; k++) visit(incoming.to[k]!)
}

/** Everything at most so many links away, in either direction. */
export function around(graph: Walkable, node: number, depth: number): ReadonlySet<number> {
  const found = new Set([node])
  let border = [node]
  for (let step = 0; step < depth; step++) {
    const next: number[] = []
    for (const each of border) {
      eachNeighbor(graph, each, (other) => {
        if (found.has(other)) return
        found.add(other)
        next.push(other)
      })
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
): readonly number[] | undefined {
  const before = new Map<number, number>([[from, from]])
  let border = [from]
  while (border.length > 0 && !before.has(to)) {
    const next: number[] = []
    for (const each of border) {
      eachNeighbor(graph, each, (other) => {
        if (before.has(other)) return
        before.set(other, each)
        next.push(other)
      })
    }
    border = next
  }
  if (!before.has(to)) return undefined
  const path = [to]
  while (path[0] !== from) path.unshift(before.get(path[0]!)!)
  return path
}
