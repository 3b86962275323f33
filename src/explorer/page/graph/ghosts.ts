/**
 * What links name and nobody has written, put onto the map that the page has: each stands beside
 * those that name it. The places of what there is do not change.
 */
import { NODE_KINDS, type DrawnMap } from '../../../core/domain/map-format.ts'

export interface Ghost {
  readonly target: string
  readonly type: string
  readonly from: readonly string[]
}

interface Labels {
  readonly ids: readonly string[]
  readonly titles: readonly string[]
  readonly groupings: readonly { readonly name: string; readonly values: readonly string[] }[]
  readonly types: readonly string[]
}

export const GHOST = NODE_KINDS.indexOf('ghost')
/** No id of a document begins like this. */
const PREFIX = 'missing:'

/** About the room of a few nodes, in the units of the map. */
const BESIDE = 420
const EDGE = 32_000

export function withGhosts<Names extends Labels>(
  map: DrawnMap,
  labels: Names,
  ghosts: readonly Ghost[],
): { readonly map: DrawnMap; readonly labels: Names } {
  const nodeOf = new Map(labels.ids.map((id, node) => [id, node]))
  const ends = ghosts
    .map((ghost) => ({
      ...ghost,
      nodes: ghost.from.flatMap((id) => nodeOf.get(id) ?? []),
    }))
    .filter(({ nodes }) => nodes.length > 0)
  if (ends.length === 0) return { map, labels }
  const { nodeCount } = map
  const all = nodeCount + ends.length
  const types = [...labels.types]
  const typeOf = (name: string): number => {
    const known = types.indexOf(name)
    return known >= 0 ? known : types.push(name) - 1
  }
  const more = Array.from({ length: nodeCount }, (): { to: number; type: number }[] => [])
  for (const [index, { nodes, type }] of ends.entries()) {
    for (const node of nodes) more[node]!.push({ to: nodeCount + index, type: typeOf(type) })
  }
  const links = linked(map, more, all)
  const longer = <Part extends Uint8Array | Uint16Array | Uint32Array>(
    part: Part,
    value: (index: number) => number,
  ): Part => {
    const grown = new (part.constructor as new (length: number) => Part)(all)
    grown.set(part)
    for (let index = 0; index < ends.length; index++) grown[nodeCount + index] = value(index)
    return grown
  }
  const kindGroup = labels.groupings.findIndex(({ name }) => name === 'kind')
  const kindColour = (labels.groupings[kindGroup]?.values.length ?? 0) + 1
  return {
    map: {
      nodeCount: all,
      places: placed(map, ends),
      seconds: longer(map.seconds, () => 0),
      degree: longer(map.degree, (index) => Math.min(0xffff, ends[index]!.nodes.length)),
      kind: longer(map.kind, () => GHOST),
      groups: map.groups.map((group, index) =>
        longer(group, () => (index === kindGroup ? kindColour : 0)),
      ),
      ...links,
    },
    labels: {
      ...labels,
      ids: [...labels.ids, ...ends.map(({ target }) => PREFIX + target)],
      titles: [...labels.titles, ...ends.map(({ target }) => target)],
      groupings: labels.groupings.map((grouping, index) =>
        index === kindGroup ? { ...grouping, values: [...grouping.values, 'missing'] } : grouping,
      ),
      types,
    },
  }
}

function linked(
  { nodeCount, start, to, type }: DrawnMap,
  more: readonly (readonly { readonly to: number; readonly type: number }[])[],
  all: number,
): Pick<DrawnMap, 'start' | 'to' | 'type'> {
  const added = more.reduce((sum, each) => sum + each.length, 0)
  const grown = {
    start: new Uint32Array(all + 1),
    to: new Uint32Array(to.length + added),
    type: new Uint8Array(to.length + added),
  }
  let at = 0
  for (let node = 0; node < nodeCount; node++) {
    grown.start[node] = at
    for (let k = start[node]!; k < start[node + 1]!; k++) {
      grown.to[at] = to[k]!
      grown.type[at++] = type[k]!
    }
    for (const link of more[node]!) {
      grown.to[at] = link.to
      grown.type[at++] = link.type
    }
  }
  grown.start.fill(at, nodeCount)
  return grown
}

/** In the middle of those that name it, and then a little aside, each in another direction. */
function placed(
  { nodeCount, places }: DrawnMap,
  ends: readonly { readonly nodes: readonly number[] }[],
): Int16Array {
  const grown = new Int16Array(2 * (nodeCount + ends.length))
  grown.set(places)
  const clamp = (value: number): number => Math.max(-EDGE, Math.min(EDGE, Math.round(value)))
  for (const [index, { nodes }] of ends.entries()) {
    const middle = (axis: 0 | 1): number =>
      nodes.reduce((sum, node) => sum + places[2 * node + axis]!, 0) / nodes.length
    // The golden angle: no two that follow each other go the same way.
    const turn = index * 2.399963
    const away = BESIDE * (1 + (index % 5) / 4)
    grown[2 * (nodeCount + index)] = clamp(middle(0) + away * Math.cos(turn))
    grown[2 * (nodeCount + index) + 1] = clamp(middle(1) + away * Math.sin(turn))
  }
  return grown
}
