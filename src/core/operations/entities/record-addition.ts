/**
 * Adds to one graph, and to the index, so that the next call of any surface finds it, in the place
 * where the files of the graph are written.
 */
import { entityPath } from '../../domain/entity-document.ts'
import type {
  AddedEntity,
  AddEntityOptions,
  AddedRelation,
  EntityDraft,
  EntityGraph,
  GraphAddition,
  GraphWriter,
  MergeDraft,
  RelationDraft,
} from '../../domain/entity-graph.ts'
import { KnowledgeError } from '../../domain/error.ts'
import type { Warning } from '../../domain/warning.ts'
import type { View } from '../view/view.ts'
import { writingOf } from '../writing/carry-out.ts'
import type { Recorded } from '../writing/place.ts'
import { putIntoIndex } from '../writing/put-into-index.ts'

/** A graph that may be added to, and the source it belongs to. */
export interface WritableGraph {
  readonly source: string
  readonly graph: EntityGraph
  readonly writer: GraphWriter
}

export async function recordEntity(
  kb: View,
  open: WritableGraph,
  draft: EntityDraft,
  options: Pick<AddEntityOptions, 'anyCategory'> = {},
): Promise<Recorded<AddedEntity>> {
  return (await record(kb, open, { kind: 'entity', draft, ...options })) as Recorded<AddedEntity>
}

/** `knownEnd` is an end that exists, although it may be no entity of this graph. */
export async function recordRelation(
  kb: View,
  open: WritableGraph,
  draft: RelationDraft,
  knownEnd?: string,
): Promise<Recorded<AddedRelation>> {
  const addition = { kind: 'relation' as const, draft, ...(knownEnd !== undefined && { knownEnd }) }
  return (await record(kb, open, addition)) as Recorded<AddedRelation>
}

async function record(kb: View, open: WritableGraph, addition: GraphAddition): Promise<Recorded> {
  for (const place of writingOf(kb).places ?? []) {
    const recorded = await place.record?.(open.source, addition)
    if (recorded) return recorded
  }
  return recordHere(kb, open, addition)
}

/** One that is merged into another, or is its own again. */
export async function recordMerge(
  kb: View,
  open: WritableGraph,
  draft: MergeDraft,
): Promise<Recorded<AddedEntity>> {
  return (await record(kb, open, { kind: 'merge', draft })) as Recorded<AddedEntity>
}

/** Those who lead to it are indexed with it; of very many the watcher finds the rest. */
const MOST_NEAR = 200

/** Where the files of the graph are written by this server. */
export async function recordHere(
  kb: View,
  { source, graph, writer }: WritableGraph,
  addition: GraphAddition,
): Promise<Recorded> {
  if (addition.kind === 'entity') {
    const { anyCategory = false } = addition
    const added = await writer.addEntity(addition.draft, { anyCategory })
    return { ...added, source, warnings: await indexEntity(kb, source, addition.draft.id) }
  }
  if (addition.kind === 'merge') {
    const { id, into } = addition.draft
    const before = graph.survivorOf(id)
    const added = await writer.addMerge(addition.draft)
    // Whoever leads to one of them leads to the other from now on.
    const near = [...graph.incoming(id), ...graph.outgoing(id)].flatMap(({ src }) => src)
    const touched = new Set([id, before, into ?? id, ...near.slice(0, MOST_NEAR)])
    const warnings = await indexEntities(kb, source, [...touched])
    return { ...added, source, warnings }
  }
  const { draft, knownEnd } = addition
  const added = await writer.addRelation(draft, {
    endExists: (id) => graph.findEntity(id) !== undefined || (id !== draft.src && id === knownEnd),
  })
  const warnings = added.created ? await indexEntity(kb, source, draft.src) : []
  return { ...added, source, warnings }
}

/**
 * Read under the lock of the base: of two additions to one entity, the later is indexed last. The
 * line is on disk by now, so whatever keeps it from the index is a warning and no failure.
 */
export async function indexEntity(kb: View, source: string, id: string): Promise<Warning[]> {
  return indexEntities(kb, source, [id])
}

async function indexEntities(kb: View, source: string, ids: readonly string[]): Promise<Warning[]> {
  const places = ids.map((id) => ({ source, path: entityPath(id) }))
  try {
    return await writingOf(kb).lock.hold([], () => putIntoIndex(kb, places))
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    for (const { path } of places) kb.noticeChange(source, path)
    const message = `It is saved; the index will show it a little later (${error.message}).`
    return [{ kind: 'index', message }]
  }
}
