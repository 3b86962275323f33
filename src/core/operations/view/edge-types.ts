/** What kinds of edges does the graph have, in the words callers use? */
import type { LinkRecord } from '../../domain/document.ts'
import { invalid, quoted } from '../../domain/error.ts'
import { isRelation } from '../../domain/text.ts'
import type { LinkKind } from '../../domain/text.ts'
import type { EdgeType } from '../../store/link-store.ts'

const LINKS: readonly LinkKind[] = ['wiki', 'embed', 'markdown', 'image']

/** Links that nobody wrote, by what they are called. */
const FOUND: Readonly<Partial<Record<LinkKind, string>>> = {
  describes: 'DESCRIBES',
  import: 'IMPORTS',
  exercises: 'EXERCISES',
  mention: 'MENTIONS',
}

/** Before a predicate: `RELATES:uses`. */
const RELATES = 'RELATES'

export interface EdgeChoice {
  readonly kinds: readonly LinkKind[]
  /** Of relations only those with one of these predicates; all where there are none. */
  readonly labels: readonly string[]
}

/** The numbers that a choice has in the graph; a predicate without one is among the last. */
export function numbersOf(
  { types }: { readonly types: readonly EdgeType[] },
  { kinds, labels }: EdgeChoice,
): number[] {
  const chosen = ({ kind, label }: EdgeType): boolean =>
    kinds.includes(kind) &&
    (kind !== 'relation' || labels.length === 0 || label === undefined || labels.includes(label))
  return types.flatMap((type, number) => (chosen(type) ? [number] : []))
}

/** `LINKS_TO`, `DESCRIBES`, `IMPORTS`, `EXERCISES`, `MENTIONS` or `RELATES:<predicate>`. */
export function edgeType({ kind, label }: EdgeType | LinkRecord): string {
  if (isRelation(kind)) return `${RELATES}:${label ?? ''}`
  return FOUND[kind] ?? 'LINKS_TO'
}

/** Each type once, in order. */
export function edgeTypes(links: readonly (EdgeType | LinkRecord)[]): string[] {
  return [...new Set(links.map(edgeType))].toSorted()
}

/** `RELATES` alone means every predicate. */
export function parseEdgeTypes(types: readonly string[]): EdgeChoice {
  const kinds = new Set<LinkKind>()
  const labels = new Set<string>()
  for (const type of types) {
    if (type === 'LINKS_TO') for (const kind of LINKS) kinds.add(kind)
    else if (foundKind(type)) kinds.add(foundKind(type)!)
    else if (type === RELATES || type.startsWith(`${RELATES}:`)) kinds.add('relation')
    else throw unknownType(type)
    if (type.startsWith(`${RELATES}:`)) labels.add(type.slice(RELATES.length + 1))
  }
  return { kinds: [...kinds], labels: types.includes(RELATES) ? [] : [...labels] }
}

function foundKind(type: string): LinkKind | undefined {
  return (Object.keys(FOUND) as LinkKind[]).find((kind) => FOUND[kind] === type)
}

function unknownType(type: string) {
  return invalid(
    `${quoted(type)} is no type of edge.`,
    'Use LINKS_TO, DESCRIBES, IMPORTS, EXERCISES, MENTIONS, RELATES or a predicate such as RELATES:uses.',
  )
}
