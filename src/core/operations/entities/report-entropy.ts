/** How far has a graph fallen into disorder: what is lonely, old or leads nowhere? */
import { compareIds } from '../../domain/document.ts'
import type { Entity } from '../../domain/entity.ts'
import type { EntityGraph } from '../../domain/entity-graph.ts'
import { parseStoredTime } from '../../domain/stored-time.ts'

export interface EntropyReport {
  readonly entityCount: number
  /** Every line, broken ones and repeats included. */
  readonly relationCount: number
  /** Ids without any relation, in or out. */
  readonly orphans: readonly string[]
  /** Ids that were last touched more than `STALE_DAYS` ago, or nobody knows when. */
  readonly stale: readonly string[]
  readonly broken: readonly BrokenEnd[]
  /** Relations of those that are possible; 0 for fewer than two entities. */
  readonly density: number
  readonly generatedAt: Date
  /** Lines and files that were left out. */
  readonly warnings: readonly string[]
}

export interface BrokenEnd {
  /** From 0, in the order of the files. */
  readonly relation: number
  readonly end: 'source' | 'destination'
  readonly id: string
}

export const STALE_DAYS = 30

const DAY_MS = 86_400_000

/**
 * Answers with the same report until the graph is another one, or something has become stale. What
 * was only added to is not counted anew: the new lines tell what has to change.
 */
export function createEntropyReport(
  graph: EntityGraph,
  now: () => Date = () => new Date(),
): () => EntropyReport {
  let last: { readonly report: EntropyReport; readonly of: string; readonly until: number }
  let findings: Findings | undefined
  return () => {
    const at = now()
    const warnings = graph.warnings().map(({ message }) => message)
    const { entities, relations } = graph.added
    const of = [graph.epoch, entities.length, relations.length, ...warnings].join('\n')
    // A clock that was set back makes younger what was stale.
    const since = last?.report.generatedAt.getTime() ?? Infinity
    const isLater = at.getTime() >= since && at.getTime() < last.until
    if (last?.of === of && isLater) return last.report
    const known = isLater ? findings : undefined
    findings = (known && addTo(known, graph, at.getTime())) ?? findAll(graph, at.getTime())
    const entityCount = graph.entityCount
    const relationCount = graph.relations().length
    const report: EntropyReport = {
      entityCount,
      relationCount,
      orphans: findings.orphans,
      stale: findings.stale,
      broken: findings.broken,
      density: entityCount < 2 ? 0 : relationCount / (entityCount * (entityCount - 1)),
      generatedAt: at,
      warnings,
    }
    last = { report, of, until: findings.until }
    return report
  }
}

/** What takes long to find, and how far the graph had come by then. */
interface Findings extends Pick<EntropyReport, 'orphans' | 'stale' | 'broken'> {
  readonly epoch: number
  readonly entities: number
  readonly relations: number
  /** When the next one becomes stale. */
  readonly until: number
}

function findAll(graph: EntityGraph, now: number): Findings {
  const { epoch, added } = graph
  const progress = { epoch, entities: added.entities.length, relations: added.relations.length }
  const orphans = listOrphans(graph, graph.entities())
  const broken = listBroken(graph, 0)
  return { ...progress, orphans, broken, ...listStale(graph.entities(), now) }
}

/** Undefined when more happened than additions, or when they are not the last of all relations. */
function addTo(known: Findings, graph: EntityGraph, now: number): Findings | undefined {
  const { epoch, added } = graph
  if (known.epoch !== epoch) return undefined
  const entities = added.entities.slice(known.entities)
  const relations = added.relations.slice(known.relations)
  const all = graph.relations()
  const first = all.length - relations.length
  if (!relations.every((relation, index) => all[first + index] === relation)) return undefined
  const connected = new Set(relations.flatMap(({ src, dst }) => [src, dst]))
  const stale = listStale(entities, now)
  return {
    epoch,
    entities: added.entities.length,
    relations: added.relations.length,
    orphans: merged(
      known.orphans.filter((id) => !connected.has(id)),
      listOrphans(graph, entities),
    ),
    stale: merged(known.stale, stale.stale),
    until: Math.min(known.until, stale.until),
    broken: [
      ...known.broken.filter(({ id }) => !graph.findEntity(id)),
      ...listBroken(graph, first),
    ],
  }
}

/** Both are in order. */
function merged(ids: readonly string[], more: readonly string[]): readonly string[] {
  return more.length === 0 ? ids : inOrder([...ids, ...more])
}

function inOrder(ids: readonly string[]): readonly string[] {
  return ids.toSorted(compareIds)
}

function listOrphans(graph: EntityGraph, entities: Iterable<Entity>): readonly string[] {
  const orphans: string[] = []
  for (const { id } of entities) {
    if (graph.outgoing(id).length === 0 && graph.incoming(id).length === 0) orphans.push(id)
  }
  return inOrder(orphans)
}

function listStale(entities: Iterable<Entity>, now: number): Pick<Findings, 'stale' | 'until'> {
  const stale: string[] = []
  let until = Infinity
  for (const { id, updatedAt } of entities) {
    const at = updatedAt === '' ? undefined : parseStoredTime(updatedAt)
    // Exactly so many days ago is not too long ago.
    const lastFresh = at === undefined ? -Infinity : at + STALE_DAYS * DAY_MS
    if (now > lastFresh) stale.push(id)
    else if (lastFresh < until) until = lastFresh
  }
  return { stale: inOrder(stale), until: until + 1 }
}

/** From the relation with this number on. */
function listBroken(graph: EntityGraph, first: number): readonly BrokenEnd[] {
  const all = graph.relations()
  const broken: BrokenEnd[] = []
  for (let relation = first; relation < all.length; relation++) {
    const { src, dst } = all[relation]!
    if (!graph.findEntity(src)) broken.push({ relation, end: 'source', id: src })
    if (!graph.findEntity(dst)) broken.push({ relation, end: 'destination', id: dst })
  }
  return broken
}

/** One end that is missing, as a sentence. */
export function describeBroken({ relation, end, id }: BrokenEnd): string {
  return `Broken Link: Relation #${relation} ${end} '${id}' does not exist.`
}
