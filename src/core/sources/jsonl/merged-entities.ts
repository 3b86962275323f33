/**
 * Union-find by redirect: a line may say of its entity that it is another one (`merged_into`), and
 * then both are read as one. Nothing is taken out of the files, so a later line can take it back.
 */
import type { EntityGraph } from '../../domain/entity-graph.ts'
import type { Entity, Relation } from '../../domain/entity.ts'
import { renderEntity } from './render-entity.ts'

/** The key of a line that says so. */
export const MERGED_INTO = 'merged_into'

export interface MergedEntities {
  /** Itself, where it was not merged into another one that is there. Another function when one is. */
  survivorOf(id: string): string
  /** What was merged into it, nearest first. */
  mergedInto(id: string): readonly Entity[]
}

interface Known extends MergedEntities {
  /** Whom lines name that nobody has made yet. */
  readonly awaited: ReadonlySet<string>
  readonly epoch: number
  readonly seen: number
}

const known = new WeakMap<EntityGraph, Known>()

/** As of the graph's last look at its files. */
export function mergedEntities(graph: EntityGraph): MergedEntities {
  const { epoch, added } = graph
  const before = known.get(graph)
  const isSame = before?.epoch === epoch
  const news = isSame ? added.entities.slice(before.seen) : undefined
  if (news?.length === 0) return before!
  const isPlain = news?.every(
    (entity) => intoOf(entity) === undefined && !before!.awaited.has(entity.id),
  )
  const now = { ...(isPlain ? before! : readMerged(graph)), epoch, seen: added.entities.length }
  known.set(graph, now)
  return now
}

export function intoOf({ extra }: Entity): string | undefined {
  const into = extra[MERGED_INTO]
  return typeof into === 'string' && into !== '' ? into : undefined
}

/** Whoever writes longer chains by hand is not followed to their end. */
const MOST_STEPS = 100

function readMerged(graph: EntityGraph): Pick<Known, keyof MergedEntities | 'awaited'> {
  const awaited = new Set<string>()
  const survivors = new Map<string, string>()
  const merged = new Map<string, Entity[]>()
  for (const entity of graph.entities()) {
    if (intoOf(entity) === undefined) continue
    const survivor = endOf(graph, entity, awaited)
    if (survivor === undefined) continue
    survivors.set(entity.id, survivor)
    const some = merged.get(survivor)
    if (some) some.push(entity)
    else merged.set(survivor, [entity])
  }
  return {
    awaited,
    survivorOf: (id) => survivors.get(id) ?? id,
    mergedInto: (id) => merged.get(id) ?? [],
  }
}

/** Undefined where it leads to nobody, or round in a circle: then nobody was merged. */
function endOf(graph: EntityGraph, entity: Entity, awaited: Set<string>): string | undefined {
  let at: Entity | undefined = entity
  for (let steps = 0; at && steps < MOST_STEPS; steps++) {
    const into = intoOf(at)
    if (into === undefined) return at.id
    at = graph.findEntity(into)
    if (!at) awaited.add(into)
  }
  return undefined
}

/** An entity with all that was merged into it; `also` would be merged as well. */
export function textOfEntity(
  graph: EntityGraph,
  entity: Entity,
  also: readonly Entity[] = [],
): string {
  const { survivorOf, mergedInto } = mergedEntities(graph)
  const more = also.flatMap((one) => [one, ...mergedInto(one.id)])
  const all = [entity, ...mergedInto(entity.id), ...more]
  const ids = new Set(all.map(({ id }) => id))
  const outgoing = all.flatMap(({ id }) =>
    graph.outgoing(id).map((relation): Relation => {
      const dst = ids.has(relation.dst) ? entity.id : survivorOf(relation.dst)
      return dst === relation.dst ? relation : { ...relation, dst }
    }),
  )
  if (all.length === 1) return renderEntity(entity, outgoing)
  const told = new Set<string>()
  const distinctOnes = outgoing.filter(({ rel, dst }) => {
    const name = JSON.stringify([rel, dst])
    const isNew = dst !== entity.id && !told.has(name)
    told.add(name)
    return isNew
  })
  const names = distinct(all.flatMap(({ id, name }) => [id, name]))
  const desc = distinct(all.map((each) => each.desc.trim())).join('\n\n')
  const tags = distinct(all.flatMap((each) => each.tags))
  const aliases = names.filter((name) => name !== entity.id && name !== entity.name)
  return renderEntity({ ...entity, desc, tags }, distinctOnes, aliases)
}

/** Of a line as the reference memory server writes it; others have a description instead. */
export function observationsOfEntity(graph: EntityGraph, entity: Entity): readonly string[] {
  const all = [entity, ...mergedEntities(graph).mergedInto(entity.id)]
  return distinct(
    all.flatMap(({ extra: { observations } }) =>
      Array.isArray(observations) ? observations.filter((each) => typeof each === 'string') : [],
    ),
  )
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text.trim() !== '')
}
