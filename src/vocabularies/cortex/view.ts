/** What this surface sees: a graph as its files are at the moment of a call. */
import type {
  AddedEntity,
  AddedRelation,
  EntityDraft,
  EntityGraph,
  GraphWriter,
  RelationDraft,
} from '../../core/domain/entity-graph.ts'
import { forbidden } from '../../core/domain/error.ts'
import { recordEntity, recordRelation } from '../../core/operations/entities/record-addition.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import { createEntropyReport } from '../../core/operations/entities/report-entropy.ts'
import type { EntropyReport } from '../../core/operations/entities/report-entropy.ts'
import { openEntitySearch } from './operations/search-entities.ts'
import type { EntitySearch } from './operations/search-entities.ts'
import type { SurfaceEvent } from '../../serve/door/surface.ts'
import { ENTROPY_URI, relationsUri } from './uris.ts'

/** Where a graph is part of a base, what is added to it goes into the index as well. */
export interface CortexBase {
  readonly kb: Knowledge
  /** The source the graph belongs to. */
  readonly source: string
}

export interface CortexView extends EntitySearch {
  readonly graph: EntityGraph
  addEntity(draft: EntityDraft): Promise<AddedEntity>
  addRelation(draft: RelationDraft): Promise<AddedRelation>
  /** Reads what leads where, which the first connection or report would do otherwise. */
  prepareLinks(): void
  entropy(): EntropyReport
  /** Looks at the files. To be called before anything is answered. */
  look(): void
  /** Tells those who listen what became of the graph since it was last looked at. */
  announce(): void
  subscribe(listener: (event: SurfaceEvent) => void): () => void
}

export function createCortexView(graph: EntityGraph, base?: CortexBase): CortexView {
  const { search, prepare } = openEntitySearch(graph)
  const listeners = new Set<(event: SurfaceEvent) => void>()
  let told = markOf(graph)
  const announce = (): void => {
    const now = markOf(graph)
    const events = eventsBetween(graph, told, now)
    told = now
    for (const event of events) for (const listener of listeners) listener(event)
  }
  const writer = (): GraphWriter => {
    if (graph.writer) return graph.writer
    throw forbidden('This graph may only be read.', '')
  }
  return {
    graph,
    addEntity: async (draft) =>
      base
        ? recordEntity(wholeView(base.kb), { source: base.source, graph, writer: writer() }, draft)
        : writer().addEntity(draft),
    addRelation: async (draft) =>
      base
        ? recordRelation(
            wholeView(base.kb),
            { source: base.source, graph, writer: writer() },
            draft,
          )
        : writer().addRelation(draft),
    search,
    prepare,
    prepareLinks: () => void graph.outgoing(''),
    entropy: createEntropyReport(graph),
    look() {
      graph.refresh()
      announce()
    },
    announce,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface Mark {
  readonly epoch: number
  readonly entities: number
  readonly relations: number
}

function markOf({ epoch, added }: EntityGraph): Mark {
  return { epoch, entities: added.entities.length, relations: added.relations.length }
}

function eventsBetween(graph: EntityGraph, before: Mark, now: Mark): readonly SurfaceEvent[] {
  const anew = before.epoch !== now.epoch
  const grown = before.relations !== now.relations
  if (!anew && !grown && before.entities === now.entities) return []
  // Which lines were edited is not known, so every month may have been.
  const months = anew
    ? graph.shards()
    : graph.added.relations.slice(before.relations).map(({ origin }) => origin.file)
  const updated = new Set([ENTROPY_URI, ...months.flatMap((month) => relationsUri(month) ?? [])])
  return [
    ...(anew || before.entities !== now.entities ? [{ kind: 'resources_changed' as const }] : []),
    ...[...updated].map((uri) => ({ kind: 'resource_updated' as const, uri })),
  ]
}
