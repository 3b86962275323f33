/** How far has a graph fallen into disorder: what is lonely, old or leads nowhere? */
import { compareIds } from '../domain/document.ts'
import type { EntityGraph } from '../domain/entity-graph.ts'
import { parseStoredTime } from '../domain/stored-time.ts'

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

/** Answers with the same report until the graph is another one, or something has become stale. */
export function openEntropyReport(
  graph: EntityGraph,
  now: () => Date = () => new Date(),
): () => EntropyReport {
  let last: { readonly report: EntropyReport; readonly of: string; readonly until: number }
  return () => {
    const at = now()
    const warnings = graph.warnings().map(({ message }) => message)
    const { entities, relations } = graph.added
    const of = [graph.epoch, entities.length, relations.length, ...warnings].join('\n')
    // A clock that was set back makes younger what was stale.
    const since = last?.report.generatedAt.getTime() ?? Infinity
    if (last?.of === of && at.getTime() >= since && at.getTime() < last.until) return last.report
    const { stale, until } = listStale(graph, at.getTime())
    const entityCount = graph.entityCount
    const relationCount = graph.relations().length
    const report: EntropyReport = {
      entityCount,
      relationCount,
      orphans: listOrphans(graph),
      stale,
      broken: listBroken(graph),
      density: entityCount < 2 ? 0 : relationCount / (entityCount * (entityCount - 1)),
      generatedAt: at,
      warnings,
    }
    last = { report, of, until }
    return report
  }
}

function listOrphans(graph: EntityGraph): readonly string[] {
  const orphans: string[] = []
  for (const { id } of graph.entities()) {
    if (graph.outgoing(id).length === 0 && graph.incoming(id).length === 0) orphans.push(id)
  }
  return orphans.toSorted(compareIds)
}

/** Also says when the next one will be. */
function listStale(
  graph: EntityGraph,
  now: number,
): { readonly stale: readonly string[]; readonly until: number } {
  const stale: string[] = []
  let until = Infinity
  for (const { id, updatedAt } of graph.entities()) {
    const at = updatedAt === '' ? undefined : parseStoredTime(updatedAt)
    // Exactly so many days ago is not too long ago.
    const lastFresh = at === undefined ? -Infinity : at + STALE_DAYS * DAY_MS
    if (now > lastFresh) stale.push(id)
    else if (lastFresh < until) until = lastFresh
  }
  return { stale: stale.toSorted(compareIds), until: until + 1 }
}

function listBroken(graph: EntityGraph): readonly BrokenEnd[] {
  return graph.relations().flatMap(({ src, dst }, relation) => {
    const ends: BrokenEnd[] = []
    if (!graph.findEntity(src)) ends.push({ relation, end: 'source', id: src })
    if (!graph.findEntity(dst)) ends.push({ relation, end: 'destination', id: dst })
    return ends
  })
}

/** One end that is missing, as a sentence. */
export function describeBroken({ relation, end, id }: BrokenEnd): string {
  return `Broken Link: Relation #${relation} ${end} '${id}' does not exist.`
}
