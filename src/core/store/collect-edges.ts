/** Gathers the resolved links of a base into flat arrays, with a number for every type of edge. */
import type { DocNo } from '../domain/document.ts'
import type { LinkKind } from '../domain/text.ts'
import type { Edges, EdgeType } from './link-store.ts'

/** Kinds that are a type by themselves; of a relation its predicate decides. */
export const EDGE_KINDS = [
  'wiki',
  'embed',
  'markdown',
  'image',
  'describes',
  'import',
  'exercises',
  'mention',
] as const satisfies readonly LinkKind[]

/** Kinds of links whose predicate is their type, as SQL. */
export const SAYING = `'relation', 'typed'`

/** At most so many types have a number of their own: a byte an edge. */
const MOST_TYPES = 256

export interface EdgeCollector {
  /** `kind` is a place in `EDGE_KINDS`. */
  link(from: DocNo, to: DocNo, kind: number): void
  /** Predicates must come in order, so that the same base gives the same numbers. */
  relation(from: DocNo, to: DocNo, predicate: string): void
  edges(): Edges
}

export function collectEdges(): EdgeCollector {
  const from: number[] = []
  const to: number[] = []
  const type: number[] = []
  const types: EdgeType[] = EDGE_KINDS.map((kind) => ({ kind }))
  const predicates = new Map<string, number>()
  const add = (start: DocNo, end: DocNo, number: number): void => {
    from.push(start)
    to.push(end)
    type.push(number)
  }
  const numberOf = (label: string): number => {
    const known = predicates.get(label)
    if (known !== undefined) return known
    // The last number stands for all that come too late for one of their own.
    if (types.length >= MOST_TYPES - 1) types[MOST_TYPES - 1] ??= { kind: 'relation' }
    else types.push({ kind: 'relation', label })
    predicates.set(label, types.length - 1)
    return types.length - 1
  }
  return {
    link: add,
    relation: (start, end, predicate) => add(start, end, numberOf(predicate)),
    edges: () => ({
      from: Uint32Array.from(from),
      to: Uint32Array.from(to),
      type: Uint8Array.from(type),
      types,
    }),
  }
}
