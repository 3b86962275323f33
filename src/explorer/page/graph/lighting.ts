/** Which nodes stay lit while the others fade. */
import type { DrawnMap } from '../../../core/domain/map-format.ts'
import type { Loaded } from './loaded.ts'
import { around, type Ways } from './walk.ts'

interface Lighting {
  readonly loaded: Loaded
  readonly q: string
  readonly hits: readonly { readonly id: string }[] | undefined
  readonly selected: number | undefined
  readonly depth: number
  readonly path: readonly number[] | undefined
  /** Those that somebody wants to see, such as the notes of one call. */
  readonly notes: readonly string[]
  readonly ways: Ways
}

/** What stays lit: a path, what is around a note, or what the search box says; all when none of it. */
export function litNodes({
  loaded,
  q,
  hits,
  selected,
  depth,
  path,
  notes,
  ways,
}: Lighting): Uint8Array | undefined {
  const { map, folded, nodeOf } = loaded
  const lit = new Uint8Array(map.nodeCount)
  const light = (nodes: Iterable<number>): Uint8Array => {
    for (const node of nodes) if (ways.hidden?.[node] !== 1) lit[node] = 1
    return lit
  }
  if (path) return light(path)
  if (selected !== undefined && depth > 0) return light(around(loaded, selected, depth, ways))
  if (notes.length > 0) return light(notes.flatMap((id) => nodeOf.get(id) ?? []))
  const wanted = q.trim().toLowerCase()
  if (wanted === '') return ways.type === undefined ? undefined : light(endsOf(map, ways.type))
  for (const [node, title] of folded.entries())
    if (title.includes(wanted) && ways.hidden?.[node] !== 1) lit[node] = 1
  return light((hits ?? []).flatMap(({ id }) => nodeOf.get(id) ?? []))
}

/** Everything that a link of this type begins or ends at. */
function* endsOf({ nodeCount, start, to, type }: DrawnMap, wanted: number): Iterable<number> {
  for (let node = 0; node < nodeCount; node++) {
    for (let k = start[node]!; k < start[node + 1]!; k++) {
      if (type[k] !== wanted) continue
      yield node
      yield to[k]!
    }
  }
}
